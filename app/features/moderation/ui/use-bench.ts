/** What it takes to decide about one post. */
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../api/client.ts'
import type { ModerationContract } from '../moderation.contract.ts'
import type { PostKind } from '../moderation.ts'
import type { Bench } from '../ruling.data.ts'

export function useBench<ThreadId extends string | null>(
  kind: PostKind,
  id: string,
  threadId: ThreadId,
): Bench & { threadId: ThreadId } {
  const api = useApi<ModerationContract>()
  const queryClient = useQueryClient()
  return { api, queryClient, post: { kind, id }, threadId }
}
