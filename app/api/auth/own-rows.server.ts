/**
 * Tables with a limited number of rows per person. A row's numbered key finds it among the person's
 * rows, and its context key makes it unique. D40.
 */
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Database } from '#app/platform/database/database.server.ts'
import { numberKeys } from './context-keys.server.ts'

export interface OwnRows {
  table: string
  /** Part of the keys, so it never changes. */
  kind: string
  max: number
}

/** Most people have few rows, so we first look for a free number among these. */
const FIRST = 32

const keysOf = ({ kind, max }: OwnRows, root: Buffer) => numberKeys(root, kind, 0, max)

/** Whether an alias's rows are this person's. */
export const isOwn = (own: OwnRows, root: Buffer | null, alias = own.table): Sql =>
  root === null ? sql`false` : sql`${raw(alias)}.own_row_key = any (${keysOf(own, root)}::bytea[])`

export const byNumber = (own: OwnRows, root: Buffer, alias = own.table): Sql =>
  sql`array_position(${keysOf(own, root)}::bytea[], ${raw(alias)}.own_row_key)`

export const removeOwn = (db: Database, own: OwnRows, root: Buffer) =>
  db.query(sql`delete from ${raw(own.table)} where ${isOwn(own, root)}`)

/**
 * Inserts a row under the lowest free number, or finds the one with this key. The first writer gets
 * a number, so concurrent inserts never exceed the limit.
 * @param key null if one context may have several rows
 * @param insert the statement, with "on conflict do nothing returning"
 * @returns undefined if all numbers are taken
 */
export async function insertOwn<Row extends object>(
  db: Database,
  own: OwnRows,
  { root, key, insert }: { root: Buffer; key: Buffer | null; insert: (ownRowKey: Buffer) => Sql },
): Promise<Row | 'known' | undefined> {
  const table = raw(own.table)
  const isKnown = async () =>
    key !== null && (await db.query(sql`select from ${table} where key = ${key}`)).length > 0
  for (const count of new Set([Math.min(FIRST, own.max), own.max])) {
    const keys = numberKeys(root, own.kind, 0, count)
    const taken = await db.query<{ ownRowKey: Uint8Array }>(
      sql`select own_row_key as "ownRowKey" from ${table} where own_row_key = any (${keys}::bytea[])`,
    )
    const isTaken = new Set(taken.map(({ ownRowKey }) => Buffer.from(ownRowKey).toString('hex')))
    for (const ownRowKey of keys) {
      if (isTaken.has(ownRowKey.toString('hex'))) continue
      const [row] = await db.query<Row>(insert(ownRowKey))
      if (row) return row
      if (await isKnown()) return 'known'
    }
  }
  return (await isKnown()) ? 'known' : undefined
}

/**
 * Serializes one author's transactions, for limits on how much an author may have. Each transaction
 * sees what earlier ones wrote. Take this lock after the command's others. It's released with the
 * transaction.
 */
export const lockAuthor = (db: Database, authorKey: string | null) =>
  db.query(sql`select pg_advisory_xact_lock(hashtextextended(${authorKey}, 0))`)

/** Every write checks all of them, so there are few. No two rows of a person share a key. D41. */
export const SUSPENSIONS: OwnRows = { table: 'suspensions', kind: 'suspension', max: 16 }
