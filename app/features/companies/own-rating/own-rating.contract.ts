/** What of companies' numbers is one's own: what one gave and nobody else can see yet. */
import { z } from 'zod'
import type { Contract } from '../../../api/contract.ts'
import { Uuid } from '../../../api/uuid.ts'
import { HOLDING, HolderKeys } from '../../credentials/credential.contract.ts'

export const StarCounts = z.array(z.number().int()).length(5).describe('How often 1, 2, … 5 stars')

/** Months in a row with the same weight, as few as hold five ratings. */
export const Bucket = z.object({
  from: z.string(),
  to: z.string(),
  ratings: z.number().int(),
  weight: z.number().int().describe('In thirtieths'),
  tenths: z.number().int().describe('Sum of the averages, in tenths'),
  rto: StarCounts,
  dei: StarCounts,
  workLife: StarCounts,
  culture: StarCounts,
})
export type Bucket = z.output<typeof Bucket>

const Given = z.number().int().nullable()
const OneRating = z.object({
  month: z.string(),
  weight: z.number().int().describe('Of its month, in thirtieths'),
  tenths: z.number().int(),
  rto: Given,
  dei: Given,
  workLife: Given,
  culture: Given,
})

export const WaitingRating = z.object({
  companyId: Uuid,
  minShown: z.number().int(),
  buckets: z.array(Bucket).describe('What is public, while a number is shown'),
  ratings: z.number().int().describe('How many are public'),
  published: OneRating.nullable().describe('One’s own as it counts for everybody'),
  current: OneRating.nullable().describe('As it will; null where it was taken back'),
})
export type WaitingRating = z.output<typeof WaitingRating>

/** The same of a rating that a key holds, whether it waits or not: the browser knows what it has not sent yet. */
export const HeldNumbers = WaitingRating.extend({
  isWaiting: z.boolean(),
  month: z.string().describe('The present one'),
  weight: z.number().int().describe('Of the present month, in thirtieths'),
})
export type HeldNumbers = z.output<typeof HeldNumbers>

export const heldNumbersContract = {
  'POST /api/v1/companies/{id}/held-rating/numbers': {
    summary: 'What is public of a company’s ratings, and of the one that these keys hold',
    params: z.object({ id: Uuid }),
    body: z.object({ keys: HolderKeys }),
    ok: HeldNumbers,
    flag: 'enableCompanies',
    access: 'anyone',
    isApart: true,
    limit: HOLDING,
  },
} satisfies Contract

export type HeldNumbersContract = typeof heldNumbersContract
