/** Whose a post is, as far as whoever asks may know: their own. */

import type { PostKind, PostRef } from '../reports/report.ts'
import type { KeptPost, ModerationCtx, PostSight } from './keepers.server.ts'

export async function isOwnPost(ctx: ModerationCtx, post: PostRef, { authorKey }: KeptPost) {
  if (post.kind !== 'note') return authorKey === ctx.actor.authorKey
  return (await ctx.keepers.note.ownAmong(ctx, [post.id])).length > 0
}

/** What the asking person wrote and nobody else sees at present. */
export async function ownHidden(ctx: ModerationCtx, authorKey: string) {
  const { db, keepers } = ctx
  const named = (kind: PostKind, sights: PostSight[]) => sights.map((sight) => ({ kind, sight }))
  return [
    ...named('thread', await keepers.thread.hiddenOf(db, authorKey)),
    ...named('comment', await keepers.comment.hiddenOf(db, authorKey)),
    ...named('note', await keepers.note.hiddenOf(ctx)),
  ]
}
