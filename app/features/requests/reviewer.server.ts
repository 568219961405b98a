/** Who may look through company requests: the one address, with its row in admin_users. Spec §6. */
import { plainAddress } from '../../auth/addresses.server.ts'
import type { Ctx } from '../../auth/context.server.ts'
import { may } from '../../auth/permissions.ts'
import { Refusal } from '../../server/refusal.ts'

export interface ReviewCtx extends Ctx {
  /** Decision 2. */
  ownerEmail: string | undefined
}

/** The sentences of one thing that only the owner does. */
export interface ReviewRefusals {
  signedOut: string
  notOwner: string
  noAdminRow: string
}

/** @throws Refusal sign-in-required, forbidden */
export function demandReviewer(ctx: ReviewCtx, refusals: ReviewRefusals) {
  const { account } = ctx.actor
  if (!account) throw new Refusal('sign-in-required', refusals.signedOut)
  if (may.manageCompanyRequests(ctx.actor)) return
  const isTheAddress =
    ctx.ownerEmail !== undefined &&
    ctx.secrets.open(account.emailSealed) === plainAddress(ctx.ownerEmail)
  throw new Refusal('forbidden', isTheAddress ? refusals.noAdminRow : refusals.notOwner)
}
