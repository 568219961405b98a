/** No response says what one person has, not even to that person. They're given in the same way as pay. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { LookupText, Uuid } from '#app/api/schemas.ts'
import {
  EntryReceipt,
  GivenEntry,
  PRESENTING_LIMIT,
  RemovingEntry,
} from '../presented/presented.contract.ts'
import { BENEFITS, DAYS_OFF_MAX, KEY_MAX, LEAVE_MAX } from './benefits.ts'

const CompanyId = z.object({ id: Uuid })
const Keys = z.array(LookupText(KEY_MAX)).max(BENEFITS.length)
const Whole = z.number().int().nullable().default(null)
const GivenBenefits = z.object({
  year: z.number().int(),
  has: Keys.describe('From the list, such as company-pension'),
  uses: Keys.describe('Some of `has`'),
  leaveWeeks: Whole.describe(`Paid parental leave, up to ${LEAVE_MAX}`),
  daysOff: Whole.describe(`Paid days off a year, up to ${DAYS_OFF_MAX}`),
})

const Of = z.object({
  year: z.number().int().describe('The last one in which enough people gave theirs'),
  entries: z.number().int().describe('Rounded down to fives'),
})
const OfFour = z.number().int().describe('How many of four, about')
const Shares = Of.extend({
  benefits: z.array(z.object({ benefit: z.string(), have: OfFour, use: OfFour })),
})
const Median = Of.extend({ median: z.number() })

const CompanyBenefits = z.object({
  formerIds: z.array(Uuid).describe('For companies merged into this one'),
  shares: Shares.nullable().describe('From five people on'),
  leave: Median.nullable().describe('Weeks of paid parental leave, from ten people on'),
  daysOff: Median.nullable().describe('Paid days off a year, from ten people on'),
  surgeUntil: z
    .string()
    .nullable()
    .describe('A day. Unusually many people gave theirs lately, and they count from then on'),
})
export type CompanyBenefits = z.output<typeof CompanyBenefits>

/** Asked without any identity. */
const APART = {
  params: CompanyId,
  ok: EntryReceipt,
  flag: 'enableCompanies',
  access: 'anyone',
  mustBeAnonymous: true,
  isPadded: true,
  limit: PRESENTING_LIMIT,
} as const

export const benefitsContract = {
  'GET /api/v1/companies/{id}/benefits': {
    summary: 'Which benefits people at a company have and use',
    params: CompanyId,
    ok: CompanyBenefits,
    flag: 'enableCompanies',
    access: 'anyone',
    isShared: 'catalog',
  },
  'PUT /api/v1/companies/{id}/presented-benefits': {
    ...APART,
    summary:
      'Give a year’s benefits at a company with a credential, or change them. No one learns who you are',
    body: GivenEntry.extend({ benefits: GivenBenefits }),
  },
  'POST /api/v1/companies/{id}/benefits-by-key/remove': {
    ...APART,
    summary: 'Remove the benefits with these keys',
    body: RemovingEntry,
  },
} satisfies Contract

export type BenefitsContract = typeof benefitsContract
