/** One thread as the person at this browser sees it: what is one's own, and the way to act on it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '#app/api/client.ts'
import { useIsKnown, useReader, useSessionKey } from '#app/kit/session/session.data.ts'
import type { DiscussionContract, Thread } from '../../discussion.contract.ts'
import { emptyMyThread, mineQuery } from '../../discussion.data.ts'
import type { ThreadQueries } from '../../discussion-actions.data.ts'

/** `mine` is undefined on the server and until it is known who is here. */
export function useThreadQueries(thread: Thread) {
  const threadId = thread.id
  const api = useApi<DiscussionContract>()
  const queryClient = useQueryClient()
  const who = useSessionKey()
  const isKnown = useIsKnown()
  const isNobody = useReader() === null
  const { data } = useQuery({
    ...mineQuery(api, threadId, who),
    // Who wrote and voted nothing from this browser has nothing here: nobody needs to be asked.
    ...(isNobody && { queryFn: () => emptyMyThread(thread) }),
    enabled: isKnown,
  })
  const queries = useMemo<ThreadQueries>(
    () => ({ api, queryClient, threadId, who }),
    [api, queryClient, threadId, who],
  )
  return { queries, mine: isKnown ? data : undefined }
}
