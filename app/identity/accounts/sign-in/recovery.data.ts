/**
 * A second client of the auth service, for resetting a password: it keeps nothing and knows nothing
 * of who is signed in here, so the link of one account never changes another's (S8).
 */
import { AuthClient } from '@supabase/auth-js'
import { isHalfway } from '#app/kit/session/halfway.ts'
import { fetchByThisClock } from '#app/kit/session/this-clock.ts'
import type { RecoveryTokens } from './recovery-link.ts'
import { problemOf } from './sign-in.data.ts'

let made: InstanceType<typeof AuthClient> | undefined

/** Of the link's session. */
export function recoveryClient() {
  made ??= new AuthClient({
    url: `${location.origin}/auth/v1`,
    fetch: fetchByThisClock,
    storageKey: 'kettle-recovery',
    flowType: 'implicit',
    persistSession: false,
    autoRefreshToken: false,
    detectSessionInUrl: false,
  })
  return made
}

/** Spec §7.1: the link leads to /reset-password. */
export const requestReset = (email: string) =>
  problemOf(() =>
    recoveryClient().resetPasswordForEmail(email, {
      redirectTo: `${location.origin}/reset-password`,
    }),
  )

/** `half`: its second step comes first. `unknown` when nobody answered. */
export type Opening = 'open' | 'half' | 'refused' | 'unknown'

/** Whether the link's session can be had. */
export async function openRecovery(tokens: RecoveryTokens): Promise<Opening> {
  const { data, error } = await recoveryClient()
    .setSession(tokens)
    .catch((error: Error) => ({ data: { session: null }, error }))
  if (data.session) return isHalfway(data.session) ? 'half' : 'open'
  return error?.name === 'AuthRetryableFetchError' ? 'unknown' : 'refused'
}

/** Sets the password of the link's account, and gives the link's session back. */
export async function resetPassword(password: string) {
  const problem = await problemOf(() => recoveryClient().updateUser({ password }))
  if (!problem) await problemOf(() => recoveryClient().signOut({ scope: 'local' }))
  return problem
}
