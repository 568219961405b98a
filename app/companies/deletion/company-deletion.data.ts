import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import type { CompanyContract } from '../company.contract.ts'

type Api = Client<CompanyContract>

/** Counted again each time it opens. Keys with "me" are cleared at login and logout. */
export const belongingsQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['me', 'company-belongings', id],
    queryFn: ({ signal }) =>
      api('GET /api/v1/companies/{id}/belongings', { params: { id }, signal }),
    staleTime: 0,
    gcTime: 0,
  })

/** @param name as typed @throws ApiError */
export async function deleteCompany(
  { api, queryClient }: { api: Api; queryClient: QueryClient },
  { id, name }: { id: string; name: string },
) {
  await api('DELETE /api/v1/companies/{id}', { params: { id }, query: { name } })
  // Refetch what is shown next, but not the current page: its company is gone.
  queryClient.invalidateQueries({ refetchType: 'none' })
}
