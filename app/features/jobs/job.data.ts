/** How screens ask for jobs. Lists are fresh for 30 seconds, as the pages of the server are. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type Client, retryUnlessRefused } from '../../api/client.ts'
import { credentials } from '../accounts/session.data.ts'
import { threadIdIn } from '../discussions/discussion.ts'
import type { JobContract } from './job.contract.ts'
import { RECENT_JOBS } from './job.ts'
import type { JobListAddress } from './job-filters.ts'

export type JobApi = Client<JobContract>

const HALF_A_MINUTE = 30_000

/** Whatever was asked about jobs has a key that begins with it. */
export const JOBS = ['jobs'] as const

export const jobsQuery = (api: JobApi, { after, ...filters }: JobListAddress) =>
  infiniteQueryOptions({
    queryKey: [...JOBS, 'list', filters, after ?? null],
    // What the server rendered comes as JSON, which knows no undefined.
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/v1/jobs', { query: { ...filters, after: pageParam ?? undefined }, signal }),
    initialPageParam: after,
    getNextPageParam: (page) => page.next ?? undefined,
    staleTime: HALF_A_MINUTE,
    retry: retryUnlessRefused,
  })

/** Spec §9: on the home page. */
export const recentJobsQuery = (api: JobApi) =>
  queryOptions({
    queryKey: [...JOBS, 'recent'],
    queryFn: () => api('GET /api/v1/jobs', { query: { limit: RECENT_JOBS } }),
    staleTime: HALF_A_MINUTE,
    retry: retryUnlessRefused,
  })

/** Beside one job stand so many others of its company. */
export const OTHER_JOBS = 4

/** One more than are shown, for the job itself may be among them. */
export const otherJobsQuery = (api: JobApi, company: string) =>
  queryOptions({
    queryKey: [...JOBS, 'of', company],
    queryFn: () => api('GET /api/v1/jobs', { query: { company, limit: OTHER_JOBS + 1 } }),
    staleTime: HALF_A_MINUTE,
    retry: retryUnlessRefused,
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
    retry: retryUnlessRefused,
  })

/**
 * Counts somebody who looks at a job, or goes on to apply. It never fails, and nothing waits for it;
 * it is sent even when the page goes away at once. No anonymous id: looking is not writing.
 */
export async function tellSeen(id: string, what: 'view' | 'apply') {
  try {
    const token = await credentials.token()
    await fetch(`/api/v1/jobs/${id}/seen`, {
      method: 'POST',
      keepalive: true,
      credentials: 'same-origin',
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ what }),
    })
  } catch {
    // A count that is missing is no reason to bother anybody.
  }
}
