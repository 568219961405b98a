/** Binds the contract of company requests to queries and commands. */
import type { Handlers } from '../../api/bind.server.ts'
import type { Ctx } from '../../auth/context.server.ts'
import { approveRequest, declineRequest, linkRequest } from './decision-commands.server.ts'
import type { RequestContract } from './request.contract.ts'
import { deleteRequest, requestCompany } from './request-commands.server.ts'
import { companyRequests } from './request-queries.server.ts'

export function requestHandlers(settings: {
  ownerEmail: string | undefined
}): Handlers<RequestContract> {
  const { ownerEmail } = settings
  const review = (ctx: Ctx) => ({ ...ctx, ownerEmail })
  return {
    'POST /api/v1/company-requests': (ctx, { body }) => requestCompany(ctx, body),
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
