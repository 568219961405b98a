/** A pass: proves a badge until midnight (UTC). Sealed, not stored. Its `person` changes daily and counts how much one writes. */
import { z } from 'zod'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import { roomDayContextOf } from '#app/api/credential/purposes.ts'
import { hasRoom, requireDomainOf } from '#app/companies/badges/post-badges.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { isBound } from '#app/platform/database/secrets.server.ts'
import { badRequest, conflict, Refusal } from '#app/platform/http/refusal.ts'
import { todayOf } from '#app/platform/jobs/days.server.ts'
import { ROOM_REFUSALS } from './room.ts'
import { PASS_MESSAGE } from './room-proof.ts'

const PLACE = 'room pass'

const Pass = z.object({
  domain: z.string(),
  companyId: z.string(),
  day: z.string(),
  person: z.string(),
})
export type RoomPass = z.output<typeof Pass>

type PassContext = Pick<ServerContext, 'secrets' | 'now'>

/**
 * @throws Refusal conflict for another company’s badge and for a room that is not open, bad-request without a proof
 * @throws Unavailable when too many wait to be verified
 */
export async function enterRoom(
  ctx: PassContext & Pick<ServerContext, 'db'>,
  asked: { companyId: string; domain: string; quarter: string; presentation: string },
  issuer: Issuer,
) {
  const { companyId, domain, quarter } = asked
  await requireDomainOf(ctx.db, companyId, domain)
  if (!(await hasRoom(ctx.db, domain))) throw conflict(ROOM_REFUSALS.closed)
  const day = todayOf(ctx)
  const tag = await issuer.verify(
    { kind: 'badge', domain, quarter },
    {
      presentationContext: roomDayContextOf(domain, day),
      message: PASS_MESSAGE,
      presentation: Buffer.from(asked.presentation, 'base64url'),
    },
  )
  if (!tag) throw badRequest(ROOM_REFUSALS.unproven)
  const person = ctx.secrets.hash('room day', Buffer.from(tag).toString('base64url'))
  const pass: RoomPass = { domain, companyId, day, person }
  return { pass: ctx.secrets.seal(JSON.stringify(pass), PLACE), day }
}

/** @throws Refusal gone for another day's, and for one that isn't ours */
export function requirePass(ctx: PassContext, token: string): RoomPass {
  const pass = opened(ctx, token)
  if (pass?.day !== todayOf(ctx)) throw new Refusal('gone', ROOM_REFUSALS.pass)
  return pass
}

function opened({ secrets }: PassContext, token: string) {
  try {
    // What isn't bound to a location would open without one.
    return isBound(token) ? Pass.parse(JSON.parse(secrets.open(token, PLACE))) : undefined
  } catch {
    return
  }
}
