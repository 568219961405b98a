/** Whether a person with a role gets the daily mail about open tasks. Stored beside the role, and removed with it. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { requireAccount } from '#app/api/auth/require.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'

export async function ownWaitingMail(ctx: Ctx) {
  const { id } = requireAccount(ctx)
  const [choice] = await ctx.db.query<{ isWanted: boolean }>(sql`
    select wants_mail as "isWanted" from admin_users where id = ${id}
    union all select wants_mail from moderators where id = ${id} limit 1`)
  return choice ?? { isWanted: false }
}

export async function chooseWaitingMail(ctx: Ctx, isWanted: boolean) {
  await setWaitingMail(ctx, requireAccount(ctx).id, isWanted)
  return { isWanted }
}

/** Idempotent, as mail links may be opened twice. */
export async function setWaitingMail(
  { db }: Pick<ServerContext, 'db'>,
  id: string,
  isWanted: boolean,
) {
  await db.query(sql`update admin_users set wants_mail = ${isWanted} where id = ${id}`)
  await db.query(sql`update moderators set wants_mail = ${isWanted} where id = ${id}`)
}
