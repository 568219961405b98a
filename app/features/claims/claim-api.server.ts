/** Binds the contract of claims to queries and commands. */
import type { Handlers } from '../../api/bind.server.ts'
import { addressHash } from '../../auth/addresses.server.ts'
import type { Ctx } from '../../auth/context.server.ts'
import { createRateLimit, type RateLimit } from '../../server/rate-limits.server.ts'
import { Refusal } from '../../server/refusal.ts'
import type { ClaimContract } from './claim.contract.ts'
import {
  type ClaimCtx,
  checkRecord,
  claimCompany,
  resendClaimLink,
  withdrawClaim,
} from './claim-commands.server.ts'
import { claimsToReview, myClaims } from './claim-queries.server.ts'
import { approveClaim, declineClaim, revokeClaim } from './decision-commands.server.ts'
import type { TxtLookup } from './dns-record.server.ts'

/** Per account, and three times as many per network. */
const CLAIMS = { uses: 10, seconds: 3600 }
/** Each asks the name servers of a stranger. */
const CHECKS = { uses: 10, seconds: 300 }
const NETWORK_FACTOR = 3
/** To one address, whoever names it. */
const MAILS = { uses: 5, seconds: 3600 }

export function claimHandlers(settings: {
  hasRateLimits: boolean
  lookup: TxtLookup
}): Handlers<ClaimContract> {
  const { hasRateLimits: isOn, lookup } = settings
  const claims = perPerson('claims', CLAIMS, isOn)
  const checks = perPerson('claim-checks', CHECKS, isOn)
  const mails = createRateLimit({ name: 'claim-mails', ...MAILS, isOn })
  const claiming = (ctx: Ctx): ClaimCtx => ({
    ...ctx,
    demandMailPause: (address) => demandRoom(mails, addressHash(ctx.secrets, address)),
  })
  return {
    'GET /api/v1/my/claims': async (ctx) => ({ claims: await myClaims(ctx) }),
    'POST /api/v1/companies/{id}/claims': async (ctx, { params, body }) => {
      await claims(ctx)
      return claimCompany(claiming(ctx), params.id, body)
    },
    'DELETE /api/v1/my/claims/{id}': (ctx, { params }) => withdrawClaim(ctx, params.id),
    'POST /api/v1/my/claims/{id}/check': async (ctx, { params }) => {
      await checks(ctx)
      return checkRecord(ctx, params.id, lookup)
    },
    'POST /api/v1/my/claims/{id}/resend': async (ctx, { params }) => {
      await claims(ctx)
      return resendClaimLink(claiming(ctx), params.id)
    },
    'GET /api/v1/claims': (ctx, { query }) => claimsToReview(ctx, query),
    'POST /api/v1/claims/{id}/approve': (ctx, { params }) => approveClaim(ctx, params.id),
    'POST /api/v1/claims/{id}/decline': (ctx, { params, body }) =>
      declineClaim(ctx, params.id, body.note),
    'POST /api/v1/claims/{id}/revoke': (ctx, { params }) => revokeClaim(ctx, params.id),
  }
}

/** @throws Refusal too-many */
async function demandRoom(limit: RateLimit, key: string) {
  const wait = await limit.use(key)
  if (wait !== undefined)
    throw new Refusal('too-many', `That was a lot at once. Please wait ${wait} seconds.`)
}

function perPerson(
  name: string,
  { uses, seconds }: { uses: number; seconds: number },
  isOn: boolean,
) {
  const person = createRateLimit({ name, uses, seconds, isOn })
  const around = createRateLimit({
    name: `${name}-network`,
    uses: uses * NETWORK_FACTOR,
    seconds,
    isOn,
  })
  return async ({ network, actor }: Ctx) => {
    await demandRoom(around, network)
    if (actor.account) await demandRoom(person, actor.account.id)
  }
}
