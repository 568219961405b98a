// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is planted are pieces of code
/** Faults of rows of the specification that nothing else guards. Name, file, what stands there, what the fault makes of it, who must notice. */
export const specification = [
  [
    'the client of reset links keeps its session',
    'app/features/accounts/recovery.data.ts',
    'persistSession: false',
    'persistSession: true',
    'app/features/accounts/recovery.data.test.ts',
  ],
  [
    'the main client takes the session of a reset link',
    'app/session/live-session.data.ts',
    'detectSessionInUrl: !isResetPage',
    'detectSessionInUrl: true',
    'app/session/live-session.data.test.ts',
  ],
  [
    'the note of an administrator outlives signing out',
    'app/session/live-session.data.ts',
    "else localStorage.removeItem('isAdmin')",
    '',
    'app/session/live-session.data.test.ts',
  ],
  [
    'signing out here signs out everywhere',
    'app/features/accounts/sign-in.data.ts',
    "endSession('local')",
    "endSession('global' as 'local')",
    'app/features/accounts/sign-in.data.test.ts',
  ],
  [
    'a visitor’s click is sent',
    'app/features/tracking/tracking.data.ts',
    'companyId && (await credentials.token())',
    'companyId',
    'app/features/tracking/tracking.data.test.ts',
  ],
  [
    'a notice goes out without the wish',
    'app/features/requests/request.data.ts',
    'if (isNotify) tellOwner',
    'tellOwner',
    'app/features/requests/request.data.test.ts',
  ],
  [
    'a row of the specification needs no passing test',
    'tests/specification.ts',
    "!statuses.includes('passed') || ",
    '',
    'tests/specification.test.ts',
  ],
]
