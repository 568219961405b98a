/**
 * Who is an administrator or a moderator: changed by whoever runs the server, with `npm run admin`, and on
 * the panel by the owner, who appoints administrators, and by those, who appoint moderators.
 */

import sql, { type Sql } from 'sql-template-tag'
import { addressOf } from '#app/api/auth/addresses.server.ts'
import { publishActorChange } from '#app/api/auth/remembered-actors.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/context.server.ts'
import { accountByAddress, userById } from '../account-queries.server.ts'
import { lockAccount } from '../auth-server/account-admin-commands.server.ts'
import { enqueueMail } from '../auth-server/account-mail.server.ts'
import { signOutEverywhere } from '../auth-server/link-commands.server.ts'
import { forgetFactors } from '../second-factors/factor-rows.server.ts'
import { type AccountAction, enqueueAdminAct } from './admin-act.server.ts'

type AdminCtx = Pick<ServerContext, 'db' | 'secrets' | 'now' | 'jobs'>

/** Each answers one sentence for the terminal. */
export const grantAdmin = (ctx: AdminCtx, email: string) => grantRole(ctx, email, 'administrator')
export const revokeAdmin = (ctx: AdminCtx, email: string) => revokeRole(ctx, email, 'administrator')
export const grantModerator = (ctx: AdminCtx, email: string) => grantRole(ctx, email, 'moderator')
export const revokeModerator = (ctx: AdminCtx, email: string) => revokeRole(ctx, email, 'moderator')

type Granted = 'administrator' | 'moderator'
const NAMED = { administrator: 'an administrator', moderator: 'a moderator' }

/** An unconfirmed address may be somebody else's. */
async function grantRole(ctx: AdminCtx, email: string, role: Granted) {
  const account = await accountByAddress(ctx, email)
  if (!account) return `${email} has no account here. Sign up on the site first.`
  if (!account.isEmailConfirmed)
    return `${email} is not confirmed, so the account could be anyone's. Open the link in the confirmation mail first.`
  return transaction(ctx, async (ctx) => {
    await lockAccount(ctx, account.id)
    const user = await userById(ctx, account.id)
    if (role === 'moderator' && user?.isAdmin)
      return `${email} is an administrator, and can already do all that a moderator can.`
    if (role === 'moderator' && user?.isEmployer)
      return `${email} acts for a company, so they can't be a moderator.`
    const make = role === 'moderator' ? makeModerator : makeAdministrator
    if (await make(ctx, account.id)) await tell(ctx, `grant-${role}`, account.id)
    return `${email} is ${NAMED[role]} now.`
  })
}

async function revokeRole(ctx: AdminCtx, email: string, role: Granted) {
  const account = await accountByAddress(ctx, email)
  if (!account) return `${email} has no account here.`
  const unmake = role === 'moderator' ? unmakeModerator : unmakeAdministrator
  const isUnmade = await transaction(ctx, async (ctx) => {
    const isUnmade = await unmake(ctx, account.id)
    if (isUnmade) await tell(ctx, `revoke-${role}`, account.id)
    return isUnmade
  })
  return `${email} is ${isUnmade ? 'no longer' : 'not'} ${NAMED[role]}.`
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
    ? `${email} can log in without a second factor now. All sessions have ended, and a mail says so.`
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
  // Taking the greater role back shall not leave the smaller one.
  await ctx.db.query(sql`delete from moderators where id = ${id}`)
  await publishActorChange(ctx, id)
  return made.length > 0
}

/** Who may was asked before. False when the account is none. */
export async function unmakeAdministrator(ctx: Pick<AdminCtx, 'db' | 'secrets'>, id: string) {
  const unmade = await ctx.db.query(sql`delete from admin_users where id = ${id} returning id`)
  await publishActorChange(ctx, id)
  return unmade.length > 0
}

/** Who may was asked before. False when the account is one already. */
export async function makeModerator(ctx: Pick<AdminCtx, 'db' | 'secrets'>, id: string) {
  const made = await ctx.db.query(
    sql`insert into moderators (id) values (${id}) on conflict do nothing returning id`,
  )
  await publishActorChange(ctx, id)
  return made.length > 0
}

/** Who may was asked before. False when the account is none. */
export async function unmakeModerator(ctx: Pick<AdminCtx, 'db' | 'secrets'>, id: string) {
  const unmade = await ctx.db.query(sql`delete from moderators where id = ${id} returning id`)
  await publishActorChange(ctx, id)
  return unmade.length > 0
}

/** Until there is one, nobody can look after the site. */
export async function hasAdministrator({ db }: Pick<AdminCtx, 'db'>) {
  const [one] = await db.query(sql`select from admin_users limit 1`)
  return one !== undefined
}

/** Their addresses, in alphabetical order. */
export const listAdmins = (ctx: Pick<AdminCtx, 'db' | 'secrets'>) =>
  addressesIn(ctx, sql`admin_users`)
export const listModerators = (ctx: Pick<AdminCtx, 'db' | 'secrets'>) =>
  addressesIn(ctx, sql`moderators`)

async function addressesIn({ db, secrets }: Pick<AdminCtx, 'db' | 'secrets'>, roles: Sql) {
  const accounts = await db.query<{ id: string; emailSealed: string }>(sql`
    select id, email_sealed as "emailSealed" from accounts where id in (select id from ${roles})`)
  return accounts.map((account) => addressOf(secrets, account)).sort()
}
