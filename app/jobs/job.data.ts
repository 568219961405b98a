/** Fresh for 30 seconds, like the server's cached pages. */

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import { track } from '#app/companies/tracking/tracking.data.ts'
import { leadingUuid, NIL_UUID } from '#app/platform/uuid.ts'
import type { JobContract } from './job.contract.ts'
import { RECENT_JOBS } from './job.ts'
import type { JobListAddress } from './search/job-list-address.ts'

export type JobApi = Client<JobContract>

const HALF_A_MINUTE = 30_000

/** Prefix of every query key about jobs. */
export const JOBS_KEY = ['jobs'] as const

export const jobsQuery = (api: JobApi, { after, ...filters }: JobListAddress) =>
  infiniteQueryOptions({
    queryKey: [...JOBS_KEY, 'list', filters, after ?? null],
    // Null, not undefined, because the server-rendered key comes as JSON.
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/v1/jobs', { query: { ...filters, after: pageParam ?? undefined }, signal }),
    initialPageParam: after,
    getNextPageParam: (page) => page.next ?? undefined,
    staleTime: HALF_A_MINUTE,
  })

/** Spec §9: on the home page. */
export const recentJobsQuery = (api: JobApi) =>
  queryOptions({
    queryKey: [...JOBS_KEY, 'recent'],
    queryFn: () => api('GET /api/v1/jobs', { query: { limit: RECENT_JOBS } }),
    staleTime: HALF_A_MINUTE,
  })

/** Shown below a job, from the same company. */
export const OTHER_JOBS = 4

/** One more than we show, because the job itself may be among them. */
export const otherJobsQuery = (api: JobApi, company: string) =>
  queryOptions({
    queryKey: [...JOBS_KEY, 'of', company],
    queryFn: () => api('GET /api/v1/jobs', { query: { company, limit: OTHER_JOBS + 1 } }),
    staleTime: HALF_A_MINUTE,
  })

export const jobIdOf = (segment: string | undefined) => leadingUuid(segment ?? '') ?? NIL_UUID

export const jobQuery = (api: JobApi, id: string) =>
  queryOptions({
    queryKey: [...JOBS_KEY, 'one', id],
    queryFn: () => api('GET /api/v1/jobs/{id}', { params: { id } }),
    staleTime: HALF_A_MINUTE,
  })

/** Never fails, and nothing waits for it. */
export const trackJob = (id: string, what: 'view' | 'apply') =>
  track(`/api/v1/jobs/${id}/seen`, { what })
