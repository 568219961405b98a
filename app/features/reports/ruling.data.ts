/** What moderators decide: it is said, can be taken back, and every list that shows it asks anew. */
import type { QueryClient } from '@tanstack/react-query'
import { refusalOf } from '../../forms/refusal.ts'
import { dismissToast, toast } from '../../ui/toast.ts'
import { commentsKey, LISTS } from './post-keys.ts'
import { MODERATION, type Post, type ReportApi } from './report.data.ts'

/** Time enough to read it and to reach its button by keyboard. */
const UNDO_MS = 10_000

/** A post, and what it takes to decide about it. */
export interface PostQueries {
  api: ReportApi
  queryClient: QueryClient
  post: Post
  /** Null for a note. */
  threadId: string | null
}

interface Ruling {
  entry: number
  queries: PostQueries
}

/** Decisions of this tab, the latest last. */
let rulings: readonly Ruling[] = []
/** The latest offer to take one back; an older one would only be in its way. */
let offer: string | undefined

/** Sends a decision and offers to take it back. @throws ApiError when it was refused */
export async function rule(
  queries: PostQueries,
  said: string,
  send: (api: ReportApi, post: Post) => Promise<{ entry: number }>,
) {
  const { entry } = await send(queries.api, queries.post)
  const ruling = { entry, queries }
  rulings = [...rulings, ruling]
  withdrawOffer()
  offer = toast({
    title: said,
    duration: UNDO_MS,
    action: { label: 'Undo', onPress: () => takeBack(ruling) },
  })
  showAnew(queries)
}

/** Sends a decision that cannot be taken back. @throws ApiError when it was refused */
export async function ruleForGood(
  queries: PostQueries,
  said: string,
  send: (post: Post) => Promise<unknown>,
) {
  await send(queries.post)
  withdrawOffer()
  toast({ title: said })
  showAnew(queries)
}

/** Takes the offer away where it would cover what comes next. */
export function withdrawOffer() {
  if (offer) dismissToast(offer)
}

/** Takes the latest decision of this tab back; answers its post, if there was one. Never rejects. */
export async function takeBackLast(): Promise<Post | undefined> {
  const ruling = rulings.at(-1)
  if (!ruling) {
    toast({ title: 'Nothing to take back', description: 'Older decisions are in the log.' })
    return undefined
  }
  withdrawOffer()
  return (await takeBack(ruling)) ? ruling.queries.post : undefined
}

async function takeBack(ruling: Ruling) {
  rulings = rulings.filter((each) => each !== ruling)
  return takeEntryBack(ruling.queries, ruling.entry)
}

/** Takes a decision of the log back and says how it went; answers whether it did. Never rejects. */
export async function takeEntryBack(
  queries: Pick<PostQueries, 'api' | 'queryClient' | 'threadId'>,
  entry: number,
): Promise<boolean> {
  try {
    await queries.api('POST /api/v1/moderation/log/{entry}/undo', { params: { entry } })
  } catch (error) {
    toast({ title: 'Not taken back', description: refusalOf(error), variant: 'destructive' })
    return false
  }
  rulings = rulings.filter((each) => each.entry !== entry)
  toast({ title: 'Taken back' })
  await showAnew(queries)
  return true
}

/** Wherever a post of this thread stands, or a note, it is asked for anew. */
function showAnew({ queryClient, threadId }: Pick<PostQueries, 'queryClient' | 'threadId'>) {
  queryClient.invalidateQueries({ queryKey: LISTS, refetchType: 'none' })
  queryClient.invalidateQueries({ queryKey: ['removals'] })
  return Promise.all([
    queryClient.invalidateQueries({ queryKey: MODERATION }),
    threadId && queryClient.invalidateQueries({ queryKey: ['threads', 'one', threadId] }),
    threadId && queryClient.invalidateQueries({ queryKey: commentsKey(threadId) }),
    queryClient.invalidateQueries({ queryKey: ['me', 'thread'] }),
    threadId === null && queryClient.invalidateQueries({ queryKey: ['ratings'] }),
    threadId === null && queryClient.invalidateQueries({ queryKey: ['me', 'rating'] }),
  ])
}
