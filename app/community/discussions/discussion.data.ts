/** Lists are fresh for 30 seconds, as the server's pages are. */

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { Client } from '#app/api/client.ts'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import { createWatchers } from '#app/kit/ui/stored-value.ts'
import { leadingUuid, NIL_UUID } from '#app/platform/uuid.ts'
import type { DiscussionContract, MyThread, Thread } from './discussion.contract.ts'
import {
  COMMENT_SORTS,
  type CommentSort,
  canComment,
  commentsKey,
  DISCUSSED_THREADS,
  oneThreadKey,
  PERIODS,
  type Period,
  SEARCH_SORTS,
  type SearchSort,
  THREAD_LISTS_KEY,
  usualThreadSort,
} from './discussion.ts'

export type DiscussionApi = Client<DiscussionContract>

/** The query key for a person's own parts of threads. */
export const MY_THREAD_KEY = [MY_KEY, 'thread'] as const

const HALF_A_MINUTE = 30_000

const pages = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: { next: string | null }) => page.next ?? undefined,
}

/** `after` says where a page without JavaScript begins. */
export interface ThreadListAddress {
  sort?: SearchSort
  period?: Period
  company?: string
  topic?: string
  verified?: 'yes'
  search?: string
  after?: string
}

type Query = Record<string, string | undefined>

/** Unknown values become undefined, which means the default. */
const oneOf = <Known extends string>(known: readonly Known[], wanted: string | undefined) =>
  known.find((each) => each === wanted)

/** Without a search, there's no best match. */
const isUsual = (sort: SearchSort | undefined, search: string | undefined) =>
  sort === usualThreadSort(search) || sort === 'relevance'

export const threadListAddress = (query: Query): ThreadListAddress => {
  const search = query.search?.trim() || undefined
  const sort = oneOf(SEARCH_SORTS, query.sort)
  return {
    sort: isUsual(sort, search) ? undefined : sort,
    period: sort === 'top' ? oneOf(PERIODS, query.period) : undefined,
    company: leadingUuid(query.company ?? ''),
    topic: query.topic || undefined,
    verified: query.verified ? 'yes' : undefined,
    search,
    after: query.after || undefined,
  }
}

/** The URL only has what differs from the default. */
export function threadListHref(address: ThreadListAddress): string {
  const { sort, period, company, topic, verified, search, after } = address
  const query = new URLSearchParams()
  if (sort && !isUsual(sort, search)) query.set('sort', sort)
  if (sort === 'top' && period && period !== 'week') query.set('period', period)
  if (company) query.set('company', company)
  if (topic) query.set('topic', topic)
  if (verified) query.set('verified', verified)
  if (search) query.set('search', search)
  if (after) query.set('after', after)
  return query.size > 0 ? `/discussions?${query}` : '/discussions'
}

/** The Atom feed of a company, of a topic, or of all. */
export function feedHref({ company, topic }: Pick<ThreadListAddress, 'company' | 'topic'>): string {
  if (company) return `/feeds/company/${company}.atom`
  if (topic) return `/feeds/topic/${encodeURIComponent(topic)}.atom`
  return '/feeds/discussions.atom'
}

export const threadListQuery = (api: DiscussionApi, { after, ...filters }: ThreadListAddress) =>
  infiniteQueryOptions({
    queryKey: [...THREAD_LISTS_KEY, filters, after ?? null],
    // The server embeds JSON, which has null in place of undefined.
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/v1/threads', { query: { ...filters, after: pageParam ?? undefined }, signal }),
    initialPageParam: after,
    getNextPageParam: (page) => page.next ?? undefined,
    staleTime: HALF_A_MINUTE,
  })

export const discussedQuery = (api: DiscussionApi) =>
  queryOptions({
    queryKey: [...THREAD_LISTS_KEY, 'discussed'],
    queryFn: async () =>
      (await api('GET /api/v1/threads', { query: { limit: DISCUSSED_THREADS } })).threads,
    staleTime: HALF_A_MINUTE,
  })

export const threadIdOf = (segment: string | undefined) => leadingUuid(segment ?? '') ?? NIL_UUID

export const threadQuery = (api: DiscussionApi, id: string) =>
  queryOptions({
    queryKey: oneThreadKey(id),
    queryFn: () => api('GET /api/v1/threads/{id}', { params: { id } }),
    staleTime: HALF_A_MINUTE,
  })

export interface CommentsAddress {
  sort?: CommentSort
  below?: string
}

export const commentsAddress = (query: Query): CommentsAddress => {
  const sort = oneOf(COMMENT_SORTS, query.sort)
  return { sort: sort === 'best' ? undefined : sort, below: leadingUuid(query.below ?? '') }
}

