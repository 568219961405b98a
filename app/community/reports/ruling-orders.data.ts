/** Decisions by one press. Each rejects with what the server refused. */
import type { SeenPost } from './report.contract.ts'
import { type PostQueries, rule, ruleTogether } from './ruling.data.ts'

export const keepPost = (queries: PostQueries) =>
  rule(queries, `The ${queries.post.kind} stays as it is`, (api, params) =>
    api('POST /api/v1/moderation/posts/{kind}/{id}/keep', { params }),
  )

/** All of `posts`, but those decided meanwhile. */
export const keepPosts = (queries: PostQueries, posts: readonly SeenPost[]) =>
  ruleTogether({ ...queries, together: posts }, 'are shown', (api) =>
    api('POST /api/v1/moderation/posts/keep', { body: { posts: [...posts] } }),
  )

interface ThreadPostQueries extends PostQueries {
  threadId: string
}

/** @param queries of the thread, or of a comment in it @param note why, for readers */
export function lockThread(queries: ThreadPostQueries, isLocked: boolean, note = '') {
  const params = { id: queries.threadId }
  return rule(queries, isLocked ? 'The thread is locked' : 'The thread is unlocked', (api) =>
    isLocked
      ? api('POST /api/v1/moderation/threads/{id}/lock', { params, body: { note } })
      : api('POST /api/v1/moderation/threads/{id}/unlock', { params }),
  )
}

export const endSlowMode = (queries: PostQueries) =>
  rule(queries, 'Slow mode is off', (api, { id }) =>
    api('POST /api/v1/moderation/threads/{id}/unslow', { params: { id } }),
  )

export function pinThread(queries: ThreadPostQueries, isPinned: boolean) {
  const params = { id: queries.threadId }
  return rule(queries, isPinned ? 'The thread is pinned' : 'The thread is unpinned', (api) =>
    isPinned
      ? api('POST /api/v1/moderation/threads/{id}/pin', { params })
      : api('POST /api/v1/moderation/threads/{id}/unpin', { params }),
  )
}
