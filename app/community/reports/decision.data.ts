/** Moderators' decisions: each shows a toast with Undo, and updates every list that shows the post. */

import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import { RATINGS_KEY } from '#app/companies/company.ts'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { WAITING_KEY } from '#app/kit/session/my-key.ts'
import { dismissToast, toast } from '#app/kit/ui/toast.ts'
import { MY_THREAD_KEY } from '../discussions/discussion.data.ts'
import {
  COMMENTS_KEY,
  commentsKey,
  oneThreadKey,
  THREAD_LISTS_KEY,
  THREADS_KEY,
} from '../discussions/discussion.ts'
import type { DecidedTogether, DecisionContract, SeenPost } from './decision.contract.ts'
import { MODERATION_KEY, type Post } from './report.data.ts'
import { postName } from './report.ts'

type DecisionApi = Client<DecisionContract>

export const templatesQuery = (api: DecisionApi) =>
  queryOptions({
    queryKey: [...MODERATION_KEY, 'templates'],
    queryFn: ({ signal }) => api('GET /api/v1/moderation/templates', { signal }),
  })

/** Read once with the page: a later one would say that you saw what the page doesn't show. */
const withThePage = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 }

export const latestInThreadQuery = (api: DecisionApi, id: string) =>
  queryOptions({
    queryKey: [...MODERATION_KEY, 'latest', 'thread', id],
    queryFn: ({ signal }) =>
      api('GET /api/v1/moderation/threads/{id}/latest', { params: { id }, signal }),
    ...withThePage,
  })

export const latestAboutNotesQuery = (api: DecisionApi, companyId: string) =>
  queryOptions({
    queryKey: [...MODERATION_KEY, 'latest', 'notes', companyId],
    queryFn: ({ signal }) =>
      api('GET /api/v1/moderation/companies/{id}/latest', { params: { id: companyId }, signal }),
    ...withThePage,
  })

/** Long enough to read the toast and reach its button by keyboard. */
const UNDO_MS = 10_000

export interface PostQueries {
  api: DecisionApi
  queryClient: QueryClient
  post: Post
  /** The last log entry about it that the page shows. */
  seen: number
  threadId: string | null
  together?: readonly SeenPost[]
}

interface Decided {
  entries: number[]
  queries: PostQueries
}

let undoable: readonly Decided[] = []
let offer: string | undefined

/**
 * Offers to undo it. A refusal tells what others decided, so the page then shows that. @throws ApiError when it was
 * refused
 */
export async function decide(
  queries: PostQueries,
  title: string,
  send: (api: DecisionApi, post: Post, seen: number) => Promise<{ entry: number }>,
) {
  try {
    const { entry } = await send(queries.api, queries.post, queries.seen)
    offerBack(queries, title, [entry])
  } catch (error) {
    invalidatePost(queries)
    throw error
  }
}

/**
 * Returns what happened to each post. Posts decided on meanwhile stay. @throws ApiError if all of it was
 * refused
 */
export async function decideTogether(
  queries: PostQueries,
  outcome: string,
  send: (api: DecisionApi) => Promise<DecidedTogether>,
): Promise<DecidedTogether> {
  const together = await send(queries.api)
  const { decided, left } = together
  if (decided.length === 0) invalidatePost(queries)
  else
    offerBack(
      queries,
      left.length === 0 ? `All ${decided.length} ${outcome}` : `${decided.length} ${outcome}`,
      decided.map(({ entry }) => entry),
    )
  return together
}

function offerBack(queries: PostQueries, title: string, entries: number[]) {
  const decided = { entries, queries }
  undoable = [...undoable, decided]
  withdrawOffer()
  offer = toast({
    title,
    duration: UNDO_MS,
    action: { label: 'Undo', onPress: () => undoDecided(decided) },
  })
  invalidatePost(queries)
}

/** Sends a decision that can't be undone. @throws ApiError when it was refused */
export async function decideForGood(
  queries: PostQueries,
  title: string,
  send: (post: Post) => Promise<unknown>,
) {
  await send(queries.post)
  withdrawOffer()
  toast({ title })
  invalidatePost(queries)
}

/** Hides the offer to undo if it would cover what comes next. */
export function withdrawOffer() {
  if (offer) dismissToast(offer)
}

/** Undoes this tab's latest decision, and returns its post. Never rejects. */
export async function undoLast(): Promise<Post | undefined> {
  const decided = undoable.at(-1)
  if (!decided) {
    toast({ title: 'Nothing to undo', description: 'Older decisions are in the log.' })
    return undefined
  }
  withdrawOffer()
  return (await undoDecided(decided)) ? decided.queries.post : undefined
}

