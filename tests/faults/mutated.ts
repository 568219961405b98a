/** The files whose mutants must be noticed, each with the tests that notice. */
export const mutated: Record<string, string[]> = {
  'app/auth/permissions.ts': ['app/auth/permissions.test.ts'],
  'app/auth/tokens.server.ts': ['app/auth/tokens.test.ts'],
  'app/auth/refresh-tokens.server.ts': ['app/auth/refresh-tokens.test.ts'],
  'app/auth/author-keys.server.ts': ['app/auth/author-keys.test.ts'],
  'app/auth/addresses.server.ts': ['app/auth/addresses.test.ts'],
  'app/session/redirect.ts': ['app/session/redirect.test.ts'],
  'app/features/accounts/auth-server/redirect-target.server.ts': [
    'app/features/accounts/auth-server/redirect-target.test.ts',
  ],
  'app/features/accounts/sign-in/recovery-link.ts': [
    'app/features/accounts/sign-in/recovery-link.test.ts',
  ],
  'app/features/dashboard/dashboard-release.ts': [
    'app/features/dashboard/dashboard-release.test.ts',
  ],
  'app/features/tracking/csv-text.ts': ['app/features/tracking/csv-text.test.ts'],
  'app/server/rate-limits.server.ts': ['app/server/rate-limits.test.ts'],
  'app/server/keyset.server.ts': ['app/server/keyset.test.ts'],
  'app/server/security-headers.server.ts': ['app/server/security-headers.test.ts'],
}
