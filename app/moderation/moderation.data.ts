import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import { decide, decideForGood, type PostQueries } from '#app/community/reports/decision.data.ts'
import { MODERATION_KEY, type Post } from '#app/community/reports/report.data.ts'
import { postName } from '#app/community/reports/report.ts'
import type {
  ModerationContract,
  QueueFilter,
  QueueList,
  QueuePage,
} from './moderation.contract.ts'

type ModerationApi = Client<ModerationContract>

export const queueQuery = (api: ModerationApi, list: QueueList, filter: QueueFilter = {}) =>
  infiniteQueryOptions({
    queryKey: [...MODERATION_KEY, 'queue', list, filter.why ?? null, filter.company ?? null],
    queryFn: ({ pageParam: after, signal }) =>
      api('GET /api/v1/moderation/queue', { query: { list, after, ...filter }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  })

export const logQuery = (api: ModerationApi) =>
  infiniteQueryOptions({
    queryKey: [...MODERATION_KEY, 'log'],
    queryFn: ({ pageParam: after, signal }) =>
      api('GET /api/v1/moderation/log', { query: { after }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  })

export const watchedQuery = (api: ModerationApi) =>
  queryOptions({
    queryKey: [...MODERATION_KEY, 'watched'],
    queryFn: ({ signal }) => api('GET /api/v1/moderation/watched-words', { signal }),
  })

export const firstPostsQuery = (api: ModerationApi) =>
  queryOptions({
    queryKey: [...MODERATION_KEY, 'first-posts'],
    queryFn: ({ signal }) => api('GET /api/v1/moderation/first-posts', { signal }),
  })

export const limitsQuery = (api: ModerationApi) =>
  queryOptions({
    queryKey: [...MODERATION_KEY, 'limits'],
    queryFn: ({ signal }) => api('GET /api/v1/moderation/limits', { signal }),
  })

/** Removes decided cases from their list immediately. */
export function leaveQueue(
  api: ModerationApi,
  { queryClient }: Pick<PostQueries, 'queryClient'>,
  { list, filter, posts }: { list: QueueList; filter: QueueFilter; posts: readonly Post[] },
) {
  const ids = new Set(posts.map(({ id }) => id))
  queryClient.setQueryData<InfiniteData<QueuePage, string | undefined>>(
    queueQuery(api, list, filter).queryKey,
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          cases: page.cases.filter(({ id }) => !ids.has(id)),
          counts: { ...page.counts, [list]: Math.max(page.counts[list] - ids.size, 0) },
          matching: Math.max(page.matching - ids.size, 0),
        })),
      },
  )
}

/** Rejects with the server's refusal. */
export const acceptAppeal = (api: ModerationApi, queries: PostQueries) =>
  decide(queries, `The ${postName(queries.post.kind)} is visible again`, (_, params) =>
    api('POST /api/v1/moderation/posts/{kind}/{id}/accept-appeal', { params }),
  )

/** These reject with the server's refusal. */
export const acceptHeldVotes = (api: ModerationApi, queries: PostQueries) =>
  decideForGood(queries, 'These votes count now', (params) =>
    api('POST /api/v1/moderation/posts/{kind}/{id}/count-votes', { params }),
  )

export const discardHeldVotes = (api: ModerationApi, queries: PostQueries) =>
  decideForGood(queries, 'These votes are dropped', (params) =>
    api('POST /api/v1/moderation/posts/{kind}/{id}/drop-votes', { params }),
  )

/** WCAG 2.1.4 requires a way to turn single-key shortcuts off. */
const KEY = 'moderationKeys'

export function wantsShortcuts(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off'
  } catch {
    return true
  }
}

export function chooseShortcuts(areWanted: boolean) {
  try {
    if (areWanted) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, 'off')
  } catch {
    // If the browser can't store anything, the choice lasts until the page closes.
  }
}