async function undoDecided(decided: Decided) {
  undoable = undoable.filter((each) => each !== decided)
  return undoEntries(decided.queries, decided.entries)
}

/** Undoes decisions in the log, and returns whether any was undone. Never rejects. */
export async function undoEntries(
  queries: Pick<PostQueries, 'api' | 'queryClient' | 'threadId' | 'together'>,
  entries: number[],
): Promise<boolean> {
  const refused: string[] = []
  for (const entry of entries)
    await queries
      .api('POST /api/v1/moderation/log/{entry}/undo', { params: { entry } })
      .catch((error: unknown) => refused.push(errorSentence(error)))
  undoable = undoable.filter((each) => !each.entries.some((entry) => entries.includes(entry)))
  const back = entries.length - refused.length
  if (refused.length > 0)
    toast({
      title: back > 0 ? `${back} of ${entries.length} undone` : 'Couldn’t undo',
      description: [...new Set(refused)].join(' '),
      variant: 'destructive',
    })
  else toast({ title: 'Undone' })
  if (back > 0) await invalidatePost(queries)
  return back > 0
}

/** What was decided comes first, so that a page never claims to have shown a later decision. */
async function invalidatePost({
  queryClient,
  threadId,
  together = [],
}: Pick<PostQueries, 'queryClient' | 'threadId' | 'together'>) {
  const hasNotes = threadId === null || together.some(({ kind }) => kind === 'note')
  queryClient.invalidateQueries({ queryKey: THREAD_LISTS_KEY, refetchType: 'none' })
  queryClient.invalidateQueries({ queryKey: ['removals'] })
  await queryClient.invalidateQueries({ queryKey: MODERATION_KEY })
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: WAITING_KEY }),
    together.length > 0 && queryClient.invalidateQueries({ queryKey: THREADS_KEY }),
    together.length > 0 && queryClient.invalidateQueries({ queryKey: COMMENTS_KEY }),
    threadId && queryClient.invalidateQueries({ queryKey: oneThreadKey(threadId) }),
    threadId && queryClient.invalidateQueries({ queryKey: commentsKey(threadId) }),
    queryClient.invalidateQueries({ queryKey: MY_THREAD_KEY }),
    hasNotes && queryClient.invalidateQueries({ queryKey: RATINGS_KEY }),
  ])
}

/** Decisions that take one press. Each rejects with the server's refusal. */
export const keepPost = (queries: PostQueries) =>
  decide(queries, `The ${postName(queries.post.kind)} stays up`, (api, params, seen) =>
    api('POST /api/v1/moderation/posts/{kind}/{id}/keep', { params, body: { seen } }),
  )

/** Decides on all of `posts`, except those decided on meanwhile. */
export const keepPosts = (queries: PostQueries, posts: readonly SeenPost[]) =>
  decideTogether({ ...queries, together: posts }, 'shown', (api) =>
    api('POST /api/v1/moderation/posts/keep', { body: { posts: [...posts] } }),
  )

interface ThreadPostQueries extends PostQueries {
  threadId: string
}

/** @param queries of the thread @param lockNote why, for readers */
export function setThreadLocked(queries: ThreadPostQueries, isLocked: boolean, lockNote = '') {
  const params = { id: queries.threadId }
  return decide(queries, isLocked ? 'Thread locked' : 'Thread unlocked', (api, _, seen) =>
    isLocked
      ? api('POST /api/v1/moderation/threads/{id}/lock', { params, body: { note: lockNote, seen } })
      : api('POST /api/v1/moderation/threads/{id}/unlock', { params, body: { seen } }),
  )
}

export const endSlowMode = (queries: PostQueries) =>
  decide(queries, 'Slow mode is off', (api, { id }, seen) =>
    api('POST /api/v1/moderation/threads/{id}/unslow', { params: { id }, body: { seen } }),
  )

export function pinThread(queries: ThreadPostQueries, isPinned: boolean) {
  const params = { id: queries.threadId }
  return decide(queries, isPinned ? 'Thread pinned' : 'Thread unpinned', (api, _, seen) =>
    isPinned
      ? api('POST /api/v1/moderation/threads/{id}/pin', { params, body: { seen } })
      : api('POST /api/v1/moderation/threads/{id}/unpin', { params, body: { seen } }),
  )
}
