/** The database that the settings name: a PostgreSQL, or the embedded one. */
import type { Config } from './config.server.ts'
import type { OpenDatabase } from './database.server.ts'
import { openPglite } from './pglite.server.ts'
import { openPostgres } from './postgres.server.ts'

/** @throws ConfigError or an Error with a sentence when it cannot be reached or is in use. */
export const openDatabase = (config: Config): Promise<OpenDatabase> =>
  config.databaseUrl
    ? openPostgres({ url: config.databaseUrl, connections: config.databaseConnections })
    : openPglite({ dataDir: config.dataDir })
