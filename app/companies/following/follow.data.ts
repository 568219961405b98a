import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import type { FollowContract } from './follow.contract.ts'

type FollowApi = Client<FollowContract>

const FIVE_MINUTES = 5 * 60_000

/** Prefix of all keys about someone's follows. */
export const followsKey = (sessionKey: string) => [MY_KEY, 'follows', sessionKey] as const

export const followedIdsQuery = (api: FollowApi, sessionKey: string) =>
  queryOptions({
    queryKey: [...followsKey(sessionKey), 'ids'],
    queryFn: () => api('GET /api/v1/my/follows/ids'),
    staleTime: FIVE_MINUTES,
  })

export const followsQuery = (api: FollowApi, sessionKey: string) =>
  queryOptions({
    queryKey: [...followsKey(sessionKey), 'list'],
    queryFn: ({ signal }) => api('GET /api/v1/my/follows', { signal }),
    refetchOnMount: 'always',
  })

export interface FollowQueries {
  api: FollowApi
  queryClient: QueryClient
  sessionKey: string
}
