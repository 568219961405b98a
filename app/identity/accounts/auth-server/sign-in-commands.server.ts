import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { plainAddress, sealedAddress } from '#app/api/auth/addresses.server.ts'
import { hashPassword, isPasswordOf } from '#app/api/auth/passwords.server.ts'
import { newRoot } from '#app/api/auth/roots.server.ts'
import { presentGeneration } from '#app/api/auth/session-marks.server.ts'
import { transaction } from '#app/platform/database/context.server.ts'
import { countSignUp } from '#app/platform/database/counter.server.ts'
import { todayOf } from '#app/platform/jobs/days.server.ts'
import {
  type AccountRow,
  accountByAddress,
  accountById,
  accountColumns,
} from '../account-queries.server.ts'
import { enqueueMail, type LinkRequest } from './account-mail.server.ts'
import type { AuthCtx } from './auth-context.server.ts'
import { AuthRefusal, refuseTooLarge } from './auth-refusal.server.ts'
import { userOf, userView } from './auth-user.server.ts'
import { weaknessOf } from './good-password.server.ts'
import { openSession } from './session-commands.server.ts'

/** The first day of this month: all that an account keeps of its age. S6. */
export const monthOf = (now: Date) => `${now.toISOString().slice(0, 7)}-01`

export interface NewAccount {
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

export interface SignUp {
  email: string
  password: string
  userMetadata: Record<string, unknown>
  link: LinkRequest
}

/**
 * Creates an account. With AUTH_AUTOCONFIRM it also signs in. Without, the answer is the same if
 * the address has an account: only the mail tells its owner. Expects a checked password.
 * @throws AuthRefusal user_already_exists with AUTH_AUTOCONFIRM
 */
export async function signUp(ctx: AuthCtx, { email, password, userMetadata, link }: SignUp) {
  const passwordHash = await hashPassword(password)
  const isAtOnce = ctx.auth.autoconfirm
  return transaction(ctx, async (ctx) => {
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

/** @throws AuthRefusal invalid_credentials */
export async function requireOwnPassword(ctx: AuthCtx, id: string, password: string) {
  const account = await accountById(ctx, id)
  if (!(await isPasswordOf(account?.passwordHash, password)))
    throw new AuthRefusal('invalid_credentials', "That's not your password.")
}

/**
 * Also reports a weak password: it may be older than the rule, or than its person's role.
 * @throws AuthRefusal invalid_credentials, whichever of the two is wrong; email_not_confirmed
 */
export async function signIn(ctx: AuthCtx, email: string, password: string) {
  const account = await accountByAddress(ctx, email)
  // Read before the password check: if the password changes meanwhile, this session ends too.
  const generation = await presentGeneration(ctx, account?.id ?? email)
  if (!(await isPasswordOf(account?.passwordHash, password)) || !account)
    throw new AuthRefusal('invalid_credentials')
  if (!account.isEmailConfirmed && !ctx.auth.autoconfirm)
    throw new AuthRefusal('email_not_confirmed')
  const weakness = await weaknessOf(ctx, password, { id: account.id, email })
  const session = await openSession(ctx, account, 'password', { generation })
  return weakness ? { ...session, weak_password: weakness } : session
}
