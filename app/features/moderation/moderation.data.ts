/** How screens ask for what waits, what was decided, and what became of one's own posts. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type Client, retryUnlessRefused } from '../../api/client.ts'
import type { ModerationContract } from './moderation.contract.ts'
import type { PostKind } from './moderation.ts'

export type ModerationApi = Client<ModerationContract>

/** What names a post. */
export interface Post {
  kind: PostKind
  id: string
}

export type QueueList = 'open' | 'appeals'

/** What begins with it goes when somebody signs in or out: see `MY_KEY` of the accounts. */
const MINE = 'me'

/** Queue, appeals and log have keys that begin with it. */
export const MODERATION = [MINE, 'moderation'] as const

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

/** One's own posts that are not shown. */
export const myModerationQuery = (api: ModerationApi) =>
  queryOptions({
    queryKey: [MINE, 'own-moderation'],
    queryFn: () => api('GET /api/v1/my/moderation'),
    retry: retryUnlessRefused,
  })

/** What everybody may know of removals, about a company or about none. */
export const removalsQuery = (api: ModerationApi, company: string | undefined) =>
  queryOptions({
    queryKey: ['removals', company ?? null],
    queryFn: () => api('GET /api/v1/removals', { query: { company } }),
    staleTime: 60_000,
    retry: retryUnlessRefused,
  })
