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
# git reads kernel trees and public-inbox folders.
RUN apt-get update && apt-get install -y --no-install-recommends git && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE ./
COPY config config
RUN ln -s /app/dist/shell/cli/main.js /usr/local/bin/reveille \
  && mkdir -p /var/lib/reveille && chown node:node /var/lib/reveille
USER node
WORKDIR /home/node
STOPSIGNAL SIGTERM
# Of a daemon whose settings say `health: { port: 9187 }`; another place goes into the variable. Other commands end before it is asked.
ENV REVEILLE_HEALTH=http://127.0.0.1:9187/healthz
HEALTHCHECK --interval=60s --timeout=10s --start-period=60s --retries=3 \
  CMD node -e "fetch(process.env.REVEILLE_HEALTH).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"
ENTRYPOINT ["reveille"]
CMD ["--help"]
