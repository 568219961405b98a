const FRAMES_MAX = 12
const MINUTE_MS = 60_000

export interface ErrorFacts {
  type?: string
  code?: string
  /** The table's name in the schema, if the database refused. */
  table?: string
  constraint?: string
  /** Functions and code lines, innermost first. */
  at: string[]
  cause?: ErrorFacts
}

/**
 * The loggable parts of an error. Messages and other fields may quote an address, a search or a
 * whole row ("Key (…)=(…) already exists"). Names, codes and code lines can't.
 */
export const errorFacts = (error: unknown) => factsOf(error, 0)

function factsOf(error: unknown, depth: number): ErrorFacts {
  const details = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >
  const facts: ErrorFacts = { at: framesOf(details) }
  const entries = { type: details.name, ...pick(details, ['code', 'table', 'constraint']) }
  for (const [name, value] of Object.entries(entries))
    if (isWord(value)) facts[name as 'type'] = String(value)
  if (details.cause !== undefined && depth < 3) facts.cause = factsOf(details.cause, depth + 1)
  return facts
}

const pick = (from: Record<string, unknown>, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, from[name]]))

const isWord = (value: unknown) => typeof value === 'string' && /^\w{1,63}$/.test(value)

/** Empty if the message can't be separated from the stack. */
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

/** Errors logged without a message of ours would bring their own. */
function withOwnMessage(args: unknown[]): unknown[] {
  const [first, ...rest] = args
  if (first instanceof Error) return [{ err: first }, 'An error']
  const carriesError = typeof first === 'object' && first !== null && 'err' in first
  return carriesError && typeof rest[0] !== 'string' ? [first, 'An error'] : args
}

/** What Fastify logs: no address, user agent, query or person. */
export const logSettings = {
  // Leave out process and host.
  base: null,
  // Log only the minute, because matching a refused request with a post from the same second would
  // reveal its author.
  timestamp: () => `,"time":${Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS}`,
  serializers: {
    req: () => ({}),
    res: () => ({}),
    // Fastify's type requires a message.
    err: errorFacts as unknown as (error: Error) => {
      type: string
      message: string
      stack: string
    },
  },
  hooks: {
    logMethod(this: unknown, args: unknown[], log: (...args: unknown[]) => void) {
      log.apply(this, withOwnMessage(args))
    },
  },
}
