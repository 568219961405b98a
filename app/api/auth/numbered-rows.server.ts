/**
 * Tables with any number of rows per person, numbered from 0 in the order of writing. A row's key is derived from its
 * number, which is the only way to find a person's rows, newest first. Numbers are never reused: a trigger stores
 * those of deleted rows, so used numbers have no gaps and can be counted by bisection. D41.
 */
import sql, { raw, type Sql } from 'sql-template-tag'
import {
  type Database,
  isUniqueViolation,
  PREPARED,
} from '#app/platform/database/database.server.ts'
import { keysOfNumbers, numberKeys } from './context-keys.server.ts'

export interface OwnRowTable {
  /** A table with a column `own_row_key` and the trigger `number_used`. */
  table: string
  /** Part of the keys, so it never changes. */
  kind: string
}

/** Above this many keys, another query is cheaper. */
const KEYS_PER_QUERY = 64
/** Numbers probed at once for one person. For many people, we probe fewer each. */
const PROBES = 32
const PROBES_OF_EACH = 8
/** Numbers probed around a remembered count. */
const AROUND = 3
const NUMBER_MAX = 2 ** 32 - 1
const PEOPLE_REMEMBERED = 10_000
/** How many concurrent requests of one person can still find their numbers. */
const RACES_MAX = 100

/** The last known counts, as a starting point. They may be wrong. */
const remembered = new Map<string, { count: number; isInvalid?: boolean }>()

function remember(name: string, count: number) {
  remembered.delete(name)
  remembered.set(name, { count })
  const [oldest] = remembered.keys()
  if (remembered.size > PEOPLE_REMEMBERED && oldest) remembered.delete(oldest)
}

interface Numbering {
  root: Buffer
  kind: string
}

const nameOf = (kind: string, root: Buffer) => `${kind} ${root.toString('hex')}`

/** How many rows a person ever wrote, which is the next row's number. */
export async function countOwn(db: Database, { table, kind }: OwnRowTable, root: Buffer) {
  const [count] = await countAll(db, table, [{ root, kind }])
  return count as number
}

export async function countAll(
  db: Database,
  table: string,
  numberings: Numbering[],
): Promise<number[]> {
  const probes = numberings.length > 1 ? PROBES_OF_EACH : PROBES
  const all = numberings.map(({ root, kind }) => {
    const name = nameOf(kind, root)
    const known = remembered.get(name)?.count ?? 0
    // If the remembered count is right, the first is taken and the second is free.
    const probed = known > 0 ? range(known - 1, AROUND) : range(0, probes)
    // `low` is taken (or -1), `high` is free.
    return { root, kind, name, probed, low: -1, high: Number.POSITIVE_INFINITY }
  })
  for (let open = all; open.length > 0; ) {
    const taken = await takenAmong(db, table, open)
    for (const [i, each] of open.entries()) {
      const free = each.probed.findIndex((_, n) => !taken[i]?.has(n))
      each.high = each.probed[free] ?? each.high
      each.low = (free < 0 ? each.probed.at(-1) : each.probed[free - 1]) ?? each.low
      each.probed = numbersBetween(each, probes)
    }
    open = open.filter(({ probed }) => probed.length > 0)
  }
  return all.map(({ name, high }) => {
    remember(name, high)
    return high
  })
}

function numbersBetween({ low, high }: { low: number; high: number }, probes: number) {
  if (high === Number.POSITIVE_INFINITY)
    return range(1, probes)
      .map((n) => (low + 1) * 2 ** n - 1)
      .filter((number) => number <= NUMBER_MAX)
  const step = Math.max(1, Math.floor((high - low) / probes))
  return range(1, Math.ceil((high - low) / step) - 1).map((n) => low + n * step)
}

async function takenAmong(
  db: Database,
  table: string,
  all: (Numbering & { probed: number[] })[],
): Promise<Set<number>[]> {
  const keys = all.flatMap(({ root, kind, probed }) => keysOfNumbers(root, kind, probed))
  const indexes = all.flatMap(({ probed }, i) => probed.map((_, n) => [i, n] as const))
  const rows = await db.query<{ at: number }>(
    sql`
    select (at - 1)::integer as at
      from unnest(${keys}::bytea[]) with ordinality as probed (own_row_key, at)
     where exists (select from ${raw(table)} where own_row_key = probed.own_row_key)
        or exists (select from used_numbers where own_row_key = probed.own_row_key)`,
    PREPARED,
  )
  const taken = all.map(() => new Set<number>())
  for (const { at } of rows) {
    const [i, n] = indexes[at] as readonly [number, number]
    taken[i]?.add(n)
  }
  return taken
}

