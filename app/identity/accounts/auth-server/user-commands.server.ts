import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { SignedIn } from '#app/api/auth/actor.ts'
import {
  addressOf,
  NEW_ACCOUNT_EMAIL,
  plainAddress,
  sealedAddress,
} from '#app/api/auth/addresses.server.ts'
import { hashPassword, isGuessable, isPasswordOf } from '#app/api/auth/passwords.server.ts'
import { broadcastActorChange } from '#app/api/auth/remembered-actors.server.ts'
import { newRoot } from '#app/api/auth/roots.server.ts'
import { presentGeneration } from '#app/api/auth/session-marks.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { transaction } from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { PASSWORD_MIN, PASSWORD_MIN_ADMIN } from '../account.ts'
import {
  type AccountRow,
  accountByAddress,
  accountById,
  accountColumns,
  userById,
} from '../account-queries.server.ts'
import { factorsOf } from '../second-factors/factor-rows.server.ts'
import { requireMaySignUp } from '../sign-up/invitations.server.ts'
import { enqueueMail, type LinkRequest } from './account-mail.server.ts'
import type { AuthCtx } from './auth-context.server.ts'
import { AuthRefusal, refuseTooLarge, type WeakPassword } from './auth-refusal.server.ts'
import { userOf, userView } from './auth-user.server.ts'
import { forgetLinks } from './link-commands.server.ts'
import { endSessions, openSession } from './session-commands.server.ts'

/** The first day of this month, which is all that an account knows of its age. S6. */
const monthOf = (now: Date) => `${now.toISOString().slice(0, 7)}-01`

interface NewAccount {
  email: string
  passwordHash: string | null
  userMetadata: Record<string, unknown>
  isEmailConfirmed?: boolean
}

/**
 * The new account. Undefined if the address has one already.
 * @throws AuthRefusal validation_failed
 */
export async function insertAccount(
  { db, secrets, now }: Pick<AuthCtx, 'db' | 'secrets' | 'now'>,
  { email, passwordHash, userMetadata, isEmailConfirmed = false }: NewAccount,
): Promise<AccountRow | undefined> {
  const id = randomUUID()
  const address = sealedAddress(secrets, id, email)
  const inserted = db.query<AccountRow>(sql`
    insert into accounts
      (id, email_hash, email_sealed, root_sealed, password_hash, user_metadata, is_email_confirmed,
       made_in_month)
    values (${id}, ${address.hash}, ${address.sealed}, ${newRoot(secrets, id)}, ${passwordHash},
            ${JSON.stringify(userMetadata)}::jsonb, ${isEmailConfirmed}, ${monthOf(now())}::date)
    on conflict (email_hash) do nothing
    returning ${accountColumns}`)
  const [account] = await inserted.catch(refuseTooLarge)
  return account
}

interface SignUp {
  email: string
  password: string
  userMetadata: Record<string, unknown>
  link: LinkRequest
  invitation?: string | undefined
}

/**
 * Creates an account. With AUTH_AUTOCONFIRM it also signs in. Without it, the answer doesn't reveal whether the address
 * has an account. Only the email tells its owner. Expects a checked password.
 * @throws AuthRefusal signup_disabled, user_already_exists with AUTH_AUTOCONFIRM
 */
export async function signUp(
  ctx: AuthCtx,
  { email, password, userMetadata, link, invitation }: SignUp,
) {
  const passwordHash = await hashPassword(password)
  const isAtOnce = ctx.auth.autoconfirm
  return transaction(ctx, async (ctx) => {
    // Even if the address has an account, so a used invitation doesn't reveal that.
    await requireMaySignUp(ctx, { email, invitation })
    const account = await insertAccount(ctx, { email, passwordHash, userMetadata })
    if (!account && isAtOnce) throw new AuthRefusal('user_already_exists')
    await enqueueMail(ctx, { purpose: 'signup', email, ...link })
    if (account) await countSignUp(ctx.db, todayOf(ctx))
    if (account && isAtOnce) return openSession(ctx, account, 'password')
    if (account) return userView(ctx.secrets, account)
    return userOf({
      id: randomUUID(),
      email: plainAddress(email),
      isEmailConfirmed: false,
      userMetadata,
      isSuspended: false,
      madeInMonth: monthOf(ctx.now()),
    })
  })
}

/**
 * Counts a sign-up in the week of `today`, in the transaction that creates the account. By the week, because a
 * day's would date accounts. Call it last, because other sign-ups wait for the commit.
 */
export const countSignUp = (db: Database, today: string) =>
  db.query(sql`
    insert into daily_counts (name, day, n)
    values ('sign-ups', date_trunc('week', ${today}::date::timestamp)::date, 1)
    on conflict (name, day) do update set n = daily_counts.n + 1`)

/** @throws AuthRefusal invalid_credentials */
export async function requireOwnPassword(ctx: AuthCtx, id: string, password: string) {
  const account = await accountById(ctx, id)
  if (!(await isPasswordOf(account?.passwordHash, password)))
    throw new AuthRefusal('invalid_credentials', 'That’s not your password')
}

