/** Faults of the checker that `npm run chaos` and `npm run kill` trust. Name, file, what stands there, what the fault makes of it, who must notice. */
export const chaos = [
  [
    'the checker of chaos takes two for one',
    'tests/chaos/stored.ts',
    'if (found.length > 1)',
    'if (found.length > 2)',
    'tests/chaos-stored.db.test.ts',
  ],
  [
    'the checker of chaos overlooks what was deleted and is there',
    'tests/chaos/stored.ts',
    "if (isDeleted) return row && 'was deleted and is there'",
    'if (isDeleted) return undefined',
    'tests/chaos-stored.db.test.ts',
  ],
  [
    'the checker of chaos excuses whoever ever slept',
    'tests/chaos/seen-after-gone.ts',
    'Math.max(from, to + KNOWN_ELSEWHERE_MS)',
    'Number.POSITIVE_INFINITY',
    'tests/chaos-judging.test.ts',
  ],
  [
    'the checker of chaos takes any 503',
    'tests/chaos/sending.ts',
    "/^\\d+$/.test(headers.get('retry-after') ?? '')",
    'status === 503',
    'tests/chaos-judging.test.ts',
  ],
]
