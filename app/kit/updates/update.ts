/** A newer build of the site than the one that a page came with, and what is done about it. Spec §2.19, §4. */

/** The local storage key: the timestamp of the build that this browser saw last. Spec §3. */
export const LAST_BUILD_KEY = 'last_build_time'

/** How often the badge looks for a newer build. Spec §9. */
export const BADGE_CHECK_MS = 60_000
/** How often the auto-reloader does. Spec §9. */
export const RELOADER_CHECK_MS = 120_000
/** A check that takes longer has failed. Spec §9. */
export const CHECK_TIMEOUT_MS = 5000
/** The badge hides after more than so many failures in a row. Spec §9. */
export const FAILURES_SHOWN = 3
/** So long must the site have been away for it to be logged. Spec §9. */
export const UNAVAILABLE_LOG_MS = 600_000
/** The certificate warning comes so late, and lasts so long. Spec §9. */
export const CERTIFICATE_WARNING_DELAY_MS = 2000
export const CERTIFICATE_WARNING_MS = 8000

/** So long "Refreshing…" can be read before the page goes. */
export const RELOAD_AFTER_MS = 2000
/** How often somebody who is in the middle of something is looked at again. */
export const SAFE_LOOK_MS = 3000

/** Where the published build is read, and what else tells that the site answers. Spec §7.4. */
export const BUILD_INFO_PATH = '/build-info.json'
export const FAVICON_PATH = '/favicon.svg'

/** Spec §3. */
export interface PublishedBuild {
  buildTime: string
  timestamp: number
}

/** Spec §2.19, §4. */
export const UPDATE_TEXTS = {
  label: 'About this version',
  /** `Last published: {time}`. */
  published: 'Last published:',
  refresh: 'Refresh',
  news: 'New version available',
  badge: 'Click refresh to see the latest changes',
  reloader: 'Refreshing to get the latest changes...',
  /** While somebody writes, the auto-reloader says this and waits. */
  waiting: 'This page waits for you, and refreshes once you are done.',
  hide: 'Hide this',
} as const

/** The toast of the auto-reloader; the same id for all news of updates, so that there is one at a time. */
export const RELOADING = {
  id: 'update',
  title: UPDATE_TEXTS.news,
  description: UPDATE_TEXTS.reloader,
} as const

/** What is logged, and only there. Spec §8. */
export const UPDATE_LOGS = {
  failed: 'The check for a newer version failed:',
  unavailable: 'The site has not answered for 10 minutes',
  certificate: 'The certificate of the site:',
} as const

/** What a look at the published build came to. */
export type Check =
  | { build: PublishedBuild }
  /** `refused`: there was an answer, but no build in it; `network`: there was none. */
  | { failure: 'refused' | 'network' | 'timeout' }

/** Of the published file, or of whatever stands in its place. */
export function buildIn(json: unknown): PublishedBuild | undefined {
  const { buildTime, timestamp } = (json ?? {}) as Partial<PublishedBuild>
  if (typeof buildTime !== 'string' || !Number.isSafeInteger(timestamp)) return undefined
  return Number.isNaN(Date.parse(buildTime))
    ? undefined
    : { buildTime, timestamp: Number(timestamp) }
}

/**
 * What a published timestamp means to a page of the build `own`, in whose browser `known` was stored when
 * the page came (or since, by itself): `current` is what the page runs, `new` is to be stored and announced
 * (Spec §4). `known` is neither: it was announced, here or before a reload that brought no newer page, as
 * while a deployment is half-way. So nobody is told twice, and no page reloads for ever.
 */
export function meaningOf(published: number, { own, known }: { own: number; known?: number }) {
  if (published === own) return 'current'
  return published === known ? 'known' : 'new'
}

/** As the badge names it. Spec §4. */
export type CertificateStatus = 'unknown' | 'ok' | 'certificate-issue'
/** The second checker's words for the same. Spec §4. */
export type SecondCertificateStatus = 'unknown' | 'ok' | 'provisioning'

export const asSecondChecker = (status: CertificateStatus): SecondCertificateStatus =>
  status === 'certificate-issue' ? 'provisioning' : status

/**
 * What a check tells of the certificate. No browser gives the reason of a failed connection, so an issue is
 * what looks like one: over https, with a network, the connection breaks at once. Any answer at all, even a
 * refusal, came through a connection that was secure.
 */
export function certificateAfter(
  check: Check,
  page: { isHttps: boolean; isOnline: boolean },
): CertificateStatus {
  if (!page.isHttps) return 'unknown'
  if ('build' in check || check.failure === 'refused') return 'ok'
  return check.failure === 'network' && page.isOnline ? 'certificate-issue' : 'unknown'
}

export const CERTIFICATE_TEXTS = {
  /** On the badge. Spec §2.19. */
  badge: 'SSL Certificate Issue',
  text: 'It looks as if no secure connection can be made just now. What you wrote stays in this browser.',
  retry: 'Retry',
  busy: 'Retrying...',
} as const

/** Spec §8, §9. */
export const CERTIFICATE_WARNING = {
  id: 'certificate',
  title: 'SSL Certificate Issue Detected',
  description: CERTIFICATE_TEXTS.text,
  variant: 'destructive',
  duration: CERTIFICATE_WARNING_MS,
} as const

/** `Use kettle.host.example`: the button to the hosting provider's subdomain. S21. */
export const fallbackLabel = (fallbackUrl: string) => `Use ${new URL(fallbackUrl).host}`

/** A field of a form, as it stands in the page. */
export interface FieldNow {
  /** `search`: what is looked for is no post. `choice`: a box to tick or a list to choose from. */
  kind: 'area' | 'line' | 'choice' | 'search'
  value: string
  /** What was in it before the person came to it; undefined where they did not. */
  before?: string
  isFocused?: boolean
}

/** Whether a reload would take something from somebody. In doubt it would. */
export function isUnsaved({ kind, value, before, isFocused }: FieldNow): boolean {
  const hasText = value.trim() !== ''
  if (kind === 'area') return hasText
  if (kind === 'search') return hasText && isFocused === true
  if (before === undefined || value === before) return false
  return kind === 'choice' || hasText
}
