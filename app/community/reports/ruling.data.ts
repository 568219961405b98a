/** What moderators decide: it is said, can be taken back, and every list that shows it asks anew. */
import type { QueryClient } from '@tanstack/react-query'
import { refusalOf } from '#app/kit/forms/refusal.ts'
import { dismissToast, toast } from '#app/kit/ui/toast.ts'
import { commentsKey, LISTS } from './post-keys.ts'
import type { SeenPost, Together } from './report.contract.ts'
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
  /** It and others, to be decided alike. */
  together?: readonly SeenPost[]
}

interface Ruling {
  /** One of each post. */
  entries: number[]
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
  offerBack(queries, said, [entry])
}

/**
 * The same about several posts. Answers what became of each: what somebody else decided meanwhile is left
 * as it is. @throws ApiError when it was refused altogether
 */
export async function ruleTogether(
  queries: PostQueries,
  said: string,
  send: (api: ReportApi) => Promise<Together>,
): Promise<Together> {
  const together = await send(queries.api)
  const { decided, left } = together
  if (decided.length === 0) invalidateRuled(queries)
  else
    offerBack(
      queries,
      left.length === 0 ? `All ${decided.length} ${said}` : `${decided.length} ${said}`,
      decided.map(({ entry }) => entry),
    )
  return together
}

function offerBack(queries: PostQueries, said: string, entries: number[]) {
  const ruling = { entries, queries }
  rulings = [...rulings, ruling]
  withdrawOffer()
  offer = toast({
    title: said,
    duration: UNDO_MS,
    action: { label: 'Undo', onPress: () => takeBack(ruling) },
  })
  invalidateRuled(queries)
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
  invalidateRuled(queries)
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
  return takeEntriesBack(ruling.queries, ruling.entries)
}

/** Takes decisions of the log back and says how it went; answers whether any was. Never rejects. */
export async function takeEntriesBack(
  queries: Pick<PostQueries, 'api' | 'queryClient' | 'threadId' | 'together'>,
  entries: number[],
): Promise<boolean> {
  const refused: string[] = []
  for (const entry of entries)
    await queries
      .api('POST /api/v1/moderation/log/{entry}/undo', { params: { entry } })
      .catch((error: unknown) => refused.push(refusalOf(error)))
  rulings = rulings.filter((each) => !each.entries.some((entry) => entries.includes(entry)))
  const back = entries.length - refused.length
  if (refused.length > 0)
    toast({
      title: back > 0 ? `${back} of ${entries.length} taken back` : 'Not taken back',
      description: [...new Set(refused)].join(' '),
      variant: 'destructive',
    })
  else toast({ title: 'Taken back' })
  if (back > 0) await invalidateRuled(queries)
  return back > 0
}

/** What waits, as the header says it: see the administration's waiting.data.ts. */
const WAITING = ['me', 'administration', 'waiting']

/** Wherever a post of this thread stands, or a note, it is asked for anew. */
function invalidateRuled({
  queryClient,
  threadId,
  together = [],
}: Pick<PostQueries, 'queryClient' | 'threadId' | 'together'>) {
  const hasNotes = threadId === null || together.some(({ kind }) => kind === 'note')
  queryClient.invalidateQueries({ queryKey: LISTS, refetchType: 'none' })
  queryClient.invalidateQueries({ queryKey: ['removals'] })
  return Promise.all([
    queryClient.invalidateQueries({ queryKey: MODERATION }),
    queryClient.invalidateQueries({ queryKey: WAITING }),
    together.length > 0 && queryClient.invalidateQueries({ queryKey: ['threads'] }),
    together.length > 0 && queryClient.invalidateQueries({ queryKey: ['comments'] }),
    threadId && queryClient.invalidateQueries({ queryKey: ['threads', 'one', threadId] }),
    threadId && queryClient.invalidateQueries({ queryKey: commentsKey(threadId) }),
    queryClient.invalidateQueries({ queryKey: ['me', 'thread'] }),
    hasNotes && queryClient.invalidateQueries({ queryKey: ['ratings'] }),
  ])
}
