import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import { invalidateJobs } from '../postings/own-jobs.data.ts'
import type { JobFeedContract } from './job-feed.contract.ts'
import { tidyFeedAddress } from './job-feed.ts'

type FeedApi = Client<JobFeedContract>

const FEEDS = [MY_KEY, 'job-feeds'] as const
const LISTS = [...FEEDS, 'list'] as const
/** A feed takes seconds to read. */
const WHILE_READING_MS = 2_000

/** @param company undefined for all of the site's */
export const jobFeedsQuery = (api: FeedApi, company: string | undefined) =>
  queryOptions({
    queryKey: [...LISTS, company ?? null],
    queryFn: async ({ signal }) =>
      (await api('GET /api/v1/job-feeds', { query: { company }, signal })).feeds,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.some(({ isReading }) => isReading) ? WHILE_READING_MS : false,
  })

/** @param after the last run that the list knows, so a new one is fetched */
export const feedRunsQuery = (api: FeedApi, id: string, after: number | undefined) =>
  queryOptions({
    queryKey: [...FEEDS, 'runs', id, after ?? null],
    queryFn: async ({ signal }) =>
      (await api('GET /api/v1/job-feeds/{id}/runs', { params: { id }, signal })).runs,
  })

export interface FeedQueries {
  api: FeedApi
  queryClient: QueryClient
}

/** @throws ApiError */
export const tryFeed = ({ api }: FeedQueries, typed: string, company: string | undefined) =>
  api('POST /api/v1/job-feeds/trial', { body: { address: tidyFeedAddress(typed), company } })

/** @throws ApiError */
export const addFeed = (queries: FeedQueries, typed: string, company: string | undefined) =>
  thenReload(
    queries,
    queries.api('POST /api/v1/job-feeds', { body: { address: tidyFeedAddress(typed), company } }),
  )

/** @throws ApiError */
export const readFeed = (queries: FeedQueries, id: string) =>
  thenReload(queries, queries.api('POST /api/v1/job-feeds/{id}/read', { params: { id } }))

/** @throws ApiError */
export const setPaused = (queries: FeedQueries, id: string, isPaused: boolean) =>
  thenReload(
    queries,
    queries.api('PUT /api/v1/job-feeds/{id}/paused', { params: { id }, body: { isPaused } }),
  )

/** @throws ApiError */
export const closeMissing = (queries: FeedQueries, id: string) =>
  thenReload(queries, queries.api('POST /api/v1/job-feeds/{id}/close-missing', { params: { id } }))

/** @throws ApiError */
export const removeFeed = (queries: FeedQueries, id: string) =>
  thenReload(queries, queries.api('DELETE /api/v1/job-feeds/{id}', { params: { id } }))

/** Even after an error, because a colleague may have done something. A log has its own key for each run. */
async function thenReload<Output>(queries: FeedQueries, request: Promise<Output>) {
  try {
    return await request
  } finally {
    await queries.queryClient.invalidateQueries({ queryKey: LISTS })
    await invalidateJobs(queries)
  }
}
