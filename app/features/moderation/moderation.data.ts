/** How screens ask for what waits and what was decided. */
import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query'
import { retryUnlessRefused } from '../../api/client.ts'
import type { Answer } from '../../api/contract.ts'
import type { ModerationContract } from '../reports/report.contract.ts'
import { MODERATION, type ModerationApi } from '../reports/report.data.ts'
import type { PostQueries } from '../reports/ruling.data.ts'

export type QueueList = 'open' | 'appeals'

export const queueQuery = (api: ModerationApi, list: QueueList) =>
  infiniteQueryOptions({
    queryKey: [...MODERATION, 'queue', list],
    queryFn: ({ pageParam: after, signal }) =>
      api('GET /api/v1/moderation/queue', { query: { list, after }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    retry: retryUnlessRefused,
  })

export const logQuery = (api: ModerationApi) =>
  infiniteQueryOptions({
    queryKey: [...MODERATION, 'log'],
    queryFn: ({ pageParam: after, signal }) =>
      api('GET /api/v1/moderation/log', { query: { after }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    retry: retryUnlessRefused,
  })

type QueuePage = Answer<ModerationContract['GET /api/v1/moderation/queue']>

/** A case that was decided leaves its list at once, so that the next one can be looked at. */
export function leaveQueue({ api, queryClient, post }: PostQueries, list: QueueList) {
  queryClient.setQueryData<InfiniteData<QueuePage, string | undefined>>(
    queueQuery(api, list).queryKey,
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          cases: page.cases.filter(({ kind, id }) => kind !== post.kind || id !== post.id),
          counts: { ...page.counts, [list]: Math.max(page.counts[list] - 1, 0) },
        })),
      },
  )
}
