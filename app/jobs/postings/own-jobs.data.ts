/** The jobs of the companies someone acts for. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import { JOBS_KEY, type JobApi } from '../job.data.ts'
import { JOB_OPEN_DAYS } from '../job.ts'

export const JOB_TOASTS = {
  posted: { title: 'Job posted', description: `It’s open for ${JOB_OPEN_DAYS} days.` },
  saved: { title: 'Job saved' },
  drafted: { title: 'Draft saved', description: 'No one else sees it until you post it.' },
  renewed: {
    title: 'Job renewed',
    description: `It’s open for ${JOB_OPEN_DAYS} days from today.`,
  },
  reopened: {
    title: 'Job reopened',
    description: `It’s open for ${JOB_OPEN_DAYS} days from today.`,
  },
  filled: { title: 'Job closed', description: 'Its page now says it’s filled.' },
  deleted: { title: 'Job deleted' },
} as const

const ownKey = [MY_KEY, 'jobs'] as const

/** @param company limits it to one company */
export const myJobsQuery = (api: JobApi, company?: string) =>
  queryOptions({
    queryKey: [...ownKey, 'list', company ?? null],
    queryFn: () => api('GET /api/v1/my/jobs', { query: { company } }),
    staleTime: 0,
  })

export const myJobQuery = (api: JobApi, id: string) =>
  queryOptions({
    queryKey: [...ownKey, 'one', id],
    queryFn: () => api('GET /api/v1/my/jobs/{id}', { params: { id } }),
    staleTime: 0,
    gcTime: 0,
  })

export interface JobQueries {
  api: JobApi
  queryClient: QueryClient
}

/** @throws ApiError */
export const openJob = (queries: JobQueries, id: string) => setStatus(queries, id, 'open')

/** @throws ApiError */
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
  queries.queryClient.removeQueries({ queryKey: [...JOBS_KEY, 'one', id] })
  await invalidateJobs(queries)
}

export async function invalidateJobs({ queryClient }: Pick<JobQueries, 'queryClient'>) {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: JOBS_KEY }),
    queryClient.invalidateQueries({ queryKey: ownKey }),
  ])
}
