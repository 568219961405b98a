/** Binds the contract of claims to queries and commands. */

import { addressHash } from '#app/api/auth/addresses.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Handlers } from '#app/api/bind.server.ts'
import { createRateLimit, requireRoom } from '#app/platform/http/rate-limits.server.ts'
import type { ClaimContract } from './claim.contract.ts'
import {
  type ClaimCtx,
  checkRecord,
  chooseCompanyNews,
  claimCompany,
  resendClaimLink,
  withdrawClaim,
} from './claim-commands.server.ts'
import { claimsToReview, myClaims } from './claim-queries.server.ts'
import { approveClaim, declineClaim, revokeClaim } from './decision-commands.server.ts'
import type { TxtLookup } from './dns-record.server.ts'
import type { SeatContract } from './seats/seat.contract.ts'
import { seatHandlers } from './seats/seat-api.server.ts'

/** To one address, whoever names it. */
const MAILS = { uses: 5, seconds: 3600 }

export function claimHandlers(settings: {
  hasRateLimits: boolean
  lookup: TxtLookup
}): Handlers<ClaimContract & SeatContract> {
  const { hasRateLimits: isOn, lookup } = settings
  const mails = createRateLimit({ name: 'claim-mails', ...MAILS, isOn })
  const claiming = (ctx: Ctx): ClaimCtx => ({
    ...ctx,
    requireMailPause: (address) => requireRoom(mails, addressHash(ctx.secrets, address)),
  })
  return {
    ...seatHandlers(claiming),
    'GET /api/v1/my/claims': async (ctx) => ({ claims: await myClaims(ctx) }),
    'POST /api/v1/companies/{id}/claims': (ctx, { params, body }) =>
      claimCompany(claiming(ctx), params.id, body),
    'DELETE /api/v1/my/claims/{id}': (ctx, { params }) => withdrawClaim(ctx, params.id),
    'POST /api/v1/my/claims/{id}/check': (ctx, { params }) => checkRecord(ctx, params.id, lookup),
    'POST /api/v1/my/claims/{id}/resend': (ctx, { params }) =>
      resendClaimLink(claiming(ctx), params.id),
    'PUT /api/v1/my/claims/{id}/news': (ctx, { params, body }) =>
      chooseCompanyNews(ctx, params.id, body.wantsNews),
    'GET /api/v1/claims': (ctx, { query }) => claimsToReview(ctx, query),
    'POST /api/v1/claims/{id}/approve': (ctx, { params }) => approveClaim(ctx, params.id),
    'POST /api/v1/claims/{id}/decline': (ctx, { params, body }) =>
      declineClaim(ctx, params.id, body.note),
    'POST /api/v1/claims/{id}/revoke': (ctx, { params }) => revokeClaim(ctx, params.id),
  }
}
