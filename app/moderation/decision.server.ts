/** What all decisions of moderators have in common: who may, about what, and the entry in the log. */
import type { Ctx } from '#app/api/auth/context.server.ts'
import { requireAccount } from '#app/api/auth/require.server.ts'
import type { LockedPost } from '#app/community/reports/moderated-post.server.ts'
import {
  type ModerationEvent,
  type PostRef,
  type Reason,
  reasonName,
} from '#app/community/reports/report.ts'
import { transaction } from '#app/platform/database/context.server.ts'
import { notFound, Refusal } from '#app/platform/http/refusal.ts'
import { decisionText } from './decision-text.ts'
import {
  type Before,
  type Decision,
  latestDecision,
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
 * @param seen the last entry about this side of the post that whoever decides has seen; without it, the
 * last one there is
 * @throws Refusal not-found, conflict
 */
export async function decide(
  ctx: Ctx,
  post: PostRef,
  action: Decision,
  work: (ctx: Ctx, subject: { kept: LockedPost; moderator: Moderator }) => Promise<Outcome>,
  seen?: number,
) {
  const moderator = moderatorIn(ctx)
  const known = seen ?? (await latestEntry(ctx.db, post, action))
  return transaction(ctx, async (ctx) => {
    const kept = await lockPost(ctx.db, post)
    if (!kept) throw notFound(POST_GONE)
    if ((await latestEntry(ctx.db, post, action)) !== known)
      throw new Refusal('conflict', seen === undefined ? JUST_DECIDED : await meanwhile(ctx, post))
    const { event, ...outcome } = await work(ctx, { kept, moderator })
    if (event) await enqueueRuling(ctx, ctx.db, { ...post, event, reason: outcome.reason ?? null })
    return writeEntry(ctx, moderator, { post, threadId: kept.threadId, action, ...outcome })
  })
}

/** Who decided what since a moderator looked. */
async function meanwhile({ db }: Ctx, post: PostRef) {
  const latest = await latestDecision(db, post)
  if (!latest) return JUST_DECIDED
  const { moderator, action, detail, reason } = latest
  const why = reason === null ? '' : `: ${reasonName(reason)}`
  return `${moderator} ${decisionText({ action, kind: post.kind, detail })} meanwhile${why}`
}
