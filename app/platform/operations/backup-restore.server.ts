/** Fills an empty database with what another one had, and reads it back before keeping it. */
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql, { raw } from 'sql-template-tag'
import type { Database, OpenDatabase } from '../database/database.server.ts'
import { migrate } from '../database/migrate.server.ts'
import {
  baselineOf,
  isTooOld,
  ourMigrations,
  replacedIn,
  TOO_OLD,
} from '../database/migrations.server.ts'
import { projectFolder } from '../folders.server.ts'
import {
  migrationsIn,
  quoted,
  rowsOf,
  type Table,
  tablesOf,
  usePlainFormats,
} from './backup.server.ts'
import { BackupError, type BackupHead, type FeedRows, rowsHash } from './backup-file.server.ts'

const migrationsFolder = join(projectFolder, 'db/migrations')

/** Rows of an unused database: topics from a migration, key_checks from a check. */
const THERE_ANYWAY = ['topics', 'key_checks']

/**
 * Migrates an empty database to the backup's level, loads the rows in one transaction, reads them
 * back to compare, then migrates to the program's level.
 * @param paused kinds of tasks that wait for the operator, because they may have run since the backup
 * @returns how many tasks are paused
 * @throws BackupError with a sentence for people. In that case, no row was written
 */
export async function restoreInto(
  db: OpenDatabase,
  head: BackupHead,
  feed: FeedRows,
  { paused = [] }: { paused?: string[] } = {},
): Promise<number> {
  const migrations = await levelOfBackup(head)
  await mustBeEmpty(db)
  const newer = (await migrationsIn(db)).filter((name) => !migrations.includes(name))
  if (newer.length > 0)
    throw new BackupError(
      `The empty database is already newer than the backup (${newer[0]}). Nothing was changed. ` +
        `Start with a new database. ${HOW_TO_BEGIN}`,
    )
  await migrateTo(db, migrations)
  const waiting = await db.transaction(async (db) => {
    await usePlainFormats(db)
    await load(db, head, feed)
    return pause(db, paused)
  })
  await migrate(db)
  return waiting
}

/** Stored like tasks we gave up on, without a due time, until `doctor --retry` sets one. */
async function pause(db: Database, kinds: string[]) {
  const tables = await tablesOf(db)
  if (!tables.some(({ name }) => name === 'job_queue')) return 0
  const rows = await db.query(sql`
    update job_queue set due_at = null
     where kind = any(${kinds}) and due_at is not null and not recurs returning id`)
  return rows.length
}

export async function tidyUp(db: Database) {
  await db.query(sql`set statement_timeout = 0`)
  // Vacuum only our tables, because the server's own would cause warnings.
  const names = (await tablesOf(db)).map(({ name }) => quoted(name))
  await db.query(raw(`vacuum (analyze) ${names}`))
}

const HOW_TO_BEGIN =
  'Set DATA_DIR to a new folder and put secret.key and auth-signing-keys.json in it, or DATABASE_URL ' +
  'to a new database (createdb). Restore before you start the site there, because its first start ' +
  'fills the database.'

/** Which of our migrations the backup has. */
async function levelOfBackup({ migrations }: BackupHead): Promise<string[]> {
  const known = await ourMigrations()
  const replaced = replacedIn(known, migrations)
  const baseline = baselineOf(known)
  if (isTooOld(known, replaced))
    throw new BackupError(`The backup ${TOO_OLD}. Nothing was changed.`)
  const names = migrations.filter((name) => !replaced.includes(name))
  if (replaced.length > 0 && baseline) names.unshift(baseline.name)
  const unknown = names.find((name) => !known.some((ours) => ours.name === name))
  if (unknown)
    throw new BackupError(
      `The backup was made by a newer version of Kettle (it has ${unknown}). Nothing was changed. ` +
        'Update Kettle first.',
    )
  return names
}

/** Anything written by people, the first start or other programs would mix with the backup. */
async function mustBeEmpty(db: Database) {
  const tables = await tablesOf(db)
  const isOurs = (await migrationsIn(db)).length > 0
  const filled: string[] = []
  for (const { name } of tables) {
    if (THERE_ANYWAY.includes(name)) continue
    const [row] = await db.query<{ is: boolean }>(
      raw(`select exists (select from ${quoted(name)}) as is`),
    )
    if (row?.is || !isOurs) filled.push(name)
  }
  if (filled.length === 0) return
  const some = filled.slice(0, 4).join(', ')
  const what = isOurs ? `has rows in ${some}` : `has tables that aren’t Kettle’s: ${some}`
  throw new BackupError(
    `The database isn’t empty. It ${what}${filled.length > 4 ? ', …' : ''}. Nothing was changed. ` +
      HOW_TO_BEGIN,
  )
}

