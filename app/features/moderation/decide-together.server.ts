/** Several posts decided alike. Each is decided for itself, wholly or not at all, and the answer says which. */
import type { Ctx } from '../../auth/context.server.ts'
import type { Together } from '../reports/report.contract.ts'
import type { PostRef } from '../reports/report.ts'
import { keepPost, type Removal, removePost } from './moderation-commands.server.ts'

/** A post, and the last entry of the log about it that was seen: 0 for none. */
export interface SeenPost extends PostRef {
  seen: number
}

export const keepPosts = (ctx: Ctx, posts: SeenPost[]) =>
  decideTogether(posts, (post) => keepPost(ctx, post, post.seen))

export const removePosts = (ctx: Ctx, posts: SeenPost[], removal: Removal) =>
  decideTogether(posts, (post) => removePost(ctx, post, removal, post.seen))

const NOT_NOW = 'This could not be decided just now. Please look again.'

/**
 * One after the other, each in its own transaction. What somebody else decided meanwhile is left as it is.
 * Rejects only where nothing at all was done.
 */
async function decideTogether(
  posts: SeenPost[],
  decideOne: (post: SeenPost) => Promise<{ entry: number }>,
): Promise<Together> {
  const decided: Together['decided'] = []
  const left: Together['left'] = []
  const distinct = new Map(posts.map((post) => [post.id, post]))
  let isAway = false
  for (const post of distinct.values()) {
    const { kind, id } = post
    try {
      if (isAway) left.push({ kind, id, why: NOT_NOW })
      else decided.push({ kind, id, ...(await decideOne(post)) })
    } catch (error) {
      const why = refusedWith(error)
      if (why === undefined && decided.length === 0) throw error
      // The database is away, or this is a bug: whatever follows would only wait for it.
      isAway = why === undefined
      left.push({ kind, id, why: why ?? NOT_NOW })
    }
  }
  return { decided, left }
}

const refusedWith = (error: unknown) => {
  const { status = 500, message } = error as { status?: number; message: string }
  return status < 500 ? message : undefined
}
