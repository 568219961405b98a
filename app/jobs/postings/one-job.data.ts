import { queryOptions } from '@tanstack/react-query'
import { threadIdIn } from '#app/community/discussions/discussion.ts'
import { track } from '#app/companies/tracking/tracking.data.ts'
import { HALF_A_MINUTE, JOBS, type JobApi } from '../job.data.ts'

/** Shown below a job, of the same company. */
export const OTHER_JOBS = 4

/** One more than shown, as the job itself may be among them. */
export const otherJobsQuery = (api: JobApi, company: string) =>
  queryOptions({
    queryKey: [...JOBS, 'of', company],
    queryFn: () => api('GET /api/v1/jobs', { query: { company, limit: OTHER_JOBS + 1 } }),
    staleTime: HALF_A_MINUTE,
  })

/** For an address without an id: there is no such job. */
const NO_JOB = '00000000-0000-0000-0000-000000000000'

export const jobIdOf = (segment: string | undefined) => threadIdIn(segment ?? '') ?? NO_JOB

export const jobQuery = (api: JobApi, id: string) =>
  queryOptions({
    queryKey: [...JOBS, 'one', id],
    queryFn: () => api('GET /api/v1/jobs/{id}', { params: { id } }),
    staleTime: HALF_A_MINUTE,
  })

/** Never fails, and nothing waits for it. */
export const trackJob = (id: string, what: 'view' | 'apply') =>
  track(`/api/v1/jobs/${id}/seen`, { what })
