/**
 * Moves an existing site's rows from author keys to keys that differ per context. SQL migrations
 * have no secrets, so they only rename a table (`…_before`) and create the new one. Here, rows are
 * read in batches, written to a draft with their new keys, and inserted into the new table at once
 * in random order. Then the old table is dropped with its file. D40.
 */
import sql, { raw } from 'sql-template-tag'
import type { Database, OpenDatabase } from '#app/platform/database/database.server.ts'
import { takeTurn } from '#app/platform/database/migrate.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import { authorKeyOfAccount } from './author-keys.server.ts'
import { newRoot, type Owner, openRoot, rootWithoutAccount } from './roots.server.ts'

// biome-ignore lint/suspicious/noExplicitAny: each table has its own columns.
export type FormerRow = Record<string, any>

export interface FormerOwner extends Owner {
  authorKey: string
}

export interface Carried {
  table: string
  /** Columns of a unique index that identify former rows, with their types. */
  order: Readonly<Record<string, 'text' | 'uuid' | 'bigint' | 'integer' | 'date'>>
  /** An additional column expression over the former table. */
  also?: string
  /** A person's numbers restart when this changes. It may only use `order` columns. */
  restarts?: (row: FormerRow) => string
  /** Which rows are numbered, if `order` starts with the author key. Default: all. */
  isNumbered?: (row: FormerRow) => boolean
  /**
   * For tables of texts, which needn't pass through here: all columns of former rows are joined in,
   * so `carry` only returns new columns, and the join column.
   */
  joined?: {
    by: string
    /** Former columns that `carry` needs, besides `order`. */
    reads?: string[]
    /** The insertion order, if it reveals no more than the rows do. Default: random. */
    order: string
  }
  /**
   * The new row. Undefined for a row without an owner.
   * @param number the person's numbered rows so far
   */
  carry: (
    row: FormerRow,
    owner: FormerOwner,
    parts: { number: number; secrets: Secrets },
  ) => object | undefined
}

export const asBytea = (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString('hex')}`

const PORTION = 5_000
const former = (table: string) => `${table}_before`
const draft = (table: string) => `${table}_carried`

interface Options {
  say?: (line: string) => void
  /** Called after each batch. An error stops the work, as a crash would. */
  afterPortion?: () => void
  portion?: number
}

/** Waits until the work is done, by this or another process. After a crash it continues. */
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
    // The planner's statistics include frequent keys.
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

/** For accounts from before there were roots. */
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

/** Maps author keys to owners: computed for all accounts, and derived from the key itself for everyone else. */
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
  // In random order and one transaction, so neither position nor transaction links a person's rows.
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

async function writtenColumns(db: Database, table: string) {
  const rows = await db.query<{ name: string }>(sql`
    select quote_ident(attname) as name from pg_attribute
     where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
       and attgenerated = '' order by attnum`)
  return rows.map(({ name }) => name)
}

/** Foreign keys of other tables, made while this one was empty. */
const uncheckedReferences = (db: Database, table: string) =>
  db.query<{ name: string; by: string }>(sql`
    select quote_ident(conname) as name, conrelid::regclass::text as by from pg_constraint
     where confrelid = ${table}::regclass and not convalidated
       and conrelid::regclass::text not like '%\\_before'`)

interface Progress {
  after: string[]
  /** The number of numbered rows so far, of the person at the end of the last batch. */
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

/** False for made-up author keys of people who left. */
export const hasAuthor = ({ authorKey }: FormerOwner) => /^[\w-]{43}$/.test(authorKey)
