/** Binds the contract of company requests to queries and commands. */
import type { Handlers } from '#app/api/bind.server.ts'
import { approveRequest, declineRequest, linkRequest } from './decision-commands.server.ts'
import type { RequestContract } from './request.contract.ts'
import { deleteRequest, requestCompany } from './request-commands.server.ts'
import { companyRequests } from './request-queries.server.ts'

export const requestHandlers: Handlers<RequestContract> = {
  'POST /api/v1/company-requests': (ctx, { body }) => requestCompany(ctx, body),
  'GET /api/v1/company-requests': (ctx, { query }) => companyRequests(ctx, query),
  'DELETE /api/v1/company-requests/{id}': (ctx, { params }) => deleteRequest(ctx, params.id),
  'POST /api/v1/company-requests/{id}/approve': (ctx, { params, body }) =>
    approveRequest(ctx, params.id, body),
  'POST /api/v1/company-requests/{id}/link': (ctx, { params, body }) =>
    linkRequest(ctx, params.id, body.companyId),
  'POST /api/v1/company-requests/{id}/decline': (ctx, { params }) => declineRequest(ctx, params.id),
}
