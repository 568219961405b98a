/** The kinds of jobs that write to somebody: once the mail is out, nothing here takes it back. */
import {
  ACCOUNT_MAIL,
  type MailPayload,
} from './features/accounts/auth-server/account-mail.server.ts'
import { sendAccountMail } from './features/accounts/auth-server/account-mail-job.server.ts'
import type { AuthSettings } from './features/accounts/auth-server/auth-context.server.ts'
import {
  CLAIM_DECIDED,
  CLAIM_LINK,
  type ClaimDecided,
  type ClaimLinkWanted,
  sendClaimDecided,
  sendClaimLink,
} from './features/claims/claim-mail.server.ts'
import {
  type AnswerPayload,
  CONTACT_ANSWER,
  type Sender,
  sendAnswer,
} from './features/contact/answer-commands.server.ts'
import {
  DIGEST_MAIL,
  type DigestPayload,
  sendDigest,
} from './features/notifications/digest.server.ts'
import {
  REQUEST_APPROVED,
  type RequestApproved,
  sendApproval,
} from './features/requests/approval-mail.server.ts'
import { REQUEST_NOTICE, sendRequestNotice } from './features/requests/request-notice.server.ts'
import type { ServerContext } from './server/context.server.ts'
import type { Jobs } from './server/jobs.server.ts'
import type { Mailer } from './server/mail.server.ts'
import { createPostOffice, type Post } from './server/mail-post.server.ts'

export const MAIL_JOBS = [
  ACCOUNT_MAIL,
  CLAIM_DECIDED,
  CLAIM_LINK,
  CONTACT_ANSWER,
  DIGEST_MAIL,
  REQUEST_APPROVED,
  REQUEST_NOTICE,
]

/** Says how each of them is done. The mailer is given to nobody else. */
export function handleMails(parts: {
  base: ServerContext
  jobs: Pick<Jobs, 'handle'>
  mailer: Pick<Mailer, 'send'>
  auth: AuthSettings
  site: Sender
  hasRateLimits: boolean
}) {
  const { base, jobs, mailer, auth, site, hasRateLimits } = parts
  const postOf = createPostOffice({ mailer, secrets: base.secrets, hasRateLimits })
  const handle = <Payload extends object>(
    kind: string,
    send: (post: Post, payload: Payload) => Promise<void>,
  ) => jobs.handle<Payload>(kind, (payload, _db, job) => send(postOf(job), payload))

  handle<MailPayload>(ACCOUNT_MAIL, (post, payload) =>
    sendAccountMail({ ...base, auth }, post, payload),
  )
  handle<ClaimDecided>(CLAIM_DECIDED, (post, decided) =>
    sendClaimDecided(base, post, auth, decided),
  )
  handle<ClaimLinkWanted>(CLAIM_LINK, (post, wanted) => sendClaimLink(base, post, auth, wanted))
  handle<AnswerPayload>(CONTACT_ANSWER, (post, payload) => sendAnswer(base, post, site, payload))
  handle<DigestPayload>(DIGEST_MAIL, (post, payload) => sendDigest(base, post, auth, payload))
  handle<RequestApproved>(REQUEST_APPROVED, (post, payload) =>
    sendApproval(base, post, auth, payload),
  )
  handle<{ requestId: string }>(REQUEST_NOTICE, (post, payload) =>
    sendRequestNotice(base, post, auth, payload),
  )
}
