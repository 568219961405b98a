/** The database that the settings name: a PostgreSQL, or the embedded one. */
import type { Config } from './config.server.ts'
import type { OpenDatabase } from './database.server.ts'
import { borrowDatabase } from './lent-database.server.ts'
import { openPglite } from './pglite.server.ts'
import { openPostgres } from './postgres.server.ts'

/**
 * @param onLost called once if the embedded one is lost: the process does best to end
 * @throws ConfigError, Unavailable or an Error, with a sentence, when it cannot be reached or is in use.
 */
export const openDatabase = (
  config: Config,
  { onLost }: { onLost?: (why: Error) => void } = {},
): Promise<OpenDatabase> =>
  config.databaseUrl
    ? openPostgres({
        ...postgresOf(config, config.databaseUrl),
        connections: config.databaseConnections,
      })
    : openPglite({ dataDir: config.dataDir, ...(onLost && { onLost }) })

/** For a command: beside a site that runs on the embedded database it is that site's, lent. */
export const openBesideSite = async (config: Config): Promise<OpenDatabase> =>
  (config.databaseUrl ? undefined : await borrowDatabase(config.dataDir)) ?? openDatabase(config)

/** How the PostgreSQL of the settings wants to be spoken to. */
export const postgresOf = (config: Config, url: string) => ({
  url,
  listenUrl: config.databaseListenUrl,
  hasStatementNames: config.hasStatementNames,
})
