/** Several posts decided alike. Each is decided for itself, wholly or not at all, and the answer says which. */
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { SeenPost, Together } from '#app/community/reports/report.contract.ts'
import type { PostRef } from '#app/community/reports/report.ts'
import { keepPost, type Removal, removePost } from './moderation-commands.server.ts'

export const keepPosts = (ctx: Ctx, posts: SeenPost[]) =>
  decideTogether(posts, (post, seen) => keepPost(ctx, post, seen))

export const removePosts = (ctx: Ctx, posts: SeenPost[], removal: Removal) =>
  decideTogether(posts, (post, seen) => removePost(ctx, post, removal, seen))

const NOT_NOW = 'This could not be decided just now. Please look again.'

/**
 * One after the other, each in its own transaction. What somebody else decided meanwhile is left as it is.
 * Rejects only where nothing at all was done.
 */
async function decideTogether(
  posts: SeenPost[],
  decideOne: (post: PostRef, seen: number) => Promise<{ entry: number }>,
): Promise<Together> {
  const decided: Together['decided'] = []
  const left: Together['left'] = []
  const distinct = new Map(posts.map((post) => [post.id, post]))
  let isAway = false
  for (const { seen, ...post } of distinct.values()) {
    try {
      if (isAway) left.push({ ...post, why: NOT_NOW })
      else decided.push({ ...post, ...(await decideOne(post, seen)) })
    } catch (error) {
      const why = refusedWith(error)
      if (why === undefined && decided.length === 0) throw error
      // The database is unavailable, or this is a bug: whatever follows would only wait for it.
      isAway = why === undefined
      left.push({ ...post, why: why ?? NOT_NOW })
    }
  }
  return { decided, left }
}

const refusedWith = (error: unknown) => {
  const { status = 500, message } = error as { status?: number; message: string }
  return status < 500 ? message : undefined
}
