/** What the places of discussions in the sitemap need to know. Apart from it, so that other pages do not load it. */
import type { InfiniteData } from '@tanstack/react-query'
import { ReplyPlace } from '../replies/ui/reply-place.tsx'
import type { Comment, Thread } from './discussion.contract.ts'
import {
  commentsAddress,
  commentsQuery,
  type DiscussionApi,
  threadIdOf,
  threadListAddress,
  threadListQuery,
  threadQuery,
} from './discussion.data.ts'
import { topicsQuery } from './own-posts.data.ts'
import { PollBox, RemovalWords } from './ui/thread-parts.tsx'

type Query = Record<string, string | undefined>

export const listData = (api: DiscussionApi, query: Query) => [
  threadListQuery(api, threadListAddress(query)),
  topicsQuery(api),
]

export function threadData(api: DiscussionApi, segment: string | undefined, query: Query) {
  const id = threadIdOf(segment)
  return [threadQuery(api, id), commentsQuery(api, id, commentsAddress(query))]
}

/** Nothing more is asked for; but the code of what this thread has must be here to be rendered. */
export async function threadParts(answers: unknown[]) {
  const [thread, comments] = answers as [Thread, InfiniteData<{ comments: Comment[] }>]
  const isOneHidden = comments.pages.some((page) => page.comments.some(({ removal }) => removal))
  await Promise.all([
    thread.poll && PollBox.load(),
    thread.companyReply && ReplyPlace.load(),
    isOneHidden && RemovalWords.load(),
  ])
  return []
}
