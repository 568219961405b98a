/** Who of the administrators looks after a message. */
import sql from 'sql-template-tag'
import type { Ctx } from '../../auth/context.server.ts'
import { transaction } from '../../server/context.server.ts'
import { notFound, Refusal } from '../../server/refusal.ts'
import { usernameKey } from '../accounts/username.ts'
import { type ContactStatus, MESSAGE_GONE, statusConflict } from './contact.ts'
import { assigneeName } from './contact-queries.server.ts'

/**
 * Gives a message to an administrator, or to nobody, if it still is whose the asking one believes: of two
 * who take it at once one has it, and the other reads who. Giving it to whose it is already is no error.
 * @throws Refusal not-found, conflict
 */
export const assignMessage = (
  ctx: Ctx,
  id: string,
  { assignee, was }: { assignee: string | null; was: string | null },
) =>
  transaction(ctx, async ({ db, actor }) => {
    const [message] = await db.query<{ status: ContactStatus }>(
      sql`select status from contact_messages where id = ${id} for update`,
    )
    if (!message) throw notFound(MESSAGE_GONE)
    if (message.status === 'deleted')
      throw new Refusal('conflict', statusConflict('deleted', 'read'))
    // Asked when the row is ours: what was decided while this waited counts.
    const [now] = await db.query<{ assignee: string | null }>(
      sql`select ${assigneeName} as assignee from contact_messages where id = ${id}`,
    )
    const is = now?.assignee ?? null
    const answer = { assignee, isMine: assignee !== null && assignee === actor.account?.username }
    if (is === assignee) return answer
    if (is !== was)
      throw new Refusal(
        'conflict',
        is === null ? 'Nobody looks after this message any more' : `${is} has taken this message`,
      )
    if (assignee !== null) await requireAdministrator(db, assignee)
    await db.query(sql`
      update contact_messages
         set assignee_id = (select account_id from profiles where username_key = ${keyOf(assignee)})
       where id = ${id}`)
    return answer
  })

const keyOf = (name: string | null) => (name === null ? null : usernameKey(name))

async function requireAdministrator(db: Ctx['db'], name: string) {
  const [found] = NAME.test(name)
    ? await db.query(sql`
        select from profiles join admin_users on admin_users.id = profiles.account_id
         where username = ${name}`)
    : []
  if (!found) throw new Refusal('conflict', `${name} is no administrator`)
}

/** What is none may hold anything. */
const NAME = /^[A-Za-z0-9_-]+$/
