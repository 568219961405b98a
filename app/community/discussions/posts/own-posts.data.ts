/** What I wrote and saved, and what forms need. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import type { DiscussionContract } from '../discussion.contract.ts'

type Api = Client<DiscussionContract>

/** Queries under it are dropped at login and logout: see `MY_KEY` of the accounts. */
const MINE = 'me'

const pages = { initialPageParam: undefined as string | undefined }

export const myThreadsQuery = (api: Api) =>
  infiniteQueryOptions({
    queryKey: [MINE, 'threads'],
    queryFn: ({ pageParam: after, signal }) =>
      api('GET /api/v1/my/threads', { query: { after }, signal }),
    getNextPageParam: (page) => page.next ?? undefined,
    ...pages,
  })

export const mySavedQuery = (api: Api) =>
  infiniteQueryOptions({
    queryKey: [MINE, 'saved'],
    queryFn: ({ pageParam: after, signal }) =>
      api('GET /api/v1/my/saved', { query: { after }, signal }),
    getNextPageParam: (page) => page.next ?? undefined,
    ...pages,
  })

export const myCommentsQuery = (api: Api) =>
  infiniteQueryOptions({
    queryKey: [MINE, 'comments'],
    queryFn: ({ pageParam: after, signal }) =>
      api('GET /api/v1/my/comments', { query: { after }, signal }),
    getNextPageParam: (page) => page.next ?? undefined,
    ...pages,
  })

/** They change only with a new version of the site. */
export const topicsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['topics'],
    queryFn: () => api('GET /api/v1/topics'),
    staleTime: 60 * 60_000,
  })

/** For editing. Never cached, as it may have changed elsewhere. */
export const threadSourceQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: [MINE, 'thread-source', id],
    queryFn: () => api('GET /api/v1/threads/{id}/source', { params: { id } }),
    gcTime: 0,
    refetchOnReconnect: false,
  })

export const commentSourceQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: [MINE, 'comment-source', id],
    queryFn: () => api('GET /api/v1/comments/{id}/source', { params: { id } }),
    gcTime: 0,
    refetchOnReconnect: false,
  })
