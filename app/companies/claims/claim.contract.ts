/** What can be asked about claims: by their own person, and by administrators. Nobody else. */
import { z } from 'zod'
import { LimitedText } from '#app/api/checked-text.ts'
import type { Contract } from '#app/api/contract.ts'
import { Uuid } from '#app/api/uuid.ts'
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
  method: z.enum(CLAIM_METHODS).nullable().describe('Null where somebody wrote the claim by hand'),
  isVerified: z.boolean(),
  isOwner: z.boolean().describe('Of the seats of the company: decides who else acts for it'),
  claimedOn: z.string().nullable().describe('A day'),
  workEmail: z.string().nullable().describe('Masked, and only while the claim waits'),
})

const MyClaim = Claim.extend({
  wantsNews: z.boolean().describe('Gets a mail when there is news about the company, once a day'),
  isOffered: z.boolean().describe('The owner has offered the ownership to this person'),
  record: z
    .object({ name: z.string(), value: z.string() })
    .nullable()
    .describe('The TXT record that is still looked for'),
  answer: z.string().describe('What an administrator said when they declined'),
})
export type MyClaim = z.output<typeof MyClaim>

const ReviewedClaim = Claim.extend({
  username: z.string(),
  isMine: z.boolean(),
  website: z.string().nullable(),
  domain: z.string().nullable().describe('What was to be shown, while the claim waits'),
  note: z.string().describe('What the person says; while it waits or is approved'),
  answer: z.string(),
  others: z.number().int().nonnegative().describe('Other people who act for the company'),
})
export type ReviewedClaim = z.output<typeof ReviewedClaim>

const Decided = z.object({ status: z.enum(CLAIM_STATUSES) })

const CLAIMS = { name: 'claims', seconds: 3600, person: 10, network: 30 }
/** Each asks the name servers of a stranger. */
const CHECKS = { name: 'claim-checks', seconds: 300, person: 10, network: 30 }

export const claimContract = {
  'GET /api/v1/my/claims': {
    summary: 'The companies that one acts for, or wants to',
    ok: z.object({ claims: z.array(MyClaim) }),
    access: 'member',
  },
  'POST /api/v1/companies/{id}/claims': {
    summary: 'Say that one may act for a company',
    params: Id,
    body: z.object({
      method: z.enum(CLAIM_METHODS),
      workEmail: LimitedText(EMAIL_MAX)
        .default('')
        .describe('At the domain of the company’s website; for mail'),
      note: LimitedText(CLAIM_NOTE_MAX).default('').describe('For the administrators'),
    }),
    ok: MyClaim,
    status: 201,
    access: 'confirmed',
    refusal: { forbidden: CLAIM_REFUSALS.unconfirmed },
    limit: CLAIMS,
  },
  'DELETE /api/v1/my/claims/{id}': {
    summary: 'Withdraw a claim that waits, or leave a company that one acts for',
    params: Id,
    ok: Decided,
    access: 'member',
  },
  'POST /api/v1/my/claims/{id}/check': {
    summary: 'Look for the TXT record now',
    params: Id,
    ok: z.object({ outcome: z.enum(CHECK_OUTCOMES), claim: MyClaim }),
    access: 'confirmed',
    refusal: { forbidden: CLAIM_REFUSALS.unconfirmed },
    limit: CHECKS,
  },
  'POST /api/v1/my/claims/{id}/resend': {
    summary: 'Send the link to the work address once more; former ones stop working',
    params: Id,
    ok: z.object({ sent: z.literal(true) }),
    access: 'confirmed',
    refusal: { forbidden: CLAIM_REFUSALS.unconfirmed },
    limit: CLAIMS,
  },
  'PUT /api/v1/my/claims/{id}/news': {
    summary: 'Choose whether one wants a mail about the company that one acts for',
    params: Id,
    body: z.object({ wantsNews: z.boolean() }),
    ok: MyClaim,
    access: 'member',
  },
  'GET /api/v1/claims': {
    summary: 'Claims for administrators to decide on, newest first',
    query: z.object({
      status: z.enum(CLAIM_LISTS).default('waiting'),
      before: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
    }),
    ok: z.object({
      claims: z.array(ReviewedClaim),
      next: z.number().int().nullable().describe('Give it as `before` for the next page'),
    }),
    access: 'admin',
  },
  'POST /api/v1/claims/{id}/approve': {
    summary: 'Let the person act for the company; for administrators',
    params: Id,
    ok: Decided,
    access: 'admin',
    recent: true,
  },
  'POST /api/v1/claims/{id}/decline': {
    summary: 'Do not; for administrators',
    params: Id,
    body: z.object({ note: LimitedText(CLAIM_ANSWER_MAX).default('').describe('To the person') }),
    ok: Decided,
    access: 'admin',
  },
  'POST /api/v1/claims/{id}/revoke': {
    summary: 'Take an approved claim back; for administrators',
    params: Id,
    ok: Decided,
    access: 'admin',
  },
} satisfies Contract

export type ClaimContract = typeof claimContract
