import { isGuessable } from '#app/api/auth/passwords.server.ts'
import { PASSWORD_MIN, PASSWORD_MIN_ADMIN } from '../account.ts'
import { userById } from '../account-queries.server.ts'
import type { AuthCtx } from './auth-context.server.ts'
import { AuthRefusal, type WeakPassword } from './auth-refusal.server.ts'

/** A new account has no `id` yet. */
interface Owner {
  id?: string
  email: string
  /** The wanted username, before there is a profile. */
  userMetadata?: Record<string, unknown>
}

/** @throws AuthRefusal weak_password with its reasons */
export async function requireGoodPassword(ctx: AuthCtx, password: string, owner: Owner) {
  const weakness = await weaknessOf(ctx, password, owner)
  if (weakness)
    throw new AuthRefusal('weak_password', weakness.message, { reasons: weakness.reasons })
}

/** Why the password is too weak. Undefined if it isn't. */
export async function weaknessOf(
  ctx: AuthCtx,
  password: string,
  { id, email, userMetadata = {} }: Owner,
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
