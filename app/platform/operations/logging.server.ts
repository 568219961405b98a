/** What may be said of an error in a log: what it is and where it happened, never what it says. */

const FRAMES_MAX = 12
const MINUTE_MS = 60_000

export interface ErrorFacts {
  type?: string
  code?: string
  /** Of the schema, where the database refused. */
  table?: string
  constraint?: string
  /** Functions and lines of code, innermost first. */
  at: string[]
  cause?: ErrorFacts
}

/**
 * A message can quote an address, a search or a whole row ("Key (…)=(…) already exists"), and so can
 * whatever else hangs on an error; names, codes and lines of code cannot.
 */
export const errorFacts = (error: unknown) => factsOf(error, 0)

function factsOf(error: unknown, depth: number): ErrorFacts {
  const given = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >
  const facts: ErrorFacts = { at: framesOf(given) }
  const entries = { type: given.name, ...pick(given, ['code', 'table', 'constraint']) }
  for (const [name, value] of Object.entries(entries))
    if (isWord(value)) facts[name as 'type'] = String(value)
  if (given.cause !== undefined && depth < 3) facts.cause = factsOf(given.cause, depth + 1)
  return facts
}

const pick = (from: Record<string, unknown>, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, from[name]]))

const isWord = (value: unknown) => typeof value === 'string' && /^\w{1,63}$/.test(value)

/** Nothing at all where the message cannot be told from the rest. */
function framesOf({ stack, message }: Record<string, unknown>): string[] {
  if (typeof stack !== 'string' || typeof message !== 'string') return []
  const start = stack.indexOf(message)
  if (start < 0) return []
  return stack
    .slice(start + message.length)
    .split('\n')
    .map((line) => /^ +at (.*:\d+:\d+\)?)$/.exec(line)?.[1])
    .filter((frame) => frame !== undefined)
    .slice(0, FRAMES_MAX)
}

/** An error that is logged without words of ours would lend its own. */
export function withOwnMessage(words: unknown[]): unknown[] {
  const [first, ...rest] = words
  if (first instanceof Error) return [{ err: first }, 'An error']
  const carriesError = typeof first === 'object' && first !== null && 'err' in first
  return carriesError && typeof rest[0] !== 'string' ? [first, 'An error'] : words
}

/** What Fastify's logger needs to know: no address, no user agent, no query, no person. */
export const logSettings = {
  // Process and host would be the only other fields, and tell nothing.
  base: null,
  // To the minute: a refused request, beside a post of the same second, would be its author's.
  timestamp: () => `,"time":${Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS}`,
  serializers: {
    req: () => ({}),
    res: () => ({}),
    // Fastify would have a message here too.
    err: errorFacts as unknown as (error: Error) => {
      type: string
      message: string
      stack: string
    },
  },
  hooks: {
    logMethod(this: unknown, words: unknown[], log: (...words: unknown[]) => void) {
      log.apply(this, withOwnMessage(words))
    },
  },
}
