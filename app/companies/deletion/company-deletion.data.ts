/** How the dialog asks what would go with a company, and deletes it. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import type { CompanyContract } from '../company.contract.ts'

type Api = Client<CompanyContract>

/** Counted anew at each opening. What begins with "me" goes when somebody signs in or out. */
export const belongingsQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['me', 'company-belongings', id],
    queryFn: ({ signal }) =>
      api('GET /api/v1/companies/{id}/belongings', { params: { id }, signal }),
    staleTime: 0,
    gcTime: 0,
  })

/** @param name as it was typed. @throws ApiError */
export async function deleteCompany(
  { api, queryClient }: { api: Api; queryClient: QueryClient },
  { id, name }: { id: string; name: string },
) {
  await api('DELETE /api/v1/companies/{id}', { params: { id }, query: { name } })
  // Whatever is shown next is asked for anew. Not what is shown now: its company is gone.
  queryClient.invalidateQueries({ refetchType: 'none' })
}
