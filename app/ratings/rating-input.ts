/** A rating's schema, for form and server. No I/O here. */
import * as z from 'zod/mini'
import { RATING_CATEGORIES } from '#app/companies/company.ts'
import { ERAS, NOTE_MAX, OFFICE_DAYS, RELATIONS, STARS } from './rating.ts'

const Given = z._default(
  z.nullable(z.literal(STARS, 'A score is a whole number from 1 to 5')),
  null,
)

export const RatingInput = z
  .object({
    rto: Given,
    dei: Given,
    workLife: Given,
    culture: Given,
    officeDays: z._default(z.nullable(z.literal(OFFICE_DAYS)), null),
    relation: z._default(z.nullable(z.enum(RELATIONS)), null),
    era: z._default(z.nullable(z.enum(ERAS)), null),
    note: z._default(
      z.string().check(z.maxLength(NOTE_MAX, `A note has at most ${NOTE_MAX} characters`)),
      '',
    ),
  })
  .check(
    z.refine((rating) => RATING_CATEGORIES.some(({ key }) => rating[key] !== null), {
      error: 'Rate at least one of the four',
      path: ['stars'],
    }),
  )
export type RatingInput = z.output<typeof RatingInput>

const EMPTY: RatingInput = {
  rto: null,
  dei: null,
  workLife: null,
  culture: null,
  officeDays: null,
  relation: null,
  era: null,
  note: '',
}

/** Only the fields of a rating; defaults for those missing. */
export function draftOf(rating: object | null | undefined): RatingInput {
  const known = Object.keys(EMPTY).map((key) => [
    key,
    (rating as Record<string, unknown> | null | undefined)?.[key] ??
      EMPTY[key as keyof RatingInput],
  ])
  return Object.fromEntries(known) as RatingInput
}

/** Blank space around a note doesn't count. */
export const isSameRating = (one: RatingInput, other: RatingInput) =>
  Object.keys(EMPTY).every((key) =>
    key === 'note'
      ? one.note.trim() === other.note.trim()
      : one[key as keyof RatingInput] === other[key as keyof RatingInput],
  )
