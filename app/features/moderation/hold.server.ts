/** A hold: a post is not shown until a moderator has looked. Nobody decided it, so no log names one. */
import type { ServerContext } from '../../server/context.server.ts'
import type { PostRef } from '../reports/report.ts'
import { hidePost } from './posts.server.ts'
import { enqueueRuling } from './ruling.server.ts'

/** Run it in a transaction that has locked the post. */
export async function holdPost(ctx: Pick<ServerContext, 'db' | 'jobs'>, post: PostRef) {
  await hidePost(ctx.db, post, { state: 'held', reason: null })
  await enqueueRuling(ctx, ctx.db, { ...post, event: 'held', reason: null })
}
