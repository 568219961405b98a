/**
 * Whether someone recently proved who they are: by logging in, by a link in a mail, or by confirming it again. Only
 * their token has the time. A second factor counts by its own entry there.
 */
import { Refusal } from '#app/platform/http/refusal.ts'
import { type Actor, RECENT_PROOF_S, type SignedIn } from './actor.ts'

export const isProvedLately = ({ provedAt }: SignedIn, now: Date) =>
  now.getTime() / 1000 - provedAt < RECENT_PROOF_S

/** @throws Refusal reauthentication-needed: the browser prompts, and repeats the request */
export function requireRecentProof({ actor, now }: { actor: Actor; now: () => Date }) {
  if (!actor.account || !isProvedLately(actor.account, now()))
    throw new Refusal('reauthentication-needed', "Please confirm it's you first.")
}
