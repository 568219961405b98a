/** The answer about cookies, as this browser stores it. Other tabs follow. */
import { useSyncExternalStore } from 'react'
import {
  CONSENT_KEY,
  type Consent,
  PENDING,
  PREFERENCES_KEY,
  READ_KEY,
  RECENT_KEY,
  storedConsent,
} from './consent.ts'

/** Pending on the server and while hydrating. */
export const useConsent = (): Consent => useSyncExternalStore(watchConsent, currentConsent, pending)

/** Returns the same object until the answer changes. */
export function currentConsent(): Consent {
  try {
    const status = localStorage.getItem(CONSENT_KEY)
    const preferences = localStorage.getItem(PREFERENCES_KEY)
    const text = JSON.stringify([status, preferences])
    if (text !== known.text) known = { text, consent: storedConsent(status, preferences) }
    return unsaved ?? known.consent
  } catch {
    return unsaved ?? PENDING
  }
}

export function decide(consent: Consent) {
  unsaved = undefined
  try {
    // Writes the switches first, so another tab never reads an answer no one gave.
    localStorage.setItem(PREFERENCES_KEY, JSON.stringify(consent.preferences))
    localStorage.setItem(CONSENT_KEY, consent.consentStatus)
    if (!consent.preferences.preferences)
      for (const key of [RECENT_KEY, READ_KEY]) localStorage.removeItem(key)
  } catch {
    // If the browser can't store anything, it keeps the answer until the page closes.
    unsaved = consent
  }
  announce()
}

export function watchConsent(watcher: () => void) {
  watchers.add(watcher)
  if (watchers.size === 1) addEventListener('storage', follow)
  return () => {
    watchers.delete(watcher)
    if (watchers.size === 0) removeEventListener('storage', follow)
  }
}

/** The key is null when everything was cleared. */
function follow({ key }: StorageEvent) {
  if (key === null || key === CONSENT_KEY || key === PREFERENCES_KEY) announce()
}

function announce() {
  for (const watcher of watchers) watcher()
}

const pending = () => PENDING
const watchers = new Set<() => void>()
let known: { text?: string; consent: Consent } = { consent: PENDING }
let unsaved: Consent | undefined
