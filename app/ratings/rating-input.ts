/** A rating, as people give it. Runs in the browser too: no I/O here. */
import { RATING_CATEGORIES } from '#app/companies/company.ts'
import { tidyText } from '#app/kit/writing/text.ts'
import { type Era, NOTE_MAX, type OFFICE_DAYS, type Relation, type Stars } from './rating.ts'

/** Null for questions that weren't answered. */
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
 * The stored length, in UTF-16 units of three bytes at most. A padded answer must have room for the longest note, or its
 * size would give it away.
 */
export const noteLength = (note: string) => tidyText(note).length

/** The problem of each field. */
export const ratingProblems = (rating: RatingInput) => ({
  stars: RATING_CATEGORIES.some(({ key }) => rating[key] !== null)
    ? undefined
    : 'Rate at least one of the four',
  note:
    noteLength(rating.note) > NOTE_MAX
      ? `A note can have at most ${NOTE_MAX.toLocaleString('en')} characters`
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

/** A rating's fields without anything else, with defaults for missing ones. */
export function ratingDraftOf(rating: object | null | undefined): RatingInput {
  const known = Object.keys(EMPTY).map((key) => [
    key,
    (rating as Record<string, unknown> | null | undefined)?.[key] ??
      EMPTY[key as keyof RatingInput],
  ])
  return Object.fromEntries(known) as RatingInput
}

/** Ignores blank space around a note. */
export const isSameRating = (one: RatingInput, other: RatingInput) =>
  Object.keys(EMPTY).every((key) =>
    key === 'note'
      ? one.note.trim() === other.note.trim()
      : one[key as keyof RatingInput] === other[key as keyof RatingInput],
  )

/** What a presented rating's proof is bound to. Browser and server must produce the same bytes. */
export interface PresentedRating {
  companyId: string
  quarter: string
  /** SHA-256 of the key that finds it. base64url */
  holder: string
  /**
   * SHA-256 of the key that removes this version, in base64url. Missing from Kettle 0.1, where the holder's key removes
   * it.
   */
  removal?: string | undefined
  /** Keys of the holder's ratings of companies merged into this one. This rating replaces those. */
  mergedKeys: string[]
  rating: RatingInput
  /** Shows that the holder works there. Then the proof uses the badge. */
  badge?: { domain: string } | undefined
  /** The ratings this device knows about. Any other one stays, and the person chooses. */
  supersedes: RatingInput[]
  /** Rises with each change, so a recorded request can't restore an earlier rating. 0 from Kettle 0.1. */
  version: number
}

const inOrder = ({ rto, dei, workLife, culture, officeDays, relation, era, note }: RatingInput) => [
  ...[rto, dei, workLife, culture, officeDays],
  ...[relation, era, note],
]

/** Covers every field, so a changed letter needs another proof. */
export function messageOf({
  companyId,
  quarter,
  holder,
  mergedKeys,
  rating,
  badge,
  supersedes,
  version,
  removal,
}: PresentedRating) {
  const { rto, dei, workLife, culture, officeDays, relation, era, note } = rating
  const stars = [rto, dei, workLife, culture]
  const fields: unknown[] = [
    companyId,
    quarter,
    holder,
    mergedKeys,
    stars,
    officeDays,
    relation,
    era,
    note,
  ]
  if (badge || supersedes.length > 0 || version > 0 || removal) fields.push(badge?.domain ?? null)
  if (supersedes.length > 0 || version > 0 || removal) fields.push(supersedes.map(inOrder))
  if (version > 0 || removal) fields.push(version)
  if (removal) fields.push(removal)
  return new TextEncoder().encode(JSON.stringify(fields))
}
