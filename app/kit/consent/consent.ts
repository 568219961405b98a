/**
 * What a browser stores and sends beyond what the site needs. Spec §2.18, §3, §4.
 *
 * We store what's needed without asking: it's what the person does or asks for, it's written at that moment, and no
 * one else reads it. That's `theme`, `anonymousUserId` (a visitor's first post: whose posts are whose),
 * `userRequestEmail` (left with a company request), `kettle-draft:…`, `kettle-contact:…`, `kettle-badge:…`,
 * `moderationKeys`, `finderSlash`, `listChoices` (hidden, muted, followed), `kettle-auth` and `isAdmin` (while signed
 * in), `kettle-signup` (until signing in: which browser the mail's link belongs to), `kettle-signup-page` (until the
 * email is confirmed: where that link leads), `cookieConsent`, `cookiePreferences`, and `last_build_time` (the same
 * number for everyone).
 *
 * Optional are analytics (analytics.data.ts), `recentSearches` and `readThreads`. On a shared machine, these reveal
 * something, so they wait until the person allows preferences.
 */

/** Local storage keys. Spec §3. */
export const CONSENT_KEY = 'cookieConsent'
export const PREFERENCES_KEY = 'cookiePreferences'
/** Stored only while preferences are allowed, like the next. */
export const RECENT_KEY = 'recentSearches'
export const READ_KEY = 'readThreads'

type ConsentStatus = 'pending' | 'accepted' | 'rejected' | 'customized'

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

const ALL_OFF: CookiePreferences = { analytics: false, marketing: false, preferences: false }
const ALL_ON: CookiePreferences = { analytics: true, marketing: true, preferences: true }

export const PENDING: Consent = { consentStatus: 'pending', preferences: ALL_OFF }
export const ACCEPTED: Consent = { consentStatus: 'accepted', preferences: ALL_ON }
export const REJECTED: Consent = { consentStatus: 'rejected', preferences: ALL_OFF }

export const customized = ({ analytics, marketing, preferences }: CookiePreferences): Consent => ({
  consentStatus: 'customized',
  preferences: { analytics, marketing, preferences },
})

/** What the two keys hold. Anything unreadable counts as no answer, so the person is asked again. */
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

/** The analytics provider's names for them. */
interface ConsentSignals {
  analytics_storage: Signal
  ad_storage: Signal
  ad_user_data: Signal
  ad_personalization: Signal
  functionality_storage: Signal
  personalization_storage: Signal
  security_storage: Signal
}

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

/** Keep it short. A larger text would be a phone page's largest paint. */
export const BANNER_TEXTS = {
  label: 'Cookie consent',
  text: 'Your browser only stores what the site needs. Anything optional stays off unless you agree.',
  accept: 'Accept All',
  reject: 'Reject All',
  customize: 'Customize',
} as const

export const DIALOG_TEXTS = {
  title: 'Cookie Preferences',
  cancel: 'Cancel',
  save: 'Save Preferences',
  lead: 'The site sets nothing optional unless you agree. Change your mind whenever you like.',
  alwaysOn: 'Always on',
  /** The label that opens the banner again, in the footer and the privacy policy. */
  open: 'Cookie Preferences',
  short: 'Cookies',
} as const

interface Category {
  key: 'essential' | keyof CookiePreferences
  name: string
  text: string
}

/** Ordered as in the dialog. Spec §2.18. */
export const CATEGORIES: readonly Category[] = [
  {
    key: 'essential',
    name: 'Essential',
    text: 'Your theme, drafts and login, and which posts are yours. They stay in your browser and aren’t used for anything else.',
  },
  {
    key: 'analytics',
    name: 'Analytics',
    text: 'Counts visits. Loads the analytics provider’s code, which learns which pages you open, when, and from which network address.',
  },
  {
    key: 'preferences',
    name: 'Preference',
    text: 'Keeps your recent searches in this browser, and nowhere else. Lets the analytics provider remember choices, such as your language.',
  },
  {
    key: 'marketing',
    name: 'Marketing',
    text: 'Lets the analytics provider use your visits for advertising. We don’t show ads, whatever you choose.',
  },
]
