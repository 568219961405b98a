/** Reports of posts. We never say who reported. */

import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { contextKey } from '#app/api/auth/context-keys.server.ts'
import { requirePersonRoot } from '#app/api/auth/require.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import { roomReportContextOf } from '#app/api/credential/purposes.ts'
import { moderatedThreads } from '#app/community/discussions/posts/moderated-threads.server.ts'
import { HOLD_AFTER_REPORTS, type PostRef, REPORT_NOTE_MAX } from '#app/community/reports/report.ts'
import { ROOM_REFUSALS, roomReportMessage } from '#app/community/rooms/room.ts'
import type { RoomProof } from '#app/community/rooms/room-commands.server.ts'
import { requirePass } from '#app/community/rooms/room-rules.server.ts'
import type { Reason } from '#app/identity/accounts/suspension.ts'
import { requireUnsuspended, suspensionOf } from '#app/identity/accounts/suspension-rules.server.ts'
import { lengthProblem, tidyText } from '#app/kit/writing/text.ts'
import { transaction } from '#app/platform/database/server-context.server.ts'
import { badRequest, forbidden, notFound, requireValid } from '#app/platform/http/refusal.ts'
import { holdPost, lockOrCreateCase, openCase } from './cases.server.ts'
import { MODERATION_REFUSALS } from './moderation.ts'
import { isOwnPost, lockPost } from './posts.server.ts'

/**
 * Puts a post in the moderators' queue. Each person counts once, with the last reason they gave. Reports from enough
 * members with a confirmed address hold the post until a moderator has reviewed it.
 * @throws Refusal bad-request, sign-in-required, forbidden, not-found
 */
export async function reportPost(ctx: Ctx, post: PostRef, sent: Report) {
  const report = checkedReport(sent)
  const { root } = requirePersonRoot(ctx)
  requireUnsuspended(await suspensionOf(ctx, root), 'report')
  // Only people in a room can report its posts.
  if (post.kind === 'room') throw notFound(MODERATION_REFUSALS.noSuchPost)
  return fileReport(ctx, post, {
    ...report,
    isWeighty: ctx.actor.account?.isEmailConfirmed === true,
    keyIn: (caseId) => reportKey(root, caseId),
    requireReportable,
  })
}

interface Report {
  reason: Reason
  note: string
}

/** @throws Refusal bad-request */
function checkedReport({ reason, note }: Report): Report {
  const tidy = { reason, note: tidyText(note) }
  requireValid(lengthProblem(tidy.note, REPORT_NOTE_MAX))
  return tidy
}

interface Filed extends Report {
  /** Whether this report can hold a post. */
  isWeighty: boolean
  /** The reporter's key for this case. */
  keyIn(caseId: string): Buffer
  /** @throws Refusal not-found, forbidden */
  requireReportable(ctx: Ctx, post: PostRef): Promise<void>
}

function fileReport(
  ctx: Ctx,
  post: PostRef,
  { reason, note, isWeighty, keyIn, requireReportable }: Filed,
) {
  return transaction(ctx, async (ctx) => {
    await requireReportable(ctx, post)
    const itsCase = await lockOrCreateCase(ctx, post, 'reports')
    await ctx.db.query(sql`
      insert into reports (case_id, key, reason, note, is_weighty)
      values (${itsCase.id}, ${keyIn(itsCase.id)}, ${reason}, ${note}, ${isWeighty})
      on conflict (case_id, key)
      do update set reason = excluded.reason, note = excluded.note, is_settled = false,
                    is_weighty = excluded.is_weighty`)
    await openCase(ctx, itsCase, 'reports')
    if (!itsCase.isCleared && (await weightyReports(ctx, itsCase.id)) >= HOLD_AFTER_REPORTS)
      await holdPost(ctx, post)
    return { isReported: true as const }
  })
}

const reportKey = (root: Buffer, caseId: string) => contextKey(root, 'report', caseId)

/** Locks the post, so simultaneous reports are counted one after the other. */
async function requireReportable(ctx: Ctx, post: PostRef) {
  const { db } = ctx
  const stored = await lockPost(db, post)
  const thread = stored?.threadId ? await moderatedThreads.lock(db, stored.threadId) : undefined
  if (!stored || stored.hidden || thread?.hidden) throw notFound(MODERATION_REFUSALS.noSuchPost)
  if (await isOwnPost(ctx, post, stored)) throw forbidden(MODERATION_REFUSALS.reportsOwn)
}

async function weightyReports({ db }: Ctx, caseId: string): Promise<number> {
  const [weighty] = await db.query<{ count: number }>(sql`
    select count(*)::integer as count from reports
     where case_id = ${caseId} and is_weighty and not is_settled`)
  return weighty?.count ?? 0
}

const KEY_BYTES = 16

/**
 * A report from within a room. All we know about the reporter is that they have the badge, and report only once.
 * Enough reports hold the post until a moderator has reviewed it, who can read only that post.
 * @throws Refusal gone for a pass of another day, bad-request without a proof, not-found
 * @throws Unavailable when too many wait to be verified
 */
export async function reportRoomPost(
  ctx: Ctx,
  postId: string,
  sent: RoomProof & Report,
  issuer: Issuer,
) {
  const report = checkedReport(sent)
  const { domain } = requirePass(ctx, sent.pass)
  // Use the ID as the row spells it, because another spelling would be another context.
  const [post] = await ctx.db.query<{ id: string }>(
    sql`select id from room_posts where id = ${postId} and domain = ${domain}`,
  )
  if (!post) throw notFound(ROOM_REFUSALS.post)
  const { id } = post
  const tag = await issuer.verify(
    { kind: 'badge', domain, quarter: sent.quarter },
    {
      presentationContext: roomReportContextOf(id),
      message: roomReportMessage(postId, sent),
      presentation: Buffer.from(sent.presentation, 'base64url'),
    },
  )
  if (!tag) throw badRequest(ROOM_REFUSALS.invalidProof)
  return fileReport(
    ctx,
    { kind: 'room', id },
    {
      ...report,
      isWeighty: true,
      keyIn: () => keyOfTag(ctx, tag),
      async requireReportable({ db }, post) {
        const stored = await lockPost(db, post)
        if (!stored || stored.hidden) throw notFound(ROOM_REFUSALS.post)
      },
    },
  )
}

/** As long as the keys of other reports. */
const keyOfTag = ({ secrets }: Ctx, tag: Uint8Array) =>
  Buffer.from(
    secrets.hash('room report', Buffer.from(tag).toString('base64url')),
    'base64url',
  ).subarray(0, KEY_BYTES)
