/**
 * What it takes to read and write in a room. A pass proves a badge until midnight (UTC) and is
 * sealed, not stored. Its `person` changes daily, and lets us limit how much someone writes.
 */
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '#app/platform/database/database.server.ts'
import { openToken } from '#app/platform/database/secrets.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { notFound, Refusal } from '#app/platform/http/refusal.ts'
import { ROOM_REFUSALS } from './room.ts'

const SEALED_AS = 'room pass'

const Pass = z.object({
  domain: z.string(),
  companyId: z.string(),
  day: z.string(),
  person: z.string(),
})
export type RoomPass = z.output<typeof Pass>

export type PassContext = Pick<ServerContext, 'secrets' | 'now'>

export const sealPass = ({ secrets }: PassContext, pass: RoomPass) =>
  secrets.seal(JSON.stringify(pass), SEALED_AS)

/** @throws Refusal gone for another day's pass, and for one that isn't ours */
export function requirePass(ctx: PassContext, token: string): RoomPass {
  const pass = Pass.safeParse(openToken(ctx.secrets, token, SEALED_AS)).data
  if (pass?.day !== todayOf(ctx)) throw new Refusal('gone', ROOM_REFUSALS.pass)
  return pass
}

/** @throws Refusal not-found, also for one that is deleted or hidden */
export async function requireThread(db: Database, domain: string, threadId: string) {
  const [thread] = await db.query(sql`
    select from room_posts
     where id = ${threadId} and domain = ${domain} and place = 0 and not is_deleted and hidden is null`)
  if (!thread) throw notFound(ROOM_REFUSALS.thread)
}
