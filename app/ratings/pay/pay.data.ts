import { queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import { RATINGS_KEY } from '#app/companies/company.ts'
import type { PayContract } from './pay.contract.ts'

/** The server caches pages for this long. */
const HALF_A_MINUTE = 30_000

export const payQuery = (api: Client<PayContract>, companyId: string) =>
  queryOptions({
    queryKey: [...RATINGS_KEY, companyId, 'pay'],
    queryFn: () => api('GET /api/v1/companies/{id}/pay', { params: { id: companyId } }),
    staleTime: HALF_A_MINUTE,
  })

export const titlePayQuery = (api: Client<PayContract>, title: string) =>
  queryOptions({
    queryKey: [...RATINGS_KEY, 'pay', title],
    queryFn: () => api('GET /api/v1/pay', { query: { title } }),
    staleTime: HALF_A_MINUTE,
  })

/** What you would earn, by title and area. */
export const EARNINGS_PATH = '/companies/pay'
export const earningsHref = (title: string, area = '') =>
  `${EARNINGS_PATH}?${new URLSearchParams({ title, ...(area && { area }) })}`

export const wantsToGivePay = (search: string) => new URLSearchParams(search).get('give') === 'yes'
