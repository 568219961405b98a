/** Reports: what readers tell the moderators about a post. Who reported is never told. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { contextKey } from '#app/api/auth/context-keys.server.ts'
import { requireOwner } from '#app/api/auth/require.server.ts'
import { moderatedThreads } from '#app/community/discussions/posts/moderated-posts.server.ts'
import { HOLD_AFTER_REPORTS, type PostRef, type Reason } from '#app/community/reports/report.ts'
import {
  requireUnsuspended,
  suspensionOf,
} from '#app/community/reports/suspension-queries.server.ts'
import { cleanText } from '#app/kit/writing/text.ts'
import { transaction } from '#app/platform/database/context.server.ts'
import { notFound, Refusal } from '#app/platform/http/refusal.ts'
import { isOwnPost } from './authorship.server.ts'
import { holdPost } from './hold.server.ts'
import { openCase, takeCase } from './moderation-case.server.ts'
import { lockPost } from './posts.server.ts'

/**
 * Puts a post before the moderators. The same person counts once, with the words of the last time.
 * Enough members with a confirmed address hold it until a moderator has looked.
 * @throws Refusal sign-in-required, forbidden, not-found
 */
export async function reportPost(
  ctx: Ctx,
  post: PostRef,
  { reason, note }: { reason: Reason; note: string },
) {
  const { root } = requireOwner(ctx)
  requireUnsuspended(await suspensionOf(ctx, root), 'report')
  // What is said in a room is reported from within.
  if (post.kind === 'room') throw notFound(NO_POST)
  return fileReport(ctx, post, {
    reason,
    note,
    isWeighty: ctx.actor.account?.isEmailConfirmed === true,
    keyIn: (caseId) => reportKey(root, caseId),
    requireReportable,
  })
}

interface Filed {
  reason: Reason
  note: string
  /** Whether it is one of those that hold a post. */
  isWeighty: boolean
  /** Who reports, as this case knows them. */
  keyIn(caseId: string): Buffer
  /** @throws Refusal not-found, forbidden */
  requireReportable(ctx: Ctx, post: PostRef): Promise<void>
}

export function fileReport(
  ctx: Ctx,
  post: PostRef,
  { reason, note, isWeighty, keyIn, requireReportable }: Filed,
) {
  return transaction(ctx, async (ctx) => {
    await requireReportable(ctx, post)
    const itsCase = await takeCase(ctx, post, 'reports')
    await ctx.db.query(sql`
      insert into reports (case_id, key, reason, note, is_weighty)
      values (${itsCase.id}, ${keyIn(itsCase.id)}, ${reason}, ${cleanText(note)}, ${isWeighty})
      on conflict (case_id, key)
      do update set reason = excluded.reason, note = excluded.note, is_settled = false,
                    is_weighty = excluded.is_weighty`)
    await openCase(ctx, itsCase, 'reports')
    if (!itsCase.isCleared && (await weightyReports(ctx, itsCase.id)) >= HOLD_AFTER_REPORTS)
      await holdPost(ctx, post)
    return { isReported: true as const }
  })
}

const NO_POST = 'This post does not exist'

/** Who reports, as this case knows them. */
const reportKey = (root: Buffer, caseId: string) => contextKey(root, 'report', caseId)

/** Takes the post, so that reports at the same time count one after the other. */
async function requireReportable(ctx: Ctx, post: PostRef) {
  const { db } = ctx
  const kept = await lockPost(db, post)
  const thread = kept?.threadId ? await moderatedThreads.lock(db, kept.threadId) : undefined
  if (!kept || kept.hidden || thread?.hidden) throw notFound(NO_POST)
  if (await isOwnPost(ctx, post, kept))
    throw new Refusal('forbidden', 'You cannot report your own post')
}

async function weightyReports({ db }: Ctx, caseId: string): Promise<number> {
  const [weighty] = await db.query<{ count: number }>(sql`
    select count(*)::integer as count from reports
     where case_id = ${caseId} and is_weighty and not is_settled`)
  return weighty?.count ?? 0
}
