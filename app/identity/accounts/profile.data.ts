/** The profile that a page shows for whoever is here; visitors have a placeholder. Spec §3, §4. */

import type { Profile } from '#app/kit/session/me.contract.ts'
import type { Session } from '#app/kit/session/session.data.ts'
import { anonymousId } from '#app/kit/session/visitor-id.data.ts'
import { ANONYMOUS_NAME } from './account.ts'

/** Undefined while it loads, and when the server could not say. The placeholder is made now, so of this month. */
export function profileOf({ status, me }: Session): Profile | undefined {
  if (status !== 'signed-out') return me?.profile ?? undefined
  return {
    id: anonymousId(),
    username: ANONYMOUS_NAME,
    cred: 0,
    memberSince: new Date().toISOString().slice(0, 7),
  }
}
