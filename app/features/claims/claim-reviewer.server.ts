/** Who looks through claims: those who manage accounts. */
import type { Ctx } from '../../auth/context.server.ts'
import { may } from '../../auth/permissions.ts'
import { Refusal } from '../../server/refusal.ts'
import { CLAIM_REFUSALS } from './claim.ts'

/** @throws Refusal sign-in-required, forbidden */
export function demandClaimReviewer({ actor }: Pick<Ctx, 'actor'>) {
  if (!actor.account) throw new Refusal('sign-in-required', 'Please sign in first')
  if (!may.manageAccounts(actor)) throw new Refusal('forbidden', CLAIM_REFUSALS.notAdmin)
}
