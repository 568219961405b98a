import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '#app/api/client.ts'
import { useIsKnown, useReader, useSessionKey } from '#app/kit/session/session.data.ts'
import type { SavedJobContract } from '../saved-job.contract.ts'
import { type SavedJobQueries, savedJobIdsQuery } from '../saved-jobs.data.ts'

export function useSavedJobQueries() {
  const api = useApi<SavedJobContract>()
  const queryClient = useQueryClient()
  const who = useSessionKey()
  const isKnown = useIsKnown()
  const queries = useMemo<SavedJobQueries>(
    () => ({ api, queryClient, who }),
    [api, queryClient, who],
  )
  return { queries, isKnown }
}

/** `isSaved` is undefined on the server and until it is known. */
export function useSavedJobs() {
  const { queries, isKnown } = useSavedJobQueries()
  // Without an id this browser has saved nothing, so there's no request.
  const isNobody = useReader() === null
  const { data } = useQuery({
    ...savedJobIdsQuery(queries.api, queries.who),
    enabled: isKnown && !isNobody,
  })
  const ids = data?.jobIds ?? (isKnown && isNobody ? [] : undefined)
  return { queries, isSaved: (jobId: string) => ids?.includes(jobId) }
}
