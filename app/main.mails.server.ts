/** The kinds of jobs that write to somebody: once the mail is out, nothing here takes it back. */
import { ACCOUNT_MAIL } from './features/accounts/account-mail.server.ts'
import { CLAIM_DECIDED, CLAIM_LINK } from './features/claims/claim-mail.server.ts'
import { CONTACT_ANSWER } from './features/contact/answer-commands.server.ts'
import { DIGEST_MAIL } from './features/notifications/digest.server.ts'
import { REQUEST_APPROVED } from './features/requests/approval-mail.server.ts'
import { REQUEST_NOTICE } from './features/requests/request-notice.server.ts'

export const MAIL_JOBS = [
  ACCOUNT_MAIL,
  CLAIM_DECIDED,
  CLAIM_LINK,
  CONTACT_ANSWER,
  DIGEST_MAIL,
  REQUEST_APPROVED,
  REQUEST_NOTICE,
]
