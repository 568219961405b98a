/** What screens read of a query on the server is what the library itself would say there. */
import * as library from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { describe, expect, test, vi } from 'vitest'
import { hydrateQueries, type PageState } from './prepare.ts'
import * as onTheServer from './server-queries.server.ts'

type Queries = typeof library
const ours = onTheServer as unknown as Queries

const known = { queryKey: ['known', { sort: 'new', topic: 'pay' }], queryFn: async () => 'Fridays' }
const unknown = { queryKey: ['unknown'], queryFn: async () => 'never asked' }
const refused = {
  queryKey: ['refused'],
  queryFn: async (): Promise<string> => {
    throw new Error('This comment doesn’t exist')
  },
  retry: false,
}
const pages = (name: string, next: string | null) => ({
  queryKey: [name],
  queryFn: async ({ pageParam }: { pageParam: unknown }) => ({ after: pageParam ?? null, next }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: { next: string | null }) => page.next ?? undefined,
})
const some = pages('some', 'more')
const all = pages('all', null)

/** Everything in the library's types except functions and what a page can't show. */
const readable = (result: object) =>
  Object.fromEntries(
    [
      'data',
      'error',
      'status',
      'fetchStatus',
      'isPending',
      'isSuccess',
      'isError',
      'isFetching',
      'isLoading',
      'isLoadingError',
      'isRefetchError',
      'isRefetching',
      'isPaused',
      'isPlaceholderData',
      'hasNextPage',
      'hasPreviousPage',
      'isFetchingNextPage',
      'isFetchingPreviousPage',
      'isFetchNextPageError',
      'isFetchPreviousPageError',
    ].map((name) => [name, (result as Record<string, unknown>)[name]]),
  )

async function clientOf({ QueryClient }: Queries) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } })
  await client.prefetchQuery(known)
  await client.prefetchQuery(refused)
  await client.prefetchInfiniteQuery(some)
  await client.prefetchInfiniteQuery(all)
  return client
}

/** What a screen that reads its query so is told. */
async function toldBy(queries: Queries, read: (queries: Queries) => object) {
  const client = await clientOf(queries)
  const told = vi.fn()
  renderToString(
    <queries.QueryClientProvider client={client}>
      <Screen read={() => told(readable(read(queries)))} />
    </queries.QueryClientProvider>,
  )
  return told.mock.calls[0]?.[0]
}

function Screen({ read }: { read: () => void }) {
  read()
  return null
}

describe('a screen on the server gets the same answers as from the library', () => {
  test.each<[string, (queries: Queries) => object]>([
    ['of what is known', ({ useQuery }) => useQuery(known)],
    [
      'of what is known by a key in another order',
      ({ useQuery }) => useQuery({ ...known, queryKey: ['known', { topic: 'pay', sort: 'new' }] }),
    ],
    ['of what is known and not wanted', ({ useQuery }) => useQuery({ ...known, enabled: false })],
    ['of what was not asked', ({ useQuery }) => useQuery(unknown)],
    [
      'of what was not asked and keeps what was before',
      ({ useQuery, keepPreviousData }) =>
        useQuery({ ...unknown, placeholderData: keepPreviousData }),
    ],
    ['of what is not wanted', ({ useQuery }) => useQuery({ ...unknown, enabled: false })],
    ['of what was refused', ({ useQuery }) => useQuery(refused)],
    ['of a first page', ({ useInfiniteQuery }) => useInfiniteQuery(some)],
    ['of the only page', ({ useInfiniteQuery }) => useInfiniteQuery(all)],
    [
      'of pages that nobody asked for',
      ({ useInfiniteQuery }) => useInfiniteQuery(pages('others', null)),
    ],
    [
      'of several',
      ({ useQueries }) => useQueries({ queries: [known, unknown] })[0] as unknown as object,
    ],
  ])('%s', async (_, read) => {
    const told = await toldBy(ours, read)
    expect(told).toEqual(await toldBy(library, read))
  })
})

test('an answer reaches the browser, and nothing of a refusal does', async () => {
  const client = (await clientOf(ours)) as unknown as onTheServer.QueryClient
  const answers = client.answers.map(({ queryKey, data }) => [queryKey, data])
  const state = JSON.parse(JSON.stringify({ answers })) as PageState
  const inBrowser = new library.QueryClient()

  hydrateQueries(inBrowser, state, { getElementById: () => null })
  expect(inBrowser.getQueryData(known.queryKey)).toBe('Fridays')
  expect(inBrowser.getQueryData(some.queryKey)).toMatchObject({
    pages: [{ after: null, next: 'more' }],
  })
  expect(inBrowser.getQueryState(refused.queryKey)).toBeUndefined()
})
