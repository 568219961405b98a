/**
 * Queues an email about an account, with only the sealed address. The task looks up whether it has
 * an account, so neither the answer nor its timing reveals that.
 */
import { plainAddress } from '#app/api/auth/addresses.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import type { TaskKind } from '#app/platform/queue/queue.server.ts'

export const LINK_KINDS = ['signup', 'recovery', 'email_change'] as const
export type LinkKind = (typeof LINK_KINDS)[number]

export const CHALLENGE_METHODS = ['s256', 'plain'] as const
/** How we recognize the browser that asked (PKCE). */
export interface Challenge {
  codeChallenge?: string
  codeChallengeMethod?: (typeof CHALLENGE_METHODS)[number]
}

export const ACCOUNT_MAIL_TASK: TaskKind<MailPayload> = 'account-mail'

/** Where the link leads, and who may use it. */
export interface LinkRequest extends Challenge {
  redirectTo: string
}

type Request =
  | ({ purpose: 'signup' | 'recovery'; email: string } & LinkRequest)
  | ({ purpose: 'email_change'; email: string; accountId: string } & LinkRequest)
  | { purpose: 'password_changed' | 'email_changed' | FactorEvent; email: string }

export type FactorEvent =
  | 'factor_added'
  | 'factor_removed'
  | 'recovery_codes_replaced'
  | 'recovery_code_used'

/** A queued task. Its address is also sealed. */
export type MailPayload = { purpose: Request['purpose']; sealedEmail: string } & Partial<
  LinkRequest & { accountId: string }
>

export function enqueueMail(ctx: ServerContext, { email, ...request }: Request) {
  const payload: MailPayload = { ...request, sealedEmail: ctx.secrets.seal(plainAddress(email)) }
  return ctx.queue.enqueue(ctx.db, ACCOUNT_MAIL_TASK, payload)
}
