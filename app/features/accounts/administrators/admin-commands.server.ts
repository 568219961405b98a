/**
 * Who is an administrator: changed by whoever runs the server, with `npm run admin`, and on the panel
 * by the owner.
 */

import sql from 'sql-template-tag'
import { addressOf } from '../../../auth/addresses.server.ts'
import { publishActorChange } from '../../../auth/remembered-actors.server.ts'
import { type ServerContext, transaction } from '../../../server/context.server.ts'
import { accountByAddress, userById } from '../account-queries.server.ts'
import { lockAccount } from '../auth-server/account-admin-commands.server.ts'
import { enqueueMail } from '../auth-server/account-mail.server.ts'
import { signOutEverywhere } from '../auth-server/link-commands.server.ts'
import { forgetFactors } from '../second-factors/factor-rows.server.ts'
import { type AccountAction, enqueueAdminAct } from './admin-act.server.ts'

type AdminCtx = Pick<ServerContext, 'db' | 'secrets' | 'now' | 'jobs'>

/** Each answers one sentence for the terminal. An unconfirmed address may be somebody else's. */
export async function grantAdmin(ctx: AdminCtx, email: string) {
  const account = await accountByAddress(ctx, email)
  if (!account) return `${email} has no account here. Sign up on the site first.`
  if (!account.isEmailConfirmed)
    return `${email} is not confirmed, so the account may be anybody's. Open the link in the confirmation mail first.`
  await transaction(ctx, async (ctx) => {
    if (await makeAdministrator(ctx, account.id)) await tell(ctx, 'grant-administrator', account.id)
  })
  return `${email} is an administrator now.`
}

export async function revokeAdmin(ctx: AdminCtx, email: string) {
  const account = await accountByAddress(ctx, email)
  if (account)
    await transaction(ctx, async (ctx) => {
      if (await unmakeAdministrator(ctx, account.id))
        await tell(ctx, 'revoke-administrator', account.id)
    })
  return `${email} is no longer an administrator.`
}

/** For whoever cannot take the second step any more. Nobody does this in the site. */
export async function removeSecondFactors(ctx: AdminCtx, email: string) {
  const account = await accountByAddress(ctx, email)
  if (!account) return `${email} has no account here.`
  const removed = await transaction(ctx, async (ctx) => {
    await lockAccount(ctx, account.id)
    const factors = await forgetFactors(ctx, account.id)
    if (factors.length === 0) return false
    await signOutEverywhere(ctx, account.id)
    await enqueueMail(ctx, { purpose: 'factor_removed', email })
    await tell(ctx, 'change-account', account.id)
    return true
  })
  return removed
    ? `${email} signs in without a second factor now. All sessions have ended; a mail says so.`
    : `${email} has no second factor.`
}

async function tell(ctx: AdminCtx, action: AccountAction, id: string) {
  const username = (await userById(ctx, id))?.username ?? null
  await enqueueAdminAct(ctx, 'service', { action, username })
}

/** Who may was asked before. False when the account is one already. */
export async function makeAdministrator(ctx: Pick<AdminCtx, 'db' | 'secrets'>, id: string) {
  const made = await ctx.db.query(
    sql`insert into admin_users (id) values (${id}) on conflict do nothing returning id`,
  )
  await publishActorChange(ctx, id)
  return made.length > 0
}

/** Who may was asked before. False when the account is none. */
export async function unmakeAdministrator(ctx: Pick<AdminCtx, 'db' | 'secrets'>, id: string) {
  const unmade = await ctx.db.query(sql`delete from admin_users where id = ${id} returning id`)
  await publishActorChange(ctx, id)
  return unmade.length > 0
}

/** Until there is one, nobody can look after the site. */
export async function hasAdministrator({ db }: Pick<AdminCtx, 'db'>) {
  const [one] = await db.query(sql`select from admin_users limit 1`)
  return one !== undefined
}

/** Their addresses, in alphabetical order. */
export async function listAdmins({ db, secrets }: Pick<AdminCtx, 'db' | 'secrets'>) {
  const admins = await db.query<{ id: string; emailSealed: string }>(sql`
    select id, account.email_sealed as "emailSealed" from admin_users admin
      join accounts account using (id)`)
  return admins.map((account) => addressOf(secrets, account)).sort()
}
