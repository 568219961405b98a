// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is planted are pieces of code
/** Faults of consent and updates. Name, file, what stands there, what the fault makes of it, who must notice. */
export const consent = [
  [
    'analytics loads without consent',
    'app/features/consent/analytics.data.ts',
    'if (mayCount && !isLoaded &&',
    'if (!isLoaded &&',
    'app/features/consent/analytics.data.test.ts',
  ],
  [
    'consent taken back leaves the provider counting',
    'app/features/consent/analytics.data.ts',
    'page[`ga-disable-${id}`] = !mayCount',
    'page[`ga-disable-${id}`] = false',
    'app/features/consent/analytics.data.test.ts',
  ],
  [
    'what was searched for is told to the provider',
    'app/features/consent/analytics.data.ts',
    'page_location: location.origin + path',
    'page_location: location.origin + path + location.search',
    'app/features/consent/analytics.data.test.ts',
  ],
  [
    'nonsense in the storage counts as consent',
    'app/features/consent/consent.ts',
    'return switches ? customized(switches) : PENDING',
    'return switches ? customized(switches) : ACCEPTED',
    'app/features/consent/consent.test.ts',
  ],
  [
    'marketing is granted with analytics',
    'app/features/consent/consent.ts',
    'const marketing = signal(preferences.marketing)',
    'const marketing = signal(preferences.marketing || preferences.analytics)',
    'app/features/consent/consent.test.ts',
  ],
  [
    'the policy lets analytics in without its setting',
    'app/server/security-headers.server.ts',
    'const analyticsCode = config.analyticsId ? [ANALYTICS_CODE] : []',
    'const analyticsCode = [ANALYTICS_CODE]',
    'app/server/security-headers.test.ts',
  ],
  [
    'the auto-reloader takes a half-written post away',
    'app/features/updates/updates.data.ts',
    "if ('build' in check && isSafe()) return reload()",
    "if ('build' in check) return reload()",
    'app/features/updates/updates.data.test.ts',
  ],
  [
    'a text that was begun is no unsaved word',
    'app/features/updates/update.ts',
    "if (kind === 'area') return hasWords",
    "if (kind === 'area') return false",
    'app/features/updates/update.test.ts',
  ],
  [
    'a page reloads for ever while a deployment is half-way',
    'app/features/updates/update.ts',
    "return published === known ? 'known' : 'new'",
    "return 'new'",
    'app/features/updates/updates.data.test.ts',
  ],
  [
    'a hidden tab goes on asking',
    'app/features/updates/while-seen.data.ts',
    'if (!document.hidden) timer =',
    'timer =',
    'app/features/updates/updates.data.test.ts',
  ],
]
