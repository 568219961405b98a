/**
 * Whether somebody proved lately who they are: by signing in, by a link of a mail, or by being asked again.
 * The time stands in their token and nowhere else. A second factor counts by its own line in there.
 */
import { Refusal } from '#app/platform/http/refusal.ts'
import { type Actor, RECENT_PROOF_S, type SignedIn } from './actor.ts'

export const isProvedLately = ({ provedAt }: SignedIn, now: Date) =>
  now.getTime() / 1000 - provedAt < RECENT_PROOF_S

/** @throws Refusal reauthentication-needed: the browser asks, and sends the request again */
export function requireRecentProof({ actor, now }: { actor: Actor; now: () => Date }) {
  if (!actor.account || !isProvedLately(actor.account, now()))
    throw new Refusal('reauthentication-needed', "Please confirm it's you first.")
}
