/** Voting in a list. Earlier votes load a page at a time, once the session is known. */
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import { reportError } from '#app/kit/forms/refusal.ts'
import { useIsKnown, useReader, useSessionKey } from '#app/kit/session/session.data.ts'
import type { DiscussionContract, ThreadRow } from '../../discussion.contract.ts'
import { mineQuery, threadVotesQuery } from '../../discussion.data.ts'
import type { Vote } from '../../discussion.ts'
import { voteThread } from '../../discussion-actions.data.ts'

const NO_VOTES: { votes: Record<string, Vote>; own: string[] } = { votes: {}, own: [] }

/** @param pages the threads of each page of the list */
export function useListVotes(pages: ThreadRow[][]) {
  const api = useApi<DiscussionContract>()
  const queryClient = useQueryClient()
  const who = useSessionKey()
  const isKnown = useIsKnown()
  const reader = useReader()
  const answers = useQueries({
    queries: pages.map((threads) => ({
      ...threadVotesQuery(
        api,
        who,
        threads.map(({ id }) => id),
      ),
      // A visitor who wrote and voted nothing here has none.
      ...(!reader && { queryFn: () => NO_VOTES }),
      enabled: isKnown && reader !== undefined && threads.length > 0,
    })),
  })
  const voteOf = ({ id }: ThreadRow): Vote | undefined => {
    const at = pages.findIndex((threads) => threads.some((thread) => thread.id === id))
    const answer = answers[at]?.data
    return isKnown && answer ? (answer.votes[id] ?? 0) : undefined
  }
  const isOwn = ({ id }: ThreadRow) => answers.some(({ data }) => data?.own.includes(id))
  const vote = async (thread: ThreadRow, to: Vote) => {
    const queries = { api, queryClient, threadId: thread.id, who }
    try {
      // It says whether a vote needs a spam check.
      await queryClient.fetchQuery(mineQuery(api, thread.id, who))
      await voteThread(queries, { score: thread.score, vote: voteOf(thread) ?? 0 }, to)
    } catch (error) {
      reportError('Your vote didn’t count')(error)
    }
  }
  return { voteOf, isOwn, vote }
}

export type ListVotes = ReturnType<typeof useListVotes>
