/** The database that the settings name: a PostgreSQL of the operator's, or the one inside. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from '../operations/config.server.ts'
import type { OpenDatabase } from './database.server.ts'
import { embeddedFolder, openEmbedded } from './embedded-postgres.server.ts'
import { openPostgres } from './postgres.server.ts'

/**
 * @param connections at most so many at the same time
 * @param isToBeFilled it may begin beside the database of an older Kettle, of which a backup is restored
 * @throws ConfigError, Unavailable or an Error, with a sentence, when it can't be reached.
 */
export async function openDatabase(
  config: Config,
  { connections = config.databaseConnections, isToBeFilled = false } = {},
): Promise<OpenDatabase> {
  if (config.databaseUrl)
    return openPostgres({ ...postgresOf(config, config.databaseUrl), connections })
  const former = join(config.dataDir, 'pg')
  if (!isToBeFilled && existsSync(former) && !existsSync(embeddedFolder(config.dataDir)))
    throw new ConfigError(
      `${former} holds the database of an older Kettle. Carry it over with two commands: ` +
        'npm run backup -- FILE with that Kettle, npm run restore -- FILE with this one.',
    )
  const { url, leave } = await openEmbedded(config.dataDir)
  const database = await openPostgres({ url, connections }).catch(async (error) => {
    await leave()
    throw error
  })
  return { ...database, close: () => database.close().finally(leave) }
}

/** How the PostgreSQL of the settings wants to be spoken to. */
export const postgresOf = (config: Config, url: string) => ({
  url,
  listenUrl: config.databaseListenUrl,
  hasStatementNames: config.hasStatementNames,
})
