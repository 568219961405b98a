import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import type { MergeContract } from './merge.contract.ts'

type Api = Client<MergeContract>

/** Counted again for each choice. Keys with "me" are cleared at login and logout. */
export const mergeQuery = (api: Api, id: string, into: string) =>
  queryOptions({
    queryKey: ['me', 'company-merge', id, into],
    queryFn: ({ signal }) =>
      api('GET /api/v1/companies/{id}/merge', { params: { id }, query: { into }, signal }),
    staleTime: 0,
    gcTime: 0,
  })

/** @returns the remaining company's path @throws ApiError */
export async function mergeCompany(
  { api, queryClient }: { api: Api; queryClient: QueryClient },
  { id, into }: { id: string; into: string },
) {
  const { path } = await api('POST /api/v1/companies/{id}/merge', {
    params: { id },
    body: { into },
  })
  // Refetch what is shown next, but not the current page: its company is gone.
  queryClient.invalidateQueries({ refetchType: 'none' })
  return path
}
