/** Optimistic: what people do shows at once, and is corrected when the server responds. */

import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { isLast, mutate } from '#app/api/mutation.ts'
import { COMPANIES_KEY } from '#app/companies/company.ts'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import { toast } from '#app/kit/ui/toast.ts'
import type { Leaf } from './comments/comment-branches.ts'
import type { Comment, MyThread, Thread, ThreadRow, ThreadsPage } from './discussion.contract.ts'
import { type DiscussionApi, myThreadQuery, threadQuery, votesKey } from './discussion.data.ts'
import { commentsKey, THREAD_LISTS_KEY } from './discussion.ts'
import { type Ballot, type Vote, votedAs } from './votes/vote.ts'

type Pages = InfiniteData<{ comments: Comment[]; next: string | null }, string | undefined>

export interface ThreadQueries {
  api: DiscussionApi
  queryClient: QueryClient
  threadId: string
  sessionKey: string
}

const changeThread = (
  { api, queryClient, threadId }: ThreadQueries,
  change: (it: Thread) => Thread,
) => queryClient.setQueryData(threadQuery(api, threadId).queryKey, (it) => it && change(it))

/** Changes a thread on its page and in every loaded list. */
const changeScore = (queries: ThreadQueries, score: number) => {
  const { queryClient, threadId } = queries
  const changed = <It extends { id: string }>(it: It) =>
    it.id === threadId ? { ...it, score } : it
  changeThread(queries, (thread) => ({ ...thread, score }))
  queryClient.setQueriesData<ThreadRow[] | InfiniteData<ThreadsPage>>(
    { queryKey: THREAD_LISTS_KEY },
    (list) =>
      list &&
      ('pages' in list
        ? {
            ...list,
            pages: list.pages.map((page) => ({
              ...page,
              pinned: page.pinned.map(changed),
              threads: page.threads.map(changed),
            })),
          }
        : list.map(changed)),
  )
}

const changeListVote = ({ queryClient, threadId, sessionKey }: ThreadQueries, vote: Vote) =>
  queryClient.setQueriesData<{ votes: Record<string, Vote>; own: string[] }>(
    { queryKey: votesKey(sessionKey) },
    (it) => it && { ...it, votes: { ...it.votes, [threadId]: vote } },
  )

const changeMyThread = (
  { api, queryClient, threadId, sessionKey }: ThreadQueries,
  change: (it: MyThread) => MyThread,
) =>
  queryClient.setQueryData(
    myThreadQuery(api, threadId, sessionKey).queryKey,
    (it) => it && change(it),
  )

const changeComments = (
  { queryClient, threadId }: ThreadQueries,
  change: (comments: Comment[], page: number) => Comment[],
) =>
  queryClient.setQueriesData<Pages>(
    { queryKey: commentsKey(threadId) },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page, at) => ({ ...page, comments: change(page.comments, at) })),
      },
  )

const changeComment = (queries: ThreadQueries, id: string, change: (it: Comment) => Comment) =>
  changeComments(queries, (comments) => comments.map((it) => (it.id === id ? change(it) : it)))

/** Refetches a thread after a failure or a new comment. */
export const invalidateThread = ({ api, queryClient, threadId, sessionKey }: ThreadQueries) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: threadQuery(api, threadId).queryKey }),
    queryClient.invalidateQueries({ queryKey: commentsKey(threadId) }),
    queryClient.invalidateQueries({ queryKey: myThreadQuery(api, threadId, sessionKey).queryKey }),
  ])

/** Loaded late: only visitors and members with an unconfirmed email need it. */
async function spamSolutionFor(
  { api, queryClient, threadId, sessionKey }: ThreadQueries,
  subject: string,
) {
  const myThread = queryClient.getQueryData(myThreadQuery(api, threadId, sessionKey).queryKey)
  if (!myThread?.needsSpamCheck) return undefined
  const { solveSpamCheck } = await import('#app/kit/spam-check/spam-check.data.ts')
  return solveSpamCheck(api, subject)
}

function announceHold({ isHeld }: { isHeld?: boolean }) {
  if (isHeld)
    toast({
      title: 'Your vote is pending review',
      description: 'Many votes came in at once. Yours will count once a moderator reviews them.',
    })
}

