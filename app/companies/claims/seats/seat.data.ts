import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import { liveSession } from '#app/kit/session/session.data.ts'
import { OWN_CLAIMS, thenInvalidate } from '../claim.data.ts'
import type { SeatContract } from './seat.contract.ts'

type SeatApi = Client<SeatContract>

export const seatsQuery = (api: SeatApi, companyId: string) =>
  queryOptions({
    queryKey: [...OWN_CLAIMS, 'seats', companyId],
    queryFn: ({ signal }) =>
      api('GET /api/v1/companies/{id}/seats', { params: { id: companyId }, signal }),
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  })

export const myInvitationsQuery = (api: SeatApi) =>
  queryOptions({
    queryKey: [...OWN_CLAIMS, 'invitations'],
    queryFn: async ({ signal }) =>
      (await api('GET /api/v1/my/seat-invitations', { signal })).invitations,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  })

export interface SeatQueries {
  api: SeatApi
  queryClient: QueryClient
}

/** @throws ApiError */
export const inviteColleague = (queries: SeatQueries, companyId: string, email: string) =>
  thenInvalidate(
    queries,
    queries.api('POST /api/v1/companies/{id}/seats/invitations', {
      params: { id: companyId },
      body: { email: email.trim() },
    }),
  )

/** @throws ApiError */
export const withdrawInvitation = (queries: SeatQueries, id: string) =>
  thenInvalidate(queries, queries.api('DELETE /api/v1/seat-invitations/{id}', { params: { id } }))

/** @throws ApiError */
export const removeSeat = (queries: SeatQueries, id: string) =>
  thenInvalidate(queries, queries.api('DELETE /api/v1/seats/{id}', { params: { id } }))

/** @throws ApiError */
export const offerOwnership = (queries: SeatQueries, id: string) =>
  thenInvalidate(queries, queries.api('POST /api/v1/seats/{id}/offer', { params: { id } }))

/** Withdraws or declines it. @throws ApiError */
export const endOffer = (queries: SeatQueries, id: string) =>
  thenInvalidate(queries, queries.api('DELETE /api/v1/seats/{id}/offer', { params: { id } }))

/** @throws ApiError */
export const acceptOwnership = (queries: SeatQueries, id: string) =>
  thenInvalidate(queries, queries.api('POST /api/v1/seats/{id}/ownership', { params: { id } }))

/** Menus change. @throws ApiError */
export async function acceptInvitation(queries: SeatQueries, id: string) {
  const params = { id }
  await thenInvalidate(
    queries,
    queries.api('POST /api/v1/my/seat-invitations/{id}/accept', { params }),
  )
  const live = await liveSession()
  await live.loadMe()
}

/** @throws ApiError */
export const declineInvitation = (queries: SeatQueries, id: string) =>
  thenInvalidate(
    queries,
    queries.api('DELETE /api/v1/my/seat-invitations/{id}', { params: { id } }),
  )
