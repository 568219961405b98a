import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError, QUERY_DEFAULTS } from '#app/api/client.ts'
import {
  companyListAddress,
  companyListQuery,
  companyQuery,
  suggestionsQuery,
  trendingQuery,
} from './company.data.ts'

const id = '5d2f6f0e-6d5c-4a5e-9f59-2f3a7c0a9b11'
const queryClient = () => new QueryClient({ defaultOptions: QUERY_DEFAULTS })

test('Spec §8: without an id, "Company identifier is required" is thrown', async () => {
  await expect(
    queryClient().fetchQuery({ ...companyQuery(vi.fn(), ''), retry: false }),
  ).rejects.toThrow('Company identifier is required')
})

test('S13: the browser asks for a company by its id or slug', async () => {
  const api = vi.fn().mockResolvedValue({})
  await queryClient().fetchQuery(companyQuery(api, id.toUpperCase()))
  await queryClient().fetchQuery(companyQuery(api, 'acme'))
  expect(api.mock.calls).toEqual([
    ['GET /api/v1/companies/{id}', { params: { id } }],
    ['GET /api/v1/companies/by-slug/{slug}', { params: { slug: 'acme' } }],
  ])
})

describe('Spec §9: how often the server is asked', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const MINUTE = 60_000
  /** With its answer, or this failure each time. */
  const server = (failure?: Error) =>
    vi.fn(async (_endpoint: string) => {
      if (failure) throw failure
      return { companies: [] }
    })
  /** How many tries a failure costs. */
  async function tries(query: (api: never) => object, failure: Error) {
    const api = server(failure)
    const asked = queryClient()
      .fetchQuery(query(api as never) as never)
      .catch(() => {})
    await vi.advanceTimersByTimeAsync(MINUTE)
    await asked
    return api.mock.calls.length
  }
  const company = (api: never) => companyQuery(api, id)
  const suggestions = (api: never) => suggestionsQuery(api, 'mi')

  test.each([
    ['a company', company],
    ['trending companies', trendingQuery],
    ['suggestions', suggestions],
  ] as const)('%s are fresh for 5 minutes', async (_, query) => {
    const [client, api] = [queryClient(), server()]
    const ask = () => client.fetchQuery(query(api as never) as never)
    await ask()
    await vi.advanceTimersByTimeAsync(5 * MINUTE - 1)
    await ask()
    expect(api).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    await ask()
    expect(api).toHaveBeenCalledTimes(2)
  })

  test('unused suggestions are cached for 15 minutes', async () => {
    const client = queryClient()
    const query = suggestions(server() as never)
    await client.fetchQuery(query)
    await vi.advanceTimersByTimeAsync(15 * MINUTE - 1)
    expect(client.getQueryData(query.queryKey)).toEqual({ companies: [] })
    await vi.advanceTimersByTimeAsync(1)
    expect(client.getQueryData(query.queryKey)).toBeUndefined()
  })

  test('suggestions need 2 characters', async () => {
    const api = server()
    for (const text of ['m', 'mi'])
      new QueryObserver(queryClient(), suggestionsQuery(api as never, text)).subscribe(() => {})
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(api).toHaveBeenCalledTimes(1)
  })

  test('a failed request is retried twice, suggestions once, and a refusal never', async () => {
    for (const failure of [new ApiError(503, '', ''), new ApiError(0, '', 'no answer')]) {
      expect(await tries(company, failure)).toBe(3)
      expect(await tries(suggestions, failure)).toBe(2)
    }
    expect(await tries(company, new ApiError(404, '', ''))).toBe(1)
  })
})

test('a list’s address is read as far as it makes sense', () => {
  expect(companyListAddress({ search: '  tea ', category: '', sort: 'sideways' })).toEqual({
    search: 'tea',
    category: undefined,
    sort: undefined,
    after: undefined,
  })
  expect(companyListAddress({ sort: 'a-z' }).sort).toBe('a-z')
})

test('Spec §2.7: an address searches for a text of any length, as far as the API goes', () => {
  const searched = (search: string) => companyListAddress({ search }).search
  expect(searched('a'.repeat(300))).toBe('a'.repeat(100))
  expect(searched(`${'a'.repeat(99)}\u{1f375}`)).toBe('a'.repeat(99))
  expect(searched('bank\tof\r\n tea\n')).toBe('bank of  tea')
})

test('without a chosen order, lists are sorted by views and searches by best match', async () => {
  const api = vi.fn().mockResolvedValue({ companies: [], next: null })
  await queryClient().fetchInfiniteQuery(companyListQuery(api, {}))
  await queryClient().fetchInfiniteQuery(companyListQuery(api, { search: 'tea' }))
  await queryClient().fetchInfiniteQuery(companyListQuery(api, { sort: 'newest' }))
  expect(api.mock.calls.map(([, { query }]) => query.sort)).toEqual([
    'trending',
    'best-match',
    'newest',
  ])
})
