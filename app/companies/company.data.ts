/** Fresh for 5 minutes, 2 retries, no refetch on focus. Spec §9. */

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import { isUuid } from '#app/platform/uuid.ts'
import type { CompanyContract } from './company.contract.ts'
import {
  COMPANIES_KEY,
  COMPANY_REFUSALS,
  COMPANY_SORTS,
  type CompanyFilters,
  type CompanySort,
  companySort,
  SEARCH_MIN_CHARACTERS,
  searchedText,
} from './company.ts'
import { POLICY_MODES } from './edits/company-policy.ts'

type Api = Client<CompanyContract>

const FIVE_MINUTES = 5 * 60_000
const FIFTEEN_MINUTES = 15 * 60_000

/** Spec §9: 8 cards per slide, of which a phone shows 6. */
export const SLIDE_CARDS = 8

export const trendingQuery = (api: Api) =>
  queryOptions({
    queryKey: [...COMPANIES_KEY, 'trending'],
    queryFn: () => api('GET /api/v1/companies/trending', { query: { limit: SLIDE_CARDS } }),
    staleTime: FIVE_MINUTES,
  })

export const recentQuery = (api: Api) =>
  queryOptions({
    queryKey: [...COMPANIES_KEY, 'recent'],
    queryFn: () => api('GET /api/v1/companies/recent', { query: { limit: SLIDE_CARDS } }),
    staleTime: FIVE_MINUTES,
  })

export const highestRatedQuery = (api: Api) =>
  queryOptions({
    queryKey: [...COMPANIES_KEY, 'highest-rated'],
    queryFn: () => api('GET /api/v1/companies/highest-rated', { query: { limit: SLIDE_CARDS } }),
    staleTime: FIVE_MINUTES,
  })

export const categoriesQuery = (api: Api) =>
  queryOptions({
    queryKey: [...COMPANIES_KEY, 'categories'],
    queryFn: () => api('GET /api/v1/companies/categories'),
    staleTime: FIVE_MINUTES,
  })

/** @param reference an id or slug (S13). Throws if it's empty. Spec §8. */
export const companyQuery = (api: Api, reference: string) =>
  queryOptions({
    queryKey: [...COMPANIES_KEY, 'one', reference.toLowerCase()],
    queryFn: () => {
      if (reference === '') throw new Error(COMPANY_REFUSALS.noIdentifier)
      const id = reference.toLowerCase()
      return isUuid(id)
        ? api('GET /api/v1/companies/{id}', { params: { id } })
        : api('GET /api/v1/companies/by-slug/{slug}', { params: { slug: reference } })
    },
    staleTime: FIVE_MINUTES,
  })

/** Filters besides the category. */
export const COMPANY_FILTERS = ['rated', 'discussed', 'policy', 'country'] as const

/** `after`: the page marker, for readers without JavaScript. */
export interface CompanyListAddress extends CompanyFilters {
  search?: string
  sort?: CompanySort
  after?: string
}

const isSort = (sort: string | undefined): sort is CompanySort =>
  COMPANY_SORTS.some((known) => known === sort)

/** We ignore empty and unknown values. */
export const companyListAddress = (
  query: Record<string, string | undefined>,
): CompanyListAddress => ({
  search: searchedText(query.search ?? '') || undefined,
  category: query.category || undefined,
  rated: query.rated === 'yes' ? 'yes' : undefined,
  discussed: query.discussed === 'yes' ? 'yes' : undefined,
  policy: POLICY_MODES.find((mode) => mode === query.policy),
  country: /^[A-Z]{2}$/.test(query.country ?? '') ? query.country : undefined,
  sort: isSort(query.sort) ? query.sort : undefined,
  after: query.after || undefined,
})

export const companyListQuery = (api: Api, { after, ...filters }: CompanyListAddress) =>
  infiniteQueryOptions({
    queryKey: [...COMPANIES_KEY, 'list', filters, after ?? null],
    // Null, not undefined, because the server-rendered key comes as JSON.
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/v1/companies', {
        query: {
          ...filters,
          sort: companySort(filters),
          after: pageParam ?? undefined,
        },
        signal,
      }),
    initialPageParam: after,
    getNextPageParam: (page) => page.next ?? undefined,
    staleTime: FIVE_MINUTES,
  })

/** Fresh for 5 minutes, kept for 15, one retry, from two characters. Spec §9. */
export const suggestionsQuery = (api: Api, text: string) =>
  queryOptions({
    queryKey: [...COMPANIES_KEY, 'suggest', text.toLowerCase()],
    queryFn: ({ signal }) => api('GET /api/v1/companies/suggest', { query: { text }, signal }),
    enabled: text.length >= SEARCH_MIN_CHARACTERS,
    staleTime: FIVE_MINUTES,
    gcTime: FIFTEEN_MINUTES,
    retry: 1,
  })
