/** No response says who gave a rating, or when, except for the month. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { After, Uuid } from '#app/api/schemas.ts'
import { VOTE_REFUSALS } from '#app/community/discussions/votes/vote.ts'
import { CompanyReply } from '#app/community/replies/reply.contract.ts'
import { ERAS, NOTE_SORTS, RELATIONS } from './rating.ts'

const Helpful = z.object({
  id: Uuid,
  isCounted: z.boolean().describe('Whether the public number includes it yet'),
})
export type Helpful = z.output<typeof Helpful>

const CompanyId = z.object({ id: Uuid })
const NoteId = z.object({ id: Uuid })
const StarCounts = z
  .array(z.number().int())
  .length(5)
  .describe('How often people gave 1, 2, … 5 stars')

/** Consecutive months with the same weight, merged until they hold five ratings. */
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
      isShown: z.boolean().describe('False until enough colleagues have one'),
    })
    .nullable(),
})
export type MyRating = z.output<typeof MyRating>

const Category = z.object({ score: z.number().nullable(), stars: StarCounts })

const Part = z.object({ key: z.string(), ratings: z.number().int(), score: z.number() })

const RatingsView = z.object({
  month: z.string().describe('The current month, where the trend ends'),
  weight: z.number().int().describe('The weight of the current month, in thirtieths'),
  formerIds: z.array(Uuid).describe('For companies merged into this one'),
  ratings: z.number().int(),
  score: z.number().nullable(),
  isHeldBack: z.boolean().describe('True while there are too few ratings to show a number'),
  minShown: z.number().int(),
  categories: z.object({ rto: Category, dei: Category, workLife: Category, culture: Category }),
  buckets: z.array(Bucket),
  surgeSince: z.string().nullable(),
  officeDays: z.object({ mean: z.number(), ratings: z.number().int() }).nullable(),
  byRelation: z.array(Part),
  byEra: z.array(Part),
  verified: Part.omit({ key: true })
    .nullable()
    .describe('From employees with a badge, once there are enough to hide in'),
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
  isVerified: z.boolean().describe('Written with a badge for the company'),
  html: z.string(),
  helpful: z.number().int(),
  companyReply: CompanyReply.nullable(),
})
export type Note = z.output<typeof Note>

/** A browser sends this once a day, and we try each rated company. */
const MY_RATINGS_LIMIT = { name: 'my-ratings', seconds: 600, person: 30 }

/** No one has worked at more companies. */
const RATINGS_LIMIT = { name: 'ratings', seconds: 600, person: 30 }

export const ratingContract = {
  'GET /api/v1/companies/{id}/ratings': {
    summary: 'A company’s ratings, and how the numbers are made',
    params: CompanyId,
    ok: RatingsView,
    flag: 'enableCompanies',
    access: 'anyone',
    isShared: 'entry',
  },
  'GET /api/v1/companies/{id}/notes': {
    summary: 'The notes people wrote with their ratings',
    params: CompanyId,
    query: After.extend({
      sort: z.enum(NOTE_SORTS).default('newest'),
      relation: z.enum(RELATIONS).optional().describe('Only from these people'),
      verified: z.literal('yes').optional().describe('Only from employees with a badge'),
    }),
    ok: z.object({ notes: z.array(Note), next: z.string().nullable() }),
    flag: 'enableCompanies',
    access: 'anyone',
    isShared: 'entry',
  },
  'GET /api/v1/my/ratings': {
    summary:
      'The ratings you gave under your account, and the notes you found helpful. For all companies at once, so the request doesn’t name one',
    ok: z.object({
      ratings: z.array(MyRating.extend({ companyId: Uuid })),
      helpful: z.array(Helpful),
    }),
    flag: 'enableCompanies',
    access: 'ownData',
    limit: MY_RATINGS_LIMIT,
  },
  'DELETE /api/v1/companies/{id}/my-rating': {
    summary: 'Remove a rating given under your account',
    params: CompanyId,
    ok: z.object({ isRemoved: z.literal(true) }),
    flag: 'enableCompanies',
    access: 'signedIn',
    limit: RATINGS_LIMIT,
  },
  'PUT /api/v1/notes/{id}/helpful': {
    summary: 'Mark a note helpful, or not',
    params: NoteId,
    body: z.object({ isHelpful: z.boolean() }),
    ok: z.object({ isHelpful: z.boolean(), isCounted: z.boolean() }),
    flag: 'enableCompanies',
    access: 'author',
    refusal: { forbidden: VOTE_REFUSALS.employerVotes },
    limit: RATINGS_LIMIT,
    changes: 'posts',
  },
} satisfies Contract

export type RatingContract = typeof ratingContract
