import sql, { type Sql } from 'sql-template-tag'
import { addressOf } from '#app/api/auth/addresses.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { broadcastActorChange } from '#app/api/auth/remembered-actors.server.ts'
import { requireAccount } from '#app/api/auth/require.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/server-context.server.ts'
import { accountByAddress, userById } from '../account-queries.server.ts'
import { lockAccount } from '../auth-server/account-admin-commands.server.ts'
import { enqueueMail } from '../auth-server/account-mail.server.ts'
import { signOutEverywhere } from '../auth-server/link-commands.server.ts'
import { forgetFactors } from '../second-factors/factor-rows.server.ts'
import { type AccountAction, enqueueAdminAct } from './admin-log.server.ts'

/**
 * Who is an administrator or moderator. The operator changes it with `npm run admin`. On the panel, the owner
 * appoints administrators, and administrators appoint moderators.
 */

type AdminCtx = Pick<ServerContext, 'db' | 'secrets' | 'now' | 'queue' | 'events'>

export const grantAdmin = (ctx: AdminCtx, email: string) => grantRole(ctx, email, 'administrator')
export const revokeAdmin = (ctx: AdminCtx, email: string) => revokeRole(ctx, email, 'administrator')
export const grantModerator = (ctx: AdminCtx, email: string) => grantRole(ctx, email, 'moderator')
export const revokeModerator = (ctx: AdminCtx, email: string) => revokeRole(ctx, email, 'moderator')

type Granted = 'administrator' | 'moderator'
const NAMED = { administrator: 'an administrator', moderator: 'a moderator' }

const noAccount = (email: string) => new Error(`${email} has no account here.`)

/** An unconfirmed address may belong to someone else. @throws Error with a sentence for the operator */
async function grantRole(ctx: AdminCtx, email: string, role: Granted) {
  const account = await accountByAddress(ctx, email)
  if (!account) throw new Error(`${email} has no account here. Sign up on the site first.`)
  if (!account.isEmailConfirmed)
    throw new Error(
      `${email} isn’t confirmed, so the account could be anyone’s. Open the link in the confirmation email first.`,
    )
  return transaction(ctx, async (ctx) => {
    await lockAccount(ctx, account.id)
    const user = await userById(ctx, account.id)
    if (role === 'moderator' && user?.isAdmin)
      throw new Error(`${email} is an administrator and can already do everything a moderator can.`)
    if (role === 'moderator' && user?.isEmployer)
      throw new Error(
        `${email} acts for a company. No one can moderate posts about their own company.`,
      )
    const make = role === 'moderator' ? makeModerator : makeAdministrator
    if (await make(ctx, account.id)) await log(ctx, `grant-${role}`, account.id)
    return `${email} is now ${NAMED[role]}.`
  })
}

async function revokeRole(ctx: AdminCtx, email: string, role: Granted) {
  const account = await accountByAddress(ctx, email)
  if (!account) throw noAccount(email)
  const unmake = role === 'moderator' ? unmakeModerator : unmakeAdministrator
  const isUnmade = await transaction(ctx, async (ctx) => {
    const isUnmade = await unmake(ctx, account.id)
    if (isUnmade) await log(ctx, `revoke-${role}`, account.id)
    return isUnmade
  })
  return `${email} ${isUnmade ? 'is no longer' : 'isn’t'} ${NAMED[role]}.`
}

/** Helps people who can no longer take the second step. Only possible at the terminal. */
export async function removeSecondFactors(ctx: AdminCtx, email: string) {
  const account = await accountByAddress(ctx, email)
  if (!account) throw noAccount(email)
  const removed = await transaction(ctx, async (ctx) => {
    await lockAccount(ctx, account.id)
    const factors = await forgetFactors(ctx, account.id)
    if (factors.length === 0) return false
    await signOutEverywhere(ctx, account.id)
    await enqueueMail(ctx, { purpose: 'factor_removed', email })
    await log(ctx, 'change-account', account.id)
    return true
  })
  return removed
    ? `${email} now logs in without a second step. We ended all their sessions and emailed them about it.`
    : `${email} has no second step.`
}

async function log(ctx: AdminCtx, action: AccountAction, id: string) {
  const username = (await userById(ctx, id))?.username ?? null
  await enqueueAdminAct(ctx, 'service', { action, username })
}

/**
 * Doesn't check permissions.
 * @returns false if the account already is one
 */
export async function makeAdministrator(ctx: Pick<AdminCtx, 'db' | 'secrets'>, id: string) {
  const made = await ctx.db.query(
    sql`insert into admin_users (id) values (${id}) on conflict do nothing returning id`,
  )
  // Remove the lesser role, because otherwise, revoking this one would leave it.
  await ctx.db.query(sql`delete from moderators where id = ${id}`)
  await broadcastActorChange(ctx, id)
  return made.length > 0
}

export async function unmakeAdministrator(ctx: Pick<AdminCtx, 'db' | 'secrets'>, id: string) {
  const unmade = await ctx.db.query(sql`delete from admin_users where id = ${id} returning id`)
  await broadcastActorChange(ctx, id)
  return unmade.length > 0
}

export async function makeModerator(ctx: Pick<AdminCtx, 'db' | 'secrets'>, id: string) {
  const made = await ctx.db.query(
    sql`insert into moderators (id) values (${id}) on conflict do nothing returning id`,
  )
  await broadcastActorChange(ctx, id)
  return made.length > 0
}

export async function unmakeModerator(ctx: Pick<AdminCtx, 'db' | 'secrets'>, id: string) {
  const unmade = await ctx.db.query(sql`delete from moderators where id = ${id} returning id`)
  await broadcastActorChange(ctx, id)
  return unmade.length > 0
}

/** Refuses to remove the last administrator, because then no one could run the site. */
export async function hasAdministrator({ db }: Pick<AdminCtx, 'db'>) {
  const [one] = await db.query(sql`select from admin_users limit 1`)
  return one !== undefined
}

export const listAdmins = (ctx: Pick<AdminCtx, 'db' | 'secrets'>) =>
  addressesIn(ctx, sql`admin_users`)
export const listModerators = (ctx: Pick<AdminCtx, 'db' | 'secrets'>) =>
  addressesIn(ctx, sql`moderators`)

async function addressesIn({ db, secrets }: Pick<AdminCtx, 'db' | 'secrets'>, roles: Sql) {
  const accounts = await db.query<{ id: string; emailSealed: string }>(sql`
    select id, email_sealed as "emailSealed" from accounts where id in (select id from ${roles})`)
  return accounts.map((account) => addressOf(secrets, account)).sort()
}

/** Whether a person with a role gets the daily mail about open tasks. Stored beside the role, and removed with it. */
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

/** Idempotent, because people may open an emailed link twice. */
export async function setWaitingMail(
  { db }: Pick<ServerContext, 'db'>,
  id: string,
  isWanted: boolean,
) {
  await db.query(sql`update admin_users set wants_mail = ${isWanted} where id = ${id}`)
  await db.query(sql`update moderators set wants_mail = ${isWanted} where id = ${id}`)
}
