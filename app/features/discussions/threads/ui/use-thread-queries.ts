/** One thread as the person at this browser sees it: what is one's own, and the way to act on it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '../../../../api/client.ts'
import { useSessionKey } from '../../../../session/session.data.ts'
import { useIsKnown } from '../../../../session/use-is-known.ts'
import type { DiscussionContract } from '../../discussion.contract.ts'
import { mineQuery } from '../../discussion.data.ts'
import type { ThreadQueries } from '../../discussion-actions.data.ts'

/** `mine` is undefined on the server and until it is known who is here. */
export function useThreadQueries(threadId: string) {
  const api = useApi<DiscussionContract>()
  const queryClient = useQueryClient()
  const who = useSessionKey()
  const isKnown = useIsKnown()
  const { data } = useQuery({ ...mineQuery(api, threadId, who), enabled: isKnown })
  const queries = useMemo<ThreadQueries>(
    () => ({ api, queryClient, threadId, who }),
    [api, queryClient, threadId, who],
  )
  return { queries, mine: isKnown ? data : undefined }
}
