/** What people may ask about ratings. No answer says who gave one, or when but for the month. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { Uuid } from '#app/api/uuid.ts'
import { CompanyReply } from '#app/community/replies/reply.contract.ts'
import { ERAS, NOTE_SORTS, RELATIONS } from './rating.ts'

const Helpful = z.object({
  id: Uuid,
  isCounted: z.boolean().describe('Whether the number that everybody sees knows of it yet'),
})
export type Helpful = z.output<typeof Helpful>

const CompanyId = z.object({ id: Uuid })
const StarCounts = z.array(z.number().int()).length(5).describe('How often 1, 2, … 5 stars')

/** Months in a row with the same weight, as few as hold five ratings. */
const Bucket = z.object({
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

export const MyRating = z.object({
  id: Uuid,
  month: z.string(),
  rto: z.number().int().nullable(),
  dei: z.number().int().nullable(),
  workLife: z.number().int().nullable(),
  culture: z.number().int().nullable(),
  officeDays: z.number().int().nullable(),
  relation: z.enum(RELATIONS).nullable(),
  era: z.enum(ERAS).nullable(),
  note: z.string(),
  noteState: z.enum(['shown', 'held', 'removed']),
  badge: z
    .object({
      domain: z.string(),
      isShown: z.boolean().describe('False while too few colleagues have one'),
    })
    .nullable(),
})
export type MyRating = z.output<typeof MyRating>

const Category = z.object({ score: z.number().nullable(), stars: StarCounts })

const Part = z.object({ key: z.string(), ratings: z.number().int(), score: z.number() })

const RatingsView = z.object({
  month: z.string().describe('The present one, which the trend leads up to'),
  weight: z.number().int().describe('Of the present month, in thirtieths'),
  formerIds: z.array(Uuid).describe('Of companies that became part of this one'),
  ratings: z.number().int(),
  score: z.number().nullable(),
  isHeldBack: z.boolean().describe('There are too few to show a number'),
  minShown: z.number().int(),
  categories: z.object({ rto: Category, dei: Category, workLife: Category, culture: Category }),
  buckets: z.array(Bucket),
  surgeSince: z.string().nullable(),
  officeDays: z.object({ mean: z.number(), ratings: z.number().int() }).nullable(),
  byRelation: z.array(Part),
  byEra: z.array(Part),
  verified: Part.omit({ key: true })
    .nullable()
    .describe('Of employees with a badge, where so many gave one that it names nobody'),
})
export type RatingsView = z.output<typeof RatingsView>

const Note = z.object({
  id: Uuid,
  month: z.string(),
  average: z.number(),
  rto: z.number().int().nullable(),
  dei: z.number().int().nullable(),
  workLife: z.number().int().nullable(),
  culture: z.number().int().nullable(),
  relation: z.enum(RELATIONS).nullable(),
  isVerified: z.boolean().describe('By a badge of the company'),
  html: z.string(),
  helpful: z.number().int(),
  companyReply: CompanyReply.nullable(),
})
export type Note = z.output<typeof Note>

/** A browser asks once a day; each company that somebody rated is tried. */
const MY_RATINGS = { name: 'my-ratings', seconds: 600, person: 30 }

/** Nobody has worked at more places than this. */
const RATINGS = { name: 'ratings', seconds: 600, person: 30 }

export const ratingContract = {
  'GET /api/v1/companies/{id}/ratings': {
    summary: 'How a company is rated, and how the numbers are made',
    params: CompanyId,
    ok: RatingsView,
    flag: 'enableCompanies',
    access: 'anyone',
  },
  'GET /api/v1/companies/{id}/notes': {
    summary: 'What raters wrote',
    params: CompanyId,
    query: z.object({
      after: z.string().max(500).optional(),
      sort: z.enum(NOTE_SORTS).default('newest'),
      relation: z.enum(RELATIONS).optional().describe('Only of those'),
      verified: z.literal('true').optional().describe('Only of employees with a badge'),
    }),
    ok: z.object({ notes: z.array(Note), next: z.string().nullable() }),
    flag: 'enableCompanies',
    access: 'anyone',
  },
  'GET /api/v1/my/ratings': {
    summary:
      'One’s own ratings from before ratings named nobody, and which notes one found helpful: of all companies at once, so that asking names none',
    ok: z.object({
      ratings: z.array(MyRating.extend({ companyId: Uuid })),
      helpful: z.array(Helpful),
    }),
    flag: 'enableCompanies',
    access: 'anyone',
    limit: MY_RATINGS,
  },
  'DELETE /api/v1/companies/{id}/my-rating': {
    summary: 'Take away what one gave before ratings named nobody',
    params: CompanyId,
    ok: z.object({ isRemoved: z.literal(true) }),
    flag: 'enableCompanies',
    access: 'member',
    limit: RATINGS,
  },
  'PUT /api/v1/notes/{id}/helpful': {
    summary: 'Find a note helpful, or not any more',
    params: CompanyId,
    body: z.object({ isHelpful: z.boolean() }),
    ok: z.object({ isHelpful: z.boolean(), isCounted: z.boolean() }),
    flag: 'enableCompanies',
    access: 'anyone',
    limit: RATINGS,
  },
} satisfies Contract

export type RatingContract = typeof ratingContract
