/** What somebody follows: asked for beside the page. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import type { MY_KEY } from '#app/kit/session/live-session.data.ts'
import type { FollowContract } from './follow.contract.ts'

export type FollowApi = Client<FollowContract>

/** Only its type is imported: its file is heavy. */
const MINE: typeof MY_KEY = 'me'
const FIVE_MINUTES = 5 * 60_000

/** What is known of somebody's follows has keys that begin with it. */
export const followsKey = (who: string) => [MINE, 'follows', who] as const

/** Which companies carry the mark. Another person's are another answer. */
export const followedIdsQuery = (api: FollowApi, who: string) =>
  queryOptions({
    queryKey: [...followsKey(who), 'ids'],
    queryFn: () => api('GET /api/v1/my/follows/ids'),
    staleTime: FIVE_MINUTES,
  })

/** The companies with what they alert on. */
export const followsQuery = (api: FollowApi, who: string) =>
  queryOptions({
    queryKey: [...followsKey(who), 'list'],
    queryFn: ({ signal }) => api('GET /api/v1/my/follows', { signal }),
    refetchOnMount: 'always',
  })

/** One person's followed companies. */
export interface FollowQueries {
  api: FollowApi
  queryClient: QueryClient
  who: string
}
