# syntax=docker/dockerfile:1

# --- Compiles. Everything that only building needs stays in this stage.
FROM node:24.11.1-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/cli/package.json ./packages/cli/
COPY packages/client/package.json ./packages/client/
COPY packages/embedded-postgres/package.json ./packages/embedded-postgres/
COPY packages/outbox/package.json ./packages/outbox/
COPY packages/reconcile/package.json ./packages/reconcile/
COPY packages/sandbox/package.json ./packages/sandbox/
COPY packages/verify/package.json ./packages/verify/
COPY examples/gateway/package.json ./examples/gateway/
COPY examples/orders-api/package.json ./examples/orders-api/
COPY console/package.json ./console/
# With the optional packages: the bundler has its native part in one.
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
COPY . .
RUN npm run build && npm sbom --sbom-format cyclonedx --package-lock-only > sbom.cdx.json

# --- What runs, without what only developers read.
FROM node:24.11.1-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/cli/package.json ./packages/cli/
COPY packages/client/package.json ./packages/client/
COPY packages/embedded-postgres/package.json ./packages/embedded-postgres/
COPY packages/outbox/package.json ./packages/outbox/
COPY packages/reconcile/package.json ./packages/reconcile/
COPY packages/sandbox/package.json ./packages/sandbox/
COPY packages/verify/package.json ./packages/verify/
COPY examples/gateway/package.json ./examples/gateway/
COPY examples/orders-api/package.json ./examples/orders-api/
COPY console/package.json ./console/
# The optional packages are the embedded Postgres for five platforms (a container has a database beside it) and native
# accelerators that have a fallback. The clients of the vendors are development packages: the build has bundled them into
# dist/src, with their licenses (docs/decisions/composition.md).
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --omit=optional --ignore-scripts
# Types, source maps, tests and texts.
RUN find node_modules -type f \( -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.map' -o -name '*.md' \) -delete \
  && find node_modules -mindepth 2 -maxdepth 3 -type d -name test -prune -exec rm -r {} +

# --- The base of both images.
FROM node:24.11.1-slim AS runtime
ENV NODE_ENV=production
WORKDIR /app
# The demo's certificate is shared through this folder; a fresh volume takes its owner from here.
# So does the folder of exports.
RUN mkdir /sandbox /exports && chown node:node /sandbox /exports
COPY docker/healthcheck.sh /usr/local/bin/healthcheck.sh
COPY --from=packages /app/node_modules ./node_modules
COPY package.json LICENSE ./
USER node
STOPSIGNAL SIGTERM

# --- The sandbox: a stand-in for the five targets, for the demo and for nothing else.
FROM runtime AS sandbox
COPY --from=build /app/packages/sandbox/package.json ./packages/sandbox/
COPY --from=build /app/packages/sandbox/dist ./packages/sandbox/dist
ENV SANDBOX_HOST=0.0.0.0 SANDBOX_PORT=4710 SANDBOX_TLS_PORT=4711 SANDBOX_PUBLIC_HOST=sandbox SANDBOX_AUTHORITY_FOLDER=/sandbox
EXPOSE 4710 4711
HEALTHCHECK --interval=5s --timeout=10s --start-period=60s CMD ["healthcheck.sh", "4710", "/_sandbox/health"]
CMD ["node", "packages/sandbox/dist/main.js"]

# --- The relay of an outbox in the database of another API (docs/operations.md), and every other command of @waybill/outbox.
FROM runtime AS relay
COPY --from=build /app/packages/outbox/package.json ./packages/outbox/
COPY --from=build /app/packages/outbox/dist ./packages/outbox/dist
EXPOSE 4702
HEALTHCHECK --interval=5s --timeout=10s --start-period=60s CMD ["healthcheck.sh", "4702", "/livez"]
ENTRYPOINT ["node", "packages/outbox/dist/cli.js"]
CMD ["relay", "--host", "0.0.0.0", "--port", "4702"]

# --- The service: `ROLES` says whether it is an api, a worker, or both.
FROM runtime AS service
COPY docs/openapi.json ./docs/
COPY --from=build /app/sbom.cdx.json ./
COPY --from=build /app/dist/src ./dist/src
COPY --from=build /app/dist/service ./dist/service
COPY --from=build /app/dist/console ./dist/console
COPY --from=build /app/packages/embedded-postgres/package.json ./packages/embedded-postgres/
COPY --from=build /app/packages/embedded-postgres/dist ./packages/embedded-postgres/dist
# The command `waybill`, for operators without Node: docs/operations.md, docs/reconciliation.md.
COPY --from=build /app/packages/cli ./packages/cli
COPY --from=build /app/packages/client/package.json ./packages/client/
COPY --from=build /app/packages/client/dist ./packages/client/dist
COPY --from=build /app/packages/reconcile/package.json ./packages/reconcile/
COPY --from=build /app/packages/reconcile/dist ./packages/reconcile/dist
COPY --from=build /app/packages/verify/package.json ./packages/verify/
COPY --from=build /app/packages/verify/dist ./packages/verify/dist
ENV HOST=0.0.0.0 PORT=4700 EXPORT_FOLDER=/exports
EXPOSE 4700
COPY docker/waybill.sh /usr/local/bin/waybill
COPY docker/start.sh /usr/local/bin/start.sh
ENTRYPOINT ["start.sh"]
HEALTHCHECK --interval=5s --timeout=10s --start-period=120s CMD healthcheck.sh "$PORT" /readyz
# A heap that may grow with the machine holds what nobody needs any more: docs/benchmarks.md has the figures.
CMD ["node", "--max-old-space-size=384", "--enable-source-maps", "dist/service/main.js"]
