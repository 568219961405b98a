/** Posts that are not shown, by a moderator's decision: what is said instead of them. */
import sql from 'sql-template-tag'
import { type Database, PREPARED } from '#app/platform/database/database.server.ts'
import { notFound, Refusal } from '#app/platform/http/refusal.ts'
import { THREAD_HELD, THREAD_NOT_FOUND } from '../../reports/case-texts.ts'
import { type HiddenState, reasonName } from '../../reports/report.ts'

export interface Hiding {
  hidden: HiddenState | null
  hiddenReason: string | null
}

/** The columns of `Hiding`, of the table or alias that they belong to. */
export const hidingOfThread = sql`thread.hidden, thread.hidden_reason as "hiddenReason"`
export const hidingOfComment = sql`comment.hidden, comment.hidden_reason as "hiddenReason"`

const removedSentence = (what: string, reason: string | null) =>
  `This ${what} was removed by a moderator: ${reasonName(reason)}`

/** The thread, for whoever may see what everybody sees. @throws Refusal not-found, gone */
export function requireShown<Thread extends Hiding>(thread: Thread | undefined): Thread {
  if (!thread) throw notFound(THREAD_NOT_FOUND)
  if (thread.hidden === 'held') throw notFound(THREAD_HELD)
  if (thread.hidden === 'removed')
    throw new Refusal('gone', removedSentence('thread', thread.hiddenReason))
  return thread
}

/** Answers its id, as keys are made from. @throws Refusal not-found, gone: also for everything that hangs on the thread */
export async function requireShownThread(db: Database, id: string): Promise<string> {
  const [thread] = await db.query<Hiding & { id: string }>(
    sql`select thread.id, ${hidingOfThread} from threads thread where thread.id = ${id}`,
    PREPARED,
  )
  return requireShown(thread).id
}

/**
 * The same for a writer: whoever hides, moves or removes the thread waits until the caller's
 * transaction ends, or is waited for.
 * @throws Refusal not-found, gone
 */
export async function keepThreadShown(db: Database, id: string): Promise<string> {
  const [thread] = await db.query<Hiding & { id: string }>(
    sql`select thread.id, ${hidingOfThread} from threads thread where thread.id = ${id} for key share`,
    PREPARED,
  )
  return requireShown(thread).id
}

/** Nobody votes on, or rewrites, what moderators decide about. @throws Refusal conflict */
export function requireOpen({ hidden, hiddenReason }: Hiding, what: 'thread' | 'comment') {
  if (hidden === 'held')
    throw new Refusal('conflict', `This ${what} is held until a moderator has looked at it`)
  if (hidden === 'removed') throw new Refusal('conflict', removedSentence(what, hiddenReason))
}
