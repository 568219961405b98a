/** What to do about a newer build than the page's. Spec §2.19, §3, §4, §8, §9. */

/** Local storage key of the newest build's timestamp that this browser saw. Spec §3. */
export const LAST_BUILD_KEY = 'last_build_time'

/** Spec §9, like those below. */
export const BADGE_CHECK_MS = 60_000
export const RELOADER_CHECK_MS = 120_000
export const CHECK_TIMEOUT_MS = 5000
export const FAILURES_SHOWN = 3
export const UNAVAILABLE_LOG_MS = 600_000
export const CERTIFICATE_WARNING_DELAY_MS = 2000
const CERTIFICATE_WARNING_MS = 8000

/** How long people can read "Refreshing…" before the page reloads. */
export const RELOAD_AFTER_MS = 2000
/** How often to check again whether someone is still in the middle of something. */
export const SAFE_LOOK_MS = 3000

/**
 * The published build, and other URLs that show whether the site answers. Spec §7.4. What's in it is in
 * /build-info.json.
 */
export const BUILD_INFO_PATH = '/build-time.json'
export const FAVICON_PATH = '/favicon.svg'

export interface PublishedBuild {
  buildTime: string
  timestamp: number
}

export const UPDATE_TEXTS = {
  label: 'About this version',
  published: 'Last published:',
  refresh: 'Refresh',
  news: 'New version available',
  badge: 'Click refresh to see the latest changes',
  reloader: 'Refreshing to get the latest changes...',
  /** The auto-reloader says this and waits while someone writes. */
  waiting: 'This page refreshes once you’re done.',
  hide: 'Hide this',
} as const

/** One id for all of the auto-reloader's toasts. */
export const RELOADING = {
  id: 'update',
  title: UPDATE_TEXTS.news,
  description: UPDATE_TEXTS.reloader,
} as const

/** Logged only. Spec §8. */
export const UPDATE_LOGS = {
  failed: 'Couldn’t check for a newer version:',
  unavailable: 'The site hasn’t answered for 10 minutes',
  certificate: 'The site’s certificate:',
} as const

/** The result of checking the published build. */
export type Check =
  | { build: PublishedBuild }
  /** `refused` is an answer without a build, `network` no answer. */
  | { failure: 'refused' | 'network' | 'timeout' }

export function buildIn(json: unknown): PublishedBuild | undefined {
  const { buildTime, timestamp } = (json ?? {}) as Partial<PublishedBuild>
  if (typeof buildTime !== 'string' || !Number.isSafeInteger(timestamp)) return undefined
  return Number.isNaN(Date.parse(buildTime))
    ? undefined
    : { buildTime, timestamp: Number(timestamp) }
}

/**
 * What a published timestamp means to a page of build `own`. `known` was stored when the page came, or since.
 * `current` is the page's own; `new` is stored and announced (Spec §4). `known` is neither, because we announced it
 * before, perhaps before a reload that brought no newer page, as in the middle of a deployment. So we don't announce
 * anything twice, and no page reloads forever.
 */
export function meaningOf(published: number, { own, known }: { own: number; known?: number }) {
  if (published === own) return 'current'
  return published === known ? 'known' : 'new'
}

/** The badge's texts. Spec §4. */
export type CertificateStatus = 'unknown' | 'ok' | 'certificate-issue'
/** The second checker's. Spec §4. */
type SecondCertificateStatus = 'unknown' | 'ok' | 'provisioning'

export const asSecondChecker = (status: CertificateStatus): SecondCertificateStatus =>
  status === 'certificate-issue' ? 'provisioning' : status

/**
 * Browsers don't say why a connection failed. It looks like a certificate issue if, over https and with a network, it
 * breaks immediately. Any answer, even a refusal, came through a secure connection.
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
  badge: 'SSL Certificate Issue',
  text: 'It looks like we can’t make a secure connection right now. What you wrote stays in this browser.',
  retry: 'Retry',
  busy: 'Retrying...',
} as const

export const CERTIFICATE_WARNING = {
  id: 'certificate',
  title: 'SSL Certificate Issue Detected',
  description: CERTIFICATE_TEXTS.text,
  variant: 'destructive',
  duration: CERTIFICATE_WARNING_MS,
} as const

/** The button to the hosting provider's subdomain. S21. */
export const fallbackLabel = (fallbackUrl: string) => `Use ${new URL(fallbackUrl).host}`

export interface FieldNow {
  /** `search` is a text that isn't a post, `choice` a checkbox or a list. */
  kind: 'area' | 'line' | 'choice' | 'search'
  value: string
  /** The field's value before it got the focus, or undefined if it never did. */
  before?: string
  isFocused?: boolean
}

/** Whether a reload would lose something. True if in doubt. */
export function isUnsaved({ kind, value, before, isFocused }: FieldNow): boolean {
  const hasText = value.trim() !== ''
  if (kind === 'area') return hasText
  if (kind === 'search') return hasText && isFocused === true
  if (before === undefined || value === before) return false
  return kind === 'choice' || hasText
}
