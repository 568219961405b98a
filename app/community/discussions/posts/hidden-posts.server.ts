/** Posts that a moderator hid, and what we say instead. */
import sql from 'sql-template-tag'
import { reasonName } from '#app/identity/accounts/suspension.ts'
import { type Database, PREPARED } from '#app/platform/database/database.server.ts'
import { conflict, notFound, Refusal } from '#app/platform/http/refusal.ts'
import type { HiddenState } from '../../reports/report.ts'
import { POST_REFUSALS } from '../discussion.ts'

export interface Hiding {
  hidden: HiddenState | null
  hiddenReason: string | null
}

export const hidingOfThread = sql`thread.hidden, thread.hidden_reason as "hiddenReason"`
export const hidingOfComment = sql`comment.hidden, comment.hidden_reason as "hiddenReason"`

/** @throws Refusal not-found, held, gone */
export function requireShown<Thread extends Hiding>(thread: Thread | undefined): Thread {
  if (!thread) throw notFound(POST_REFUSALS.noThread)
  if (thread.hidden !== null) throw hiddenRefusal(thread)
  return thread
}

/** Refuses a hidden thread. */
export const hiddenRefusal = ({ hidden, hiddenReason }: Hiding) =>
  hidden === 'held'
    ? new Refusal('held', POST_REFUSALS.held('thread'))
    : new Refusal('gone', POST_REFUSALS.removed('thread', reasonName(hiddenReason)))

/** @returns its id in the spelling that keys are made from @throws Refusal not-found, held, gone */
export async function requireShownThread(db: Database, id: string): Promise<string> {
  const [thread] = await db.query<Hiding & { id: string }>(
    sql`select thread.id, ${hidingOfThread} from threads thread where thread.id = ${id}`,
    PREPARED,
  )
  return requireShown(thread).id
}

/** Locks the thread against being hidden, moved or removed until the transaction ends. @throws Refusal not-found, held, gone */
export async function lockShownThread(db: Database, id: string): Promise<string> {
  const [thread] = await db.query<Hiding & { id: string }>(
    sql`select thread.id, ${hidingOfThread} from threads thread where thread.id = ${id} for key share`,
    PREPARED,
  )
  return requireShown(thread).id
}

/** No votes or edits while moderators decide. @throws Refusal conflict */
export function requireOpen({ hidden, hiddenReason }: Hiding, what: 'thread' | 'comment') {
  if (hidden === 'held') throw conflict(POST_REFUSALS.held(what))
  if (hidden === 'removed') throw conflict(POST_REFUSALS.removed(what, reasonName(hiddenReason)))
}

/** @throws Refusal conflict */
export function requireUnlocked({ isLocked }: { isLocked: boolean }) {
  if (isLocked) throw conflict(POST_REFUSALS.locked)
}
