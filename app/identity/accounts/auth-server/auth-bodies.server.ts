/** The bodies that /auth/v1 accepts, and the sentences for those it refuses. */
import { z } from 'zod'
import { isAddress } from '#app/api/auth/addresses.server.ts'
import { oneLine } from '#app/kit/writing/text.ts'
import { EMAIL_MAX, PASSWORD_MAX } from '../account.ts'
import { FACTOR_KINDS } from '../second-factors/factor-rows.server.ts'
import { CHALLENGE_METHODS, LINK_KINDS } from './account-mail.server.ts'
import { AuthRefusal } from './auth-refusal.server.ts'

const METADATA_MAX_BYTES = 4_096
const METADATA_DEPTH_MAX = 20

const Email = z
  .string('Unable to validate email address: invalid format')
  .trim()
  .max(EMAIL_MAX, 'Unable to validate email address: invalid format')
  .refine(isAddress, 'Unable to validate email address: invalid format')
/** Password strength is checked by the command. */
const Password = z.string('Password must be text').max(PASSWORD_MAX, 'Password is too long')
/** NUL and lone surrogates, as written in JSON. PostgreSQL's JSON cannot store them. */
const NOT_STORABLE = /(?<!\\)(\\\\)*\\u(0000|d[89a-f][0-9a-f]{2})/
const isShallow = (value: unknown, levels = METADATA_DEPTH_MAX): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((it) => isShallow(it, levels - 1)))
const Metadata = z
  .record(z.string(), z.unknown(), 'The data must be an object')
  .refine((data) => isShallow(data), { error: 'The data is nested too deeply', abort: true })
  .refine(
    (data) => Buffer.byteLength(JSON.stringify(data)) <= METADATA_MAX_BYTES,
    'The data is too large',
  )
  .refine(
    (data) => !NOT_STORABLE.test(JSON.stringify(data)),
    'The data contains a character we can’t store',
  )
const FACTOR_NAME_MAX = 60
const FactorName = z
  .string('The name must be text')
  .max(FACTOR_NAME_MAX, `A name can have at most ${FACTOR_NAME_MAX} characters`)
  .transform(oneLine)
const RelyingParty = {
  rpId: z.string().max(300).nullish(),
  rpOrigins: z.array(z.string().max(300)).max(10).nullish(),
}
/** Larger than any passkey's response. */
const CREDENTIAL_MAX = 20_000
const Credential = z
  .record(z.string(), z.unknown(), '"credential_response" is missing or not valid')
  .refine((it) => JSON.stringify(it).length <= CREDENTIAL_MAX, 'The credential is too large')
const ChallengePart = {
  code_challenge: z
    .string()
    .regex(/^[\w.~-]{43,128}$/, 'code challenge has to be between 43 and 128 characters')
    .nullish(),
  code_challenge_method: z
    .string()
    .toLowerCase()
    .pipe(z.enum(CHALLENGE_METHODS, 'code_challenge_method must be s256 or plain'))
    .nullish(),
}

export const Bodies = {
  signUp: z.object({
    email: Email,
    password: Password.min(1, 'Signup requires a valid password'),
    data: Metadata.nullish(),
    ...ChallengePart,
  }),
  password: z.object({
    email: z.string().max(1_000),
    password: Password,
    gotrue_meta_security: z.object({ captcha_token: z.string().max(4_000).nullish() }).nullish(),
  }),
  refresh: z.object({ refresh_token: z.string().min(1).max(1_000) }),
  pkce: z.object({
    auth_code: z.string().min(1).max(1_000),
    code_verifier: z
      .string()
      .min(1)
      .max(1_000)
      .regex(/^[^\0]*$/, 'code verifier is not valid'),
  }),
  recover: z.object({ email: Email, ...ChallengePart }),
  resend: z.object({
    type: z.enum(['signup', 'email_change'], 'type must be signup or email_change'),
    email: Email,
    ...ChallengePart,
  }),
  verify: z
    .object({
      /** If given, the token is the code from a sign-up's email. */
      email: Email.optional(),
      type: z.enum(LINK_KINDS, `type must be one of ${LINK_KINDS.join(', ')}`),
      token: z.string().max(1_000).optional(),
      token_hash: z.string().max(1_000).optional(),
      redirect_to: z.string().max(2_000).optional(),
      known_ids: z.string().max(200).optional(),
    })
    .refine(
      ({ token, token_hash: hash }) => !token || !hash || token === hash,
      'Send either token or token_hash, not both',
    ),
  user: z.object({
    email: Email.nullish(),
    password: Password.nullish(),
    current_password: Password.nullish(),
    data: Metadata.nullish(),
    app_metadata: z.unknown().optional(),
    ...ChallengePart,
  }),
  reauthenticate: z.object({ password: Password }),
  enroll: z.object({
    factor_type: z.enum(FACTOR_KINDS, `factor_type needs to be ${FACTOR_KINDS.join(' or ')}`),
    friendly_name: FactorName.nullish(),
    issuer: FactorName.nullish(),
  }),
  challenge: z.object({ webauthn: z.object(RelyingParty).nullish() }),
  verifyFactor: z
    .object({
      challenge_id: z.string().max(1_000),
      code: z.string().max(100).nullish(),
      webauthn: z
        .object({
          ...RelyingParty,
          type: z.enum(['create', 'request'], 'type must be create or request'),
          credential_response: Credential,
        })
        .nullish(),
    })
    .refine(({ code, webauthn }) => !code || !webauthn, 'Send either a code or a passkey response'),
  recoverByCode: z.object({ code: z.string().max(100) }),
  managed: z.object({
    email: Email.nullish(),
    password: Password.nullish(),
    user_metadata: Metadata.nullish(),
    email_confirm: z.boolean().nullish(),
    ban_duration: z.string().max(40).nullish(),
  }),
  page: z.object({
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    per_page: z.coerce.number().int().min(1).max(100).default(50),
  }),
}

export interface ChallengeBody {
  code_challenge?: string | null
  code_challenge_method?: 's256' | 'plain' | null
}

/** Bad metadata gets a 422, as in the original service. Everything else gets a 400. */
const METADATA = ['data', 'user_metadata']

/** Phone logins get their own refusal instead of a missing email. */
const isByPhone = (body: unknown) => {
  const { phone, email } = (body ?? {}) as { phone?: unknown; email?: unknown }
  return typeof phone === 'string' && phone !== '' && !email
}

/** The message of a schema without a sentence of its own. */
const namingField: z.core.$ZodErrorMap = ({ code, path }) =>
  path?.length && (code === 'invalid_type' || code === 'invalid_union')
    ? `"${path.join('.')}" is missing or not valid`
    : undefined

/** @throws AuthRefusal phone_provider_disabled, or validation_failed with the first issue */
export function parsed<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  if (isByPhone(body)) throw new AuthRefusal('phone_provider_disabled')
  const result = schema.safeParse(body ?? {}, { error: namingField })
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw new AuthRefusal(
    'validation_failed',
    issue?.message ?? 'The request isn’t valid',
    METADATA.includes(String(issue?.path[0])) ? { status: 422 } : {},
  )
}
