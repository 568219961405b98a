/** Brings the database's schema up to date, forward only, from the files in db/migrations. */
import { setTimeout as wait } from 'node:timers/promises'
import sql, { raw } from 'sql-template-tag'
import { isUnavailable } from '../http/unavailable.ts'
import { ConfigError } from '../operations/config.server.ts'
import { type Database, isDatabaseError, isDeadlock, type OpenDatabase } from './database.server.ts'
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

/** Any number that nobody else uses: two processes that start at once migrate one after the other. */
const MIGRATION_LOCK = 4_815_162_342
/** How often it is looked whether another process is done. */
const LOOK_AGAIN_MS = 250

/**
 * Whoever waits for a lock stands in front of everybody who comes later, readers too. So nobody stands
 * there for longer than this; then the readers go on, and it is tried again after a pause.
 */
const LOCK_TIMEOUT = '1s'
const PAUSE_FIRST_MS = 1_000
const PAUSE_MAX_MS = 30_000

const LOCK_NOT_AVAILABLE = '55P03'

type Say = (line: string) => void

/**
 * Applies the migrations that are missing, each in a transaction of its own unless its first lines say
 * otherwise: one that fails leaves everything as the previous version had it. It takes as long as it
 * takes, and waits as long as another process is at it.
 * @param folder instead of the program's own migrations
 * @param say hears why it waits
 * @returns the names of those that were applied now
 * @throws ConfigError for a schema that is newer than this program, too old, or made of another text
 */
export async function migrate(
  database: OpenDatabase,
  { folder, say = console.log }: { folder?: string; say?: Say } = {},
): Promise<string[]> {
  const known = await (folder ? readMigrations(folder) : ourMigrations())
  // Without the lock where there is nothing to do: a process that is started anew while another one
  // migrates, with nothing of that to do itself, serves meanwhile.
  if (isUpToDate(await levelOf(database, known))) return []
  return database.dedicated(async (db) => {
    await takeTurn(db, say)
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

/** @throws ConfigError as `migrate` does */
function isUpToDate(level: SchemaLevel) {
  requireSameHistory(level)
  return level.missing.length === 0
}

function requireSameHistory({ newer, changed, isTooOld }: SchemaLevel) {
  if (isTooOld) throw new ConfigError(`The database ${TOO_OLD}.`)
  const unknown = newer.find(({ isCompatible }) => !isCompatible)
  if (unknown)
    throw new ConfigError(
      `The database is newer than this program (it has ${unknown.name}). Update the program.`,
    )
  if (changed[0] !== undefined)
    throw new ConfigError(
      `The migration ${changed[0]} was changed after it was applied to this database. Restore ` +
        'that file, and put your changes into a new one.',
    )
}

/**
 * The lock is the connection's, so it ends with this process however that ends. Asked for again and
 * again instead of waited for: an index that is made beside the running site waits for every statement
 * that is under way, and would wait for ours, which waits for it.
 */
export async function takeTurn(db: Database, say: Say) {
  for (let tried = 0; ; tried++) {
    const [turn] = await db.query<{ is: boolean }>(
      sql`select pg_try_advisory_lock(${MIGRATION_LOCK}::bigint) as is`,
    )
    if (turn?.is) return
    if (tried === 0) say('Waiting for another process to finish updating the database.')
    await wait(LOOK_AGAIN_MS)
  }
}

/** A database that has all that the baseline stands for has the baseline. */
const putInPlace = (db: Database, baseline: Migration, replaced: string[]) =>
  db.transaction(async (db) => {
    // What the program, not a migration, had to carry over, as no migration knows a key.
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

/** One statement that may have been begun before. */
async function runOutside(db: Database, statement: string) {
  const index = indexOf(statement)
  if (index && (await isInvalid(db, index))) await db.query(raw(`drop index concurrently ${index}`))
  // What is made concurrently waits for others, but nobody for it.
  const isConcurrent = /\bconcurrently\b/i.test(statement)
  await db.script(`set lock_timeout = '${isConcurrent ? '0' : LOCK_TIMEOUT}'`)
  await db.script(statement)
}

/** An index that was not finished is left behind; "if not exists" would take it for one. */
async function isInvalid(db: Database, index: string) {
  const left = await db.query(
    sql`select from pg_index where indexrelid = to_regclass(${index}) and not indisvalid`,
  )
  return left.length > 0
}

/** Tries again, after growing pauses, for as long as somebody else holds what it needs. */
async function patiently(
  { what, say }: { what: string; say: Say },
  work: () => Promise<unknown>,
): Promise<void> {
  for (let pause = PAUSE_FIRST_MS; ; pause = Math.min(2 * pause, PAUSE_MAX_MS)) {
    try {
      await work()
      return
    } catch (error) {
      if (!isDatabaseError(error, LOCK_NOT_AVAILABLE) && !isDeadlock(error)) throw error
      say(`${what} waits for others. We try again in ${pause / 1000} s.`)
      await wait(pause)
    }
  }
}
