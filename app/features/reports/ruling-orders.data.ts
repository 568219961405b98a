/** Decisions that need one press. Each rejects with what the server refused. */
import { type PostQueries, rule } from './ruling.data.ts'

export const keepPost = (queries: PostQueries) =>
  rule(
    queries,
    queries.others ? 'All of them are shown' : `The ${queries.post.kind} stays as it is`,
    (api, params) => api('POST /api/v1/moderation/posts/{kind}/{id}/keep', { params }),
  )

interface ThreadPostQueries extends PostQueries {
  threadId: string
}

/** @param queries of the thread, or of a comment in it: what is locked is the thread */
export function lockThread(queries: ThreadPostQueries, isLocked: boolean) {
  const params = { id: queries.threadId }
  return rule(queries, isLocked ? 'The thread is locked' : 'The thread is open again', (api) =>
    isLocked
      ? api('POST /api/v1/moderation/threads/{id}/lock', { params })
      : api('POST /api/v1/moderation/threads/{id}/unlock', { params }),
  )
}

export function pinThread(queries: ThreadPostQueries, isPinned: boolean) {
  const params = { id: queries.threadId }
  return rule(
    queries,
    isPinned ? 'The thread is pinned' : 'The thread is no longer pinned',
    (api) =>
      isPinned
        ? api('POST /api/v1/moderation/threads/{id}/pin', { params })
        : api('POST /api/v1/moderation/threads/{id}/unpin', { params }),
  )
}
