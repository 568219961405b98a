/** What all decisions of moderators have in common: who may, about what, and the entry in the log. */
import type { Ctx } from '../../auth/context.server.ts'
import { requireAccount } from '../../auth/require.server.ts'
import { transaction } from '../../server/context.server.ts'
import { notFound, Refusal } from '../../server/refusal.ts'
import type { LockedPost } from '../reports/moderated-post.server.ts'
import type { ModerationEvent, PostRef, Reason } from '../reports/report.ts'
import {
  type Before,
  type Decision,
  latestEntry,
  type Moderator,
  writeEntry,
} from './moderation-log.server.ts'
import { lockPost } from './posts.server.ts'
import { enqueueRuling } from './ruling.server.ts'

export const POST_GONE = 'This post is gone'
const JUST_DECIDED = 'Another moderator has just decided about this. Please look again.'

/** As the log names whoever decides. */
export function moderatorIn(ctx: Ctx): Moderator {
  const { id, username } = requireAccount(ctx)
  return { id, name: username ?? 'A moderator' }
}

/** What a decision leaves behind. */
export interface Outcome {
  reason?: Reason | null
  /** Words to the author. */
  note?: string
  /** What the author is told, if anything. */
  event?: ModerationEvent
  before?: Before
}

/**
 * Decides in one transaction. Of two who decide at once one wins: what was decided between the asking
 * and the lock is for the other one to see first.
 * @throws Refusal not-found, conflict
 */
export async function decide(
  ctx: Ctx,
  post: PostRef,
  action: Decision,
  work: (ctx: Ctx, subject: { kept: LockedPost; moderator: Moderator }) => Promise<Outcome>,
) {
  const moderator = moderatorIn(ctx)
  const known = await latestEntry(ctx.db, post, action)
  return transaction(ctx, async (ctx) => {
    const kept = await lockPost(ctx.db, post)
    if (!kept) throw notFound(POST_GONE)
    if ((await latestEntry(ctx.db, post, action)) !== known)
      throw new Refusal('conflict', JUST_DECIDED)
    const { event, ...outcome } = await work(ctx, { kept, moderator })
    if (event) await enqueueRuling(ctx, ctx.db, { ...post, event, reason: outcome.reason ?? null })
    return writeEntry(ctx, moderator, { post, threadId: kept.threadId, action, ...outcome })
  })
}
