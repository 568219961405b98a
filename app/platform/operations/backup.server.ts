import sql, { raw } from 'sql-template-tag'
import type { Database } from '../database/database.server.ts'
import { TOO_OLD } from '../database/migrations.server.ts'
import { dayOf } from '../days.server.ts'
import {
  BACKUP_FORMAT,
  type BackupHead,
  type FeedRows,
  type TableHead,
} from './backup-file.server.ts'
import { ConfigError } from './config.server.ts'

interface Snapshot {
  head: BackupHead
  feed: FeedRows
}

/**
 * Gives `work` all rows as of now, no matter what people write meanwhile.
 * @throws ConfigError if the database has no tables of ours
 */
export async function withSnapshot<Result>(
  db: Database,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  const names = (await tablesOf(db)).map(({ name }) => quoted(name))
  const nothing = new ConfigError(
    'There’s nothing to back up. Kettle hasn’t used this database yet.',
  )
  if (names.length === 0) throw nothing
  if (names.some((name) => name.endsWith('_before"')))
    throw new ConfigError(`The database ${TOO_OLD}.`)
  return db.transaction(async (db) => {
    await db.query(sql`set transaction isolation level repeatable read, read only`)
    await usePlainFormats(db)
    // We lock before the first read, which sets the snapshot, because reordering replaces the ratings
    // table and we'd see neither the old nor the new one.
    await db.query(raw(`lock table ${names} in access share mode`))
    const migrations = await migrationsIn(db)
    if (migrations.length === 0) throw nothing
    const tables = await tablesOf(db)
    const heads: TableHead[] = []
    for (const table of tables) heads.push(await headOf(db, table))
    const feed: FeedRows = async (take) => {
      for (const [i, table] of tables.entries()) {
        const head = heads[i] as TableHead
        for await (const rows of rowsOf(db, table, head.columns)) await take(head, rows)
      }
    }
    const head: BackupHead = {
      kettle: 'backup',
      format: BACKUP_FORMAT,
      madeOn: dayOf(new Date()),
      migrations,
      keyMark: await keyMarkIn(db),
      tables: heads,
    }
    return work({ head, feed })
  })
}

async function headOf(db: Database, { name, columns }: Table): Promise<TableHead> {
  const [count] = await db.query<{ rows: number }>(
    raw(`select count(*) as rows from ${quoted(name)}`),
  )
  const counted: Record<string, string> = {}
  for (const column of columns) {
    if (!column.sequence) continue
    const [last] = await db.query<{ value: string | null }>(
      raw(`select case when is_called then last_value::text end as value from ${column.sequence}`),
    )
    if (last?.value) counted[column.name] = last.value
  }
  return {
    name,
    columns: columns.map(({ name }) => name),
    rows: count?.rows ?? 0,
    counted,
  }
}

/** checkSecrets writes this. It identifies the key that sealed the data. */
async function keyMarkIn(db: Database) {
  const [there] = await db.query<{ is: boolean }>(
    sql`select to_regclass('key_checks') is not null as is`,
  )
  if (!there?.is) return null
  const [row] = await db.query<{ mark: string }>(
    sql`select mark from key_checks where name = 'secret'`,
  )
  return row?.mark ?? null
}

export interface Table {
  name: string
  /** Stored columns, not generated ones, sorted by name, so every version lists them in the same order. */
  columns: Column[]
  /** The key columns. Empty if there are none. */
  key: string[]
}

interface Column {
  name: string
  /** The SQL type, such as numeric(11,2). */
  type: string
  isText: boolean
  /** The table's sequence, quoted, if it has one. */
  sequence: string | null
}

/** The head lists `migrations`. The other two only exist while ratings are being reordered. */
const NOT_COPIED = ['migrations', 'ratings_next', 'rating_changes']

export const tablesOf = (db: Database) =>
  db.query<Table>(sql`
    select class.relname::text as name,
           coalesce((
             select json_agg(json_build_object(
                      'name', attname, 'type', format_type(atttypid, atttypmod),
                      'isText', atttypid = 'text'::regtype,
                      'sequence', case when attidentity <> '' then
                        pg_get_serial_sequence(quote_ident(class.relname), attname) end)
                    order by attname collate "C")
               from pg_attribute
              where attrelid = class.oid and attnum > 0 and not attisdropped
                and attgenerated = ''), '[]') as columns,
           coalesce((
             select json_agg(attname order by place)
               from (select indkey from pg_index
                      where indrelid = class.oid and indisunique and indisvalid
                        and indpred is null and indexprs is null
                      order by indisprimary desc, indexrelid limit 1) one,
                    unnest(one.indkey) with ordinality as part(number, place)
               join pg_attribute on attrelid = class.oid and attnum = part.number), '[]') as key
      from pg_class class
     where class.relkind = 'r' and class.relnamespace = current_schema()::regnamespace
       and not class.relname = any(${NOT_COPIED})
       and not exists (select from pg_depend where classid = 'pg_class'::regclass
                                               and objid = class.oid and deptype = 'e')
     order by class.relname collate "C"`)

/** Applied migrations, in order. Empty if none of our tables exist. */
export async function migrationsIn(db: Database): Promise<string[]> {
  const [there] = await db.query<{ is: boolean }>(
    sql`select to_regclass('migrations') is not null as is`,
  )
  if (!there?.is) return []
  const rows = await db.query<{ name: string }>(
    sql`select name from migrations order by name collate "C"`,
  )
  return rows.map(({ name }) => name)
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Sets up a session that reads or loads rows, so texts are the same in every version and time zone. */
export const usePlainFormats = (db: Database) =>
  db.script(`
    set local statement_timeout = 0;
    set local idle_in_transaction_session_timeout = 0;
    set local datestyle = 'ISO, YMD';
    set local intervalstyle = 'postgres';
    set local timezone = 'UTC';
    set local bytea_output = 'hex';
    set local extra_float_digits = 1;
    set local cursor_tuple_fraction = 1`)

const PAGE_CHARACTERS = 1_000_000
const FIRST_PAGE_ROWS = 100
const PAGE_ROWS_MAX = 2_000

/**
 * A table's rows in batches, each row as a JSON array of texts and nulls in the order of `columns`.
 * Sorted by key. Ids are random, so a copy doesn't reveal who came before whom. Needs a transaction.
 */
export async function* rowsOf(db: Database, table: Table, columns: string[]) {
  const texts = columns.map((name) => `${quoted(name)}::text`)
  const order =
    table.key.length > 0 ? table.key.map((name) => sortedBy(table, name)) : texts.map(inBytes)
  await db.query(
    raw(`declare kettle_rows no scroll cursor for
         select json_build_array(${texts})::text as row from ${quoted(table.name)} order by ${order}`),
  )
  for (let rows = FIRST_PAGE_ROWS; ; ) {
    const page = await db.query<{ row: string }>(raw(`fetch ${rows} from kettle_rows`))
    if (page.length === 0) break
    const texts = page.map(({ row }) => row)
    yield texts
    const characters = texts.reduce((sum, text) => sum + text.length, 0)
    rows = Math.ceil(Math.min((page.length * PAGE_CHARACTERS) / characters, PAGE_ROWS_MAX))
  }
  await db.query(sql`close kettle_rows`)
}

const sortedBy = (table: Table, name: string) =>
  table.columns.find((column) => column.name === name)?.isText
    ? inBytes(quoted(name))
    : quoted(name)

/** Languages sort differently on different machines. */
const inBytes = (text: string) => `${text} collate "C"`
