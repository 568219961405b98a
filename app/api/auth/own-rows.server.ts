/**
 * Tables of what people keep, each of them no more than so many rows: a row has the key of its number,
 * which finds it among one's own, and a context key, which makes it one of its kind. D40.
 */
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Database } from '#app/platform/database/database.server.ts'
import { numberKeys } from './context-keys.server.ts'

export interface OwnRows {
  /** It has columns `mine` and `key`. */
  table: string
  /** As keys are made from; it never changes. */
  kind: string
  /** What one person may have at most. */
  max: number
}

/** Most people have few: a free number is looked for among so many first. */
const FIRST = 32

/** The keys of all numbers that a person's rows can have. */
const keysOf = ({ kind, max }: OwnRows, root: Buffer) => numberKeys(root, kind, 0, max)

/** Of the rows of an alias: they are this person's. */
export const isOwn = (own: OwnRows, root: Buffer | null, alias = own.table): Sql =>
  root === null ? sql`false` : sql`${raw(alias)}.mine = any (${keysOf(own, root)}::bytea[])`

/** In the order of their numbers. */
export const byNumber = (own: OwnRows, root: Buffer, alias = own.table): Sql =>
  sql`array_position(${keysOf(own, root)}::bytea[], ${raw(alias)}.mine)`

export const removeOwn = (db: Database, own: OwnRows, root: Buffer) =>
  db.query(sql`delete from ${raw(own.table)} where ${isOwn(own, root)}`)

/**
 * Writes a row under the lowest number that is free, or finds the one with that key. Who is quicker has
 * the number, so of many at once no more are written than there are numbers.
 * @param key null where a person may have several of one context
 * @param insert the statement, with "on conflict do nothing returning" what is wanted
 * @returns undefined where all numbers are taken
 */
export async function insertOwn<Row extends object>(
  db: Database,
  own: OwnRows,
  { root, key, insert }: { root: Buffer; key: Buffer | null; insert: (mine: Buffer) => Sql },
): Promise<Row | 'known' | undefined> {
  const table = raw(own.table)
  const isKnown = async () =>
    key !== null && (await db.query(sql`select from ${table} where key = ${key}`)).length > 0
  for (const asked of new Set([Math.min(FIRST, own.max), own.max])) {
    const keys = numberKeys(root, own.kind, 0, asked)
    const taken = await db.query<{ mine: Uint8Array }>(
      sql`select mine from ${table} where mine = any (${keys}::bytea[])`,
    )
    const isTaken = new Set(taken.map(({ mine }) => Buffer.from(mine).toString('hex')))
    for (const mine of keys) {
      if (isTaken.has(mine.toString('hex'))) continue
      const [row] = await db.query<Row>(insert(mine))
      if (row) return row
      if (await isKnown()) return 'known'
    }
  }
  return (await isKnown()) ? 'known' : undefined
}
