/**
 * Tables of which a person may have any number of rows, numbered from 0 in the order of writing. A row
 * has the key of its number, by which alone one's own are found, newest first. A number is given once: a
 * trigger keeps those of deleted rows, so that the taken ones have no gap and can be counted by halving.
 * D41.
 */
import sql, { raw, type Sql } from 'sql-template-tag'
import { type Database, PREPARED } from '#app/platform/database/database.server.ts'
import { keysOfNumbers, numberKeys } from './context-keys.server.ts'

export interface Numbered {
  /** It has a column `mine`, and the trigger `number_used`. */
  table: string
  /** As keys are made from; it never changes. */
  kind: string
}

/** More keys than these cost more than another question. */
const ASKED = 64
/** So many numbers of one person are asked for at once; of each of many, fewer. */
const WAYS = 32
const WAYS_OF_EACH = 8
/** So many are asked for where the count is remembered. */
const AROUND = 3
/** As a key has room for. */
const NUMBER_MAX = 2 ** 32 - 1
const PEOPLE_REMEMBERED = 10_000
/** So many requests of one person at once find their numbers one after the other. */
const RACES_MAX = 100

/** How many somebody had when last asked, so that the next question asks there. It may be wrong. */
const remembered = new Map<string, { count: number; isDoubted?: boolean }>()

function remember(name: string, count: number) {
  remembered.delete(name)
  remembered.set(name, { count })
  const [oldest] = remembered.keys()
  if (remembered.size > PEOPLE_REMEMBERED && oldest) remembered.delete(oldest)
}

/** Whose rows, of which kind. */
export interface Numbering {
  root: Buffer
  kind: string
}

const nameOf = (kind: string, root: Buffer) => `${kind} ${root.toString('hex')}`

/** How many of these a person ever wrote: the number that the next one gets. */
export async function countOwn(db: Database, { table, kind }: Numbered, root: Buffer) {
  const [count] = await countAll(db, table, [{ root, kind }])
  return count as number
}

/** The same of many, in the same order. */
export async function countAll(
  db: Database,
  table: string,
  numberings: Numbering[],
): Promise<number[]> {
  const ways = numberings.length > 1 ? WAYS_OF_EACH : WAYS
  const all = numberings.map(({ root, kind }) => {
    const name = nameOf(kind, root)
    const known = remembered.get(name)?.count ?? 0
    // Where what is remembered is right, the first of these is taken and the second is free.
    const asked = known > 0 ? range(known - 1, AROUND) : range(0, ways)
    // The number `low` is taken, or is none, and `high` is free.
    return { root, kind, name, asked, low: -1, high: Number.POSITIVE_INFINITY }
  })
  for (let open = all; open.length > 0; ) {
    const taken = await takenAmong(db, table, open)
    for (const [i, each] of open.entries()) {
      const free = each.asked.findIndex((_, n) => !taken[i]?.has(n))
      each.high = each.asked[free] ?? each.high
      each.low = (free < 0 ? each.asked.at(-1) : each.asked[free - 1]) ?? each.low
      each.asked = numbersBetween(each, ways)
    }
    open = open.filter(({ asked }) => asked.length > 0)
  }
  return all.map(({ name, high }) => {
    remember(name, high)
    return high
  })
}

function numbersBetween({ low, high }: { low: number; high: number }, ways: number) {
  if (high === Number.POSITIVE_INFINITY)
    return range(1, ways)
      .map((n) => (low + 1) * 2 ** n - 1)
      .filter((number) => number <= NUMBER_MAX)
  const step = Math.max(1, Math.floor((high - low) / ways))
  return range(1, Math.ceil((high - low) / step) - 1).map((n) => low + n * step)
}

/** For each, the places of those of its numbers that are taken. */
async function takenAmong(
  db: Database,
  table: string,
  all: (Numbering & { asked: number[] })[],
): Promise<Set<number>[]> {
  const keys = all.flatMap(({ root, kind, asked }) => keysOfNumbers(root, kind, asked))
  const places = all.flatMap(({ asked }, i) => asked.map((_, n) => [i, n] as const))
  const rows = await db.query<{ at: number }>(
    sql`
    select (at - 1)::integer as at
      from unnest(${keys}::bytea[]) with ordinality as asked (mine, at)
     where exists (select from ${raw(table)} where mine = asked.mine)
        or exists (select from used_numbers where mine = asked.mine)`,
    PREPARED,
  )
  const taken = all.map(() => new Set<number>())
  for (const { at } of rows) {
    const [i, n] = places[at] as readonly [number, number]
    taken[i]?.add(n)
  }
  return taken
}

