/** A company's ratings as the person at this browser sees them, and the way to act on them. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '../../../api/client.ts'
import { useSessionKey } from '../../../session/session.data.ts'
import { useIsKnown } from '../../../session/use-is-known.ts'
import type { RatingContract } from '../rating.contract.ts'
import { myRatingQuery, type RatingQueries } from '../rating.data.ts'

/** `mine` holds no answer on the server and until it is known who is here. */
export function useRatingQueries(companyId: string) {
  const api = useApi<RatingContract>()
  const queryClient = useQueryClient()
  const who = useSessionKey()
  const isKnown = useIsKnown()
  const mine = useQuery({ ...myRatingQuery(api, companyId, who), enabled: isKnown })
  const queries = useMemo<RatingQueries>(
    () => ({ api, queryClient, companyId, who }),
    [api, queryClient, companyId, who],
  )
  return { queries, mine, isKnown }
}
