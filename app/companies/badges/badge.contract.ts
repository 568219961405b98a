import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { LookupText, Uuid, WrittenText } from '#app/api/schemas.ts'
import { EMAIL_MAX } from '#app/identity/accounts/account.ts'
import { bytes, Quarter } from '#app/identity/credentials/credential.contract.ts'
import {
  PRESENTATION_BYTES,
  RENEWAL_BYTES,
  RESPONSE_BYTES,
} from '#app/identity/credentials/credential.ts'
import { BADGE_REFUSALS, DOMAIN_MAX } from './badge.ts'

export const Domain = LookupText(DOMAIN_MAX).regex(
  /^[a-z0-9-]+(\.[a-z0-9-]+)+$/,
  'This isn’t a domain',
)

/** A rating's badge. The rating's own proof covers it. */
export const RatingBadge = z.object({ domain: Domain })
export type RatingBadge = z.output<typeof RatingBadge>

/** The badge of a thread or comment. */
export const PostBadge = z.object({
  companyId: Uuid,
  domain: Domain,
  quarter: Quarter,
  presentation: bytes(PRESENTATION_BYTES).describe(
    'The proof is bound to the text and its idempotency key',
  ),
})
export type PostBadge = z.output<typeof PostBadge>

/** Next to a post. */
export const ShownBadge = z
  .object({ name: z.string(), path: z.string() })
  .nullable()
  .describe('Where the author works. Null until enough people there have a badge')
export type ShownBadge = z.output<typeof ShownBadge>

const Token = LookupText(1_000)
/** Longer than any code people type, even with blanks and dashes. */
const CODE_MAX = 40

/** Limited, because each request emails an address that anyone can type. */
const ASKING_LIMIT = { name: 'badges', seconds: 3600, person: 5, network: 60 }
/** Issuing takes 40 ms of CPU. */
const ISSUING_LIMIT = { name: 'badge-credentials', seconds: 600, person: 20, network: 200 }

const access = { access: 'rater', refusal: { forbidden: BADGE_REFUSALS.employer } } as const

export const badgeContract = {
  'POST /api/v1/my/badge': {
    summary: 'Request a badge. We email a code to your work address, which we don’t store',
    body: z.object({
      companyId: Uuid,
      email: WrittenText(EMAIL_MAX),
    }),
    ok: z.object({
      domain: z.string(),
      token: z.string().describe('Your request, sealed. Send it with the code'),
    }),
    flag: 'enableCompanies',
    ...access,
    limit: ASKING_LIMIT,
  },
  'POST /api/v1/my/badge/credential': {
    summary: 'Issue a badge for the secret you rate with',
    body: z.object({
      token: Token,
      code: LookupText(CODE_MAX).describe('The emailed code, as typed'),
      quarter: Quarter,
      request: bytes(RENEWAL_BYTES),
    }),
    ok: z.object({ response: bytes(RESPONSE_BYTES) }),
    flag: 'enableCompanies',
    ...access,
    limit: ISSUING_LIMIT,
  },
} satisfies Contract

export type BadgeContract = typeof badgeContract
