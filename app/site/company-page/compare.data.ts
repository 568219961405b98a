import { queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import type { CompanyContract } from '#app/companies/company.contract.ts'
import { COMPANIES_KEY, referencesIn } from '#app/companies/company.ts'

const FIVE_MINUTES = 5 * 60_000

/** @param text as in the URL */
export const comparisonQuery = (api: Client<CompanyContract>, text: string) => {
  const refs = referencesIn(text).join(',')
  return queryOptions({
    queryKey: [...COMPANIES_KEY, 'compare', refs],
    queryFn: () => api('GET /api/v1/companies/compare', { query: { refs } }),
    staleTime: FIVE_MINUTES,
  })
}

export const listed = (names: string[]) => new Intl.ListFormat('en').format(names)
