import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import type { ClaimContract } from './claim.contract.ts'
import type { ClaimList } from './claim.ts'

export type ClaimApi = Client<ClaimContract>

/** Prefix of all keys that depend on your claims. */
export const OWN_CLAIMS = [MY_KEY, 'claims'] as const
/** Prefix of their lists' keys. */
export const REVIEWED_CLAIMS = [MY_KEY, 'claims-to-review'] as const

/** Refetched on focus, because people open the emailed link elsewhere. */
export const myClaimsQuery = (api: ClaimApi) =>
  queryOptions({
    queryKey: OWN_CLAIMS,
    queryFn: async ({ signal }) => (await api('GET /api/v1/my/claims', { signal })).claims,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  })

export const reviewedClaimsQuery = (api: ClaimApi, status: ClaimList) =>
  infiniteQueryOptions({
    queryKey: [...REVIEWED_CLAIMS, status],
    queryFn: ({ pageParam: before, signal }) =>
      api('GET /api/v1/claims', { query: { status, before }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    refetchOnMount: 'always',
  })

/** Refetches everything that depends on claims, even after an error, because someone else may have decided. */
export async function thenInvalidate<Output>(
  { queryClient }: { queryClient: QueryClient },
  request: Promise<Output>,
) {
  try {
    return await request
  } finally {
    await queryClient.invalidateQueries({ queryKey: OWN_CLAIMS })
  }
}
