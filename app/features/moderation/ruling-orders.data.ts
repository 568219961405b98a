/** Decisions that need one press. Each rejects with what the server refused. */
import { type Bench, rule } from './ruling.data.ts'

export const keepPost = (bench: Bench) =>
  rule(bench, `The ${bench.post.kind} stays as it is`, (api, params) =>
    api('POST /api/v1/moderation/posts/{kind}/{id}/keep', { params }),
  )

export const acceptAppeal = (bench: Bench) =>
  rule(bench, `The ${bench.post.kind} is shown again`, (api, params) =>
    api('POST /api/v1/moderation/posts/{kind}/{id}/accept-appeal', { params }),
  )

interface ThreadBench extends Bench {
  threadId: string
}

/** @param bench of the thread, or of a comment in it: what is locked is the thread */
export function lockThread(bench: ThreadBench, isLocked: boolean) {
  const params = { id: bench.threadId }
  return rule(bench, isLocked ? 'The thread is locked' : 'The thread is open again', (api) =>
    isLocked
      ? api('POST /api/v1/moderation/threads/{id}/lock', { params })
      : api('POST /api/v1/moderation/threads/{id}/unlock', { params }),
  )
}

export function pinThread(bench: ThreadBench, isPinned: boolean) {
  const params = { id: bench.threadId }
  return rule(bench, isPinned ? 'The thread is pinned' : 'The thread is pinned no more', (api) =>
    isPinned
      ? api('POST /api/v1/moderation/threads/{id}/pin', { params })
      : api('POST /api/v1/moderation/threads/{id}/unpin', { params }),
  )
}
