/** How its page asks for a job and others of its company, and tells that it was looked at. */
import { queryOptions } from '@tanstack/react-query'
import { threadIdIn } from '#app/community/discussions/discussion.ts'
import { track } from '#app/companies/tracking/tracking.data.ts'
import { HALF_A_MINUTE, JOBS, type JobApi } from '../job.data.ts'

/** Beside one job stand so many others of its company. */
export const OTHER_JOBS = 4

/** One more than are shown, for the job itself may be among them. */
export const otherJobsQuery = (api: JobApi, company: string) =>
  queryOptions({
    queryKey: [...JOBS, 'of', company],
    queryFn: () => api('GET /api/v1/jobs', { query: { company, limit: OTHER_JOBS + 1 } }),
    staleTime: HALF_A_MINUTE,
  })

/** What is behind /jobs/ may hold no id at all: then there is no such job. */
const NO_JOB = '00000000-0000-0000-0000-000000000000'

/** The job that an address names. */
export const jobIdOf = (segment: string | undefined) => threadIdIn(segment ?? '') ?? NO_JOB

export const jobQuery = (api: JobApi, id: string) =>
  queryOptions({
    queryKey: [...JOBS, 'one', id],
    queryFn: () => api('GET /api/v1/jobs/{id}', { params: { id } }),
    staleTime: HALF_A_MINUTE,
  })

/** Counts somebody who looks at a job, or goes on to apply. It never fails, and nothing waits for it. */
export const trackJob = (id: string, what: 'view' | 'apply') =>
  track(`/api/v1/jobs/${id}/seen`, { what })
