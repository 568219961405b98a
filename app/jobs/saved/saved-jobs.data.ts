/** What somebody keeps of jobs, asked for beside the page. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import type { MY_KEY } from '#app/kit/session/live-session.data.ts'
import type { SavedJobContract } from './saved-job.contract.ts'

export type SavedJobApi = Client<SavedJobContract>

/** Only its type is imported: its file is heavy. */
const MINE: typeof MY_KEY = 'me'
const FIVE_MINUTES = 5 * 60_000

export const savedKey = (who: string) => [MINE, 'saved-jobs', who] as const
export const alertsKey = (who: string) => [MINE, 'job-alerts', who] as const

/** Which jobs carry the mark. Another person's are another answer. */
export const savedJobIdsQuery = (api: SavedJobApi, who: string) =>
  queryOptions({
    queryKey: [...savedKey(who), 'ids'],
    queryFn: () => api('GET /api/v1/my/saved-jobs/ids'),
    staleTime: FIVE_MINUTES,
  })

/** The jobs, as a list of jobs shows them. */
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

/** What one person keeps of jobs. */
export interface SavedJobQueries {
  api: SavedJobApi
  queryClient: QueryClient
  who: string
}
