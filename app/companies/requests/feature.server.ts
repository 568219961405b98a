import type { Handlers } from '#app/api/bind.server.ts'
import { type Feature, mailTask } from '#app/api/feature.server.ts'
import { type RequestContract, requestContract } from './request.contract.ts'
import {
  approveRequest,
  declineRequest,
  deleteRequest,
  linkRequest,
  REQUEST_APPROVED_TASK,
  requestCompany,
  sendApproval,
} from './request-commands.server.ts'
import {
  REQUEST_NOTICE_TASK,
  registerRequestNotices,
  sendRequestNotice,
} from './request-notice.server.ts'
import { companyRequests, REQUESTER_EMAIL } from './request-queries.server.ts'

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

export const requests: Feature = {
  sealed: [REQUESTER_EMAIL],
  routes({ http, bind, base, contextOf, config }) {
    bind(requestContract, requestHandlers)
    registerRequestNotices(http, { ...config, context: base, contextOf })
  },
  mails: [
    mailTask(REQUEST_APPROVED_TASK, async ({ base, auth, config }, mailer, payload) => {
      if (config.flags.enableCompanies) await sendApproval(base, mailer, auth, payload)
    }),
    mailTask(REQUEST_NOTICE_TASK, ({ base, auth }, mailer, payload) =>
      sendRequestNotice(base, mailer, auth, payload),
    ),
  ],
}