/** @throws ApiError, after undoing the vote */
export function voteThread(queries: ThreadQueries, from: Ballot, vote: Vote) {
  const { api, threadId: id } = queries
  const show = ({ score, vote }: Ballot) => {
    changeScore(queries, score)
    changeListVote(queries, vote)
    changeMyThread(queries, (myThread) => ({ ...myThread, vote }))
  }
  return cast(queries, { subject: `vote ${id}`, show, from, vote }, async () =>
    api('PUT /api/v1/threads/{id}/vote', {
      params: { id },
      body: { vote, spamCheck: await spamSolutionFor(queries, id) },
    }),
  )
}

/** @throws ApiError, after undoing the vote */
export function voteComment(queries: ThreadQueries, id: string, from: Ballot, vote: Vote) {
  const show = ({ score, vote }: Ballot) => {
    changeComment(queries, id, (comment) => ({ ...comment, score }))
    changeMyThread(queries, (myThread) => ({
      ...myThread,
      votes: { ...myThread.votes, [id]: vote },
    }))
  }
  return cast(queries, { subject: `vote ${id}`, show, from, vote }, async () =>
    queries.api('PUT /api/v1/comments/{id}/vote', {
      params: { id },
      body: { vote, spamCheck: await spamSolutionFor(queries, id) },
    }),
  )
}

const cast = (
  queries: ThreadQueries,
  { subject, show, from, vote }: Cast,
  send: () => Promise<Ballot & { isHeld?: boolean }>,
) =>
  mutate(queries.queryClient, {
    subject,
    mutationFn: send,
    onMutate: () => show(votedAs(from, vote)),
    onSuccess: (counted) => {
      if (isLast(queries.queryClient, subject)) show(counted)
      announceHold(counted)
    },
    onError: () => {
      if (!isLast(queries.queryClient, subject)) return
      show(from)
      invalidateThread(queries)
    },
  })

interface Cast {
  subject: string
  show: (ballot: Ballot) => void
  from: Ballot
  vote: Vote
}

/** @throws ApiError, after undoing it */
export function saveThread(queries: ThreadQueries, isSaved: boolean) {
  const { api, queryClient, threadId: id } = queries
  const subject = `saved ${id}`
  const show = (isSaved: boolean) =>
    changeMyThread(queries, (myThread) => ({ ...myThread, isSaved }))
  return mutate(queryClient, {
    subject,
    mutationFn: () => api('PUT /api/v1/threads/{id}/saved', { params: { id }, body: { isSaved } }),
    onMutate: () => show(isSaved),
    onSuccess: () => {
      queryClient.invalidateQueries({ queryKey: [MY_KEY, 'saved'] })
    },
    onError: () => {
      if (isLast(queryClient, subject)) show(!isSaved)
    },
  })
}

/** @throws ApiError, after undoing it */
export function muteThread(queries: ThreadQueries, isMuted: boolean) {
  const { api, queryClient, threadId: id } = queries
  const subject = `muted ${id}`
  const show = (isMuted: boolean) =>
    changeMyThread(queries, (myThread) => ({ ...myThread, isMuted }))
  return mutate(queryClient, {
    subject,
    mutationFn: () => api('PUT /api/v1/threads/{id}/muted', { params: { id }, body: { isMuted } }),
    onMutate: () => show(isMuted),
    onError: () => {
      if (isLast(queryClient, subject)) show(!isMuted)
    },
  })
}

/** Not optimistic, because a vote in a poll is final. */
export async function votePoll(queries: ThreadQueries, optionIndex: number) {
  const { api, threadId: id } = queries
  const spamCheck = await spamSolutionFor(queries, id)
  const counted = await api('PUT /api/v1/threads/{id}/poll', {
    params: { id },
    body: { optionIndex, spamCheck },
  })
  announceHold(counted)
  changeMyThread(queries, (myThread) => ({
    ...myThread,
    pollChoice: counted.optionIndex,
    pollResults: counted.results,
  }))
  const votes = counted.results.reduce((sum, each) => sum + each, 0)
  changeThread(queries, (thread) => ({ ...thread, poll: thread.poll && { ...thread.poll, votes } }))
}

