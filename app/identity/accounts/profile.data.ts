import type { Profile } from '#app/kit/session/session.contract.ts'
import type { Session } from '#app/kit/session/session.data.ts'
import { anonymousId } from '#app/kit/session/visitor-id.data.ts'
import { ANONYMOUS_NAME } from './account.ts'

/**
 * The profile to show, which is a placeholder for visitors. Undefined while the profile loads, or
 * if the server couldn't tell. Spec §3, §4.
 */
export function profileOf({ status, me }: Session): Profile | undefined {
  if (status !== 'signed-out') return me?.profile ?? undefined
  return {
    id: anonymousId(),
    username: ANONYMOUS_NAME,
    cred: 0,
    memberSince: new Date().toISOString().slice(0, 7),
  }
}
