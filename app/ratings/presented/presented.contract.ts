/**
 * Ratings by credentials. None of these is asked with a token, a cookie or an anonymous id: what is presented is all
 * that the server learns.
 */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { Uuid } from '#app/api/uuid.ts'
import { RatingBadge } from '#app/companies/badges/badge.contract.ts'
import {
  bytes,
  HOLDING,
  HolderKeys,
  Quarter,
} from '#app/identity/credentials/credential.contract.ts'
import { KEY_BYTES, PRESENTATION_BYTES } from '#app/identity/credentials/credential.ts'
import { OVER_MAX } from '#app/identity/credentials/rated.ts'
import { MyRating } from '../rating.contract.ts'
import { RatingInput } from '../rating-input.ts'

const CompanyId = z.object({ id: Uuid })
/** Many people share a network; verifying takes 17 ms of processor. */
const PRESENTING = { name: 'presented-ratings', seconds: 600, network: 300 }

const Stars = z.number().int().nullable()

/** What a key finds. */
const HeldRating = z.object({
  rating: MyRating.nullable().describe('Null where there is none, or it was taken back'),
  published: z
    .object({ month: z.string(), rto: Stars, dei: Stars, workLife: Stars, culture: Stars })
    .nullable()
    .describe('As it counts for everybody'),
  isWaiting: z.boolean().describe('What is public of it is another one'),
})
export type HeldRating = z.output<typeof HeldRating>

export const presentedContract = {
  'PUT /api/v1/companies/{id}/presented-rating': {
    summary: 'Rate a company by a credential, or change what one gave: who it is, nobody learns',
    params: CompanyId,
    body: z.object({
      quarter: Quarter,
      presentation: bytes(PRESENTATION_BYTES),
      holder: bytes(KEY_BYTES).describe('SHA-256 of the key that finds and removes it'),
      replaces: z
        .array(bytes(KEY_BYTES))
        .max(50)
        .default([])
        .describe('Keys of one’s ratings of companies that became part of this one'),
      rating: RatingInput,
      badge: RatingBadge.optional().describe('The proof is made with this badge'),
      over: z
        .array(RatingInput)
        .max(OVER_MAX)
        .default([])
        .describe('What one knows that one gave: anything else that is there stays'),
    }),
    ok: HeldRating.extend({
      rating: MyRating,
      isOther: z
        .literal(true)
        .optional()
        .describe('It was given on another device, and is as it was: nothing was changed'),
    }),
    flag: 'enableCompanies',
    access: 'anyone',
    isApart: true,
    isPadded: true,
    limit: PRESENTING,
  },
  'POST /api/v1/companies/{id}/held-rating': {
    summary: 'The rating that these keys hold',
    params: CompanyId,
    body: z.object({ keys: HolderKeys }),
    ok: HeldRating,
    flag: 'enableCompanies',
    access: 'anyone',
    isApart: true,
    isPadded: true,
    limit: HOLDING,
  },
  'POST /api/v1/companies/{id}/held-rating/remove': {
    summary: 'Take away the rating that these keys hold',
    params: CompanyId,
    body: z.object({ keys: HolderKeys }),
    ok: HeldRating,
    flag: 'enableCompanies',
    access: 'anyone',
    isApart: true,
    isPadded: true,
    limit: PRESENTING,
  },
} satisfies Contract

export type PresentedContract = typeof presentedContract
