/**
 * Managing other people's accounts. A service token, created on the server, may do everything. An administrator may
 * not touch addresses and passwords, because then they could sign in as a member and read their posts. S28.
 */
import sql from 'sql-template-tag'
import { addressOf, sealedAddress } from '#app/api/auth/addresses.server.ts'
import { authorKeyOfAccount } from '#app/api/auth/author-keys.server.ts'
import { hashPassword } from '#app/api/auth/passwords.server.ts'
import { may } from '#app/api/auth/permissions.ts'
import { broadcastActorChange } from '#app/api/auth/remembered-actors.server.ts'
import { isUniqueViolation } from '#app/platform/database/database.server.ts'
import { transaction } from '#app/platform/database/server-context.server.ts'
import { deleteAccount } from '../account-commands.server.ts'
import {
  type AccountRow,
  accountById,
  accountsPage,
  isAdministrator,
  userById,
} from '../account-queries.server.ts'
import { rankProblem } from '../administrators/admin-action.ts'
import { enqueueAdminAct } from '../administrators/admin-log.server.ts'
import { factorsOf } from '../second-factors/factor-rows.server.ts'
import type { AuthCtx, Manager } from './auth-context.server.ts'
import { AuthRefusal, refuseTooLarge, SET_UP_STEP } from './auth-refusal.server.ts'
import { maskedUserView, userView } from './auth-user.server.ts'
import { signOutEverywhere } from './link-commands.server.ts'
import { insertAccount, requireGoodPassword } from './user-commands.server.ts'

/** @throws AuthRefusal not_admin, insufficient_aal */
function requireManager(manager: Manager) {
  if (manager === 'service' || may.manageAccounts(manager)) return
  if (manager.secondFactor === 'needed') throw new AuthRefusal('insufficient_aal', SET_UP_STEP)
  throw new AuthRefusal('not_admin')
}

const viewFor = async (ctx: AuthCtx, manager: Manager, account: AccountRow) =>
  manager === 'service'
    ? userView(ctx.secrets, account, await factorsOf(ctx, account.id))
    : maskedUserView(ctx.secrets, account)

export async function listUsers(
  ctx: AuthCtx,
  manager: Manager,
  page: { page: number; perPage: number },
) {
  requireManager(manager)
  const { accounts, total } = await accountsPage(ctx, page)
  const users = accounts.map((account) => viewFor(ctx, manager, account))
  return { users: await Promise.all(users), total }
}

export async function showUser(ctx: AuthCtx, manager: Manager, id: string) {
  requireManager(manager)
  return viewFor(ctx, manager, await existing(ctx, id))
}

async function existing(ctx: AuthCtx, id: string) {
  const account = await accountById(ctx, id)
  if (!account) throw new AuthRefusal('user_not_found')
  return account
}

interface ManagedUser {
  email?: string
  password?: string
  userMetadata?: Record<string, unknown>
  isEmailConfirmed?: boolean
  isSuspended?: boolean
}

export async function createUser(
  ctx: AuthCtx,
  manager: Manager,
  user: ManagedUser & { email: string },
) {
  requireManager(manager)
  if (user.password !== undefined) await requireGoodPassword(ctx, user.password, user)
  const account = await insertAccount(ctx, {
    email: user.email,
    passwordHash: user.password === undefined ? null : await hashPassword(user.password),
    userMetadata: user.userMetadata ?? {},
    isEmailConfirmed: manager === 'service' && user.isEmailConfirmed === true,
  })
  if (!account) throw new AuthRefusal('email_exists')
  return viewFor(ctx, manager, account)
}

export async function changeManagedUser(
  ctx: AuthCtx,
  manager: Manager,
  id: string,
  change: ManagedUser,
) {
  requireManager(manager)
  const { isSuspended, ...ofThePerson } = change
  if (manager !== 'service' && Object.values(ofThePerson).some((value) => value !== undefined))
    throw new AuthRefusal('not_admin', 'Administrators can only suspend accounts here')
  const { email, password, userMetadata, isEmailConfirmed } = ofThePerson
  if (password !== undefined) {
    const account = await existing(ctx, id)
    const address = email ?? addressOf(ctx.secrets, account)
    await requireGoodPassword(ctx, password, { id, email: address })
  }
  const passwordHash = password === undefined ? undefined : await hashPassword(password)
  try {
    return await transaction(ctx, async (ctx) => {
      const before = await lockRanked(ctx, manager, id)
      const set = (assignment: ReturnType<typeof sql>) =>
        ctx.db.query(sql`update accounts set ${assignment} where id = ${id}`)
      if (email !== undefined) {
        const { hash, sealed } = sealedAddress(ctx.secrets, id, email)
        await set(sql`email_hash = ${hash}, email_sealed = ${sealed}`)
      }
      if (passwordHash !== undefined) await set(sql`password_hash = ${passwordHash}`)
      if (isEmailConfirmed !== undefined) await set(sql`is_email_confirmed = ${isEmailConfirmed}`)
      if (userMetadata !== undefined)
        await set(sql`user_metadata = ${JSON.stringify(userMetadata)}::jsonb`)
      await broadcastActorChange(ctx, id)
      if (passwordHash !== undefined) await signOutEverywhere(ctx, id)
      const username = (await userById(ctx, id))?.username ?? null
      if (isSuspended !== undefined) {
        await setSuspended(ctx, id, isSuspended)
        const action = isSuspended ? 'suspend-account' : 'unsuspend-account'
        if (isSuspended !== before.isSuspended)
          await enqueueAdminAct(ctx, manager, { action, username })
      }
      if (Object.values(ofThePerson).some((value) => value !== undefined))
        await enqueueAdminAct(ctx, manager, { action: 'change-account', username })
      return viewFor(ctx, manager, await existing(ctx, id))
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new AuthRefusal('email_exists')
    return refuseTooLarge(error)
  }
}

async function lockRanked(ctx: AuthCtx, manager: Manager, id: string) {
  await lockAccount(ctx, id)
  if (manager !== 'service') {
    const user = { isMe: id === manager.account?.id, isAdmin: await isAdministrator(ctx, id) }
    const problem = rankProblem(manager.role === 'owner', user)
    if (problem) throw new AuthRefusal('not_admin', problem)
  }
  return existing(ctx, id)
}

export async function deleteUser(ctx: AuthCtx, manager: Manager, id: string) {
  requireManager(manager)
  await transaction(ctx, async (ctx) => {
    await lockRanked(ctx, manager, id)
    const username = (await userById(ctx, id))?.username ?? null
    await deleteAccount(ctx, { id, authorKey: authorKeyOfAccount(ctx.secrets, id), posts: 'keep' })
    await enqueueAdminAct(ctx, manager, { action: 'delete-account', username })
  })
}

export async function setSuspended(ctx: AuthCtx, id: string, isSuspended: boolean) {
  await ctx.db.query(sql`update accounts set is_suspended = ${isSuspended} where id = ${id}`)
  await broadcastActorChange(ctx, id)
  if (isSuspended) await signOutEverywhere(ctx, id)
}

/** Keeps others from changing the account until the caller's transaction ends. Sign-ins still work. */
export const lockAccount = ({ db }: Pick<AuthCtx, 'db'>, id: string) =>
  db.query(sql`select from accounts where id = ${id} for no key update`)
