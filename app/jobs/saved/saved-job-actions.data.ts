/** Optimistic changes of saved jobs and job alerts. */
import { isLast, mutate } from '#app/api/mutation.ts'
import type { JobWishes } from '../alerts/job-alert.ts'
import type { JobAlert } from './saved-job.contract.ts'
import {
  alertsKey,
  jobAlertsQuery,
  type SavedJobQueries,
  savedJobIdsQuery,
  savedJobsQuery,
  savedKey,
} from './saved-jobs.data.ts'

/** Removes from the list at once; a newly saved job comes from the server. */
function showMark({ api, queryClient, who }: SavedJobQueries, jobId: string, isSaved: boolean) {
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

/** @throws ApiError, after the mark has been undone */
export function saveJob(queries: SavedJobQueries, jobId: string, isSaved: boolean) {
  const { api, queryClient, who } = queries
  const subject = `saved job ${jobId}`
  return mutate(queryClient, {
    subject,
    mutationFn: () =>
      api('PUT /api/v1/jobs/{id}/saved', { params: { id: jobId }, body: { isSaved } }),
    onMutate: async () => {
      // A pending response is older than this change.
      await queryClient.cancelQueries({ queryKey: savedKey(who) })
      showMark(queries, jobId, isSaved)
    },
    onError: () => {
      if (isLast(queryClient, subject)) showMark(queries, jobId, !isSaved)
    },
    onSettled: () => {
      if (isLast(queryClient, subject)) queryClient.invalidateQueries({ queryKey: savedKey(who) })
    },
  })
}

/** Not optimistic: only the server knows whether it is a new one. @throws ApiError */
export async function createJobAlert(
  { api, queryClient, who }: SavedJobQueries,
  wishes: JobWishes,
) {
  const { id } = await api('POST /api/v1/my/job-alerts', { body: wishes })
  await queryClient.invalidateQueries({ queryKey: alertsKey(who) })
  return id
}

/** @throws ApiError, after it has been restored */
export async function deleteJobAlert({ api, queryClient, who }: SavedJobQueries, alert: JobAlert) {
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
