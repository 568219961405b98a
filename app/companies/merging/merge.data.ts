/** How the dialog asks what a merge would do, and does it. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import type { MergeContract } from './merge.contract.ts'

type Api = Client<MergeContract>

/** Counted anew for each choice. What begins with "me" goes when somebody signs in or out. */
export const mergeQuery = (api: Api, id: string, into: string) =>
  queryOptions({
    queryKey: ['me', 'company-merge', id, into],
    queryFn: ({ signal }) =>
      api('GET /api/v1/companies/{id}/merge', { params: { id }, query: { into }, signal }),
    staleTime: 0,
    gcTime: 0,
  })

/** @returns where the company lives that remains. @throws ApiError */
export async function mergeCompany(
  { api, queryClient }: { api: Api; queryClient: QueryClient },
  { id, into }: { id: string; into: string },
) {
  const { path } = await api('POST /api/v1/companies/{id}/merge', {
    params: { id },
    body: { into },
  })
  // Whatever is shown next is asked for anew. Not what is shown now: its company is gone.
  queryClient.invalidateQueries({ refetchType: 'none' })
  return path
}
