/** A rating: one to five stars in four categories. No I/O here. */
import { SURGE_DAYS } from '#app/companies/own-rating/rating-buckets.ts'

export const STARS = [1, 2, 3, 4, 5] as const
export type Stars = (typeof STARS)[number]

export const RELATIONS = ['current', 'former', 'candidate'] as const
export type Relation = (typeof RELATIONS)[number]
export const RELATION_NAMES: Record<Relation, string> = {
  current: 'I work there',
  former: 'I worked there',
  candidate: 'I interviewed there',
}

/** How pages name other raters. */
export const RATER_NAMES: Record<Relation, string> = {
  current: 'Works there',
  former: 'Worked there',
  candidate: 'Interviewed there',
}

export const NOTE_SORTS = ['newest', 'helpful'] as const
export type NoteSort = (typeof NOTE_SORTS)[number]

/** When someone was last there, vague enough to identify no one. */
export const ERAS = ['2023', '2020', '2015', 'earlier'] as const
export type Era = (typeof ERAS)[number]
export const ERA_NAMES: Record<Era, string> = {
  '2023': '2023 or later',
  '2020': '2020 to 2022',
  '2015': '2015 to 2019',
  earlier: 'Before 2015',
}

export const NOTE_MAX = 2_000
export const OFFICE_DAYS = [0, 1, 2, 3, 4, 5] as const

/** A month is a surge if it has at least this many ratings … */
export const SURGE_MIN = 10
/** … and at least this many times the mean of the previous twelve months. */
export const SURGE_FACTOR = 5

export const RATING_REFUSALS = {
  notFound: 'You haven’t rated this company',
  noNote: 'This note doesn’t exist',
  ownNote: 'You can’t vote on your own note',
  invalidProof: 'This rating’s proof isn’t valid, or it has expired',
  merged: 'This company is now part of another one. Please rate that one.',
} as const

/**
 * A month's weight in thirtieths: 30, or for a surge, 1 on its first day and one more each day. Whole numbers, so
 * anyone who adds them up gets exactly the number we show.
 */
export function weightOf(surgeSince: string | null, today: string): number {
  if (surgeSince === null) return SURGE_DAYS
  const days = Math.round((Date.parse(today) - Date.parse(surgeSince)) / 86_400_000)
  return Math.min(SURGE_DAYS, Math.max(1, days + 1))
}
