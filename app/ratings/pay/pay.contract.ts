/** No response says what one person is paid, not even to that person. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { LookupText, Uuid } from '#app/api/schemas.ts'
import { RatingBadge } from '#app/companies/badges/badge.contract.ts'
import {
  EntryReceipt,
  GivenEntry,
  PRESENTING_LIMIT,
  RemovingEntry,
} from '../presented/presented.contract.ts'
import { CELLS_MAX, EXPERIENCE, TITLE_MAX } from './pay.ts'

const CompanyId = z.object({ id: Uuid })
const Title = LookupText(TITLE_MAX).describe('A title’s family, such as software-engineer')
const AreaKey = LookupText(TITLE_MAX).describe('Such as CH/zurich, CH/remote or CH/elsewhere')
const Amount = z.number().int().describe('A year. Kept to the nearest 1,000')

const GivenPay = z.object({
  year: z.number().int(),
  title: Title,
  area: AreaKey,
  currency: LookupText(3).describe('ISO 4217, the same for all amounts'),
  base: Amount,
  bonus: Amount.default(0),
  equity: Amount.default(0).describe('What it’s worth in a year'),
  experience: z.enum(EXPERIENCE).describe('Years of work'),
  isYearly: z.boolean().default(false).describe('Confirms that a small amount is for a whole year'),
})

const Quartiles = z
  .tuple([z.number(), z.number(), z.number()])
  .describe('First quartile, median, third quartile, rounded to two figures')
const PayNumbers = z.object({
  year: z.number().int(),
  currency: z.string(),
  entries: z.number().int().describe('Rounded down to fives'),
  verified: z.number().int().describe('How many of four were given with a badge, about'),
  quartiles: z.object({ total: Quartiles, base: Quartiles, bonus: Quartiles, equity: Quartiles }),
})
export type PayNumbersView = z.output<typeof PayNumbers>

const CompanyPay = z.object({
  formerIds: z.array(Uuid).describe('For companies merged into this one'),
  cells: z
    .array(PayNumbers.extend({ title: z.string().nullable().describe('Null for everyone there') }))
    .max(CELLS_MAX),
})
export type CompanyPay = z.output<typeof CompanyPay>

const TitlePay = z.object({
  areas: z.array(PayNumbers.extend({ area: z.string() })).max(CELLS_MAX),
  companies: z
    .array(PayNumbers.extend({ company: z.object({ name: z.string(), path: z.string() }) }))
    .max(CELLS_MAX),
})
export type TitlePay = z.output<typeof TitlePay>

export type PayReceipt = z.output<typeof EntryReceipt>

export const payContract = {
  'GET /api/v1/companies/{id}/pay': {
    summary: 'What people at a company are paid, in the last year that enough of them gave',
    params: CompanyId,
    ok: CompanyPay,
    flag: 'enableCompanies',
    access: 'anyone',
    isShared: 'catalog',
  },
  'GET /api/v1/pay': {
    summary: 'What people with a title are paid, by area and by company',
    query: z.object({ title: Title }),
    ok: TitlePay,
    flag: 'enableCompanies',
    access: 'anyone',
    isShared: 'catalog',
  },
  'PUT /api/v1/companies/{id}/presented-pay': {
    summary:
      'Give a year’s pay at a company with a credential, or change it. No one learns who you are',
    params: CompanyId,
    body: GivenEntry.extend({
      pay: GivenPay,
      badge: RatingBadge.optional().describe('The badge used for the proof'),
    }),
    ok: EntryReceipt,
    flag: 'enableCompanies',
    access: 'anyone',
    mustBeAnonymous: true,
    isPadded: true,
    limit: PRESENTING_LIMIT,
  },
  'POST /api/v1/companies/{id}/pay-by-key/remove': {
    summary: 'Remove the pay with these keys',
    params: CompanyId,
    body: RemovingEntry,
    ok: EntryReceipt,
    flag: 'enableCompanies',
    access: 'anyone',
    mustBeAnonymous: true,
    isPadded: true,
    limit: PRESENTING_LIMIT,
  },
} satisfies Contract

export type PayContract = typeof payContract
