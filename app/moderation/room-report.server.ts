/** Reports from within a room: of whom nothing is known but that they hold its badge, and report once. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import { roomReportContextOf } from '#app/api/credential/purposes.ts'
import type { Reason } from '#app/community/reports/report.ts'
import { ROOM_REFUSALS } from '#app/community/rooms/room.ts'
import type { Proven } from '#app/community/rooms/room-commands.server.ts'
import { requirePass } from '#app/community/rooms/room-pass.server.ts'
import { roomReportMessage } from '#app/community/rooms/room-proof.ts'
import { badRequest, notFound } from '#app/platform/http/refusal.ts'
import { lockPost } from './posts.server.ts'
import { fileReport } from './report-commands.server.ts'

const KEY_BYTES = 16

/**
 * Enough of them hold it until a moderator has looked, who then reads that post and no other.
 * @throws Refusal gone for a pass of another day, bad-request without a proof, not-found
 * @throws Unavailable when too many wait to be verified
 */
export async function reportRoomPost(
  ctx: Ctx,
  asked: string,
  sent: Proven & { reason: Reason; note: string },
  issuer: Issuer,
) {
  const { domain } = requirePass(ctx, sent.pass)
  // By the id of its row: in another spelling it would be another context.
  const [post] = await ctx.db.query<{ id: string }>(
    sql`select id from room_posts where id = ${asked} and domain = ${domain}`,
  )
  if (!post) throw notFound(ROOM_REFUSALS.post)
  const { id } = post
  const tag = await issuer.verify(
    { kind: 'badge', domain, quarter: sent.quarter },
    {
      presentationContext: roomReportContextOf(id),
      message: roomReportMessage(asked, sent),
      presentation: Buffer.from(sent.presentation, 'base64url'),
    },
  )
  if (!tag) throw badRequest(ROOM_REFUSALS.unproven)
  const { reason, note } = sent
  return fileReport(
    ctx,
    { kind: 'room', id },
    {
      reason,
      note,
      isWeighty: true,
      keyIn: () => keyOfTag(ctx, tag),
      async requireReportable({ db }, post) {
        const kept = await lockPost(db, post)
        if (!kept || kept.hidden) throw notFound(ROOM_REFUSALS.post)
      },
    },
  )
}

/** As long as the keys of all other reports. */
const keyOfTag = ({ secrets }: Ctx, tag: Uint8Array) =>
  Buffer.from(
    secrets.hash('room report', Buffer.from(tag).toString('base64url')),
    'base64url',
  ).subarray(0, KEY_BYTES)
