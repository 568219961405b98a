/** A company's ratings as the person at this browser sees them, and the way to act on them. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '../../../api/client.ts'
import type { Answer } from '../../../api/contract.ts'
import { useReader } from '../../../session/reader.data.ts'
import { useSessionKey } from '../../../session/session.data.ts'
import { useIsKnown } from '../../../session/use-is-known.ts'
import type { RatingContract } from '../rating.contract.ts'
import { myRatingQuery, type RatingQueries } from '../rating.data.ts'

const NOTHING: Answer<RatingContract['GET /api/v1/companies/{id}/my-rating']> = {
  rating: null,
  helpful: [],
  canRate: false,
}

/** `mine` holds no answer on the server and until it is known who is here. */
export function useRatingQueries(companyId: string) {
  const api = useApi<RatingContract>()
  const queryClient = useQueryClient()
  const who = useSessionKey()
  const isKnown = useIsKnown()
  const isNobody = useReader() === null
  const mine = useQuery({
    ...myRatingQuery(api, companyId, who),
    // Who did nothing from this browser has nothing here: nobody needs to be asked.
    ...(isNobody && { queryFn: () => NOTHING }),
    enabled: isKnown,
  })
  const queries = useMemo<RatingQueries>(
    () => ({ api, queryClient, companyId, who }),
    [api, queryClient, companyId, who],
  )
  return { queries, mine, isKnown }
}
