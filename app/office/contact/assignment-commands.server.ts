import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { transaction } from '#app/platform/database/context.server.ts'
import { Refusal } from '#app/platform/http/refusal.ts'
import { lockMessage } from './contact-commands.server.ts'
import { assigneeName } from './contact-queries.server.ts'

/**
 * Assigns a message to an administrator, or to no one, if `was` is still right: of two who take it
 * at once, one gets it and the other reads who. Assigning it to its assignee is no error.
 * @throws Refusal not-found, conflict
 */
export const assignMessage = (
  ctx: Ctx,
  id: string,
  { assignee, was }: { assignee: string | null; was: string | null },
) =>
  transaction(ctx, async ({ db, actor }) => {
    await lockMessage({ db }, id)
    // Read under the lock, as it may have changed while waiting.
    const [now] = await db.query<{ assignee: string | null }>(
      sql`select ${assigneeName} as assignee from contact_messages where id = ${id}`,
    )
    const is = now?.assignee ?? null
    const assignment = {
      assignee,
      isMine: assignee !== null && assignee === actor.account?.username,
    }
    if (is === assignee) return assignment
    if (is !== was)
      throw new Refusal(
        'conflict',
        is === null ? 'No one is assigned to this message now' : `${is} has taken this message`,
      )
    const assigneeId = assignee === null ? null : await requireAdministrator(db, assignee)
    await db.query(sql`update contact_messages set assignee_id = ${assigneeId} where id = ${id}`)
    return assignment
  })

/**
 * @returns the account's id
 * @throws Refusal conflict
 */
async function requireAdministrator(db: Ctx['db'], name: string) {
  const [found] = NAME.test(name)
    ? await db.query<{ id: string }>(sql`
        select id from admin_users join profiles on profiles.account_id = id
         where username = ${name}`)
    : []
  if (!found) throw new Refusal('conflict', `${name} is not an administrator`)
  return found.id
}

/** Other texts may hold anything, so they aren't looked up. */
const NAME = /^[A-Za-z0-9_-]+$/
