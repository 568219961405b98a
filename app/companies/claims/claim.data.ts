/** How screens ask for claims. */
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import type { MY_KEY } from '#app/kit/session/live-session.data.ts'
import type { ClaimContract } from './claim.contract.ts'
import type { ClaimList } from './claim.ts'

export type ClaimApi = Client<ClaimContract>

/** Only its type is imported: its file is heavy. */
const MINE: typeof MY_KEY = 'me'
/** Whatever follows from one's claims has a key that begins with it. */
export const OWN_CLAIMS = [MINE, 'claims'] as const
/** Each list of them has a key that begins with it. */
export const REVIEWED_CLAIMS = [MINE, 'claims-to-review'] as const

/** The companies that the person acts for or wants to. The link of a mail is opened elsewhere. */
export const myClaimsQuery = (api: ClaimApi) =>
  queryOptions({
    queryKey: OWN_CLAIMS,
    queryFn: async ({ signal }) => (await api('GET /api/v1/my/claims', { signal })).claims,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  })

/** For administrators. */
export const reviewedClaimsQuery = (api: ClaimApi, status: ClaimList) =>
  infiniteQueryOptions({
    queryKey: [...REVIEWED_CLAIMS, status],
    queryFn: ({ pageParam: before, signal }) =>
      api('GET /api/v1/claims', { query: { status, before }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    refetchOnMount: 'always',
  })

/** Asks, and reads all that follows from claims again whatever came of it: somebody else may have decided. */
export async function andLookAgain<Answer>(
  { queryClient }: { queryClient: QueryClient },
  asking: Promise<Answer>,
) {
  try {
    return await asking
  } finally {
    await queryClient.invalidateQueries({ queryKey: OWN_CLAIMS })
  }
}
