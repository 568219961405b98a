/** The database is away, or too busy to answer: no fault of what was asked, which may be asked again. */

/** Seconds until it is worth while to ask again. */
const ASK_AGAIN_S = 5

const AWAY = 'The site cannot reach its database right now. Please try again in a moment.'
const BUSY = 'The site is very busy right now. Please try again in a moment.'
const FULL =
  'The site cannot save anything right now. You can go on reading; please try again a little later.'
const UNKNOWN_END =
  'The connection to the database broke while this was being saved, so we cannot say whether it was. Please check before you send it again.'

/** What becomes a 503: its message is for the person, and names nothing of the inside. */
abstract class DatabaseAway extends Error {
  readonly status = 503
  readonly retryAfter = ASK_AGAIN_S
  /** The SQLSTATE, or the system's word (ECONNREFUSED), where there is one. */
  readonly code: string | undefined
  constructor(sentence: string, { code, cause }: { code?: string | undefined; cause?: unknown }) {
    super(sentence, { cause })
    this.code = code
  }
}

/**
 * A database throws it instead of its own error when it cannot be reached or does not come to an end.
 * Nothing was kept of what was to be done.
 */
export class Unavailable extends DatabaseAway {
  override readonly name = 'Unavailable' as const
  /** It is there, and too slow. */
  readonly isBusy: boolean
  /** It has no room to write, and can be read. */
  readonly isFull: boolean
  constructor(
    what: { code?: string | undefined; isBusy?: boolean; isFull?: boolean; cause?: unknown } = {},
  ) {
    super(what.isFull ? FULL : what.isBusy ? BUSY : AWAY, what)
    this.isFull = what.isFull ?? false
    this.isBusy = what.isBusy ?? false
  }
}

/** The connection broke at the commit: it is there, or it is not. Nobody may send it again by themselves. */
export class OutcomeUnknown extends DatabaseAway {
  override readonly name = 'OutcomeUnknown' as const
  constructor(what: { code?: string | undefined; cause?: unknown } = {}) {
    super(UNKNOWN_END, what)
  }
}

export const isOutcomeUnknown = (error: unknown): error is OutcomeUnknown =>
  nameOf(error) === 'OutcomeUnknown'

/** Whether to answer 503: by name, as `instanceof` fails across bundle boundaries. */
export const isUnavailable = (error: unknown): error is Unavailable | OutcomeUnknown =>
  nameOf(error) === 'Unavailable' || isOutcomeUnknown(error)

const nameOf = (error: unknown) => (error as Partial<Error> | undefined)?.name
