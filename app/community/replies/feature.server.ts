import type { Handlers } from '#app/api/bind.server.ts'
import type { Feature } from '#app/api/feature.server.ts'
import { type CompanyReplyContract, companyReplyContract } from './reply.contract.ts'
import {
  changeCompanyReply,
  removeCompanyReply,
  replyToNote,
  replyToThread,
} from './reply-commands.server.ts'
import { replyRights, replySource, replyVersions } from './reply-queries.server.ts'

export const replyHandlers: Handlers<CompanyReplyContract> = {
  'GET /api/v1/my/reply-rights': (ctx, { query }) => replyRights(ctx, query.company),
  'POST /api/v1/threads/{id}/company-reply': (ctx, { params, body }) =>
    replyToThread(ctx, params.id, body.text),
  'POST /api/v1/notes/{id}/company-reply': (ctx, { params, body }) =>
    replyToNote(ctx, params.id, body.text),
  'GET /api/v1/company-replies/{id}/versions': (ctx, { params, query }) =>
    replyVersions(ctx, params.id, query.before),
  'GET /api/v1/company-replies/{id}/source': (ctx, { params }) => replySource(ctx, params.id),
  'PATCH /api/v1/company-replies/{id}': (ctx, { params, body }) =>
    changeCompanyReply(ctx, params.id, body),
  'DELETE /api/v1/company-replies/{id}': (ctx, { params }) => removeCompanyReply(ctx, params.id),
}

export const replies: Feature = {
  routes({ bind }) {
    bind(companyReplyContract, replyHandlers)
  },
}