/**
 * Also reports a weak password, which may be older than the rule or the person's role.
 * @throws AuthRefusal invalid_credentials, whichever of the two is wrong; email_not_confirmed
 */
export async function signIn(ctx: AuthCtx, email: string, password: string) {
  const account = await accountByAddress(ctx, email)
  // Read before the password check, so this session ends if the password changes meanwhile.
  const generation = await presentGeneration(ctx, account?.id ?? email)
  if (!(await isPasswordOf(account?.passwordHash, password)) || !account)
    throw new AuthRefusal('invalid_credentials')
  if (!account.isEmailConfirmed && !ctx.auth.autoconfirm)
    throw new AuthRefusal('email_not_confirmed')
  const weakness = await weaknessOf(ctx, password, { id: account.id, email })
  const session = await openSession(ctx, account, 'password', { generation })
  return weakness ? { ...session, weak_password: weakness } : session
}

interface UserChange {
  email?: string
  password?: string
  /** Merged with the stored data. A null removes its key. */
  userMetadata?: Record<string, unknown>
}

/**
 * A new address counts once its link is used. A new password ends all other sessions and pending links.
 * @throws AuthRefusal weak_password, same_password, validation_failed, session_not_found
 */
export async function changeUser(
  ctx: AuthCtx,
  signedIn: SignedIn,
  change: UserChange,
  link: LinkRequest,
) {
  const account = await accountById(ctx, signedIn.id)
  if (!account) throw new AuthRefusal('user_not_found')
  const { password, email, userMetadata } = change
  const currentEmail = addressOf(ctx.secrets, account)
  let passwordHash: string | undefined
  if (password !== undefined) {
    await requireGoodPassword(ctx, password, { id: account.id, email: currentEmail })
    if (await isPasswordOf(account.passwordHash, password)) throw new AuthRefusal('same_password')
    passwordHash = await hashPassword(password)
  }
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    if (passwordHash !== undefined) {
      await db.query(
        sql`update accounts set password_hash = ${passwordHash} where id = ${account.id}`,
      )
      await endSessions(ctx, signedIn, 'others')
      await forgetLinks(ctx, account.id)
      await enqueueMail(ctx, { purpose: 'password_changed', email: currentEmail })
    }
    if (email !== undefined && plainAddress(email) !== currentEmail) {
      const address = sealedAddress(ctx.secrets, account.id, email, NEW_ACCOUNT_EMAIL)
      await db.query(sql`
        update accounts set new_email_hash = ${address.hash}, new_email_sealed = ${address.sealed}
         where id = ${account.id}`)
      await enqueueMail(ctx, { purpose: 'email_change', email, accountId: account.id, ...link })
    }
    if (userMetadata !== undefined) {
      const merged = db.query(sql`
        update accounts
           set user_metadata = jsonb_strip_nulls(user_metadata || ${JSON.stringify(userMetadata)}::jsonb)
         where id = ${account.id}`)
      await merged.catch(refuseTooLarge)
    }
    await broadcastActorChange(ctx, account.id)
    const changed = await accountById(ctx, account.id)
    if (!changed) throw new AuthRefusal('user_not_found')
    return userView(ctx.secrets, changed, await factorsOf(ctx, changed.id))
  })
}

/** A new account has no `id` yet. */
interface PasswordUser {
  id?: string
  email: string
  /** The username they want, before there's a profile. */
  userMetadata?: Record<string, unknown>
}

/** @throws AuthRefusal weak_password with its reasons */
export async function requireGoodPassword(ctx: AuthCtx, password: string, user: PasswordUser) {
  const weakness = await weaknessOf(ctx, password, user)
  if (weakness)
    throw new AuthRefusal('weak_password', weakness.message, { reasons: weakness.reasons })
}

/** Why the password is too weak. Undefined if it isn't. */
async function weaknessOf(
  ctx: AuthCtx,
  password: string,
  { id, email, userMetadata = {} }: PasswordUser,
): Promise<WeakPassword | undefined> {
  const user = id === undefined ? undefined : await userById(ctx, id)
  const least = user?.isAdmin || user?.isModerator ? PASSWORD_MIN_ADMIN : PASSWORD_MIN
  const names = [user?.username, userMetadata.username].filter((it) => typeof it === 'string')
  const { length } = [...password]
  const isShort = length < least
  const isEasy =
    length >= PASSWORD_MIN && isGuessable(password, [email, ctx.auth.siteName, ...names])
  if (!isShort && !isEasy) return undefined
  const sentences = [
    isShort && `Password should be at least ${least} characters.`,
    isEasy && 'Password is known to be weak and easy to guess, please choose a different one.',
  ]
  return {
    message: sentences.filter(Boolean).join(' '),
    reasons: [...(isShort ? (['length'] as const) : []), ...(isEasy ? (['pwned'] as const) : [])],
  }
}
