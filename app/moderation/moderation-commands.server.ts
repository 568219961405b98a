/** Decisions about showing a post. Each settles what was reported until then. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { heldVotes } from '#app/community/discussions/votes/held-votes.server.ts'
import { VOTES_FIRST } from '#app/community/reports/case-texts.ts'
import type { LockedPost } from '#app/community/reports/moderated-post.server.ts'
import type { PostRef, Reason } from '#app/community/reports/report.ts'
import { Refusal } from '#app/platform/http/refusal.ts'
import { dayOf } from '#app/platform/jobs/days.server.ts'
import { decide } from './decision.server.ts'
import { type CaseBefore, type CaseRow, closeCase, takeCase } from './moderation-case.server.ts'
import { hidePost } from './posts.server.ts'
import { countRemoval } from './removal-counts.server.ts'
import { rulingNote } from './ruling.server.ts'

/** What undoing puts back. */
export const caseBefore = (
  { hidden, hiddenReason }: LockedPost,
  { isOpen, isCleared, note, appealStatus, hasReports }: CaseRow,
): CaseBefore => ({
  hidden: hidden && { state: hidden, reason: hiddenReason },
  isOpen,
  isCleared,
  note,
  appealStatus,
  hasReports,
})

/** What happens in a room is not told outside. */
const isCounted = ({ kind }: PostRef) => kind !== 'room'

export interface Removal {
  reason: Reason
  /** Words to the author. */
  note: string
}

/** Shows a post as it is; from then on reports alone do not hold it. For `seen` see `decide`. @throws Refusal conflict */
export const keepPost = (ctx: Ctx, post: PostRef, seen?: number) =>
  decide(
    ctx,
    post,
    'keep',
    async (ctx, { kept }) => {
      if (kept.hidden === 'removed')
        throw new Refusal('conflict', 'This post was removed. Undo the removal to show it again.')
      if ((await heldVotes(ctx.db, [post.id])).size > 0) throw new Refusal('conflict', VOTES_FIRST)
      const itsCase = await takeCase(ctx, post)
      if (!itsCase.isOpen && kept.hidden === null)
        throw new Refusal('conflict', 'Nothing about this post waits for a decision')
      if (kept.hidden) await hidePost(ctx.db, post, null)
      await closeCase(ctx.db, itsCase, sql`is_cleared = true`)
      return {
        before: { sight: caseBefore(kept, itsCase) },
        event: kept.hidden ? 'restored' : undefined,
      }
    },
    seen,
  )

/** Shows a post no more. @throws Refusal conflict for one that was removed already */
export const removePost = (ctx: Ctx, post: PostRef, ruling: Removal, seen?: number) =>
  decide(
    ctx,
    post,
    'remove',
    async (ctx, { kept, moderator }) => {
      if (kept.hidden === 'removed') throw new Refusal('conflict', 'This post was removed already')
      const { reason } = ruling
      const note = await rulingNote(ctx.db, post, ruling)
      const itsCase = await takeCase(ctx, post)
      await hidePost(ctx.db, post, { state: 'removed', reason })
      await closeCase(ctx.db, itsCase, sql`note = ${note || null}, decided_by = ${moderator.id}`)
      const month = `${dayOf(ctx.now()).slice(0, 7)}-01`
      const counted = { kind: post.kind, companyId: kept.companyId, month, reason }
      if (isCounted(post)) await countRemoval(ctx.db, counted, 1)
      return {
        reason,
        note,
        before: { sight: caseBefore(kept, itsCase), ...(isCounted(post) && { counted }) },
        event: 'removed',
      }
    },
    seen,
  )
