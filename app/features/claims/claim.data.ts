/** How screens ask for claims, make them and decide on them. */
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Client, retryUnlessRefused } from '../../api/client.ts'
import type { MY_KEY } from '../accounts/live-session.data.ts'
import { liveSession } from '../accounts/session.data.ts'
import type { ClaimContract } from './claim.contract.ts'
import type { ClaimDecision, ClaimForm, ClaimList } from './claim.ts'

type Api = Client<ClaimContract>

/** Only its type is imported: its file is heavy. */
const MINE: typeof MY_KEY = 'me'
const OWN = [MINE, 'claims'] as const
const REVIEWED = [MINE, 'claims-to-review'] as const

/** The companies that the person acts for or wants to. The link of a mail is opened elsewhere. */
export const myClaimsQuery = (api: Api) =>
  queryOptions({
    queryKey: OWN,
    queryFn: async ({ signal }) => (await api('GET /api/v1/my/claims', { signal })).claims,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
    retry: retryUnlessRefused,
  })

/** For administrators. */
export const reviewedClaimsQuery = (api: Api, status: ClaimList) =>
  infiniteQueryOptions({
    queryKey: [...REVIEWED, status],
    queryFn: ({ pageParam: before, signal }) =>
      api('GET /api/v1/claims', { query: { status, before }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    refetchOnMount: 'always',
    retry: retryUnlessRefused,
  })

export interface ClaimDesk {
  api: Api
  queryClient: QueryClient
}

/** Asks, and reads the list again whatever came of it: somebody else may have decided. */
async function andLookAgain<Answer>({ queryClient }: ClaimDesk, asking: Promise<Answer>) {
  try {
    return await asking
  } finally {
    await queryClient.invalidateQueries({ queryKey: OWN })
  }
}

/** @throws ApiError */
export const claimCompany = (desk: ClaimDesk, companyId: string, form: ClaimForm) =>
  andLookAgain(
    desk,
    desk.api('POST /api/v1/companies/{id}/claims', {
      params: { id: companyId },
      body: {
        method: form.method,
        workEmail: form.method === 'mail' ? form.workEmail.trim() : '',
        note: form.note,
      },
    }),
  )

/** @throws ApiError */
export const checkRecord = (desk: ClaimDesk, id: string) =>
  andLookAgain(desk, desk.api('POST /api/v1/my/claims/{id}/check', { params: { id } }))

/** @throws ApiError */
export const resendLink = (desk: ClaimDesk, id: string) =>
  andLookAgain(desk, desk.api('POST /api/v1/my/claims/{id}/resend', { params: { id } }))

/** Withdraws or leaves; the menus follow. @throws ApiError */
export async function withdrawClaim(desk: ClaimDesk, id: string) {
  await andLookAgain(desk, desk.api('DELETE /api/v1/my/claims/{id}', { params: { id } }))
  const live = await liveSession()
  await live.loadMe()
}

/** @param note to the person, where the claim is declined @throws ApiError */
export async function decideOnClaim(
  { api, queryClient }: ClaimDesk,
  decision: ClaimDecision,
  id: string,
  note: string,
) {
  const params = { id }
  try {
    return decision === 'decline'
      ? await api('POST /api/v1/claims/{id}/decline', { params, body: { note } })
      : await api(`POST /api/v1/claims/{id}/${decision}`, { params })
  } finally {
    await queryClient.invalidateQueries({ queryKey: REVIEWED })
  }
}
