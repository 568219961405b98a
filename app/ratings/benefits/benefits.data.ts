import { queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import { RATINGS_KEY } from '#app/companies/company.ts'
import type { BenefitsContract } from './benefits.contract.ts'

export const benefitsQuery = (api: Client<BenefitsContract>, companyId: string) =>
  queryOptions({
    queryKey: [...RATINGS_KEY, companyId, 'benefits'],
    queryFn: () => api('GET /api/v1/companies/{id}/benefits', { params: { id: companyId } }),
    // The server caches pages for this long.
    staleTime: 30_000,
  })
