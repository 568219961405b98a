/**
 * What somebody lets their browser keep and send beyond what the site needs. Spec §2.18, §3, §4.
 *
 * Needed, and therefore kept without asking: what the person does or asks for would not work without it,
 * it is written at that moment, and nobody else ever reads it. These are `theme` (written when somebody
 * switches it), `anonymousUserId` (when a visitor first posts: whose posts are whose), `userRequestEmail`
 * (when an address is left with a company request), `kettle-draft:…` and `kettle-contact:…` (what was
 * begun), `moderationKeys` (when switched), `kettle-auth` and `isAdmin` (while signed in), `kettle-signup`
 * (from signing up until signing in: whose browser the link of the mail opens in), `kettle-signup-page` (from
 * signing up until the address is confirmed: where that link leads back to), `cookieConsent` and
 * `cookiePreferences` (the answer itself), and `last_build_time` (which version of the site was seen; the
 * same number for everybody), `finderSlash` (when switched), and `listChoices` (what was hidden, muted and followed).
 *
 * Optional is what analytics brings (analytics.data.ts), `recentSearches` and `readThreads`: what was looked for
 * and read lately is a convenience, and on a shared machine it tells something, so that it waits for a yes to
 * preferences.
 */

/** The local storage keys. Spec §3. */
export const CONSENT_KEY = 'cookieConsent'
export const PREFERENCES_KEY = 'cookiePreferences'
/** What somebody looked for lately: there only while preferences may be kept. */
export const RECENT_KEY = 'recentSearches'
/** Which threads were read, and when somebody was here before; likewise. */
export const READ_KEY = 'readThreads'

/** Spec §3. */
export type ConsentStatus = 'pending' | 'accepted' | 'rejected' | 'customized'

/** The optional categories. Spec §3. */
export interface CookiePreferences {
  analytics: boolean
  marketing: boolean
  preferences: boolean
}

export interface Consent {
  consentStatus: ConsentStatus
  preferences: CookiePreferences
}

/** Spec §3: all false by default. */
const ALL_OFF: CookiePreferences = { analytics: false, marketing: false, preferences: false }
const ALL_ON: CookiePreferences = { analytics: true, marketing: true, preferences: true }

/** Before an answer. Spec §4. */
export const PENDING: Consent = { consentStatus: 'pending', preferences: ALL_OFF }
/** Spec §4: all three optional categories on. */
export const ACCEPTED: Consent = { consentStatus: 'accepted', preferences: ALL_ON }
/** Spec §4: all off. */
export const REJECTED: Consent = { consentStatus: 'rejected', preferences: ALL_OFF }

/** Spec §4: the chosen switches, whichever they are. */
export const customized = ({ analytics, marketing, preferences }: CookiePreferences): Consent => ({
  consentStatus: 'customized',
  preferences: { analytics, marketing, preferences },
})

/** What the two keys hold. Whatever makes no sense is no answer: the person is asked again. */
export function storedConsent(status: string | null, preferences: string | null): Consent {
  if (status === 'accepted') return ACCEPTED
  if (status === 'rejected') return REJECTED
  const switches = status === 'customized' ? switchesIn(preferences) : undefined
  return switches ? customized(switches) : PENDING
}

function switchesIn(text: string | null): CookiePreferences | undefined {
  try {
    const found = JSON.parse(text ?? 'null')
    const isWhole = Object.keys(ALL_OFF).every((name) => typeof found?.[name] === 'boolean')
    return isWhole ? found : undefined
  } catch {
    return undefined
  }
}

export type Signal = 'granted' | 'denied'

/** The names under which the analytics provider knows them. */
export interface ConsentSignals {
  analytics_storage: Signal
  ad_storage: Signal
  ad_user_data: Signal
  ad_personalization: Signal
  functionality_storage: Signal
  personalization_storage: Signal
  security_storage: Signal
}

/**
 * Accepted grants all, rejected denies all, customized follows the switches; security is always granted.
 * Before an answer all is denied. Spec §4.
 */
export function signalsOf({ preferences }: Consent): ConsentSignals {
  const analytics = signal(preferences.analytics)
  const marketing = signal(preferences.marketing)
  const preference = signal(preferences.preferences)
  return {
    analytics_storage: analytics,
    ad_storage: marketing,
    ad_user_data: marketing,
    ad_personalization: marketing,
    functionality_storage: preference,
    personalization_storage: preference,
    security_storage: 'granted',
  }
}

const signal = (isOn: boolean): Signal => (isOn ? 'granted' : 'denied')

/** The banner's words. It must stay small: a larger text would be the largest of a phone's page. */
export const BANNER_TEXTS = {
  label: 'Cookie consent',
  text: 'Only what the site needs is kept in your browser. Anything optional stays off unless you agree.',
  accept: 'Accept All',
  reject: 'Reject All',
  customize: 'Customize',
} as const

/** Spec §2.18. */
export const DIALOG_TEXTS = {
  title: 'Cookie Preferences',
  cancel: 'Cancel',
  save: 'Save Preferences',
  lead: 'The site sets nothing optional unless you agree. Change your mind whenever you like.',
  alwaysOn: 'Always on',
  /** What stands in the footer and in the privacy policy to open it again. */
  open: 'Cookie Preferences',
  short: 'Cookies',
} as const

interface Category {
  key: 'essential' | keyof CookiePreferences
  name: string
  text: string
}

/** In the order of the dialog. Spec §2.18. */
export const CATEGORIES: readonly Category[] = [
  {
    key: 'essential',
    name: 'Essential',
    text: 'Your theme, your drafts, being signed in, and which posts are yours. Kept in your browser, for nothing else.',
  },
  {
    key: 'analytics',
    name: 'Analytics',
    text: 'Counts visits. The analytics provider’s code loads, and learns which pages you open, when, and from which network address.',
  },
  {
    key: 'preferences',
    name: 'Preference',
    text: 'Keeps your recent searches in this browser, and nowhere else. Lets the analytics provider remember choices, such as a language.',
  },
  {
    key: 'marketing',
    name: 'Marketing',
    text: 'Lets that provider use visits for advertising. We show no ads, whatever you choose.',
  },
]
