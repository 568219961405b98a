/** Sending a thread that was written. Apart from its form, which is here before anything is to be sent. */
import type { QueryClient } from '@tanstack/react-query'
import type { PostBadge } from '#app/companies/badges/badge.contract.ts'
import type { BadgedPost } from '#app/companies/badges/presented-badge.ts'
import { proveWork } from '#app/kit/spam-check/spam-check.data.ts'
import { LISTS } from '../../reports/post-keys.ts'
import type { DiscussionApi } from '../discussion.data.ts'
import { pollInput } from '../polls/poll.ts'
import type { usePosting } from '../posts/ui/use-posting.ts'
import type { ThreadDraft } from './thread-draft.ts'

interface ThreadQueries {
  api: DiscussionApi
  queryClient: QueryClient
  post: ReturnType<typeof usePosting>
}

interface ThreadExtras {
  companyId: string | undefined
  /** The badge that was chosen, proven for what is sent. */
  badgeFor?: (post: BadgedPost) => Promise<PostBadge | undefined>
}

/** Answers where the thread is. @throws ApiError, or what failed on the way */
export async function sendThread(
  { api, queryClient, post }: ThreadQueries,
  draft: ThreadDraft,
  { companyId, badgeFor = async () => undefined }: ThreadExtras,
): Promise<string> {
  const { title, body, topics } = draft
  const { path } = await post(
    threadInput(draft, companyId),
    async (input) =>
      api('POST /api/v1/threads', {
        body: { ...input, badge: await badgeFor(input), proof: await proveWork(api) },
      }),
    ({ id }) => bringUpToDate(api, id, { title: title.trim(), body, topics }),
  )
  // It is not in the lists that were asked for before.
  queryClient.invalidateQueries({ queryKey: LISTS, refetchType: 'none' })
  return path
}

export const threadInput = (draft: ThreadDraft, companyId: string | undefined) => ({
  title: draft.title.trim(),
  body: draft.body,
  companyId,
  topics: draft.topics,
  poll: draft.poll ? pollInput(draft.poll) : undefined,
  name: draft.name,
  sending: draft.sending,
})

/** Only where it differs: a thread that says it was edited should have been. */
async function bringUpToDate(
  api: DiscussionApi,
  id: string,
  wanted: { title: string; body: string; topics: string[] },
) {
  const params = { id }
  const { title, body, topics } = await api('GET /api/v1/threads/{id}/source', { params })
  const isSame =
    title === wanted.title &&
    body === wanted.body &&
    [...topics].sort().join() === [...wanted.topics].sort().join()
  if (!isSame) await api('PATCH /api/v1/threads/{id}', { params, body: wanted })
}
