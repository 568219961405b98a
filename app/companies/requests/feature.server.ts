import type { Feature } from '#app/api/feature.server.ts'
import { REQUEST_APPROVED, type RequestApproved, sendApproval } from './approval-mail.server.ts'
import { requestContract } from './request.contract.ts'
import { requestHandlers } from './request-api.server.ts'
import {
  REQUEST_NOTICE,
  registerRequestNotices,
  sendRequestNotice,
} from './request-notice.server.ts'
import { REQUESTER_EMAIL } from './requester-email.server.ts'

export const requests: Feature = {
  sealed: [REQUESTER_EMAIL],
  routes({ http, bind, base, contextOf, hasRateLimits }) {
    bind(requestContract, requestHandlers)
    registerRequestNotices(http, { context: base, contextOf, hasRateLimits })
  },
  mails: {
    [REQUEST_APPROVED]: async ({ base, auth, site }, post, payload: RequestApproved) => {
      if (site.flags.enableCompanies) await sendApproval(base, post, auth, payload)
    },
    [REQUEST_NOTICE]: ({ base, auth }, post, payload: { requestId: string }) =>
      sendRequestNotice(base, post, auth, payload),
  },
}
