/**
 * Who may write, and which refusal people get for a post that a moderator hid or locked:
 *
 * | the post         | its author, who edits it | a company that replies | everyone else            |
 * |------------------|--------------------------|------------------------|--------------------------|
 * | a held thread    | conflict                 | conflict               | held                     |
 * | a removed thread | conflict                 | conflict               | gone                     |
 * | a hidden comment | conflict                 | –                      | conflict                 |
 * | a hidden note    | –                        | conflict               | –                        |
 * | a locked thread  | conflict                 | conflict               | conflict, for a comment  |
 */

import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { may, whyNotWrite } from '#app/api/auth/permissions.ts'
import { requirePersonRoot } from '#app/api/auth/require.server.ts'
import type { PersonRoot } from '#app/api/auth/roots.server.ts'
import { reasonName } from '#app/identity/accounts/suspension.ts'
import { requireUnsuspended, suspensionOf } from '#app/identity/accounts/suspension-rules.server.ts'
import { type Database, PREPARED } from '#app/platform/database/database.server.ts'
import { conflict, notFound, Refusal } from '#app/platform/http/refusal.ts'
import type { HiddenState } from '../../reports/report.ts'
import { POST_REFUSALS } from '../discussion.ts'

/** @throws Refusal sign-in-required, second-step-needed, employer-not-allowed, suspended */
export async function requireWriter(ctx: Ctx): Promise<PersonRoot> {
  // Edits don't require `write` in their contracts, only that the post is yours, because its author
  // may act for a company by now.
  if (!may.write(ctx.actor)) throw whyNotWrite(ctx.actor)
  const person = requirePersonRoot(ctx)
  requireUnsuspended(await suspensionOf(ctx, person.root))
  return person
}

export interface Hiding {
  hidden: HiddenState | null
  hiddenReason: string | null
}

/** Companies don't learn why a note was removed. */
type NoteHiding = Pick<Hiding, 'hidden'> & Partial<Hiding>

/** This rule and the next also apply to new comments (see comment-rules.server.ts). */
export const HIDDEN_THREAD = {
  broken: sql`case when hidden is not null
                   then json_build_object('hidden', hidden, 'hiddenReason', hidden_reason) end`,
  refusal: (hiding: Hiding) =>
    new Refusal(hiding.hidden === 'held' ? 'held' : 'gone', hiddenSentence(hiding, 'thread')),
}
export const LOCKED_THREAD = {
  broken: sql`case when is_locked then to_json(true) end`,
  refusal: () => conflict(POST_REFUSALS.locked),
}

const hiddenSentence = (
  { hidden, hiddenReason }: NoteHiding,
  what: 'thread' | 'comment' | 'note',
) =>
  hidden === 'held'
    ? POST_REFUSALS.held(what)
    : POST_REFUSALS.removed(
        what,
        hiddenReason === undefined ? hiddenReason : reasonName(hiddenReason),
      )

export const hidingOfThread = sql`thread.hidden, thread.hidden_reason as "hiddenReason"`
export const hidingOfComment = sql`comment.hidden, comment.hidden_reason as "hiddenReason"`

/** For readers. @throws Refusal not-found, held, gone */
export function requireVisible<Thread extends Hiding>(thread: Thread | undefined): Thread {
  if (!thread) throw notFound(POST_REFUSALS.noThread)
  if (thread.hidden !== null) throw HIDDEN_THREAD.refusal(thread)
  return thread
}

/** @returns its id in the spelling that keys are made from @throws Refusal not-found, held, gone */
export async function requireVisibleThread(db: Database, id: string): Promise<string> {
  const [thread] = await db.query<Hiding & { id: string }>(
    sql`select thread.id, ${hidingOfThread} from threads thread where thread.id = ${id}`,
    PREPARED,
  )
  return requireVisible(thread).id
}

/**
 * Locks the thread against being hidden, moved or removed until the transaction ends. @throws Refusal not-found, held,
 * gone
 */
export async function lockVisibleThread(db: Database, id: string): Promise<string> {
  const [thread] = await db.query<Hiding & { id: string }>(
    sql`select thread.id, ${hidingOfThread} from threads thread where thread.id = ${id} for key share`,
    PREPARED,
  )
  return requireVisible(thread).id
}

/** For changes to a post that may have been hidden since it was read. @throws Refusal conflict */
export function requireStillVisible(post: NoteHiding, what: 'thread' | 'comment' | 'note') {
  if (post.hidden !== null) throw conflict(hiddenSentence(post, what))
}

/** @throws Refusal conflict */
export function requireUnlocked({ isLocked }: { isLocked: boolean }) {
  if (isLocked) throw LOCKED_THREAD.refusal()
}
