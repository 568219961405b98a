/** The jobs of the companies that somebody acts for, and what can be done with them. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { MY_KEY } from '#app/kit/session/live-session.data.ts'
import { JOBS, type JobApi } from '../job.data.ts'

/** Only its type is imported: its file holds the client of the auth service, which weighs 30 kB. */
const MINE: typeof MY_KEY = 'me'

const ownKey = [MINE, 'jobs'] as const

/** @param company only this one's */
export const myJobsQuery = (api: JobApi, company?: string) =>
  queryOptions({
    queryKey: [...ownKey, 'list', company ?? null],
    queryFn: () => api('GET /api/v1/my/jobs', { query: { company } }),
    staleTime: 0,
  })

/** A job as its form wants it. */
export const myJobQuery = (api: JobApi, id: string) =>
  queryOptions({
    queryKey: [...ownKey, 'one', id],
    queryFn: () => api('GET /api/v1/my/jobs/{id}', { params: { id } }),
    staleTime: 0,
    gcTime: 0,
  })

/** Where somebody looks after jobs. */
export interface JobQueries {
  api: JobApi
  queryClient: QueryClient
}

/** Opens a draft, renews an open or expired job for sixty days. @throws ApiError */
export const openJob = (queries: JobQueries, id: string) => setStatus(queries, id, 'open')

/** Somebody was found. @throws ApiError */
export const fillJob = (queries: JobQueries, id: string) => setStatus(queries, id, 'filled')

async function setStatus(queries: JobQueries, id: string, to: 'open' | 'filled') {
  const answer = await queries.api('POST /api/v1/jobs/{id}/status', {
    params: { id },
    body: { to },
  })
  await invalidateJobs(queries)
  return answer
}

/** @throws ApiError */
export async function deleteJob(queries: JobQueries, id: string) {
  await queries.api('DELETE /api/v1/jobs/{id}', { params: { id } })
  queries.queryClient.removeQueries({ queryKey: [...JOBS, 'one', id] })
  await invalidateJobs(queries)
}

/** Wherever jobs are shown, they must show the change; what nobody looks at is asked for later. */
export async function invalidateJobs({ queryClient }: Pick<JobQueries, 'queryClient'>) {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: JOBS }),
    queryClient.invalidateQueries({ queryKey: ownKey }),
  ])
}
