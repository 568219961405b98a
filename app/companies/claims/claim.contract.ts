import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { Uuid, WrittenText } from '#app/api/schemas.ts'
import { EMAIL_MAX } from '#app/identity/accounts/account.ts'
import {
  CHECK_OUTCOMES,
  CLAIM_ANSWER_MAX,
  CLAIM_LISTS,
  CLAIM_METHODS,
  CLAIM_NOTE_MAX,
  CLAIM_REFUSALS,
  CLAIM_STATUSES,
} from './claim.ts'

const Id = z.object({ id: Uuid })

const Company = z.object({
  id: Uuid,
  name: z.string(),
  path: z.string(),
  logoUrl: z.string().nullable(),
})

const Claim = z.object({
  id: Uuid,
  company: Company,
  status: z.enum(CLAIM_STATUSES),
  method: z
    .enum(CLAIM_METHODS)
    .nullable()
    .describe('Null if the person was invited or entered by hand'),
  isVerified: z.boolean(),
  isOwner: z.boolean().describe('Owns the company’s seats and decides who else acts for it'),
  claimedOn: z.string().nullable().describe('A day'),
  workEmail: z.string().nullable().describe('Masked. Null once the claim is decided'),
})

const MyClaim = Claim.extend({
  wantsNews: z.boolean().describe('Gets emails about the company, at most once a day'),
  isOffered: z.boolean().describe('The owner has offered to make this person the owner'),
  record: z
    .object({ name: z.string(), value: z.string() })
    .nullable()
    .describe('The TXT record we’re still looking for'),
  answer: z.string().describe('The administrator’s note when declining'),
})
export type MyClaim = z.output<typeof MyClaim>

const ReviewedClaim = Claim.extend({
  username: z.string(),
  isMine: z.boolean(),
  website: z.string().nullable(),
  domain: z.string().nullable().describe('The domain to prove, while the claim is pending'),
  note: z.string().describe('The person’s note, while pending or approved'),
  answer: z.string(),
  others: z.number().int().nonnegative().describe('Other people who act for the company'),
})
export type ReviewedClaim = z.output<typeof ReviewedClaim>

const Decided = z.object({ status: z.enum(CLAIM_STATUSES) })

const CLAIMS_LIMIT = { name: 'claims', seconds: 3600, person: 10, network: 30 }
/** Limited, because each request queries a stranger's name servers. */
const CHECKS_LIMIT = { name: 'claim-checks', seconds: 300, person: 10, network: 30 }

export const claimContract = {
  'GET /api/v1/my/claims': {
    summary: 'Your claims: the companies you act for or want to act for',
    ok: z.object({ claims: z.array(MyClaim) }),
    access: 'signedIn',
  },
  'POST /api/v1/companies/{id}/claims': {
    summary: 'Claim to act for a company',
    params: Id,
    body: z.object({
      method: z.enum(CLAIM_METHODS),
      workEmail: WrittenText(EMAIL_MAX)
        .default('')
        .describe(
          'Your work email, for the `mail` method. Must be at the domain of the company’s website',
        ),
      note: WrittenText(CLAIM_NOTE_MAX).default('').describe('A note to the administrators'),
    }),
    ok: MyClaim,
    status: 201,
    access: 'confirmed',
    refusal: { forbidden: CLAIM_REFUSALS.unconfirmed },
    limit: CLAIMS_LIMIT,
  },
  'DELETE /api/v1/my/claims/{id}': {
    summary: 'Withdraw a pending claim, or leave a company you act for',
    params: Id,
    ok: Decided,
    access: 'signedIn',
  },
  'POST /api/v1/my/claims/{id}/check': {
    summary: 'Check for the TXT record now',
    params: Id,
    ok: z.object({ outcome: z.enum(CHECK_OUTCOMES), claim: MyClaim }),
    access: 'confirmed',
    refusal: { forbidden: CLAIM_REFUSALS.unconfirmed },
    limit: CHECKS_LIMIT,
  },
  'POST /api/v1/my/claims/{id}/resend': {
    summary: 'Send the link to the work address again',
    params: Id,
    ok: z.object({ sent: z.literal(true) }),
    access: 'confirmed',
    refusal: { forbidden: CLAIM_REFUSALS.unconfirmed },
    limit: CLAIMS_LIMIT,
  },
  'PUT /api/v1/my/claims/{id}/news': {
    summary: 'Choose whether you get emails about a company you act for',
    params: Id,
    body: z.object({ wantsNews: z.boolean() }),
    ok: MyClaim,
    access: 'signedIn',
  },
  'GET /api/v1/claims': {
    summary: 'Claims to decide on, newest first. For administrators',
    query: z.object({
      status: z.enum(CLAIM_LISTS).default('waiting'),
      before: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
    }),
    ok: z.object({
      claims: z.array(ReviewedClaim),
      next: z.number().int().nullable().describe('Pass it as `before` for the next page'),
    }),
    access: 'admin',
  },
  'POST /api/v1/claims/{id}/approve': {
    summary: 'Let the person act for the company. For administrators',
    params: Id,
    ok: Decided,
    access: 'admin',
    requiresRecentLogin: true,
  },
  'POST /api/v1/claims/{id}/decline': {
    summary: 'Decline a claim. For administrators',
    params: Id,
    body: z.object({
      note: WrittenText(CLAIM_ANSWER_MAX).default('').describe('A note to the person'),
    }),
    ok: Decided,
    access: 'admin',
  },
  'POST /api/v1/claims/{id}/revoke': {
    summary: 'Revoke an approved claim. For administrators',
    params: Id,
    ok: Decided,
    access: 'admin',
  },
} satisfies Contract

export type ClaimContract = typeof claimContract
