/**
 * Submissions are stored by their subject: a company's id for its rating, `pay:<company>:<year>` for a year's pay,
 * `interview:` for an interview, `benefits:` for benefits. Each is sent in the same way.
 */
export const isRating = (subject: string) => !subject.includes(':')
export const companyOf = (subject: string) => subject.split(':')[1] ?? subject
export const kindOf = (subject: string) => subject.split(':')[0]

/** How often someone can change a rating. */
export const VERSION_MAX = 1_000_000
/** How many earlier ratings of a company a device remembers. */
export const EARLIER_RATINGS_MAX = 5

/** Stars in each category. Null where it wasn't answered. */
export interface CategoryStars {
  rto: number | null
  dei: number | null
  workLife: number | null
  culture: number | null
}

/** A rating as the browser stores it. Older versions may have stored less: `ratingDraftOf` fills in what's missing. */
interface StoredRating extends CategoryStars {
  officeDays?: number | null
  relation?: string | null
  era?: string | null
  note?: string
}

/** A later change to the same company replaces it. */
export interface Outgoing<Content = StoredRating> {
  /** Null removes it. Other submissions have shapes of their own. */
  rating: Content | null
  /** The badge it's sent with. */
  badge?: { domain: string }
  /** Earlier ratings from this browser that may have arrived. The new one replaces only these. */
  supersedes?: Content[]
  /** Which change it is; see `versionAfter`. */
  version?: number
  /** Another device gave `onServer` meanwhile, so this waits for the person to choose one. */
  hasConflict?: true
  /** The rating waits or waited for a credential. See quiet-issuing.data.ts. */
  needsCredential?: true
  /** Why we stopped sending it, in a sentence for people. */
  problem?: string
}

interface AnsweredRating extends StoredRating {
  id: string
  month: string
  note: string
  noteState: 'shown' | 'held' | 'removed'
  badge: { domain: string; isShown: boolean } | null
}

/** What the site last said about a rating. */
export interface ServerRating<Content = AnsweredRating> {
  /** Null if removed. */
  rating: Content | null
  /** The version that counts in the average. */
  published: (CategoryStars & { month: string }) | null
  isUnpublished: boolean
  /** The number of its last change. */
  version?: number
  /** Moderation of the note, and its appeal. */
  post?: Record<string, unknown>
}

/** A company's public numbers when the person's own rating began to wait, in the shape that `ownRatingsOf` takes. */
export interface PublicNumbers {
  minShown: number
  ratings: number
  /** The month then, and its weight. */
  month: string
  weight: number
  buckets: object[]
}

export interface Rated<Content = StoredRating, Answered = AnsweredRating> {
  name: string
  path: string
  formerIds: string[]
  outgoing?: Outgoing<Content>
  /** Whether to remove the old rating under the account once the anonymous one has arrived. */
  replacesOld?: true
  /** When to send next, in ms since 1970. */
  dueAt?: number
  /** Unknown for ratings from older versions, or from another device. */
  onServer?: ServerRating<Answered>
  /** The public numbers from before. Set while the person's own rating waits. */
  base?: PublicNumbers
  /** When to ask the site about it. We never ask together with anything else. */
  checkAt?: number
  /** Another device may have rated this company. We don't know more. */
  mayExistElsewhere?: true
  /** An open form waits for this, because the secret was just restored. */
  isRestoring?: true
}

/** A rating, or another submission such as a year's pay. */
export type Submission = Rated<object, object>

/** What this browser rated, by company id. */
export type RatedCompanies = Record<string, Rated>
