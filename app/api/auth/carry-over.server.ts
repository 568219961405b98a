/**
 * Carries what an existing site holds under author keys over to keys that no two contexts share. A
 * migration in SQL knows no keys, so it only sets a former table aside (`…_before`) and makes the new one.
 * Here its rows are read in portions, written under their new keys, and put into the new table all at
 * once in random order; then the former one is dropped, file and all. D40.
 */
import sql, { raw } from 'sql-template-tag'
import type { Database, OpenDatabase } from '#app/platform/database/database.server.ts'
import { takeTurn } from '#app/platform/database/migrate.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import { authorKeyOfAccount } from './author-keys.server.ts'
import { newRoot, type Owner, openRoot, rootWithoutAccount } from './roots.server.ts'

/** A row of a former table, whatever it holds. */
// biome-ignore lint/suspicious/noExplicitAny: each table's columns are its own.
export type FormerRow = Record<string, any>

/** Whose a former row is. */
export interface FormerOwner extends Owner {
  authorKey: string
}

export interface Carried {
  table: string
  /** Columns that tell the former rows apart, in the order of an index of theirs, and their types. */
  order: Readonly<Record<string, 'text' | 'uuid' | 'bigint' | 'integer' | 'date'>>
  /** What else a new row is made of: a column's expression over the former table. */
  also?: string
  /** Where a person's numbers begin anew, of a row's `order`: when this changes. */
  restarts?: (row: FormerRow) => string
  /** Which of a person's rows are numbered, where `order` begins with the author key; else all are. */
  isNumbered?: (row: FormerRow) => boolean
  /**
   * For tables of texts, which need not pass through here: new rows have all columns of former ones, and of
   * `carry` only those that are new, beside the column that joins them.
   */
  joined?: {
    by: string
    /** Former columns that `carry` needs, beside those of `order`. */
    reads?: string[]
    /** In which rows are placed, where the place says nothing that a row does not; else they are in none. */
    order: string
  }
  /**
   * The new row; undefined for one that is nobody's any more.
   * @param number how many numbered rows of this person came before
   */
  carry: (
    row: FormerRow,
    owner: FormerOwner,
    parts: { number: number; secrets: Secrets },
  ) => object | undefined
}

