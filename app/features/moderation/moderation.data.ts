/** How screens ask for what waits and what was decided. */
import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query'
import { type Client, retryUnlessRefused } from '../../api/client.ts'
import type { Answer } from '../../api/contract.ts'
import { MODERATION } from '../reports/report.data.ts'
import { type PostQueries, rule, ruleForGood } from '../reports/ruling.data.ts'
import type { ModerationContract } from './moderation.contract.ts'

export type ModerationApi = Client<ModerationContract>

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
export function leaveQueue(
  api: ModerationApi,
  { queryClient, post }: PostQueries,
  list: QueueList,
) {
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

/** Rejects with what the server refused. */
export const acceptAppeal = (api: ModerationApi, queries: PostQueries) =>
  rule(queries, `The ${queries.post.kind} is shown again`, (_, params) =>
    api('POST /api/v1/moderation/posts/{kind}/{id}/accept-appeal', { params }),
  )

/** What is done with votes that wait. Rejects with what the server refused; so below. */
export const countVotes = (api: ModerationApi, queries: PostQueries) =>
  ruleForGood(queries, 'These votes count now', (params) =>
    api('POST /api/v1/moderation/posts/{kind}/{id}/count-votes', { params }),
  )

export const dropVotes = (api: ModerationApi, queries: PostQueries) =>
  ruleForGood(queries, 'These votes are dropped', (params) =>
    api('POST /api/v1/moderation/posts/{kind}/{id}/drop-votes', { params }),
  )
