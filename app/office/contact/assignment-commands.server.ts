/** Who of the administrators looks after a message. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { transaction } from '#app/platform/database/context.server.ts'
import { Refusal } from '#app/platform/http/refusal.ts'
import { lockMessage } from './contact-commands.server.ts'
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
    await lockMessage({ db }, id)
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
    const assigneeId = assignee === null ? null : await requireAdministrator(db, assignee)
    await db.query(sql`update contact_messages set assignee_id = ${assigneeId} where id = ${id}`)
    return answer
  })

/** Answers the account's id. @throws Refusal conflict */
async function requireAdministrator(db: Ctx['db'], name: string) {
  const [found] = NAME.test(name)
    ? await db.query<{ id: string }>(sql`
        select id from admin_users join profiles on profiles.account_id = id
         where username = ${name}`)
    : []
  if (!found) throw new Refusal('conflict', `${name} is no administrator`)
  return found.id
}

/** What is none may hold anything. */
const NAME = /^[A-Za-z0-9_-]+$/
