/** What people do with discussions: it shows at once, and is put right when the server answers. */
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { inTurn } from '../../api/in-turn.ts'
import { commentsKey, LISTS } from '../reports/post-keys.ts'
import { votedAs } from './ballot.ts'
import { withComment, withoutComment } from './branch-changes.ts'
import type { Comment, MyThread, Thread } from './discussion.contract.ts'
import { type DiscussionApi, mineQuery, threadQuery } from './discussion.data.ts'
import type { Vote } from './discussion.ts'

type Pages = InfiniteData<{ comments: Comment[]; next: string | null }, string | undefined>

/** One thread as one person sees it. */
export interface Desk {
  api: DiscussionApi
  queryClient: QueryClient
  threadId: string
  who: string
}

const changeThread = ({ api, queryClient, threadId }: Desk, change: (it: Thread) => Thread) =>
  queryClient.setQueryData(threadQuery(api, threadId).queryKey, (it) => it && change(it))

const changeMine = (
  { api, queryClient, threadId, who }: Desk,
  change: (it: MyThread) => MyThread,
) => queryClient.setQueryData(mineQuery(api, threadId, who).queryKey, (it) => it && change(it))

/** Changes the comments of every order that is here, each page by itself. */
const changeComments = (
  { queryClient, threadId }: Desk,
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

const changeComment = (desk: Desk, id: string, change: (it: Comment) => Comment) =>
  changeComments(desk, (comments) => comments.map((it) => (it.id === id ? change(it) : it)))

/** Asks anew for what may not be as it is shown: after a failure, or when somebody answered. */
export const askAgain = ({ api, queryClient, threadId, who }: Desk) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: threadQuery(api, threadId).queryKey }),
    queryClient.invalidateQueries({ queryKey: commentsKey(threadId) }),
    queryClient.invalidateQueries({ queryKey: mineQuery(api, threadId, who).queryKey }),
  ])

/** @throws ApiError, after the vote has been taken back */
export async function voteThread(desk: Desk, from: { vote: Vote; score: number }, vote: Vote) {
  const show = (to: { vote: Vote; score: number }) => {
    changeThread(desk, (thread) => ({ ...thread, score: to.score }))
    changeMine(desk, (mine) => ({ ...mine, vote: to.vote }))
  }
  const { api, threadId: id } = desk
  await cast(desk, id, show, from, vote, () =>
    api('PUT /api/v1/threads/{id}/vote', { params: { id }, body: { vote } }),
  )
}

/** @throws ApiError, after the vote has been taken back */
export async function voteComment(
  desk: Desk,
  id: string,
  from: { vote: Vote; score: number },
  vote: Vote,
) {
  const show = (to: { vote: Vote; score: number }) => {
    changeComment(desk, id, (comment) => ({ ...comment, score: to.score }))
    changeMine(desk, (mine) => ({ ...mine, votes: { ...mine.votes, [id]: to.vote } }))
  }
  await cast(desk, id, show, from, vote, () =>
    desk.api('PUT /api/v1/comments/{id}/vote', { params: { id }, body: { vote } }),
  )
}

async function cast(
  desk: Desk,
  subject: string,
  show: (to: { vote: Vote; score: number }) => void,
  from: { vote: Vote; score: number },
  vote: Vote,
  send: () => Promise<{ vote: Vote; score: number }>,
) {
  show(votedAs(from, vote))
  const { turn, isLast } = inTurn(subject, send)
  try {
    const counted = await turn
    if (isLast()) show(counted)
  } catch (error) {
    if (isLast()) {
      show(from)
      askAgain(desk)
    }
    throw error
  }
}

/** @throws ApiError, after the mark has been taken back */
export async function saveThread(desk: Desk, isSaved: boolean) {
  const { api, queryClient, threadId: id } = desk
  const show = (isSaved: boolean) => changeMine(desk, (mine) => ({ ...mine, isSaved }))
  show(isSaved)
  const { turn, isLast } = inTurn(`saved ${id}`, () =>
    api('PUT /api/v1/threads/{id}/saved', { params: { id }, body: { isSaved } }),
  )
  try {
    await turn
    queryClient.invalidateQueries({ queryKey: ['me', 'saved'] })
  } catch (error) {
    if (isLast()) show(!isSaved)
    throw error
  }
}

/** No more news of this thread, or again. @throws ApiError, after the mark has been taken back */
export async function muteThread(desk: Desk, isMuted: boolean) {
  const { api, threadId: id } = desk
  const show = (isMuted: boolean) => changeMine(desk, (mine) => ({ ...mine, isMuted }))
  show(isMuted)
  const { turn, isLast } = inTurn(`muted ${id}`, () =>
    api('PUT /api/v1/threads/{id}/muted', { params: { id }, body: { isMuted } }),
  )
  try {
    await turn
  } catch (error) {
    if (isLast()) show(!isMuted)
    throw error
  }
}

/** Not before the server has counted it: a vote in a poll cannot be taken back. */
export async function votePoll(desk: Desk, place: number) {
  const { api, threadId: id } = desk
  const counted = await api('PUT /api/v1/threads/{id}/poll', { params: { id }, body: { place } })
  changeMine(desk, (mine) => ({
    ...mine,
    pollChoice: counted.place,
    pollResults: counted.results,
  }))
  const votes = counted.results.reduce((sum, each) => sum + each, 0)
  changeThread(desk, (thread) => ({ ...thread, poll: thread.poll && { ...thread.poll, votes } }))
}

/** Answers the title of what is gone; lists and what hangs on it are asked for anew. */
export async function deleteThread({ api, queryClient, threadId: id }: Desk) {
  const { title } = await api('DELETE /api/v1/threads/{id}', { params: { id } })
  queryClient.invalidateQueries({ queryKey: LISTS })
  queryClient.invalidateQueries({ queryKey: ['me', 'threads'] })
  queryClient.invalidateQueries({ queryKey: ['companies'] })
  return title
}

/** A comment that was answered stays as a stub. */
export async function deleteComment(desk: Desk, id: string) {
  const { isStub } = await desk.api('DELETE /api/v1/comments/{id}', { params: { id } })
  if (isStub)
    changeComment(desk, id, (comment) => ({ ...comment, author: null, html: '', isDeleted: true }))
  else changeComments(desk, (comments) => withoutComment(comments, id))
  if (!isStub) changeThread(desk, (thread) => ({ ...thread, comments: thread.comments - 1 }))
  forgetMine(desk)
}

/** What this person has just posted stands in its place at once. */
export function showComment(desk: Desk, comment: Comment) {
  changeComments(desk, (comments, page) =>
    comment.parentId === null && page > 0 ? comments : withComment(comments, comment),
  )
  changeThread(desk, (thread) => ({ ...thread, comments: thread.comments + 1 }))
  changeMine(desk, (mine) => ({ ...mine, comments: [...mine.comments, comment.id] }))
  forgetMine(desk)
}

/** What was changed is asked for: only the server makes HTML. */
export function showChangedComment(desk: Desk) {
  forgetMine(desk)
  return desk.queryClient.invalidateQueries({ queryKey: commentsKey(desk.threadId) })
}

function forgetMine({ queryClient }: Desk) {
  queryClient.invalidateQueries({ queryKey: ['me', 'comments'] })
  queryClient.invalidateQueries({ queryKey: LISTS, refetchType: 'none' })
}
