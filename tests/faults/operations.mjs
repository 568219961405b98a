// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is planted are pieces of code
/** Faults of a site in operation: what it logs, how it stops, whom it tells its figures. Name, file, what stands there, what the fault makes of it, who must notice. */
export const operations = [
  [
    'a log quotes errors',
    'app/server/logging.server.ts',
    'const facts: ErrorFacts = { at: framesOf(given) }',
    'const facts = { at: framesOf(given), message: given.message } as ErrorFacts',
    'app/server/logging.test.ts',
  ],
  [
    'an error lends its words to the log',
    'app/server/logging.server.ts',
    "if (first instanceof Error) return [{ err: first }, 'An error']",
    'if (first instanceof Error) return words',
    'app/server/logging.test.ts',
  ],
  [
    'a stop cuts off answers',
    'app/server/stopping.server.ts',
    'while (open.size > 0 && performance.now() < latest) await wait(LOOK_EVERY_MS)',
    'await wait(0)',
    'app/server/stopping.test.ts',
  ],
  [
    'a secret setting is printed',
    'app/server/config.server.ts',
    'const value = SECRET.has(name) ? \'\' : ` ("${given[name]}")`',
    'const value = ` ("${given[name]}")`',
    'app/server/config.test.ts',
  ],
  [
    'figures go out through a proxy',
    'app/server/metrics-api.server.ts',
    'FORWARDED.every((name) => headers[name] === undefined)',
    'FORWARDED.length > 0',
    'app/server/metrics.db.test.ts',
  ],
  [
    'figures go out to everybody',
    'app/server/metrics-api.server.ts',
    "LOOPBACK.test(raw.socket.remoteAddress ?? '') &&",
    'raw.socket !== undefined &&',
    'app/server/metrics.db.test.ts',
  ],
  [
    'figures name addresses',
    'app/server/http.server.ts',
    '? (patternOf?.(url) ?? UNKNOWN_ROUTE)',
    '? (patternOf && url)',
    'app/server/metrics.db.test.ts',
  ],
  [
    'what hides from one caller is missing to all',
    'app/server/page-cache.server.ts',
    'else if (!rendering.isForSomebody)',
    'else',
    'app/server/page-cache.test.ts',
  ],
  [
    'all readers come back at once',
    'app/features/discussions/live.server.ts',
    'Math.round(least + Math.random() * (most - least))',
    '(least + most) / 2',
    'app/features/discussions/live.db.test.ts',
  ],
  [
    'a site that stops calls itself ready',
    'app/server/health.server.ts',
    "const status = stopping.hasBegun ? 'stopping' : readiness.status",
    'const { status } = readiness',
    'app/server/health.db.test.ts',
  ],
]
