/** Saved jobs and job alerts, requested separately from the page. */
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Client, useApi } from '#app/api/client.ts'
import { isLast, mutate } from '#app/api/mutation.ts'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import { useIsKnown, useReader, useSessionKey } from '#app/kit/session/session.data.ts'
import type { JobAlert, SavedJobContract } from '../job.contract.ts'
import type { JobFilters } from '../job.ts'

export type SavedJobApi = Client<SavedJobContract>

const FIVE_MINUTES = 5 * 60_000

const savedKey = (who: string) => [MY_KEY, 'saved-jobs', who] as const
const alertsKey = (who: string) => [MY_KEY, 'job-alerts', who] as const

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

export function useSavedJobQueries() {
  const api = useApi<SavedJobContract>()
  const queryClient = useQueryClient()
  const who = useSessionKey()
  const isKnown = useIsKnown()
  const queries = useMemo<SavedJobQueries>(
    () => ({ api, queryClient, who }),
    [api, queryClient, who],
  )
  return { queries, isKnown }
}

/** `isSaved` is undefined on the server, and until we know it. */
export function useSavedJobs() {
  const { queries, isKnown } = useSavedJobQueries()
  // Without an id, this browser has saved nothing, so we send no request.
  const isNobody = useReader() === null
  const { data } = useQuery({
    ...savedJobIdsQuery(queries.api, queries.who),
    enabled: isKnown && !isNobody,
  })
  const ids = data?.jobIds ?? (isKnown && isNobody ? [] : undefined)
  return { queries, isSaved: (jobId: string) => ids?.includes(jobId) }
}

/** Removes a job from the list immediately. A newly saved one comes from the server. */
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

/** @throws ApiError, after undoing the mark */
export function saveJob(queries: SavedJobQueries, jobId: string, isSaved: boolean) {
  const { api, queryClient, who } = queries
  const subject = `saved job ${jobId}`
  return mutate(queryClient, {
    subject,
    mutationFn: () =>
      api('PUT /api/v1/jobs/{id}/saved', { params: { id: jobId }, body: { isSaved } }),
    onMutate: async () => {
      // A response that's still on its way is older than this change.
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

/** Not optimistic, because only the server knows whether the alert is a new one. @throws ApiError */
export async function createJobAlert(
  { api, queryClient, who }: SavedJobQueries,
  wishes: JobFilters,
) {
  const { id } = await api('POST /api/v1/my/job-alerts', { body: wishes })
  await queryClient.invalidateQueries({ queryKey: alertsKey(who) })
  return id
}

/** @throws ApiError, after restoring it */
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