/** Runs migrations only up to the backup's version. */
async function migrateTo(db: OpenDatabase, names: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'kettle-migrations-'))
  try {
    for (const name of names) await copyFile(join(migrationsFolder, name), join(folder, name))
    await migrate(db, { folder })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function load(db: Database, head: BackupHead, feed: FeedRows) {
  const tables = new Map((await tablesOf(db)).map((table) => [table.name, table]))
  for (const { name, columns } of head.tables) mustHave(tables.get(name), name, columns)
  const rest = await setRulesAside(db, [...tables.values()])
  // Another process may have been faster. From here on the tables are locked.
  await mustBeEmpty(db)
  for (const name of THERE_ANYWAY)
    if (tables.has(name)) await db.query(raw(`delete from ${quoted(name)}`))

  const sums = new Map(head.tables.map(({ name }) => [name, rowsHash()]))
  const inserts = new Map(
    head.tables.map(({ name, columns }) => [name, insertOf(tables.get(name) as Table, columns)]),
  )
  await feed(async ({ name }, rows) => {
    const insert = inserts.get(name)
    if (!insert || rows.length === 0) return
    sums.get(name)?.add(rows)
    await db.query(insert(`[${rows.join(',')}]`))
  })

  for (const { name, columns, counted } of head.tables) {
    const table = tables.get(name) as Table
    const written = rowsHash()
    for await (const rows of rowsOf(db, table, columns)) written.add(rows)
    if (written.end() !== sums.get(name)?.end())
      throw new BackupError(
        `The rows of ${name} were different when we read them back. Nothing was saved.`,
      )
    for (const { name, sequence } of table.columns)
      if (sequence && counted[name])
        await db.query(sql`select setval(${sequence}::regclass, ${counted[name]}::bigint)`)
  }
  await rest.putBack()
}

function mustHave(table: Table | undefined, name: string, columns: string[]) {
  const known = table?.columns.map((column) => column.name) ?? []
  const missing = columns.find((column) => !known.includes(column))
  if (!table || missing)
    throw new BackupError(
      `The backup has ${table ? `a column ${missing} in ${name}` : `a table ${name}`}, which this ` +
        'version of Kettle doesn’t know. Nothing was changed.',
    )
}

/** @returns the statement that inserts rows from `rowsOf`. Names and types come from the database. */
function insertOf(table: Table, columns: string[]) {
  const types = new Map(table.columns.map(({ name, type }) => [name, type]))
  const values = columns.map((name, i) => `(row ->> ${i})::${types.get(name)}`)
  const into = `${quoted(table.name)} (${columns.map(quoted)})`
  return (rows: string) => sql`
    insert into ${raw(into)} overriding system value
    select ${raw(values.join())} from jsonb_array_elements(${rows}::text::jsonb) as given(row)`
}

/**
 * Disables triggers, because the backup includes what they wrote, and drops foreign keys, because
 * rows may come before the rows they refer to. We check all foreign keys at the end, which is faster.
 * The tables' owner may do all this without being a superuser.
 */
async function setRulesAside(db: Database, tables: Table[]) {
  const references = await db.query<{ table: string; name: string; definition: string }>(sql`
    select conrelid::regclass::text as table, conname::text as name,
           pg_get_constraintdef(oid) as definition
      from pg_constraint
     where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace
     order by conrelid::regclass::text collate "C", conname`)
  for (const { name } of tables)
    await db.query(raw(`alter table ${quoted(name)} disable trigger user`))
  for (const { table, name } of references)
    await db.query(raw(`alter table ${table} drop constraint ${quoted(name)}`))
  return {
    async putBack() {
      for (const { table, name, definition } of references)
        await db.query(raw(`alter table ${table} add constraint ${quoted(name)} ${definition}`))
      for (const { name } of tables)
        await db.query(raw(`alter table ${quoted(name)} enable trigger user`))
    },
  }
}
