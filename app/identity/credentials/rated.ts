/** What a person rated, as their browser keeps it: what is not sent yet, and what the site said of what was. */

/** So many that a device remembers of what it gave a company. */
export const OVER_MAX = 5

export interface Stars {
  rto: number | null
  dei: number | null
  workLife: number | null
  culture: number | null
}

/** What is to be sent; later words about the same company take its place. */
export interface Outgoing {
  /** Null where a rating is taken back. */
  rating: (Stars & Record<string, unknown>) | null
  /** It is sent with this badge. */
  badge?: { domain: string }
  /** What was given from here before, as far as it may have arrived: it takes the place of that alone. */
  over?: (Stars & Record<string, unknown>)[]
  /** Another device gave `held` meanwhile: it stays until its person says which of the two is to stand. */
  isAsked?: true
  /** It waits, or has waited, for another credential: see quiet-issuing.data.ts. */
  isAwaiting?: true
  /** Why it is not sent any more, in a sentence. */
  problem?: string
}

/** What the site has of it, as its answer said: that came when it was sent, or in a round of its own. */
export interface Held {
  /** Null where it was taken back. */
  rating: (Stars & { note: string; noteState: string } & Record<string, unknown>) | null
  /** As it counts for everybody. */
  published: (Stars & { month: string }) | null
  isWaiting: boolean
  /** What moderators did to the note, and its appeal. */
  post?: Record<string, unknown>
}

/** What was public of a company when one's own began to wait, as `ownRatingsOf` takes it. */
export interface PublicNumbers {
  minShown: number
  ratings: number
  /** The present month then, and its weight. */
  month: string
  weight: number
  buckets: object[]
}

export interface Rated {
  name: string
  path: string
  /** Companies that became part of it. */
  formerIds: string[]
  outgoing?: Outgoing
  /** What was given under the account goes when the one that names nobody is there. */
  replacesOld?: true
  /** When the next of these is sent, in milliseconds since 1970. */
  dueAt?: number
  /** Unknown of what was given before browsers kept it, or from another device. */
  held?: Held
  /** While one's own waits. */
  base?: PublicNumbers
  /** When the site is next asked what became of it: never with anything else. */
  askAt?: number
  /** Nothing is known of it but that another device may have rated it. */
  isSought?: true
  /** Its form is open and waits for the answer: the secret has just been brought here. */
  isAwaited?: true
}

/** By company. */
export type RatedCompanies = Record<string, Rated>
