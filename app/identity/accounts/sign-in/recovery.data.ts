/**
 * A second auth client for password resets. It stores nothing and doesn't know who is signed in
 * here, so one account's link never changes another's (S8).
 */
import { AuthClient } from '@supabase/auth-js'
import { awaitsSecondFactor } from '#app/kit/session/awaited-factor.ts'
import { fetchByThisClock } from '#app/kit/session/this-clock.ts'
import type { RecoveryTokens } from './recovery-link.ts'
import { problemOf } from './sign-in.data.ts'

let made: InstanceType<typeof AuthClient> | undefined

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

/** Spec §7.1. */
export const requestReset = (email: string) =>
  problemOf(() =>
    recoveryClient().resetPasswordForEmail(email, {
      redirectTo: `${location.origin}/reset-password`,
    }),
  )

/** `second-step`: the second step comes first. `unknown`: no answer. */
export type Opening = 'open' | 'second-step' | 'refused' | 'unknown'

export async function openRecovery(tokens: RecoveryTokens): Promise<Opening> {
  const { data, error } = await recoveryClient()
    .setSession(tokens)
    .catch((error: Error) => ({ data: { session: null }, error }))
  if (data.session) return awaitsSecondFactor(data.session) ? 'second-step' : 'open'
  return error?.name === 'AuthRetryableFetchError' ? 'unknown' : 'refused'
}

export async function resetPassword(password: string) {
  const problem = await problemOf(() => recoveryClient().updateUser({ password }))
  if (!problem) await problemOf(() => recoveryClient().signOut({ scope: 'local' }))
  return problem
}
