/** Opens the database of the settings: the operator's PostgreSQL, or the embedded one. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from '../operations/config.server.ts'
import type { OpenDatabase } from './database.server.ts'
import { embeddedFolder, openEmbedded } from './embedded-postgres.server.ts'
import { TOO_OLD } from './migrations.server.ts'
import { openPostgres } from './postgres.server.ts'

/**
 * @param connections how many at most @throws ConfigError, Unavailable or Error with a sentence if it can't be reached
 */
export async function openDatabase(
  config: Config,
  { connections = config.databaseConnections } = {},
): Promise<OpenDatabase> {
  if (config.databaseUrl)
    return openPostgres({ ...postgresOf(config, config.databaseUrl), connections })
  const former = join(config.dataDir, 'pg')
  if (existsSync(former) && !existsSync(embeddedFolder(config.dataDir)))
    throw new ConfigError(`The database in ${former} ${TOO_OLD}.`)
  const { url, leave } = await openEmbedded(config.dataDir)
  const database = await openPostgres({ url, connections }).catch(async (error) => {
    await leave()
    throw error
  })
  return { ...database, close: () => database.close().finally(leave) }
}

export const postgresOf = (config: Config, url: string) => ({
  url,
  listenUrl: config.databaseListenUrl,
  hasDatabaseStatementNames: config.hasDatabaseStatementNames,
})
