/** Whether a session waits for the second step of signing in. Runs in the browser: no I/O here. */
import type { Session } from '@supabase/auth-js'
import { lazyComponent } from '../ui/lazy-component.tsx'

/** What of auth-js's session says so. */
export type Halfway = Pick<Session, 'access_token'> & {
  user: Pick<Session['user'], 'factors'>
}

/** The password, or a link, has been proved, and there is a factor that has not. */
export const isHalfway = ({ access_token, user }: Halfway) =>
  (user.factors ?? []).some(({ status }) => status === 'verified') &&
  levelOf(access_token) !== 'aal2'

/** What the token says of itself, which decides only what is shown. */
function levelOf(token: string): unknown {
  try {
    const [, payload = ''] = token.split('.')
    return JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/'))).aal
  } catch {
    return undefined
  }
}

/** For screens of the administration: whoever needs a second factor for it is asked to set one up. */
export const NeedsFactor = lazyComponent(() =>
  import('./second-factor-wanted.tsx').then((it) => it.SecondFactorWanted),
)
