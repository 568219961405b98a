/** What it takes to decide about one post. */
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import type { ReportContract } from '../report.contract.ts'
import type { PostKind } from '../report.ts'
import type { PostQueries } from '../ruling.data.ts'

export function usePostQueries<ThreadId extends string | null>(
  kind: PostKind,
  id: string,
  threadId: ThreadId,
): PostQueries & { threadId: ThreadId } {
  const api = useApi<ReportContract>()
  const queryClient = useQueryClient()
  return { api, queryClient, post: { kind, id }, threadId }
}
