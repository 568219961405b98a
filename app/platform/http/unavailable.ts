/** Seconds until a retry makes sense. */
const RETRY_AFTER_S = 5

const AWAY = 'The site can’t reach its database right now. Please try again in a moment.'
const BUSY = 'The site is very busy right now. Please try again in a moment.'
const FULL = 'The site can’t save anything right now. You can keep reading. Please try again later.'
const UNKNOWN_END =
  'We lost the connection while saving this, so we can’t tell whether it worked. Please check before you send it again.'

/** Becomes a 503. The message is for people, without internals. */
abstract class DatabaseAway extends Error {
  readonly status = 503
  readonly retryAfter = RETRY_AFTER_S
  /** The SQLSTATE, or a system code such as ECONNREFUSED. */
  readonly code: string | undefined
  constructor(sentence: string, { code, cause }: { code?: string | undefined; cause?: unknown }) {
    super(sentence, { cause })
    this.code = code
  }
}

/** Thrown in place of the database's own error if the database is unreachable or too slow. Nothing was stored. */
export class Unavailable extends DatabaseAway {
  override readonly name = 'Unavailable' as const
  /** Reachable, but too slow. */
  readonly isBusy: boolean
  /** Readable, but out of space. */
  readonly isFull: boolean
  constructor(
    what: { code?: string | undefined; isBusy?: boolean; isFull?: boolean; cause?: unknown } = {},
  ) {
    super(what.isFull ? FULL : what.isBusy ? BUSY : AWAY, what)
    this.isFull = what.isFull ?? false
    this.isBusy = what.isBusy ?? false
  }
}

/** The connection broke during the commit, so it may or may not be stored. Don't retry it automatically. */
export class OutcomeUnknown extends DatabaseAway {
  override readonly name = 'OutcomeUnknown' as const
  constructor(what: { code?: string | undefined; cause?: unknown } = {}) {
    super(UNKNOWN_END, what)
  }
}

export const isOutcomeUnknown = (error: unknown): error is OutcomeUnknown =>
  nameOf(error) === 'OutcomeUnknown'

/** Whether to answer 503. Compares names, because `instanceof` fails across bundle boundaries. */
export const isUnavailable = (error: unknown): error is Unavailable | OutcomeUnknown =>
  nameOf(error) === 'Unavailable' || isOutcomeUnknown(error)

const nameOf = (error: unknown) => (error as Partial<Error> | undefined)?.name

const LOG_EVERY_MS = 1_000

const MESSAGES = {
  away: 'The database is unavailable',
  busy: 'The database is too busy',
  full: 'The database has no space left',
  unknown: 'The connection was lost during a commit, so its outcome is unknown',
}

/** One line per kind and second, with the number of requests and their codes. */
export function createUnavailableLog(log: { warn(facts: object, message: string): void }) {
  const waiting = new Map<keyof typeof MESSAGES, { count: number; codes: Set<string> }>()
  function flush() {
    for (const [kind, { count, codes }] of waiting)
      log.warn({ count, codes: [...codes] }, MESSAGES[kind])
    waiting.clear()
  }
  return (error: Unavailable | OutcomeUnknown) => {
    const kind = kindOf(error)
    if (waiting.size === 0) setTimeout(flush, LOG_EVERY_MS)
    const known = waiting.get(kind) ?? { count: 0, codes: new Set<string>() }
    waiting.set(kind, known)
    known.count++
    if (error.code) known.codes.add(error.code)
  }
}

function kindOf(error: OutcomeUnknown | Unavailable) {
  if (isOutcomeUnknown(error)) return 'unknown'
  if (error.isFull) return 'full'
  return error.isBusy ? 'busy' : 'away'
}
