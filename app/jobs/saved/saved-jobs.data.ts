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

const savedKey = (sessionKey: string) => [MY_KEY, 'saved-jobs', sessionKey] as const
const alertsKey = (sessionKey: string) => [MY_KEY, 'job-alerts', sessionKey] as const

export const savedJobIdsQuery = (api: SavedJobApi, sessionKey: string) =>
  queryOptions({
    queryKey: [...savedKey(sessionKey), 'ids'],
    queryFn: () => api('GET /api/v1/my/saved-jobs/ids'),
    staleTime: FIVE_MINUTES,
  })

export const savedJobsQuery = (api: SavedJobApi, sessionKey: string) =>
  queryOptions({
    queryKey: [...savedKey(sessionKey), 'list'],
    queryFn: ({ signal }) => api('GET /api/v1/my/saved-jobs', { signal }),
    refetchOnMount: 'always',
  })

export const jobAlertsQuery = (api: SavedJobApi, sessionKey: string) =>
  queryOptions({
    queryKey: alertsKey(sessionKey),
    queryFn: ({ signal }) => api('GET /api/v1/my/job-alerts', { signal }),
    refetchOnMount: 'always',
  })

export interface SavedJobQueries {
  api: SavedJobApi
  queryClient: QueryClient
  sessionKey: string
}

export function useSavedJobQueries() {
  const api = useApi<SavedJobContract>()
  const queryClient = useQueryClient()
  const sessionKey = useSessionKey()
  const isKnown = useIsKnown()
  const queries = useMemo<SavedJobQueries>(
    () => ({ api, queryClient, sessionKey }),
    [api, queryClient, sessionKey],
  )
  return { queries, isKnown }
}

/** `isSaved` is undefined on the server, and until we know it. */
export function useSavedJobs() {
  const { queries, isKnown } = useSavedJobQueries()
  // Without an id, this browser has saved nothing, so we send no request.
  const isNobody = useReader() === null
  const { data } = useQuery({
    ...savedJobIdsQuery(queries.api, queries.sessionKey),
    enabled: isKnown && !isNobody,
  })
  const ids = data?.jobIds ?? (isKnown && isNobody ? [] : undefined)
  return { queries, isSaved: (jobId: string) => ids?.includes(jobId) }
}

/** Removes a job from the list immediately. A newly saved one comes from the server. */
function showMark(
  { api, queryClient, sessionKey }: SavedJobQueries,
  jobId: string,
  isSaved: boolean,
) {
  if (!isSaved)
    queryClient.setQueryData(
      savedJobsQuery(api, sessionKey).queryKey,
      (it) => it && { jobs: it.jobs.filter(({ id }) => id !== jobId) },
    )
  queryClient.setQueryData(savedJobIdsQuery(api, sessionKey).queryKey, (it) => {
    const others = it?.jobIds.filter((id) => id !== jobId) ?? []
    return { jobIds: isSaved ? [...others, jobId] : others }
  })
}

/** @throws ApiError, after undoing the mark */
export function saveJob(queries: SavedJobQueries, jobId: string, isSaved: boolean) {
  const { api, queryClient, sessionKey } = queries
  const subject = `saved job ${jobId}`
  return mutate(queryClient, {
    subject,
    mutationFn: () =>
      api('PUT /api/v1/jobs/{id}/saved', { params: { id: jobId }, body: { isSaved } }),
    onMutate: async () => {
      // A response that's still on its way is older than this change.
      await queryClient.cancelQueries({ queryKey: savedKey(sessionKey) })
      showMark(queries, jobId, isSaved)
    },
    onError: () => {
      if (isLast(queryClient, subject)) showMark(queries, jobId, !isSaved)
    },
    onSettled: () => {
      if (isLast(queryClient, subject))
        queryClient.invalidateQueries({ queryKey: savedKey(sessionKey) })
    },
  })
}

/** Not optimistic, because only the server knows whether the alert is a new one. @throws ApiError */
export async function createJobAlert(
  { api, queryClient, sessionKey }: SavedJobQueries,
  wishes: JobFilters,
) {
  const { id } = await api('POST /api/v1/my/job-alerts', { body: wishes })
  await queryClient.invalidateQueries({ queryKey: alertsKey(sessionKey) })
  return id
}

/** @throws ApiError, after restoring it */
export async function deleteJobAlert(
  { api, queryClient, sessionKey }: SavedJobQueries,
  alert: JobAlert,
) {
  const { queryKey } = jobAlertsQuery(api, sessionKey)
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
