import { isOutcomeUnknown, type OutcomeUnknown, type Unavailable } from './unavailable.ts'

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
