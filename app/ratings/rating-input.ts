/** A rating as it is given. Runs in the browser too: no I/O here. */
import { RATING_CATEGORIES } from '#app/companies/company.ts'
import { tidyText } from '#app/kit/writing/text.ts'
import { type Era, NOTE_MAX, type OFFICE_DAYS, type Relation, type Stars } from './rating.ts'

/** Null where it wasn't answered. */
export type RatingInput = {
  rto: Stars | null
  dei: Stars | null
  workLife: Stars | null
  culture: Stars | null
  officeDays: (typeof OFFICE_DAYS)[number] | null
  relation: Relation | null
  era: Era | null
  note: string
}

/**
 * As it's stored, in UTF-16 units of three bytes at most: a padded answer has room for the longest note, or its size would
 * tell of it.
 */
export const noteLength = (note: string) => tidyText(note).length

/** The problem of each field. */
export const ratingProblems = (rating: RatingInput) => ({
  stars: RATING_CATEGORIES.some(({ key }) => rating[key] !== null)
    ? undefined
    : 'Rate at least one of the four',
  note:
    noteLength(rating.note) > NOTE_MAX
      ? `A note can have at most ${NOTE_MAX} characters`
      : undefined,
})

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
export function ratingDraftOf(rating: object | null | undefined): RatingInput {
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

/** What a presented rating's proof is bound to. Browser and server must make the same bytes. */
export interface PresentedRating {
  companyId: string
  quarter: string
  /** SHA-256 of the key that finds it. base64url */
  holder: string
  /** SHA-256 of the key that removes this version. base64url. Not from Kettle 0.1: there the holder's key removes. */
  removal?: string | undefined
  /** Keys of the holder's ratings of companies merged into this one; this rating replaces them. */
  replaces: string[]
  rating: RatingInput
  /** Shows that its holder works there: the proof is then made with the badge. */
  badge?: { domain: string } | undefined
  /** The ratings this device knows of: any other one stays, and its person chooses. */
  over: RatingInput[]
  /** Higher with each change, so that a recorded request doesn't bring an earlier one back. 0 from Kettle 0.1. */
  nth: number
}

const inOrder = ({ rto, dei, workLife, culture, officeDays, relation, era, note }: RatingInput) => [
  ...[rto, dei, workLife, culture, officeDays],
  ...[relation, era, note],
]

/** Covers every field: a changed letter needs another proof. */
export function messageOf({
  companyId,
  quarter,
  holder,
  replaces,
  rating,
  badge,
  over,
  nth,
  removal,
}: PresentedRating) {
  const { rto, dei, workLife, culture, officeDays, relation, era, note } = rating
  const stars = [rto, dei, workLife, culture]
  const fields: unknown[] = [
    companyId,
    quarter,
    holder,
    replaces,
    stars,
    officeDays,
    relation,
    era,
    note,
  ]
  if (badge || over.length > 0 || nth > 0 || removal) fields.push(badge?.domain ?? null)
  if (over.length > 0 || nth > 0 || removal) fields.push(over.map(inOrder))
  if (nth > 0 || removal) fields.push(nth)
  if (removal) fields.push(removal)
  return new TextEncoder().encode(JSON.stringify(fields))
}