export async function deleteThread({ api, queryClient, threadId: id }: ThreadQueries) {
  const { title } = await api('DELETE /api/v1/threads/{id}', { params: { id } })
  queryClient.invalidateQueries({ queryKey: THREAD_LISTS_KEY })
  queryClient.invalidateQueries({ queryKey: [MY_KEY, 'threads'] })
  queryClient.invalidateQueries({ queryKey: COMPANIES_KEY })
  return title
}

/** A comment with replies stays as a stub. */
export async function deleteComment(queries: ThreadQueries, id: string) {
  const { isStub } = await queries.api('DELETE /api/v1/comments/{id}', { params: { id } })
  changeComments(queries, (comments) =>
    isStub
      ? withStub(comments, id, (comment) => ({
          ...comment,
          author: null,
          html: '',
          isDeleted: true,
        }))
      : withoutComment(comments, id),
  )
  changeThread(queries, (thread) => ({ ...thread, comments: thread.comments - 1 }))
  forgetMine(queries)
}

/** Shows the comment in its place immediately. */
export function showComment(queries: ThreadQueries, comment: Comment) {
  changeComments(queries, (comments, page) =>
    comment.parentId === null && page > 0 ? comments : withComment(comments, comment),
  )
  changeThread(queries, (thread) => ({ ...thread, comments: thread.comments + 1 }))
  changeMyThread(queries, (myThread) => ({
    ...myThread,
    // From now on, people can mute the thread's notifications.
    name: myThread.name ?? comment.author?.name ?? null,
    comments: [...myThread.comments, comment.id],
  }))
  forgetMine(queries)
}

/** Loads the comments again, because only the server makes HTML. */
export function showChangedComment(queries: ThreadQueries) {
  forgetMine(queries)
  return queries.queryClient.invalidateQueries({ queryKey: commentsKey(queries.threadId) })
}

function forgetMine({ queryClient }: ThreadQueries) {
  queryClient.invalidateQueries({ queryKey: [MY_KEY, 'comments'] })
  queryClient.invalidateQueries({ queryKey: THREAD_LISTS_KEY, refetchType: 'none' })
}

/** The loaded comments above a comment, nearest first. */
function aboveOf<Comment extends Leaf>(
  comments: readonly Comment[],
  parentId: string | null,
): Comment[] {
  const byId = new Map(comments.map((comment) => [comment.id, comment]))
  const above: Comment[] = []
  for (let at = parentId; at !== null; ) {
    const parent = byId.get(at)
    if (!parent) break
    above.push(parent)
    at = parent.parentId
  }
  return above
}

/** Right below its parent, or first. */
export function withComment<Comment extends Leaf>(
  comments: readonly Comment[],
  fresh: Comment,
): Comment[] {
  if (comments.some(({ id }) => id === fresh.id)) return [...comments]
  const above = new Set(aboveOf(comments, fresh.parentId).map(({ id }) => id))
  // The comment's parent isn't on this page.
  if (fresh.parentId !== null && above.size === 0) return [...comments]
  const counted = comments.map((comment) =>
    above.has(comment.id) ? { ...comment, replies: comment.replies + 1 } : comment,
  )
  const at = counted.findIndex(({ id }) => id === fresh.parentId) + 1
  return counted.toSpliced(at, 0, fresh)
}

/** Removes a comment that has no replies. */
export const withoutComment = <Comment extends Leaf>(comments: readonly Comment[], id: string) =>
  uncounted(comments, id).filter((comment) => comment.id !== id)

/** A deleted comment with replies leaves a stub. */
export const withStub = <Comment extends Leaf>(
  comments: readonly Comment[],
  id: string,
  stubOf: (comment: Comment) => Comment,
) => uncounted(comments, id).map((comment) => (comment.id === id ? stubOf(comment) : comment))

function uncounted<Comment extends Leaf>(comments: readonly Comment[], id: string): Comment[] {
  const gone = comments.find((comment) => comment.id === id)
  if (!gone) return [...comments]
  const above = new Set(aboveOf(comments, gone.parentId).map((each) => each.id))
  return comments.map((comment) =>
    above.has(comment.id) ? { ...comment, replies: comment.replies - 1 } : comment,
  )
}
