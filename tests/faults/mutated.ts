/** The files whose mutants must be noticed, each with the tests that should. */
export const mutated: Record<string, string[]> = {
  'app/api/auth/permissions.ts': ['app/api/auth/permissions.test.ts'],
  'app/api/auth/tokens.server.ts': ['app/api/auth/tokens.test.ts'],
  'app/api/auth/refresh-tokens.server.ts': ['app/api/auth/refresh-tokens.test.ts'],
  'app/api/auth/author-keys.server.ts': ['app/api/auth/author-keys.test.ts'],
  'app/api/auth/addresses.server.ts': ['app/api/auth/addresses.test.ts'],
  'app/kit/session/redirect.ts': ['app/kit/session/redirect.test.ts'],
  'app/identity/accounts/auth-server/link-page.server.ts': [
    'app/identity/accounts/auth-server/redirect-target.test.ts',
  ],
  'app/identity/accounts/sign-in/recovery-link.ts': [
    'app/identity/accounts/sign-in/recovery-link.test.ts',
  ],
  'app/office/dashboard/dashboard-release.ts': ['app/office/dashboard/dashboard-release.test.ts'],
  'app/platform/csv.server.ts': ['app/platform/csv.test.ts'],
  'app/platform/http/rate-limits.server.ts': ['app/platform/http/rate-limits.test.ts'],
  'app/platform/database/keyset.server.ts': ['app/platform/database/keyset.test.ts'],
  'app/platform/http/security-headers.server.ts': ['app/platform/http/security-headers.test.ts'],
}
