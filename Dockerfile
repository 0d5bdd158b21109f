FROM node:24-slim
