import type { Secrets } from '#app/platform/database/secrets.server.ts'
import { Refusal } from '#app/platform/http/refusal.ts'
import { type Actor, RECENT_LOGIN_S, type SignedIn } from './actor.ts'
import { noAccount, noAnonymousId } from './permissions.ts'
import { type PersonRoot, personRootOf } from './roots.server.ts'

/** @throws Refusal sign-in-required, second-step-needed */
export function requireAccount({ actor }: { actor: Actor }): SignedIn {
  if (!actor.account) throw noAccount(actor)
  return actor.account
}

/** Returns the author key that members, employers and visitors have. @throws Refusal sign-in-required, second-step-needed */
export function requireAuthorKey({ actor }: { actor: Actor }): string {
  if (actor.authorKey === null) throw noAnonymousId(actor)
  return actor.authorKey
}

/**
 * Root of all keys of the person's rows.
 * @throws Refusal sign-in-required
 */
export function requirePersonRoot(ctx: { actor: Actor; secrets: Secrets }): PersonRoot {
  requireAuthorKey(ctx)
  return personRootOf(ctx) as PersonRoot
}

/**
 * Whether someone recently proved who they are: by logging in, with an emailed link, or by confirming it again.
 * Only their token has the time. A second factor has its own entry there.
 */
export const isLoginRecent = ({ authenticatedAt }: SignedIn, now: Date) =>
  now.getTime() / 1000 - authenticatedAt < RECENT_LOGIN_S

/** @throws Refusal reauthentication-needed: the browser prompts, and repeats the request */
export function requireRecentLogin({ actor, now }: { actor: Actor; now: () => Date }) {
  if (!actor.account || !isLoginRecent(actor.account, now()))
    throw new Refusal('reauthentication-needed', 'Please confirm it’s you first')
}
