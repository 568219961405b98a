/** Brings the database's schema up to date, forward only, from the files in db/migrations. */
import { setTimeout as wait } from 'node:timers/promises'
import sql, { raw } from 'sql-template-tag'
import { isUnavailable } from '../http/unavailable.ts'
import { ConfigError } from '../operations/config.server.ts'
import { type Database, isDeadlock, isLockTimeout, type OpenDatabase } from './database.server.ts'
import {
  baselineOf,
  indexOf,
  levelOf,
  type Migration,
  ourMigrations,
  readMigrations,
  type SchemaLevel,
  statementsOf,
  TOO_OLD,
} from './migrations.server.ts'

/** An arbitrary number. Processes that start together migrate one after the other. */
const MIGRATION_LOCK = 4_815_162_342
/** How often we check whether another process is done. */
const LOOK_AGAIN_MS = 250

/**
 * A statement that waits for a lock blocks all later ones, even reads. So it gives up after this time,
 * lets the others pass, and tries again after a pause.
 */
const LOCK_TIMEOUT = '1s'
const PAUSE_FIRST_MS = 1_000
const PAUSE_MAX_MS = 30_000

type Say = (line: string) => void

/**
 * Applies missing migrations, each in its own transaction unless its first lines say otherwise. If one fails, the
 * previous version's schema stays. Waits while another process migrates.
 * @param folder instead of the program's own migrations
 * @param say gets a sentence when it waits
 * @returns the names of those it applied
 * @throws ConfigError if the schema is newer than this program, too old, or from changed files
 */
export async function migrate(
  database: OpenDatabase,
  { folder, say = console.log }: { folder?: string; say?: Say } = {},
): Promise<string[]> {
  const known = await (folder ? readMigrations(folder) : ourMigrations())
  // Takes no lock if there's nothing to do, so a process without new migrations can start and serve
  // while another one migrates.
  if (isUpToDate(await levelOf(database, known))) return []
  return database.dedicated(async (db) => {
    await lockMigrations(db, say)
    await db.script(`
      create table if not exists migrations (
        name text primary key, applied_on date not null default current_date, checksum text,
        is_compatible boolean not null default false)`)
    const level = await levelOf(db, known)
    requireSameHistory(level)
    const baseline = level.replaced.length > 0 ? baselineOf(known) : undefined
    if (baseline) await putInPlace(db, baseline, level.replaced)
    const missing = level.missing.filter((migration) => migration !== baseline)
    for (const migration of missing) await apply(db, migration, say)
    return missing.map(({ name }) => name)
  })
}

/** @throws ConfigError as `migrate` */
function isUpToDate(level: SchemaLevel) {
  requireSameHistory(level)
  return level.missing.length === 0
}

function requireSameHistory({ newer, changed, isTooOld }: SchemaLevel) {
  if (isTooOld) throw new ConfigError(`The database ${TOO_OLD}.`)
  const unknown = newer.find(({ isCompatible }) => !isCompatible)
  if (unknown)
    throw new ConfigError(
      `The database is newer than this version of Kettle (it has ${unknown.name}). Update Kettle.`,
    )
  if (changed[0] !== undefined)
    throw new ConfigError(
      `The migration ${changed[0]} was changed after it was applied to this database. Restore ` +
        'that file, and put your changes in a new one.',
    )
}

/**
 * The lock belongs to the connection, so it ends with this process. We poll for it, because a waiting
 * statement would deadlock with an index built concurrently, which waits for all running statements.
 */
export async function lockMigrations(db: Database, say: Say) {
  for (let tried = 0; ; tried++) {
    const [turn] = await db.query<{ is: boolean }>(
      sql`select pg_try_advisory_lock(${MIGRATION_LOCK}::bigint) as is`,
    )
    if (turn?.is) return
    if (tried === 0) say('Waiting for another process to finish updating the database.')
    await wait(LOOK_AGAIN_MS)
  }
}

/** Marks the baseline as applied if the database has everything it stands for. */
const putInPlace = (db: Database, baseline: Migration, replaced: string[]) =>
  db.transaction(async (db) => {
    // What the old program moved by itself, because a migration has no keys.
    const left = await db.query(sql`
      select from pg_tables where schemaname = current_schema() and tablename like '%\\_before'
      union all
      select from pg_attribute
       where attrelid = to_regclass('accounts') and attname = 'root_sealed' and not attnotnull`)
    if (left.length > 0) throw new ConfigError(`The database ${TOO_OLD}.`)
    await db.query(sql`delete from migrations where name = any(${replaced})`)
    await remember(db, baseline)
  })

async function apply(db: Database, migration: Migration, say: Say) {
  const { name, text } = migration
  const waiting = { what: `The migration ${name}`, say }
  try {
    if (migration.isOutside) {
      for (const statement of statementsOf(text))
        await patiently(waiting, () => runOutside(db, statement))
      await remember(db, migration)
    } else
      await patiently(waiting, () =>
        inTransaction(db, async (db) => {
          await db.script(text)
          await remember(db, migration)
        }),
      )
  } catch (cause) {
    if (isUnavailable(cause)) throw cause
    throw new Error(`The migration ${name} failed: ${(cause as Error).message}`, { cause })
  }
}

const inTransaction = (db: Database, work: (db: Database) => Promise<unknown>) =>
  db.transaction(async (db) => {
    await db.script(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
    await work(db)
  })

const remember = (db: Database, { name, checksum, isCompatible }: Migration) =>
  db.query(sql`
    insert into migrations (name, checksum, is_compatible)
    values (${name}, ${checksum}, ${isCompatible})`)

/** Runs a statement that an earlier start may have begun. */
async function runOutside(db: Database, statement: string) {
  const index = indexOf(statement)
  if (index && (await isInvalid(db, index))) await db.query(raw(`drop index concurrently ${index}`))
  // A concurrent build waits for others, but blocks no one.
  const isConcurrent = /\bconcurrently\b/i.test(statement)
  await db.script(`set lock_timeout = '${isConcurrent ? '0' : LOCK_TIMEOUT}'`)
  await db.script(statement)
}

/** An interrupted index stays behind as invalid, but "if not exists" would accept it. */
async function isInvalid(db: Database, index: string) {
  const left = await db.query(
    sql`select from pg_index where indexrelid = to_regclass(${index}) and not indisvalid`,
  )
  return left.length > 0
}

/** Tries again after growing pauses, while others hold the locks it needs. */
async function patiently(
  { what, say }: { what: string; say: Say },
  work: () => Promise<unknown>,
): Promise<void> {
  for (let pause = PAUSE_FIRST_MS; ; pause = Math.min(2 * pause, PAUSE_MAX_MS)) {
    try {
      await work()
      return
    } catch (error) {
      if (!isLockTimeout(error) && !isDeadlock(error)) throw error
      say(`${what} is waiting for other transactions. Trying again in ${pause / 1000} s.`)
      await wait(pause)
    }
  }
}
