/** Under whose name or key something is kept: what a command needs to know of who asks. */

import type { Secrets } from '#app/platform/database/secrets.server.ts'
import { Refusal } from '#app/platform/http/refusal.ts'
import type { Actor, SignedIn } from './actor.ts'
import { may } from './permissions.ts'
import { type Owner, ownerOf } from './roots.server.ts'

/** Why somebody has no account here: they are signed out, or halfway in. */
export const noAccount = ({ secondFactor }: Actor, sentence = 'Please sign in first') =>
  secondFactor === 'awaited'
    ? new Refusal('second-step-needed', 'Please finish logging in with your second step first.')
    : new Refusal('sign-in-required', sentence)

/** Why somebody may not do what their role allows nobody: whom a second factor would help is told so. */
export const forbidden = ({ secondFactor }: Actor, sentence: string) =>
  secondFactor === 'needed'
    ? new Refusal(
        'second-factor-needed',
        'To help run this site, please set up a second factor in your settings first.',
      )
    : new Refusal('forbidden', sentence)

export const unconfirmed = (
  sentence = 'Please confirm your e-mail first: the link is in the mail that we sent you',
) => new Refusal('unconfirmed', sentence)

/** Why somebody can't rate; null where they can. An employer isn't asked to confirm, which wouldn't help. */
export function whyNotRate(actor: Actor): Refusal | null {
  if (may.rate(actor)) return null
  if (!actor.account) return noAccount(actor)
  if (actor.role === 'employer') return new Refusal('employer', 'Employers do not rate here')
  return unconfirmed()
}

/** The account of who is signed in. @throws Refusal sign-in-required, second-step-needed */
export function requireAccount({ actor }: { actor: Actor }): SignedIn {
  if (!actor.account) throw noAccount(actor)
  return actor.account
}

/** Members, employers and visitors have one each. @throws Refusal sign-in-required, second-step-needed */
export function requireAuthorKey({ actor }: { actor: Actor }): string {
  if (actor.authorKey === null)
    throw noAccount(actor, 'Your browser sent no anonymous id. Reload the page, or sign in.')
  return actor.authorKey
}

/** From whom all keys of one's own rows are made. @throws Refusal sign-in-required */
export function requireOwner(ctx: { actor: Actor; secrets: Secrets }): Owner {
  requireAuthorKey(ctx)
  return ownerOf(ctx) as Owner
}

/** The author key of whoever may take part. @throws Refusal sign-in-required, second-step-needed, employer */
export function requireAuthor(ctx: { actor: Actor }): string {
  const authorKey = requireAuthorKey(ctx)
  if (!may.write(ctx.actor))
    throw new Refusal('employer', 'Employers read here; the company answers by its own reply')
  return authorKey
}
