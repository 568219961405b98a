import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { ApiError } from '../../api/client.ts'
import {
  companyListAddress,
  companyListQuery,
  companyQuery,
  SLIDE_CARDS,
  suggestionsQuery,
  trendingQuery,
} from './company.data.ts'

const id = '5d2f6f0e-6d5c-4a5e-9f59-2f3a7c0a9b11'
const queryClient = () => new QueryClient()

test('Spec §8: without an id, "Company identifier is required" is thrown', async () => {
  await expect(
    queryClient().fetchQuery({ ...companyQuery(vi.fn(), ''), retry: false }),
  ).rejects.toThrow('Company identifier is required')
})

test('decision 13: a company is asked for by its id or by its slug', async () => {
  const api = vi.fn().mockResolvedValue({})
  await queryClient().fetchQuery(companyQuery(api, id.toUpperCase()))
  await queryClient().fetchQuery(companyQuery(api, 'acme'))
  expect(api.mock.calls).toEqual([
    ['GET /api/v1/companies/{id}', { params: { id } }],
    ['GET /api/v1/companies/by-slug/{slug}', { params: { slug: 'acme' } }],
  ])
})

test('Spec §9: company queries are fresh for 5 minutes and tried twice more, but not if refused', () => {
  for (const query of [companyQuery(vi.fn(), id), companyListQuery(vi.fn(), {})]) {
    expect(query.staleTime).toBe(5 * 60_000)
    const retry = query.retry as (failures: number, error: Error) => boolean
    expect([0, 1, 2].map((failures) => retry(failures, new ApiError(503, '', '')))).toEqual([
      true,
      true,
      false,
    ])
    expect(retry(0, new ApiError(0, '', 'no answer'))).toBe(true)
    expect(retry(0, new ApiError(404, '', ''))).toBe(false)
  }
  expect(trendingQuery(vi.fn()).staleTime).toBe(5 * 60_000)
  expect(SLIDE_CARDS).toBe(8)
})

test('Spec §9: suggestions start at 2 characters, are fresh 5 minutes, kept 15, tried once more', () => {
  expect(suggestionsQuery(vi.fn(), 'm').enabled).toBe(false)
  expect(suggestionsQuery(vi.fn(), 'mi')).toMatchObject({
    enabled: true,
    staleTime: 5 * 60_000,
    gcTime: 15 * 60_000,
    retry: 1,
  })
})

test('the list’s address is read as far as it makes sense', () => {
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

test('what nobody ordered the page asks for by views, and a search by what fits best', async () => {
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