const range = (from: number, length: number) => Array.from({ length }, (_, n) => from + n)

/** The key of the next row. Who is quicker has the number: see `inNumberedTurn`. */
export async function nextKey(db: Database, numbered: Numbered, root: Buffer): Promise<Buffer> {
  const [key] = numberKeys(root, numbered.kind, await countOwn(db, numbered, root), 1)
  return key as Buffer
}

/** The next row's key, as somebody's count is remembered: without a question first. */
export interface LikelyKey {
  mine: Buffer
  /** The condition of writing the row: the number before is taken, or a gap would arise. */
  isNext: Sql
  /** It was asked for right now, as nothing was remembered or it was doubted. */
  isAsked: boolean
  /** The row is written. */
  isTaken(): void
  /** It is not: next time it is asked for. */
  isDoubted(): void
}

/** Who is quicker has the number: see `inNumberedTurn`. */
export async function likelyKey(
  db: Database,
  numbered: Numbered,
  root: Buffer,
): Promise<LikelyKey> {
  const { table, kind } = numbered
  const name = nameOf(kind, root)
  const known = remembered.get(name)
  const isAsked = !known || known.isDoubted === true
  const number = isAsked ? await countOwn(db, numbered, root) : known.count
  const [mine, before] = keysOfNumbers(root, kind, [number, Math.max(number - 1, 0)])
  return {
    mine: mine as Buffer,
    isNext: sql`(
      ${number}::bigint = 0 or exists (select from ${raw(table)} where mine = ${before})
      or exists (select from used_numbers where mine = ${before}))`,
    isAsked,
    isTaken: () => remember(name, number + 1),
    isDoubted: () => {
      const known = remembered.get(name)
      if (known) known.isDoubted = true
    },
  }
}

/** Does again what lost its number to another request of the same person. */
export async function inNumberedTurn<Result>(
  { table }: Numbered,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let raced = 0; ; raced++) {
    try {
      return await work()
    } catch (error) {
      const { code, constraint } = error as { code?: string; constraint?: string }
      const isLost = code === '23505' && constraint === `${table}_mine_key`
      if (!isLost || raced === RACES_MAX) throw error
    }
  }
}

/**
 * One's own rows from the newest down.
 * @param query selects rows with their `number` from what it is given: rows of (mine, number); of these
 * no more than asked for, the highest numbers first
 * @param before only rows of lower numbers
 */
export async function newestOwn<Row extends { number: number }>(
  db: Database,
  numbered: Numbered,
  root: Buffer,
  {
    query,
    limit,
    before,
  }: { query: (own: Sql, limit: number) => Sql; limit: number; before?: number },
): Promise<Row[]> {
  const rows: Row[] = []
  let to = Math.min(before ?? Number.POSITIVE_INFINITY, await countOwn(db, numbered, root))
  while (to > 0 && rows.length < limit) {
    const from = Math.max(0, to - ASKED)
    rows.push(
      ...(await db.query<Row>(query(ownOf(numbered, root, from, to - from), limit - rows.length))),
    )
    to = from
  }
  return rows
}

/** All of one's own rows, oldest first, so many numbers at a time. */
export async function everyOwn<Row>(
  db: Database,
  numbered: Numbered,
  root: Buffer,
  query: (own: Sql) => Sql,
): Promise<Row[]> {
  const rows: Row[] = []
  const count = await countOwn(db, numbered, root)
  for (let from = 0; from < count; from += MANY)
    rows.push(
      ...(await db.query<Row>(query(ownOf(numbered, root, from, Math.min(MANY, count - from))))),
    )
  return rows
}

const MANY = 1_000

const ownOf = ({ kind }: Numbered, root: Buffer, from: number, count: number): Sql => sql`
  (select mine, (${from}::integer + n - 1)::integer as number
     from unnest(${numberKeys(root, kind, from, count)}::bytea[]) with ordinality as asked (mine, n))`
