# Build: packages and compiler stay behind.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-fund --no-audit
COPY tsconfig.json ./
COPY src src
COPY config config
COPY test/gates test/gates
RUN npm run build && npm prune --omit=dev

# Run: Node, the compiled program, its packages; an ordinary user.
FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE ./
COPY config config
RUN ln -s /app/dist/shell/cli/main.js /usr/local/bin/reveille
USER node
WORKDIR /home/node
ENTRYPOINT ["reveille"]
CMD ["--help"]
