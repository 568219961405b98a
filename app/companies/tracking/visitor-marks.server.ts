/**
 * Estimates a day's visitors without storing who. Each person sets one of 65,536 marks, and the number of set marks
 * shows about how many people came. A hash under the day's key chooses the mark. Many people share one, and it has no
 * time or row.
 */
import { createHmac, randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Database } from '#app/platform/database/database.server.ts'
import { type SealedColumn, sealContext } from '#app/platform/database/sealed-columns.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { createWriteBuffer } from './write-buffer.server.ts'

export const MARKS = 65_536
/**
 * We wait longer than for views, because on a quiet night, a view and a mark written in the same second would be one
 * person's.
 */
const WRITE_MS = 60_000

export function createVisitorMarks(
  base: Pick<ServerContext, 'db' | 'now' | 'secrets'>,
  onFailure: (error: unknown) => void = () => {},
) {
  const keyOfToday = createDayKeys()
  let set = { day: '', marks: new Set<number>() }
  const buffer = createWriteBuffer<{ day: string; mark: number }>(
    async (entries) => {
      // Drops late marks of a past day, because its row is already a number.
      const day = todayOf(base)
      const marks = entries.filter((it) => it.day === day).map(({ mark }) => mark)
      if (marks.length > 0)
        await base.db.query(sql`
          insert into visitor_marks (day, marks) values (${day}, ${bitsOf(marks)}::bit(65536))
          on conflict (day) do update set marks = visitor_marks.marks | excluded.marks`)
    },
    onFailure,
    WRITE_MS,
  )
  return {
    /** @param personOrNetwork an author key or network, which isn't stored. Never rejects. */
    async add(personOrNetwork: string) {
      try {
        const { day, key } = await keyOfToday(base)
        if (set.day !== day) set = { day, marks: new Set() }
        const mark = markOf(key, personOrNetwork)
        if (set.marks.has(mark)) return
        set.marks.add(mark)
        buffer.add({ day, mark })
      } catch (error) {
        onFailure(error)
      }
    },
    start: buffer.start,
    flush: buffer.flush,
    stop: buffer.stop,
  }
}

/** Different from the clicks' pseudonym, which uses the same key. */
const markOf = (key: string, personOrNetwork: string) =>
  createHmac('sha256', key).update(`visitor ${personOrNetwork}`).digest().readUInt16BE()

function bitsOf(marks: number[]) {
  const bits = new Array<0 | 1>(MARKS).fill(0)
  for (const mark of marks) bits[mark] = 1
  return bits.join('')
}

/**
 * Clicks have a pseudonym under a key of the day. The key is random, shared by all processes through a sealed row, and
 * deleted after the day. From then on, no one can tell whose a pseudonym was, or whether two days' pseudonyms belong
 * to one person. S18.
 */
export const DAY_KEY: SealedColumn = {
  table: 'interaction_keys',
  column: 'key_sealed',
  key: 'day',
  type: 'date',
}

type KeyContext = Pick<ServerContext, 'db' | 'now' | 'secrets'>

/** @returns an account's pseudonym of today */
export function createDayPseudonyms(): (ctx: KeyContext, accountId: string) => Promise<string> {
  const keyOfToday = createDayKeys()
  return async (ctx, accountId) => pseudonym((await keyOfToday(ctx)).key, accountId)
}

/** Reads the key once per day and process. */
function createDayKeys(): (ctx: KeyContext) => Promise<{ day: string; key: string }> {
  let known: { day: string; key: Promise<string> } | undefined
  return async (ctx) => {
    const day = todayOf(ctx)
    if (known?.day !== day) {
      const read = { day, key: keyOf(ctx, day) }
      known = read
      read.key.catch(() => {
        if (known === read) known = undefined
      })
    }
    return { day, key: await known.key }
  }
}

/** @param key of the day */
export const pseudonym = (key: string, accountId: string) =>
  createHmac('sha256', key).update(accountId).digest('base64url').slice(0, 22)

async function keyOf({ db, secrets }: KeyContext, day: string) {
  const sealed = secrets.seal(randomBytes(32).toString('base64url'), sealContext(DAY_KEY, day))
  const [kept] = await db.query<{ sealed: string }>(sql`
    insert into interaction_keys (day, key_sealed) values (${day}, ${sealed})
    on conflict (day) do update set key_sealed = interaction_keys.key_sealed
    returning key_sealed as sealed`)
  return secrets.open(kept?.sealed as string, sealContext(DAY_KEY, day))
}

export const forgetDayKeys = (db: Database, today: string) =>
  db.query(sql`delete from interaction_keys where day < ${today}`)
