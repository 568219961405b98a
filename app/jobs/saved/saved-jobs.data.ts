/** Saved jobs and job alerts, requested beside the page. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import type { MY_KEY } from '#app/kit/session/live-session.data.ts'
import type { SavedJobContract } from './saved-job.contract.ts'

export type SavedJobApi = Client<SavedJobContract>

/** Only the type is imported: the file is heavy. */
const MINE: typeof MY_KEY = 'me'
const FIVE_MINUTES = 5 * 60_000

export const savedKey = (who: string) => [MINE, 'saved-jobs', who] as const
export const alertsKey = (who: string) => [MINE, 'job-alerts', who] as const

export const savedJobIdsQuery = (api: SavedJobApi, who: string) =>
  queryOptions({
    queryKey: [...savedKey(who), 'ids'],
    queryFn: () => api('GET /api/v1/my/saved-jobs/ids'),
    staleTime: FIVE_MINUTES,
  })

export const savedJobsQuery = (api: SavedJobApi, who: string) =>
  queryOptions({
    queryKey: [...savedKey(who), 'list'],
    queryFn: ({ signal }) => api('GET /api/v1/my/saved-jobs', { signal }),
    refetchOnMount: 'always',
  })

export const jobAlertsQuery = (api: SavedJobApi, who: string) =>
  queryOptions({
    queryKey: alertsKey(who),
    queryFn: ({ signal }) => api('GET /api/v1/my/job-alerts', { signal }),
    refetchOnMount: 'always',
  })

export interface SavedJobQueries {
  api: SavedJobApi
  queryClient: QueryClient
  who: string
}
