import type { Secrets } from '#app/platform/database/secrets.server.ts'
import { forbidden, Refusal } from '#app/platform/http/refusal.ts'
import { type Actor, RECENT_PROOF_S, type SignedIn } from './actor.ts'
import { type Owner, ownerOf } from './roots.server.ts'

/** Signed out, or halfway through logging in. */
export const noAccount = ({ secondFactor }: Actor, sentence = 'Please log in first') =>
  secondFactor === 'awaited'
    ? new Refusal('second-step-needed', 'Please finish logging in with your second step first')
    : new Refusal('sign-in-required', sentence)

/** Tells people if a second factor would help. */
export const forbiddenFor = ({ secondFactor }: Actor, sentence: string) =>
  secondFactor === 'needed'
    ? new Refusal(
        'second-factor-needed',
        'Please set up two-step login in your settings before you help run this site',
      )
    : forbidden(sentence)

export const unconfirmed = (sentence = 'Please confirm your email first. We’ve sent you a link.') =>
  new Refusal('unconfirmed', sentence)

/** For people whom `may.rate` excludes. Employers aren't asked to confirm, as it wouldn't help. */
export function whyNotRate(actor: Actor, sentence = 'Employers can’t rate here') {
  if (!actor.account) return noAccount(actor)
  return actor.role === 'employer' ? new Refusal('employer', sentence) : unconfirmed()
}

/** @throws Refusal sign-in-required, second-step-needed */
export function requireAccount({ actor }: { actor: Actor }): SignedIn {
  if (!actor.account) throw noAccount(actor)
  return actor.account
}

const noAnonymousId = (actor: Actor) =>
  noAccount(actor, 'Your browser didn’t send an anonymous ID. Reload the page or log in.')

/**
 * Members, employers and visitors each have one.
 * @throws Refusal sign-in-required, second-step-needed
 */
export function requireAuthorKey({ actor }: { actor: Actor }): string {
  if (actor.authorKey === null) throw noAnonymousId(actor)
  return actor.authorKey
}

/**
 * Root of all keys of the person's rows.
 * @throws Refusal sign-in-required
 */
export function requireOwner(ctx: { actor: Actor; secrets: Secrets }): Owner {
  requireAuthorKey(ctx)
  return ownerOf(ctx) as Owner
}

/** For people whom `may.write` excludes. */
export const whyNotWrite = (
  actor: Actor,
  sentence = 'Employers can’t post here. Your company can reply on its own page.',
) => (actor.authorKey === null ? noAnonymousId(actor) : new Refusal('employer', sentence))

/**
 * Whether someone recently proved who they are: by logging in, by a link in a mail, or by confirming it again. Only
 * their token has the time. A second factor counts by its own entry there.
 */
export const isProvedLately = ({ provedAt }: SignedIn, now: Date) =>
  now.getTime() / 1000 - provedAt < RECENT_PROOF_S

/** @throws Refusal reauthentication-needed: the browser prompts, and repeats the request */
export function requireRecentProof({ actor, now }: { actor: Actor; now: () => Date }) {
  if (!actor.account || !isProvedLately(actor.account, now()))
    throw new Refusal('reauthentication-needed', 'Please confirm it’s you first')
}
