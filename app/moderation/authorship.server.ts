/** Whose a post is, as far as whoever asks may know: their own. */

import type { Ctx } from '#app/api/auth/context.server.ts'
import {
  moderatedComments,
  moderatedThreads,
} from '#app/community/discussions/posts/moderated-posts.server.ts'
import { isSameKey, ownThreadKey } from '#app/community/discussions/posts/own-posts.server.ts'
import { moderatedReplies } from '#app/community/replies/moderated-replies.server.ts'
import type { LockedPost, PostView } from '#app/community/reports/moderated-post.server.ts'
import type { PostKind, PostRef } from '#app/community/reports/report.ts'
import { actsFor } from '#app/companies/claims/claim-queries.server.ts'
import { moderatedJobs } from '#app/jobs/postings/moderated-jobs.server.ts'
import { moderatedNotes } from '#app/ratings/moderated-notes.server.ts'

export async function isOwnPost(
  ctx: Ctx,
  post: PostRef,
  { authorKey, threadId, companyId }: LockedPost,
) {
  // Who of a company wrote it is not kept: it is of all who act for it.
  if (post.kind === 'job' || post.kind === 'reply')
    return companyId !== null && actsFor(ctx, companyId)
  if (threadId !== null) return isSameKey(authorKey, ownThreadKey(ctx, threadId))
  return (await moderatedNotes.ownAmong(ctx, [post.id])).length > 0
}

/** What the asking person wrote and nobody else sees at present. */
export async function ownHidden(ctx: Ctx) {
  const named = (kind: PostKind, views: PostView[]) => views.map((view) => ({ kind, view }))
  return [
    ...named('thread', await moderatedThreads.hiddenOf(ctx)),
    ...named('comment', await moderatedComments.hiddenOf(ctx)),
    ...named('note', await moderatedNotes.hiddenOf(ctx)),
    ...named('job', await moderatedJobs.hiddenOf(ctx)),
    ...named('reply', await moderatedReplies.hiddenOf(ctx)),
  ]
}
