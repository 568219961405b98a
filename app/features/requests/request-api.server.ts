/** Binds the contract of company requests to queries and commands. */
import type { Handlers } from '../../api/bind.server.ts'
import type { Ctx } from '../../auth/context.server.ts'
import { createRateLimit } from '../../server/rate-limits.server.ts'
import { Refusal } from '../../server/refusal.ts'
import { approveRequest, declineRequest, linkRequest } from './decision-commands.server.ts'
import type { RequestContract } from './request.contract.ts'
import { deleteRequest, requestCompany } from './request-commands.server.ts'
import { companyRequests } from './request-queries.server.ts'

/** Per person and, three times as many, per network: a visitor makes up new anonymous ids at will. */
const LIMIT = { uses: 5, seconds: 600 }
const NETWORK_FACTOR = 3

export function requestHandlers(settings: {
  hasRateLimits: boolean
  proofs: { demand(ctx: Ctx, proof: string | undefined): Promise<void> }
  ownerEmail: string | undefined
}): Handlers<RequestContract> {
  const { hasRateLimits, proofs, ownerEmail } = settings
  const person = createRateLimit({ name: 'requests', ...LIMIT, isOn: hasRateLimits })
  const around = createRateLimit({
    name: 'requests-network',
    ...LIMIT,
    uses: LIMIT.uses * NETWORK_FACTOR,
    isOn: hasRateLimits,
  })
  const review = (ctx: Ctx) => ({ ...ctx, ownerEmail })
  return {
    'POST /api/v1/company-requests': async (ctx, { body }) => {
      const { authorKey } = ctx.actor
      const wait = Math.max(
        (await around.use(ctx.network)) ?? 0,
        (authorKey === null ? undefined : await person.use(authorKey)) ?? 0,
      )
      if (wait > 0)
        throw new Refusal('too-many', `That was a lot at once. Please wait ${wait} seconds.`)
      await proofs.demand(ctx, body.proof)
      return requestCompany(ctx, body)
    },
    'GET /api/v1/company-requests': (ctx, { query }) => companyRequests(review(ctx), query),
    'DELETE /api/v1/company-requests/{id}': (ctx, { params }) =>
      deleteRequest(review(ctx), params.id),
    'POST /api/v1/company-requests/{id}/approve': (ctx, { params }) =>
      approveRequest(review(ctx), params.id),
    'POST /api/v1/company-requests/{id}/link': (ctx, { params, body }) =>
      linkRequest(review(ctx), params.id, body.companyId),
    'POST /api/v1/company-requests/{id}/decline': (ctx, { params }) =>
      declineRequest(review(ctx), params.id),
  }
}
