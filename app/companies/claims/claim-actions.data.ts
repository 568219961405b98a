import type { QueryClient } from '@tanstack/react-query'
import { liveSession } from '#app/kit/session/session.data.ts'
import { type ClaimApi, REVIEWED_CLAIMS, thenInvalidate } from './claim.data.ts'
import type { ClaimDecision, ClaimForm } from './claim.ts'

interface ClaimQueries {
  api: ClaimApi
  queryClient: QueryClient
}

/** @throws ApiError */
export const claimCompany = (queries: ClaimQueries, companyId: string, form: ClaimForm) =>
  thenInvalidate(
    queries,
    queries.api('POST /api/v1/companies/{id}/claims', {
      params: { id: companyId },
      body: {
        method: form.method,
        workEmail: form.method === 'mail' ? form.workEmail.trim() : '',
        note: form.note,
      },
    }),
  )

/** @throws ApiError */
export const checkRecord = (queries: ClaimQueries, id: string) =>
  thenInvalidate(queries, queries.api('POST /api/v1/my/claims/{id}/check', { params: { id } }))

/** @throws ApiError */
export const resendLink = (queries: ClaimQueries, id: string) =>
  thenInvalidate(queries, queries.api('POST /api/v1/my/claims/{id}/resend', { params: { id } }))

/** @throws ApiError */
export const chooseCompanyNews = (queries: ClaimQueries, id: string, wantsNews: boolean) =>
  thenInvalidate(
    queries,
    queries.api('PUT /api/v1/my/claims/{id}/news', { params: { id }, body: { wantsNews } }),
  )

/** Withdraws a claim or leaves a company, which changes menus. @throws ApiError */
export async function withdrawClaim(queries: ClaimQueries, id: string) {
  await thenInvalidate(queries, queries.api('DELETE /api/v1/my/claims/{id}', { params: { id } }))
  const live = await liveSession()
  await live.loadMe()
}

/** @param note to the person, when declining @throws ApiError */
export async function decideOnClaim(
  { api, queryClient }: ClaimQueries,
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
    await queryClient.invalidateQueries({ queryKey: REVIEWED_CLAIMS })
  }
}
