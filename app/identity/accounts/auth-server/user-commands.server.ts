import sql from 'sql-template-tag'
import type { SignedIn } from '#app/api/auth/actor.ts'
import {
  addressOf,
  NEW_ACCOUNT_EMAIL,
  plainAddress,
  sealedAddress,
} from '#app/api/auth/addresses.server.ts'
import { hashPassword, isPasswordOf } from '#app/api/auth/passwords.server.ts'
import { publishActorChange } from '#app/api/auth/remembered-actors.server.ts'
import { transaction } from '#app/platform/database/context.server.ts'
import { accountById } from '../account-queries.server.ts'
import { factorsOf } from '../second-factors/factor-rows.server.ts'
import { enqueueMail, type LinkRequest } from './account-mail.server.ts'
import type { AuthCtx } from './auth-context.server.ts'
import { AuthRefusal, refuseTooLarge } from './auth-refusal.server.ts'
import { userView } from './auth-user.server.ts'
import { requireGoodPassword } from './good-password.server.ts'
import { forgetLinks } from './link-commands.server.ts'
import { endSessions } from './session-commands.server.ts'

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
    await publishActorChange(ctx, account.id)
    const changed = await accountById(ctx, account.id)
    if (!changed) throw new AuthRefusal('user_not_found')
    return userView(ctx.secrets, changed, await factorsOf(ctx, changed.id))
  })
}
