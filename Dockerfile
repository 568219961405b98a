# Kettle in a container: docker build -t kettle . && docker run --init -p 3000:3000 -v kettle:/data kettle
# compose.yaml puts a PostgreSQL beside it; docs/operations.md tells how.

FROM node:20-bookworm-slim AS build
WORKDIR /kettle
# By themselves, so that a change of the code installs nothing anew. Not `npm ci`: see scripts/prepare.mjs.
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm \
    npm install --no-save --include=dev --no-audit --no-fund
COPY . .
RUN npm run build
# What the build alone needed goes.
RUN npm prune --omit=dev --no-audit --no-fund

FROM node:20-bookworm-slim
ENV NODE_ENV=production TZ=UTC HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MALLOC_ARENA_MAX=1
WORKDIR /kettle
COPY --from=build /kettle/package.json ./
COPY --from=build /kettle/node_modules ./node_modules
COPY --from=build /kettle/dist ./dist
COPY --from=build /kettle/db ./db
COPY --from=build /kettle/app/auth/common-passwords.bin ./app/auth/
COPY --from=build --chmod=755 /kettle/deploy/kettle.mjs ./deploy/
# /data is what it writes into: keys, mails without SMTP_URL, the embedded database.
RUN ln -s /kettle/deploy/kettle.mjs /usr/local/bin/kettle \
    && install -d -o node -g node -m 700 /data /backups
VOLUME /data
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s CMD ["kettle", "health"]
CMD ["kettle", "serve"]
