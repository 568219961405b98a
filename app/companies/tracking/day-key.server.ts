/**
 * Clicks have a pseudonym under a key of the day. The key is random, shared by all processes through a sealed row, and
 * deleted after the day: then no one can tell whose a pseudonym was, or whether two days' are the same person's. S18.
 */
import { createHmac, randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { placeIn, type SealedColumn } from '#app/platform/database/sealed-columns.server.ts'
import { todayOf } from '#app/platform/jobs/days.server.ts'

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
export function createDayKeys(): (ctx: KeyContext) => Promise<{ day: string; key: string }> {
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
  const sealed = secrets.seal(randomBytes(32).toString('base64url'), placeIn(DAY_KEY, day))
  const [kept] = await db.query<{ sealed: string }>(sql`
    insert into interaction_keys (day, key_sealed) values (${day}, ${sealed})
    on conflict (day) do update set key_sealed = interaction_keys.key_sealed
    returning key_sealed as sealed`)
  return secrets.open(kept?.sealed as string, placeIn(DAY_KEY, day))
}

export const forgetDayKeys = (db: Database, today: string) =>
  db.query(sql`delete from interaction_keys where day < ${today}`)
