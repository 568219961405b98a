/** What somebody keeps of jobs: asked for beside the page, shown at once, put right when answered. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Client, retryUnlessRefused } from '../../api/client.ts'
import { inTurn } from '../../api/in-turn.ts'
import type { MY_KEY } from '../accounts/live-session.data.ts'
import type { JobWishes } from './job-alert.ts'
import type { JobAlert, SavedJobContract } from './saved-job.contract.ts'

export type SavedJobApi = Client<SavedJobContract>

/** Only its type is imported: its file is heavy. */
const MINE: typeof MY_KEY = 'me'
const FIVE_MINUTES = 5 * 60_000

const savedKey = (who: string) => [MINE, 'saved-jobs', who] as const
const alertsKey = (who: string) => [MINE, 'job-alerts', who] as const

/** Which jobs carry the mark. Another person's are another answer. */
export const savedJobIdsQuery = (api: SavedJobApi, who: string) =>
  queryOptions({
    queryKey: [...savedKey(who), 'ids'],
    queryFn: () => api('GET /api/v1/my/saved-jobs/ids'),
    staleTime: FIVE_MINUTES,
    retry: retryUnlessRefused,
  })

/** The jobs, as a list of jobs shows them. */
export const savedJobsQuery = (api: SavedJobApi, who: string) =>
  queryOptions({
    queryKey: [...savedKey(who), 'list'],
    queryFn: ({ signal }) => api('GET /api/v1/my/saved-jobs', { signal }),
    refetchOnMount: 'always',
    retry: retryUnlessRefused,
  })

export const jobAlertsQuery = (api: SavedJobApi, who: string) =>
  queryOptions({
    queryKey: alertsKey(who),
    queryFn: ({ signal }) => api('GET /api/v1/my/job-alerts', { signal }),
    refetchOnMount: 'always',
    retry: retryUnlessRefused,
  })

/** What one person keeps of jobs. */
export interface SavedJobDesk {
  api: SavedJobApi
  queryClient: QueryClient
  who: string
}

/** The list goes without what is forgotten; what is saved anew comes from the server. */
function showMark({ api, queryClient, who }: SavedJobDesk, jobId: string, isSaved: boolean) {
  if (!isSaved)
    queryClient.setQueryData(
      savedJobsQuery(api, who).queryKey,
      (it) => it && { jobs: it.jobs.filter(({ id }) => id !== jobId) },
    )
  queryClient.setQueryData(savedJobIdsQuery(api, who).queryKey, (it) => {
    const others = it?.jobIds.filter((id) => id !== jobId) ?? []
    return { jobIds: isSaved ? [...others, jobId] : others }
  })
}

/** @throws ApiError, after the mark has been taken back */
export async function saveJob(desk: SavedJobDesk, jobId: string, isSaved: boolean) {
  const { api, queryClient, who } = desk
  // An answer on its way was asked for before.
  await queryClient.cancelQueries({ queryKey: savedKey(who) })
  showMark(desk, jobId, isSaved)
  const { turn, isLast } = inTurn(`saved job ${jobId}`, () =>
    api('PUT /api/v1/jobs/{id}/saved', { params: { id: jobId }, body: { isSaved } }),
  )
  try {
    await turn
    if (isLast()) queryClient.invalidateQueries({ queryKey: savedKey(who) })
  } catch (error) {
    if (isLast()) {
      showMark(desk, jobId, !isSaved)
      queryClient.invalidateQueries({ queryKey: savedKey(who) })
    }
    throw error
  }
}

/** Not shown before the server has it: only the server knows whether it is one more. @throws ApiError */
export async function createJobAlert({ api, queryClient, who }: SavedJobDesk, wishes: JobWishes) {
  const { id } = await api('POST /api/v1/my/job-alerts', { body: wishes })
  await queryClient.invalidateQueries({ queryKey: alertsKey(who) })
  return id
}

/** @throws ApiError, after it has been put back */
export async function deleteJobAlert({ api, queryClient, who }: SavedJobDesk, alert: JobAlert) {
  const { queryKey } = jobAlertsQuery(api, who)
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(
    queryKey,
    (it) => it && { alerts: it.alerts.filter(({ id }) => id !== alert.id) },
  )
  try {
    await api('DELETE /api/v1/my/job-alerts/{id}', { params: { id: alert.id } })
  } catch (error) {
    queryClient.invalidateQueries({ queryKey })
    throw error
  }
}