const range = (from: number, length: number) => Array.from({ length }, (_, n) => from + n)

/** The next row's key. The first writer gets the number: see `retryTakenNumbers`. */
export async function nextKey(db: Database, ownTable: OwnRowTable, root: Buffer): Promise<Buffer> {
  const [key] = numberKeys(root, ownTable.kind, await countOwn(db, ownTable, root), 1)
  return key as Buffer
}

/** The next row's key by the remembered count, without a query. */
export interface PredictedRowKey {
  ownRowKey: Buffer
  /** The insert's condition: the previous number is taken, so there's no gap. */
  isNext: Sql
  /** Whether we just counted, rather than remembered. */
  isFreshlyCounted: boolean
  markTaken(): void
  /** Call this if the row wasn't inserted, so we count next time. */
  invalidate(): void
}

/** The first writer gets the number: see `retryTakenNumbers`. */
export async function predictedRowKey(
  db: Database,
  ownTable: OwnRowTable,
  root: Buffer,
): Promise<PredictedRowKey> {
  const { table, kind } = ownTable
  const name = nameOf(kind, root)
  const known = remembered.get(name)
  const isFreshlyCounted = !known || known.isInvalid === true
  const number = isFreshlyCounted ? await countOwn(db, ownTable, root) : known.count
  const [ownRowKey, before] = keysOfNumbers(root, kind, [number, Math.max(number - 1, 0)])
  return {
    ownRowKey: ownRowKey as Buffer,
    isNext: sql`(
      ${number}::bigint = 0 or exists (select from ${raw(table)} where own_row_key = ${before})
      or exists (select from used_numbers where own_row_key = ${before}))`,
    isFreshlyCounted,
    markTaken: () => remember(name, number + 1),
    invalidate: () => {
      const known = remembered.get(name)
      if (known) known.isInvalid = true
    },
  }
}

/** Retries after another request of the same person took the number. */
export async function retryTakenNumbers<Result>(
  { table }: OwnRowTable,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let raced = 0; ; raced++) {
    try {
      return await work()
    } catch (error) {
      const isLost = isUniqueViolation(error) && error.constraint === `${table}_own_row_key_key`
      if (!isLost || raced === RACES_MAX) throw error
    }
  }
}

/**
 * A person's rows, newest first.
 * @param query selects rows with their `number` from a set of (own_row_key, number): at most the given
 * limit, highest numbers first
 * @param before only rows with lower numbers
 */
export async function newestOwn<Row extends { number: number }>(
  db: Database,
  ownTable: OwnRowTable,
  root: Buffer,
  {
    query,
    limit,
    before,
  }: { query: (own: Sql, limit: number) => Sql; limit: number; before?: number },
): Promise<Row[]> {
  const rows: Row[] = []
  let to = Math.min(before ?? Number.POSITIVE_INFINITY, await countOwn(db, ownTable, root))
  while (to > 0 && rows.length < limit) {
    const from = Math.max(0, to - KEYS_PER_QUERY)
    rows.push(
      ...(await db.query<Row>(query(ownOf(ownTable, root, from, to - from), limit - rows.length))),
    )
    to = from
  }
  return rows
}

/** All of a person's rows, oldest first, in batches. */
export async function allOwnRows<Row>(
  db: Database,
  ownTable: OwnRowTable,
  root: Buffer,
  query: (own: Sql) => Sql,
): Promise<Row[]> {
  const rows: Row[] = []
  const count = await countOwn(db, ownTable, root)
  for (let from = 0; from < count; from += BATCH)
    rows.push(
      ...(await db.query<Row>(query(ownOf(ownTable, root, from, Math.min(BATCH, count - from))))),
    )
  return rows
}

const BATCH = 1_000

const ownOf = ({ kind }: OwnRowTable, root: Buffer, from: number, count: number): Sql => sql`
  (select own_row_key, (${from}::integer + n - 1)::integer as number
     from unnest(${numberKeys(root, kind, from, count)}::bytea[]) with ordinality as own_keys (own_row_key, n))`
