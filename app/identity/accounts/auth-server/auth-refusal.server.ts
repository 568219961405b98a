/** The refusals of /auth/v1, with the codes and sentences that the field's client knows. */
import { isCheckViolation } from '#app/platform/database/database.server.ts'
import { isUnavailable } from '#app/platform/http/unavailable.ts'

const REFUSALS = {
  bad_json: [400, 'Could not parse request body as JSON'],
  validation_failed: [400, 'The request is not valid'],
  phone_provider_disabled: [400, 'Phone logins are disabled. Please use an email address.'],
  invalid_credentials: [400, 'Invalid login credentials'],
  reauthentication_needed: [400, 'Please confirm it’s you first'],
  captcha_failed: [400, 'captcha protection: request disallowed (no spam check was solved)'],
  email_not_confirmed: [400, 'Email not confirmed'],
  user_banned: [400, 'User is banned'],
  unsupported_grant_type: [400, 'unsupported_grant_type'],
  refresh_token_not_found: [400, 'Invalid Refresh Token: Refresh Token Not Found'],
  refresh_token_already_used: [400, 'Invalid Refresh Token: Already Used'],
  session_expired: [400, 'Invalid Refresh Token: Session Expired'],
  bad_code_verifier: [400, 'code challenge does not match previously saved code verifier'],
  no_authorization: [401, 'This endpoint requires a valid Bearer token'],
  bad_jwt: [403, 'invalid JWT: unable to parse or verify signature, or token is expired'],
  session_not_found: [403, 'Session from session_id claim in JWT does not exist'],
  otp_expired: [403, 'Email link is invalid or has expired'],
  insufficient_aal: [403, 'Please finish logging in with your second step first'],
  not_admin: [403, 'User not allowed'],
  not_found: [404, 'There’s nothing at this URL'],
  user_not_found: [404, 'User not found'],
  flow_state_not_found: [404, 'invalid flow state, no valid flow state found'],
  mfa_factor_not_found: [404, 'This second step no longer exists'],
  reauthentication_not_valid: [422, 'Nonce has expired or is invalid'],
  mfa_factor_name_conflict: [422, 'You already have a second step with this name'],
  too_many_enrolled_mfa_factors: [422, 'You can’t add another second step'],
  mfa_challenge_expired: [422, 'That took too long or was already used. Please start over.'],
  mfa_verification_failed: [422, 'That code isn’t right. Please try the next one.'],
  signup_disabled: [422, 'Signups not allowed for this instance'],
  user_already_exists: [422, 'User already registered'],
  email_exists: [422, 'A user with this email address has already been registered'],
  same_password: [422, 'New password should be different from the old password.'],
  weak_password: [422, 'Password is too weak'],
  over_request_rate_limit: [429, 'Request rate limit reached'],
  over_email_send_rate_limit: [429, 'For security purposes, you can only request this later'],
  unexpected_failure: [503, 'The service isn’t available'],
} as const satisfies Record<string, readonly [status: number, message: string]>

/** The sentence of `insufficient_aal` if no second step is set up. */
export const SET_UP_STEP = 'Please set up two-step login first'

type AuthCode = keyof typeof REFUSALS

/** Why a password is too weak, in the shape that the field's client reads. */
export interface WeakPassword {
  message: string
  reasons: ('length' | 'pwned')[]
}

interface Details {
  reasons?: WeakPassword['reasons']
  /** Overrides the code's usual status. */
  status?: number
  /** Seconds until the next try may succeed. */
  retryAfter?: number
}

export class AuthRefusal extends Error {
  override name = 'AuthRefusal'
  readonly status: number
  constructor(
    readonly code: AuthCode,
    message: string = REFUSALS[code][1],
    readonly details: Details = {},
  ) {
    super(message)
    this.status = details.status ?? REFUSALS[code][0]
  }
}

/** Compares names, because `instanceof` fails across bundle boundaries. */
export const isAuthRefusal = (error: unknown): error is AuthRefusal =>
  (error as Partial<Error> | undefined)?.name === 'AuthRefusal'

/** Maps any error that callers may see to this API's shape. Undefined for a bug. */
export function authRefusalOf(error: unknown): AuthRefusal | undefined {
  if (isAuthRefusal(error)) return error
  // Fastify's own have a statusCode, such as 413 and 415.
  const {
    message,
    retryAfter,
    status = 500,
    statusCode = status,
  } = error as Error & { status?: number; statusCode?: number; retryAfter?: number }
  if (isUnavailable(error)) return new AuthRefusal('unexpected_failure', message, { retryAfter })
  if (statusCode === 429) return new AuthRefusal('over_request_rate_limit', message, { retryAfter })
  return statusCode >= 400 && statusCode < 500
    ? new AuthRefusal('validation_failed', message, { status: statusCode })
    : undefined
}

/** Only the database knows the final size, as JSONB merged with what's there. */
export function refuseTooLarge(error: unknown): never {
  if (!isCheckViolation(error)) throw error
  throw new AuthRefusal('validation_failed', 'The data is too large', { status: 422 })
}

/** Clients that name the API version 2024-01-01 get the new shape. */
export function refusalBody({ code, message, status, details }: AuthRefusal, isNewShape: boolean) {
  const weak = details.reasons && { weak_password: { reasons: details.reasons } }
  return isNewShape
    ? { code, message, ...weak }
    : { code: status, error_code: code, msg: message, ...weak }
}
