/**
 * TanStack Query for server rendering: results only, no observers or subscriptions. On the server,
 * vite.config.ts maps the library to this file, because its observers cost as much as the rest of
 * the page. This list has only what pages use. Anything missing fails the build.
 */
import type { QueryKey } from '@tanstack/react-query'
import { createContext, createElement, type ReactNode, useContext } from 'react'

interface Asked {
  queryKey: QueryKey
  queryFn?: (context: { queryKey: QueryKey; pageParam?: unknown }) => unknown
  enabled?: boolean
  initialPageParam?: unknown
  getNextPageParam?(last: unknown, all: unknown[], param: unknown, params: unknown[]): unknown
}

interface Pages {
  pages: unknown[]
  pageParams: unknown[]
}

interface QueryState {
  queryKey: QueryKey
  status: 'success' | 'error'
  data?: unknown
  error?: unknown
}

/** Fetches each query once, for one page. */
export class QueryClient {
  private readonly states = new Map<string, QueryState>()

  prefetchQuery({ queryKey, queryFn }: Asked) {
    return this.ask(queryKey, async () => queryFn?.({ queryKey }))
  }

  prefetchInfiniteQuery({ queryKey, queryFn, initialPageParam: pageParam }: Asked) {
    return this.ask(queryKey, async (): Promise<Pages> => {
      return { pages: [await queryFn?.({ queryKey, pageParam })], pageParams: [pageParam] }
    })
  }

  private async ask(queryKey: QueryKey, answer: () => Promise<unknown>) {
    const state: QueryState = await answer().then(
      (data) => ({ queryKey, status: 'success', data }),
      (error) => ({ queryKey, status: 'error', error }),
    )
    this.states.set(hashKey(queryKey), state)
  }

  getQueryState = (queryKey: QueryKey) => this.states.get(hashKey(queryKey))

  get answers(): QueryState[] {
    return [...this.states.values()].filter(({ status }) => status === 'success')
  }
}

const hashKey = (queryKey: QueryKey) =>
  JSON.stringify(queryKey, (_, value) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )

const Client = createContext(new QueryClient())

export const QueryClientProvider = (props: { client: QueryClient; children: ReactNode }) =>
  createElement(Client.Provider, { value: props.client }, props.children)

export const useQueryClient = () => useContext(Client)

export const useQuery = (options: Asked) => resultOf(useContext(Client), options)

export const useQueries = ({ queries }: { queries: Asked[] }) => {
  const client = useContext(Client)
  return queries.map((options) => resultOf(client, options))
}

export function useInfiniteQuery(options: Asked) {
  const result = resultOf(useContext(Client), options)
  const { pages, pageParams } = (result.data ?? { pages: [], pageParams: [] }) as Pages
  const next =
    pages.length > 0
      ? options.getNextPageParam?.(pages.at(-1), pages, pageParams.at(-1), pageParams)
      : undefined
  return { ...result, ...ONE_WAY, hasNextPage: next !== undefined && next !== null }
}

/** A failed query looks as if it wasn't fetched, so the browser retries it. */
function resultOf(client: QueryClient, { queryKey, enabled = true }: Asked) {
  const state = client.getQueryState(queryKey)
  if (state?.status === 'success') return { ...KNOWN, data: state.data }
  return enabled ? WAITING : IDLE
}

const fetchNothing = async () => {}
const NOTHING_WRONG = {
  error: null,
  isError: false,
  isLoadingError: false,
  isRefetchError: false,
  isRefetching: false,
  isPlaceholderData: false,
  isPaused: false,
  refetch: fetchNothing,
}
const IDLE = {
  ...NOTHING_WRONG,
  data: undefined,
  status: 'pending',
  fetchStatus: 'idle',
  isPending: true,
  isSuccess: false,
  isFetching: false,
  isLoading: false,
}
const WAITING = { ...IDLE, fetchStatus: 'fetching', isFetching: true, isLoading: true }
const KNOWN = { ...IDLE, status: 'success', isPending: false, isSuccess: true }
const ONE_WAY = {
  hasPreviousPage: false,
  isFetchingNextPage: false,
  isFetchingPreviousPage: false,
  isFetchNextPageError: false,
  isFetchPreviousPageError: false,
  fetchNextPage: fetchNothing,
  fetchPreviousPage: fetchNothing,
}

export const queryOptions = <Options>(options: Options) => options
export const infiniteQueryOptions = queryOptions
export const keepPreviousData = <Data>(before: Data) => before
