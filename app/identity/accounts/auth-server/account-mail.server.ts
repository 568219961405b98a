/**
 * Asks for a mail about an account. A request only queues the sealed address; whether it has an
 * account is looked up by the job, so that no answer and no delay tells.
 */
import { plainAddress } from '#app/api/auth/addresses.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'

export const LINK_KINDS = ['signup', 'recovery', 'email_change'] as const
/** What a link in a mail is for. */
export type LinkKind = (typeof LINK_KINDS)[number]

export const CHALLENGE_METHODS = ['s256', 'plain'] as const
/** By what the browser that asked is known again (PKCE). */
export interface Challenge {
  codeChallenge?: string
  codeChallengeMethod?: (typeof CHALLENGE_METHODS)[number]
}

export const ACCOUNT_MAIL = 'account-mail'

/** Where a link shall lead, and who may use what it leads to. */
export interface LinkRequest extends Challenge {
  /** Checked already. */
  redirectTo: string
}

type Request =
  | ({ purpose: 'signup' | 'recovery'; email: string } & LinkRequest)
  | ({ purpose: 'email_change'; email: string; accountId: string } & LinkRequest)
  | { purpose: 'password_changed' | 'email_changed' | FactorNews; email: string }

/** What happened to an account's second step. */
export type FactorNews =
  | 'factor_added'
  | 'factor_removed'
  | 'recovery_codes_replaced'
  | 'recovery_code_used'

/** What lies in the queue: the address is sealed there too. */
export type MailPayload = { purpose: Request['purpose']; sealedEmail: string } & Partial<
  LinkRequest & { accountId: string }
>

export function enqueueMail(ctx: ServerContext, { email, ...request }: Request) {
  const payload: MailPayload = { ...request, sealedEmail: ctx.secrets.seal(plainAddress(email)) }
  return ctx.jobs.enqueue(ctx.db, ACCOUNT_MAIL, payload)
}
