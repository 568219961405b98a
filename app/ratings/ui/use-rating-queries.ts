import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '#app/api/client.ts'
import type { CredentialContract } from '#app/identity/credentials/credential.contract.ts'
import { useRated } from '#app/identity/credentials/rated.data.ts'
import { useIsKnown, useReader, useSessionKey } from '#app/kit/session/session.data.ts'
import type { RatingContract } from '../rating.contract.ts'
import {
  type MyRatings,
  myRatingsOf,
  myRatingsQuery,
  NO_RATINGS,
  type RatedCompany,
  type RatingQueries,
  ratingsQuery,
} from '../rating.data.ts'

/** `myRatings` is undefined on the server, and until we know the session. */
export function useRatingQueries(company: RatedCompany) {
  const api = useApi<RatingContract, CredentialContract>()
  const queryClient = useQueryClient()
  const sessionKey = useSessionKey()
  const { id, name, path } = company
  const queries = useMemo<RatingQueries>(
    () => ({ api, queryClient, company: { id, name, path }, sessionKey }),
    [api, queryClient, id, name, path, sessionKey],
  )
  return { queries, myRatings: useMyRatings(company), isKnown: useIsKnown() }
}

/** Sends no request. The tab loads what's public, and whatever page is open loads the rest once a day. */
export function useMyRatings({ id }: { id: string }): MyRatings | undefined {
  const api = useApi<RatingContract>()
  const sessionKey = useSessionKey()
  const rated = useRated(sessionKey)
  const isKnown = useIsKnown()
  const isNobody = useReader() === null
  const { data: answer, isError } = useQuery({ ...myRatingsQuery(api, sessionKey), enabled: false })
  const { data: view } = useQuery({ ...ratingsQuery(api, id), enabled: false })
  if (!isKnown || !(isNobody || answer || isError)) return undefined
  return myRatingsOf(id, {
    rated,
    answer: answer ?? NO_RATINGS,
    formerIds: view?.formerIds ?? rated[id]?.formerIds ?? [],
  })
}
