/** One thread as the person at this browser sees it: what is one's own, and the way to act on it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '../../../api/client.ts'
import { toast } from '../../../ui/toast.ts'
import { refusalOf } from '../../accounts/refusal.ts'
import { useWho } from '../../accounts/session.data.ts'
import { useIsKnown } from '../../accounts/ui/use-is-known.ts'
import type { DiscussionContract } from '../discussion.contract.ts'
import { mineQuery } from '../discussion.data.ts'
import type { Desk } from '../discussion-actions.data.ts'

/** `mine` is undefined on the server and until it is known who is here. */
export function useDesk(threadId: string) {
  const api = useApi<DiscussionContract>()
  const queryClient = useQueryClient()
  const who = useWho()
  const isKnown = useIsKnown()
  const { data } = useQuery({ ...mineQuery(api, threadId, who), enabled: isKnown })
  const desk = useMemo<Desk>(
    () => ({ api, queryClient, threadId, who }),
    [api, queryClient, threadId, who],
  )
  return { desk, mine: isKnown ? data : undefined }
}

/** Says what did not work; what was shown too early has been taken back already. */
export const tellOfFailure = (title: string) => (error: unknown) => {
  toast({ title, description: refusalOf(error), variant: 'destructive' })
}
