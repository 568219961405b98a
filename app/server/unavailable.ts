/** The database is away, or too busy to answer: no fault of what was asked, which may be asked again. */

/** Seconds until it is worth while to ask again. */
export const ASK_AGAIN_S = 5

export const AWAY = 'The site cannot reach its database right now. Please try again in a moment.'
const BUSY = 'The site is very busy right now. Please try again in a moment.'
const UNKNOWN_END =
  'The site lost its database while it saved this, so we cannot say whether it was kept. Please look before you send it again.'

/**
 * What a database throws instead of its own error when it cannot be reached or does not come to an end.
 * `code` is the SQLSTATE or the system's word (ECONNREFUSED) where there is one; the message names no
 * address.
 */
export class Unavailable extends Error {
  override name = 'Unavailable'
  /** It is there, and too slow. */
  readonly isBusy: boolean
  readonly code: string | undefined
  constructor({
    code,
    isBusy = false,
    cause,
  }: {
    code?: string | undefined
    isBusy?: boolean
    cause?: unknown
  }) {
    super(isBusy ? 'The database is too busy' : 'The database is away', { cause })
    this.code = code
    this.isBusy = isBusy
  }
}

/** The connection broke at the commit: it is there, or it is not. Nobody may send it again by themselves. */
export class OutcomeUnknown extends Error {
  override name = 'OutcomeUnknown'
  readonly code: string | undefined
  constructor({ code, cause }: { code?: string | undefined; cause?: unknown } = {}) {
    super('The database was lost before it said whether it kept what was written', { cause })
    this.code = code
  }
}

export const isOutcomeUnknown = (error: unknown): error is OutcomeUnknown =>
  nameOf(error) === 'OutcomeUnknown'

/** Whether to answer 503: by name, as `instanceof` fails across bundle boundaries. */
export const isUnavailable = (error: unknown): error is Unavailable | OutcomeUnknown =>
  nameOf(error) === 'Unavailable' || isOutcomeUnknown(error)

const nameOf = (error: unknown) => (error as Partial<Error> | undefined)?.name

/** The sentence for the person. */
export function sentenceOfUnavailable(error: Unavailable | OutcomeUnknown): string {
  if ('isBusy' in error) return error.isBusy ? BUSY : AWAY
  return UNKNOWN_END
}