export function commentsHref(path: string, { sort, below }: CommentsAddress): string {
  const query = new URLSearchParams()
  if (sort && sort !== 'best') query.set('sort', sort)
  if (below) query.set('below', below)
  return query.size > 0 ? `${path}?${query}` : path
}

export const commentsQuery = (api: DiscussionApi, id: string, address: CommentsAddress) =>
  infiniteQueryOptions({
    queryKey: [...commentsKey(id), address],
    queryFn: ({ pageParam: after, signal }) =>
      api('GET /api/v1/threads/{id}/comments', {
        params: { id },
        query: { ...address, after: after ?? undefined },
        signal,
      }),
    ...pages,
    staleTime: HALF_A_MINUTE,
  })

/** My votes on listed threads, whichever list they're in. */
export const votesKey = (sessionKey: string) => [MY_KEY, 'votes', sessionKey]

export const threadVotesQuery = (api: DiscussionApi, sessionKey: string, ids: string[]) =>
  queryOptions({
    queryKey: [...votesKey(sessionKey), ids],
    queryFn: () => api('GET /api/v1/thread-votes', { query: { threads: ids.join(',') } }),
    staleTime: HALF_A_MINUTE,
  })

/** My own part of a thread. */
export const myThreadQuery = (api: DiscussionApi, id: string, sessionKey: string) =>
  queryOptions({
    queryKey: [...MY_THREAD_KEY, sessionKey, id],
    queryFn: () => api('GET /api/v1/threads/{id}/mine', { params: { id } }),
    staleTime: HALF_A_MINUTE,
  })

/** What `GET /api/v1/threads/{id}/mine` returns for a visitor who wrote and voted nothing. */
export const emptyMyThread = ({ isLocked, poll }: Pick<Thread, 'isLocked' | 'poll'>): MyThread => ({
  isMine: false,
  needsSpamCheck: true,
  name: null,
  vote: 0,
  isSaved: false,
  isMuted: false,
  pollChoice: null,
  pollResults: poll?.results ?? null,
  comments: [],
  hiddenBadges: [],
  votes: {},
  can: { comment: canComment({ isLocked }), edit: false, delete: false, moderate: false },
})

export const myThreadsQuery = (api: DiscussionApi) =>
  infiniteQueryOptions({
    queryKey: [MY_KEY, 'threads'],
    queryFn: ({ pageParam: after, signal }) =>
      api('GET /api/v1/my/threads', { query: { after }, signal }),
    ...pages,
  })

export const mySavedQuery = (api: DiscussionApi) =>
  infiniteQueryOptions({
    queryKey: [MY_KEY, 'saved'],
    queryFn: ({ pageParam: after, signal }) =>
      api('GET /api/v1/my/saved', { query: { after }, signal }),
    ...pages,
  })

export const myCommentsQuery = (api: DiscussionApi) =>
  infiniteQueryOptions({
    queryKey: [MY_KEY, 'comments'],
    queryFn: ({ pageParam: after, signal }) =>
      api('GET /api/v1/my/comments', { query: { after }, signal }),
    ...pages,
  })

let plannedTitle = ''
const { watch, tell } = createWatchers()

/** The title of the thread someone starts next. We keep it in memory, because an address would reveal it. D49. */
export function planTitle(title: string) {
  plannedTitle = title
  tell()
}

export const usePlannedTitle = () =>
  useSyncExternalStore(
    watch,
    () => plannedTitle,
    () => '',
  )

/** Topics change only with a new version of the site. */
export const topicsQuery = (api: DiscussionApi) =>
  queryOptions({
    queryKey: ['topics'],
    queryFn: () => api('GET /api/v1/topics'),
    staleTime: 60 * 60_000,
  })

export const companyTopicsQuery = (api: DiscussionApi, companyId: string) =>
  queryOptions({
    queryKey: ['company-topics', companyId],
    queryFn: () => api('GET /api/v1/companies/{id}/topics', { params: { id: companyId } }),
    staleTime: HALF_A_MINUTE,
  })

/** The source to edit. Never cached, as it may have changed elsewhere. */
export const threadSourceQuery = (api: DiscussionApi, id: string) =>
  queryOptions({
    queryKey: [MY_KEY, 'thread-source', id],
    queryFn: () => api('GET /api/v1/threads/{id}/source', { params: { id } }),
    gcTime: 0,
    refetchOnReconnect: false,
  })

export const commentSourceQuery = (api: DiscussionApi, id: string) =>
  queryOptions({
    queryKey: [MY_KEY, 'comment-source', id],
    queryFn: () => api('GET /api/v1/comments/{id}/source', { params: { id } }),
    gcTime: 0,
    refetchOnReconnect: false,
  })
