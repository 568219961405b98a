/** Says in few lines that the database is away: not one for each request that it cost. */
import { isOutcomeUnknown, type OutcomeUnknown, type Unavailable } from './unavailable.ts'

const TELL_EVERY_MS = 1_000

const WORDS = {
  away: 'The database is away',
  busy: 'The database is too busy',
  full: 'The database has no room to write',
  unknown: 'The database was lost before it said whether it kept what was written',
}

/** One line for each kind and second, with how many it were and their codes. */
export function createUnavailableLog(log: { warn(facts: object, message: string): void }) {
  const waiting = new Map<keyof typeof WORDS, { count: number; codes: Set<string> }>()
  function tell() {
    for (const [kind, { count, codes }] of waiting)
      log.warn({ count, codes: [...codes] }, WORDS[kind])
    waiting.clear()
  }
  return (error: Unavailable | OutcomeUnknown) => {
    const kind = kindOf(error)
    if (waiting.size === 0) setTimeout(tell, TELL_EVERY_MS)
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
