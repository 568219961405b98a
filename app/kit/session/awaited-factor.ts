/** Whether a session waits for its second step. Runs in the browser, so no I/O here. */
import type { Session } from '@supabase/auth-js'
import { lazyComponent } from '../ui/lazy-component.tsx'

export type SessionWithFactors = Pick<Session, 'access_token'> & {
  user: Pick<Session['user'], 'factors'>
}

/** Whether the password or link is proved, but a verified factor isn't yet. */
export const awaitsSecondFactor = ({ access_token, user }: SessionWithFactors) =>
  (user.factors ?? []).some(({ status }) => status === 'verified') &&
  levelOf(access_token) !== 'aal2'

/** Reads the token without verifying it, because this only decides what people see. */
function levelOf(token: string): unknown {
  try {
    const [, payload = ''] = token.split('.')
    return JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/'))).aal
  } catch {
    return undefined
  }
}

/** For administration screens: asks people who need a second factor to set one up. */
export const NeedsFactor = lazyComponent(() =>
  import('./second-factor-wanted.tsx').then((it) => it.SecondFactorWanted),
)
