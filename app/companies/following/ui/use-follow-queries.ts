import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '#app/api/client.ts'
import { useIsKnown, useReader, useSessionKey } from '#app/kit/session/session.data.ts'
import type { FollowContract } from '../follow.contract.ts'
import { type FollowQueries, followedIdsQuery } from '../follow.data.ts'

export function useFollowQueries() {
  const api = useApi<FollowContract>()
  const queryClient = useQueryClient()
  const who = useSessionKey()
  const isKnown = useIsKnown()
  const queries = useMemo<FollowQueries>(() => ({ api, queryClient, who }), [api, queryClient, who])
  return { queries, isKnown }
}

/** `isFollowed` is undefined on the server and until it is known. A list calls this once for all its cards. */
export function useFollowed({ isWanted = true } = {}) {
  const { queries, isKnown } = useFollowQueries()
  // Without an id this browser follows nothing, so there's no request.
  const isNobody = useReader() === null
  const { data } = useQuery({
    ...followedIdsQuery(queries.api, queries.who),
    enabled: isWanted && isKnown && !isNobody,
  })
  const ids = data?.companyIds ?? (isKnown && isNobody ? [] : undefined)
  return { queries, isFollowed: (companyId: string) => ids?.includes(companyId) }
}

export type Followed = ReturnType<typeof useFollowed>
