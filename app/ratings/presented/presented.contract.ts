/** Ratings by credential: no token, cookie or anonymous id is sent with these requests. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { Uuid, WrittenText } from '#app/api/schemas.ts'
import { RatingBadge } from '#app/companies/badges/badge.contract.ts'
import {
  bytes,
  HOLDER_KEYS_LIMIT,
  HolderKeys,
  Quarter,
} from '#app/identity/credentials/credential.contract.ts'
import { KEY_BYTES, PRESENTATION_BYTES } from '#app/identity/credentials/credential.ts'
import { EARLIER_RATINGS_MAX, VERSION_MAX } from '#app/identity/credentials/rated.ts'
import { MyRating } from '../rating.contract.ts'
import { ERAS, NOTE_MAX, OFFICE_DAYS, RELATIONS, STARS } from '../rating.ts'

const CompanyId = z.object({ id: Uuid })
/** Many people share a network, and verifying takes 17 ms of CPU. */
export const PRESENTING_LIMIT = { name: 'presented-ratings', seconds: 600, network: 300 }

const GivenStars = z
  .literal(STARS, 'A score is a whole number from 1 to 5')
  .nullable()
  .default(null)

export const GivenRating = z.object({
  rto: GivenStars,
  dei: GivenStars,
  workLife: GivenStars,
  culture: GivenStars,
  officeDays: z.literal(OFFICE_DAYS).nullable().default(null),
  relation: z.enum(RELATIONS).nullable().default(null),
  era: z.enum(ERAS).nullable().default(null),
  note: WrittenText(NOTE_MAX).default(''),
})

const Stars = z.number().int().nullable()

const RatingByKey = z.object({
  rating: MyRating.nullable().describe('Null if there isn’t one, or it was removed'),
  published: z
    .object({ month: z.string(), rto: Stars, dei: Stars, workLife: Stars, culture: Stars })
    .nullable()
    .describe('How it counts in the public numbers'),
  isUnpublished: z.boolean().describe('True while the public version differs from this one'),
  version: z.number().int().describe('The number of its last change'),
})
export type RatingByKey = z.output<typeof RatingByKey>

const RatingOrOther = RatingByKey.extend({
  isOther: z
    .literal(true)
    .optional()
    .describe(
      'True if another device changed or removed the rating in the meantime, so this request changed nothing',
    ),
})
export type RatingOrOther = z.output<typeof RatingOrOther>

const Removing = z.object({
  keys: HolderKeys,
  removalKey: bytes(KEY_BYTES).optional().describe('The removal key of the version to remove'),
})
export type Removing = z.output<typeof Removing>

/** What's sent with everything that's given once per company and year. */
export const GivenEntry = z.object({
  quarter: Quarter,
  presentation: bytes(PRESENTATION_BYTES),
  holder: bytes(KEY_BYTES).describe('SHA-256 of the key that finds this entry'),
  removal: bytes(KEY_BYTES).describe('SHA-256 of the key that removes this version'),
  mergedKeys: z
    .array(bytes(KEY_BYTES))
    .max(50)
    .default([])
    .describe('Keys of your entries of this year at companies merged into this one'),
  version: z
    .number()
    .int()
    .min(1)
    .max(VERSION_MAX)
    .describe('Must be higher than at the last change, so no one can replay an earlier request'),
})
export type GivenEntry = z.output<typeof GivenEntry>

export const EntryReceipt = z.object({
  version: z.number().int().describe('The number of its last change'),
  isOther: z
    .literal(true)
    .optional()
    .describe('True if another device changed it in the meantime, so this request changed nothing'),
})

export const RemovingEntry = z.object({
  keys: HolderKeys,
  removalKey: bytes(KEY_BYTES).describe('The removal key of the version to remove'),
})
export type RemovingEntry = z.output<typeof RemovingEntry>

export const presentedContract = {
  'PUT /api/v1/companies/{id}/presented-rating': {
    summary: 'Rate a company with a credential, or change your rating. No one learns who you are',
    params: CompanyId,
    body: z.object({
      quarter: Quarter,
      presentation: bytes(PRESENTATION_BYTES),
      holder: bytes(KEY_BYTES).describe('SHA-256 of the key that finds this rating'),
      removal: bytes(KEY_BYTES)
        .optional()
        .describe('SHA-256 of the key that removes this version of the rating, but no later one'),
      mergedKeys: z
        .array(bytes(KEY_BYTES))
        .max(50)
        .default([])
        .describe('Keys of your ratings of companies merged into this one'),
      rating: GivenRating,
      badge: RatingBadge.optional().describe('The badge used for the proof'),
      supersedes: z
        .array(GivenRating)
        .max(EARLIER_RATINGS_MAX)
        .default([])
        .describe('Your earlier ratings that this one replaces. Ratings you don’t list stay'),
      version: z
        .number()
        .int()
        .min(0)
        .max(VERSION_MAX)
        .default(0)
        .describe(
          'Must be higher than at the last change, so no one can replay an earlier request',
        ),
    }),
    ok: RatingOrOther,
    flag: 'enableCompanies',
    access: 'anyone',
    mustBeAnonymous: true,
    isPadded: true,
    limit: PRESENTING_LIMIT,
  },
  'POST /api/v1/companies/{id}/rating-by-key': {
    summary: 'The rating with these keys',
    params: CompanyId,
    body: z.object({ keys: HolderKeys }),
    ok: RatingByKey,
    flag: 'enableCompanies',
    access: 'anyone',
    mustBeAnonymous: true,
    isPadded: true,
    limit: HOLDER_KEYS_LIMIT,
    changes: 'nothing',
  },
  'POST /api/v1/companies/{id}/rating-by-key/remove': {
    summary: 'Remove the rating with these keys',
    params: CompanyId,
    body: Removing,
    ok: RatingOrOther,
    flag: 'enableCompanies',
    access: 'anyone',
    mustBeAnonymous: true,
    isPadded: true,
    limit: PRESENTING_LIMIT,
  },
} satisfies Contract

export type PresentedContract = typeof presentedContract
