/** A database that only a drill uses. Nothing in it reaches the site's. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import sql, { raw } from 'sql-template-tag'
import type { OpenDatabase } from '../database/database.server.ts'
import { isAlive } from '../database/embedded-postgres.server.ts'
import { openDatabase } from '../database/open-database.server.ts'
import { openPostgres } from '../database/postgres.server.ts'
import { privateFolder } from '../folders.server.ts'
import { BackupError } from './backup-file.server.ts'
import { type Config, ConfigError } from './config.server.ts'

type Work<Result> = (db: OpenDatabase) => Promise<Result>

/**
 * In an embedded PostgreSQL of its own, or, where that doesn't run, beside the site's database. Deletes it afterwards.
 * @throws ConfigError if there's neither
 */
export async function withDrillDatabase<Result>(config: Config, work: Work<Result>) {
  const dataDir = await drillFolder(config.dataDir)
  try {
    const embedded = await openDatabase(
      { ...config, databaseUrl: undefined, dataDir },
      { connections: 1 },
    ).catch((error) => {
      if (!(error instanceof ConfigError && config.databaseUrl)) throw error
    })
    return await (embedded ? closing(embedded, work) : withScratchDatabase(config, work))
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

const closing = <Result>(db: OpenDatabase, work: Work<Result>) => work(db).finally(() => db.close())

/** A new folder, next to none that a killed drill left. */
async function drillFolder(dataDir: string) {
  for (const name of await readdir(dataDir).catch(() => [])) {
    const pid = Number(/^drill-(\d+)-/.exec(name)?.[1])
    if (pid && (pid === process.pid || !isAlive(pid)))
      await rm(join(dataDir, name), { recursive: true, force: true })
  }
  await privateFolder(dataDir)
  return mkdtemp(join(dataDir, `drill-${process.pid}-`))
}

const DRILL_LOCK = 1_801_810_038

/** On DATABASE_URL's server. @throws ConfigError if its role can't create one, BackupError if another drill runs */
export async function withScratchDatabase<Result>(config: Config, work: Work<Result>) {
  const url = config.databaseListenUrl ?? config.databaseUrl ?? ''
  const site = await openPostgres({ url, connections: 1 })
  return closing(site, () =>
    site.dedicated(async (db) => {
      const [plan] = await db.query<{
        mayCreate: boolean
        isOurs: boolean
        name: string
        create: string
      }>(sql`
        select (select rolcreatedb or rolsuper from pg_roles where rolname = current_user) as "mayCreate",
               pg_try_advisory_lock(${DRILL_LOCK}::bigint) as "isOurs", name,
               format('create database %I template template0 encoding %L lc_collate %L lc_ctype %L',
                      name, 'UTF8', datcollate, datctype) as create
          from pg_database cross join lateral (select 'kettle_drill_' || oid as name) its
         where datname = current_database()`)
      if (!plan?.mayCreate)
        throw new ConfigError(
          'The embedded PostgreSQL doesn’t run here, and the role in DATABASE_URL can’t create a database for the drill. ' +
            'Run alter role … createdb, then try again.',
        )
      if (!plan.isOurs) throw new BackupError('Another drill is running.')
      // Also one that a killed drill left.
      const drop = () => db.query(raw(`drop database if exists ${plan.name} with (force)`))
      await drop()
      await db.query(raw(plan.create))
      try {
        const scratch = await openPostgres({ url: databaseIn(url, plan.name), connections: 1 })
        return await closing(scratch, work)
      } finally {
        await drop()
      }
    }),
  )
}

/** The same server's database of that name. */
const databaseIn = (url: string, name: string) =>
  url.replace(/^(\w+:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${name}`)