/** Bytes as the database reads them in a text. */
export const asBytea = (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString('hex')}`

const PORTION = 5_000
const former = (table: string) => `${table}_before`
const draft = (table: string) => `${table}_carried`

interface Options {
  say?: (line: string) => void
  /** Called after each portion: an error ends the work, as the end of a process would. */
  afterPortion?: () => void
  portion?: number
}

/** Done when it returns, by this process or another; begun again it goes on. */
export async function carryOver(
  database: OpenDatabase,
  secrets: Secrets,
  tables: Carried[],
  { say = console.log, ...options }: Options = {},
) {
  if (!(await isLeft(database, tables))) return
  await database.dedicated(async (db) => {
    await takeTurn(db, say)
    await giveRoots(db, secrets, options)
    const left = await formerTables(db, tables)
    if (left.length === 0) return
    say('Keys of authors are being replaced; the site is ready when that is done.')
    await db.script(`create table if not exists carry_over (
      name text primary key, after text[] not null, number integer not null)`)
    const ownerOf = await ownersByKey(db, secrets)
    for (const each of left) await carryTable(db, each, { ownerOf, secrets, ...options })
    await db.script('drop table carry_over')
    // What the planner knew of the most frequent keys.
    await db.script('vacuum full pg_statistic')
  })
}

async function isLeft(db: Database, tables: Carried[]) {
  const [accounts] = await db.query(sql`
    select from pg_attribute where attrelid = 'accounts'::regclass
       and attname = 'root_sealed' and not attnotnull`)
  return accounts !== undefined || (await formerTables(db, tables)).length > 0
}

async function formerTables(db: Database, tables: Carried[]) {
  const names = tables.map(({ table }) => former(table))
  const rows = await db.query<{ name: string }>(sql`
    select name from unnest(${names}::text[]) name where to_regclass(name) is not null`)
  return tables.filter(({ table }) => rows.some(({ name }) => name === former(table)))
}

/** Accounts from before there were roots. */
async function giveRoots(
  db: Database,
  secrets: Secrets,
  { portion = PORTION, ...options }: Options,
) {
  for (;;) {
    const rows = await db.query<{ id: string }>(sql`
      select id from accounts where root_sealed is null limit ${portion}`)
    if (rows.length === 0) break
    const ids = rows.map(({ id }) => id)
    await db.query(sql`
      update accounts set root_sealed = given.root
        from unnest(${ids}::uuid[], ${ids.map((id) => newRoot(secrets, id))}::text[]) as given (id, root)
       where accounts.id = given.id`)
    options.afterPortion?.()
  }
  await db.script('alter table accounts alter column root_sealed set not null')
}

/** Whose an author key is: all accounts' are computed, and whoever has none is found by the key itself. */
async function ownersByKey(db: Database, secrets: Secrets) {
  const roots = new Map<string, Buffer>()
  for (let after: string | null = null; ; ) {
    const rows: { id: string; root: string }[] = await db.query(sql`
      select id, root_sealed as root from accounts
       where ${after}::uuid is null or id > ${after}::uuid order by id limit ${PORTION}`)
    for (const { id, root } of rows)
      roots.set(authorKeyOfAccount(secrets, id), openRoot(secrets, id, root))
    if (rows.length < PORTION) break
    after = rows.at(-1)?.id ?? null
  }
  return (authorKey: string): FormerOwner => ({
    root: roots.get(authorKey) ?? rootWithoutAccount(secrets, authorKey),
    authorKey,
  })
}

interface Parts extends Options {
  ownerOf: (authorKey: string) => FormerOwner
  secrets: Secrets
}

async function carryTable(db: Database, carried: Carried, parts: Parts) {
  const { table, joined } = carried
  const columns = await writtenColumns(db, table)
  const formerColumns = joined ? await writtenColumns(db, former(table)) : []
  const isCarried = (column: string) => column === joined?.by || !formerColumns.includes(column)
  await db.query(
    raw(`
    create table if not exists ${draft(table)} as
      select ${columns.filter(isCarried)} from ${table} with no data`),
  )
  while (await db.transaction((db) => carryPortion(db, carried, parts))) parts.afterPortion?.()
  // In random order and under one transaction, so neither place nor transaction joins a person's rows.
  await db.transaction(async (db) => {
    await db.query(
      raw(`
      insert into ${table} (${columns}) overriding system value
      select ${columns} from ${draft(table)} ${joined ? `join ${former(table)} using (${joined.by})` : ''}
       order by ${joined?.order ?? 'gen_random_uuid()'}`),
    )
    for (const { name, by } of await uncheckedReferences(db, table))
      await db.query(raw(`alter table ${by} validate constraint ${name}`))
    await db.query(raw(`drop table ${former(table)}, ${draft(table)}`))
    await db.query(sql`delete from carry_over where name = ${table}`)
  })
}

/** Those that are not generated. */
async function writtenColumns(db: Database, table: string) {
  const rows = await db.query<{ name: string }>(sql`
    select quote_ident(attname) as name from pg_attribute
     where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
       and attgenerated = '' order by attnum`)
  return rows.map(({ name }) => name)
}

/** Those of other tables that were made while this one had no rows yet. */
const uncheckedReferences = (db: Database, table: string) =>
  db.query<{ name: string; by: string }>(sql`
    select quote_ident(conname) as name, conrelid::regclass::text as by from pg_constraint
     where confrelid = ${table}::regclass and not convalidated
       and conrelid::regclass::text not like '%\\_before'`)

interface Progress {
  after: string[]
  /** Numbered rows so far of the person at which the last portion ended. */
  number: number
}

/** @returns whether there is more */
async function carryPortion(
  db: Database,
  { table, order, also, isNumbered = () => true, restarts = () => '', joined, carry }: Carried,
  { ownerOf, secrets, portion = PORTION }: Parts,
) {
  const columns = Object.keys(order)
  const [progress] = await db.query<Progress>(sql`
    select after, number from carry_over where name = ${table}`)
  const beyond = progress
    ? sql`where (${raw(columns.join())}) > (${raw(
        Object.values(order)
          .map((type, i) => `'${progress.after[i]?.replaceAll("'", "''")}'::${type}`)
          .join(),
      )})`
    : sql``
  const rows = await db.query<FormerRow>(sql`
    select ${raw([...(joined ? [...columns, ...(joined.reads ?? [])] : ['*']), ...(also ? [also] : [])].join())}
      from ${raw(former(table))} ${beyond}
     order by ${raw(columns.join())} limit ${portion}`)
  const last = rows.at(-1)
  if (!last) return false

  const countedWith = (row: FormerRow) => `${row.author_key} ${restarts(row)}`
  let counted =
    progress &&
    countedWith(Object.fromEntries(columns.map((column, i) => [column, progress.after[i]])))
  let number = progress?.number ?? 0
  const fresh: object[] = []
  for (const row of rows) {
    if (countedWith(row) !== counted) number = 0
    counted = countedWith(row)
    const carriedRow = carry(row, ownerOf(row.author_key), { number, secrets })
    if (carriedRow) fresh.push(carriedRow)
    if (isNumbered(row)) number++
  }
  await db.query(sql`
    insert into ${raw(draft(table))}
    select * from json_populate_recordset(null::${raw(draft(table))}, ${JSON.stringify(fresh)}::json)`)
  const after = columns.map((column) => String(last[column]))
  await db.query(sql`
    insert into carry_over (name, after, number) values (${table}, ${after}, ${number})
    on conflict (name) do update set after = excluded.after, number = excluded.number`)
  return rows.length === portion
}

/** Whether anybody can have this author key: those of people who left were made up. */
export const isOfSomebody = ({ authorKey }: FormerOwner) => /^[\w-]{43}$/.test(authorKey)
