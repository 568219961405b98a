/** A rating while it is being made: what the form holds, and what of it is sent. No I/O here. */
import { RATING_CATEGORIES, type RatingCategory } from '../companies/company.ts'
import { type Era, NOTE_MAX, type OFFICE_DAYS, type Relation, type Stars } from './rating.ts'

export type Given = Record<RatingCategory, Stars | null>

export interface RatingDraft extends Given {
  officeDays: (typeof OFFICE_DAYS)[number] | null
  relation: Relation | null
  era: Era | null
  note: string
}

const EMPTY: RatingDraft = {
  rto: null,
  dei: null,
  workLife: null,
  culture: null,
  officeDays: null,
  relation: null,
  era: null,
  note: '',
}

/** The fields of an earlier rating, and of nothing else that came with it; empty without one. */
export function draftOf(rating: object | null | undefined): RatingDraft {
  const known = Object.keys(EMPTY).map((key) => [
    key,
    (rating as Record<string, unknown> | null | undefined)?.[key] ??
      EMPTY[key as keyof RatingDraft],
  ])
  return Object.fromEntries(known) as RatingDraft
}

export const isSameRating = (one: RatingDraft, other: RatingDraft) =>
  Object.keys(EMPTY).every(
    (key) => one[key as keyof RatingDraft] === other[key as keyof RatingDraft],
  )

/** What keeps a draft from being sent, by its place in the form. */
export function ratingProblems(draft: RatingDraft) {
  const isRated = RATING_CATEGORIES.some(({ key }) => draft[key] !== null)
  return {
    stars: isRated ? undefined : 'Rate at least one of the four',
    note: draft.note.length > NOTE_MAX ? `A note has at most ${NOTE_MAX} characters` : undefined,
  }
}
