/** A company's ratings as the person at this browser sees them, and the way to act on them. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '../../../api/client.ts'
import { useReader } from '../../../session/reader.data.ts'
import { useSessionKey } from '../../../session/session.data.ts'
import { useIsKnown } from '../../../session/use-is-known.ts'
import type { MyRatings, RatedCompany } from '../my-rating.data.ts'
import type { RatingContract } from '../rating.contract.ts'
import { myRatingQuery, type RatingQueries } from '../rating.data.ts'

const NOTHING: MyRatings = {
  rating: null,
  helpful: [],
  canRate: false,
  formerIds: [],
}

/** `mine` holds no answer on the server and until it is known who is here. */
export function useRatingQueries(company: RatedCompany) {
  const api = useApi<RatingContract>()
  const queryClient = useQueryClient()
  const who = useSessionKey()
  const isKnown = useIsKnown()
  const isNobody = useReader() === null
  const { id, name, path } = company
  const queries = useMemo<RatingQueries>(
    () => ({ api, queryClient, company: { id, name, path }, who }),
    [api, queryClient, id, name, path, who],
  )
  const mine = useQuery({
    ...myRatingQuery(api, queries),
    // Who did nothing from this browser has nothing here: nobody needs to be asked.
    ...(isNobody && { queryFn: () => NOTHING }),
    enabled: isKnown,
  })
  return { queries, mine, isKnown }
}
