/** Fresh for 30 seconds, like the server's cached pages. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import type { JobContract } from './job.contract.ts'
import { RECENT_JOBS } from './job.ts'
import type { JobListAddress } from './search/job-list-address.ts'

export type JobApi = Client<JobContract>

export const HALF_A_MINUTE = 30_000

/** Prefix of every query key about jobs. */
export const JOBS = ['jobs'] as const

export const jobsQuery = (api: JobApi, { after, ...filters }: JobListAddress) =>
  infiniteQueryOptions({
    queryKey: [...JOBS, 'list', filters, after ?? null],
    // Null, not undefined: the server-rendered key comes as JSON.
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/v1/jobs', { query: { ...filters, after: pageParam ?? undefined }, signal }),
    initialPageParam: after,
    getNextPageParam: (page) => page.next ?? undefined,
    staleTime: HALF_A_MINUTE,
  })

/** Spec §9: on the home page. */
export const recentJobsQuery = (api: JobApi) =>
  queryOptions({
    queryKey: [...JOBS, 'recent'],
    queryFn: () => api('GET /api/v1/jobs', { query: { limit: RECENT_JOBS } }),
    staleTime: HALF_A_MINUTE,
  })
