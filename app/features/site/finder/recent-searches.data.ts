/**
 * What was looked for in this browser lately. Never sent anywhere. It is a convenience that nobody asked
 * for, so that it outlives the page only for those who let preferences be kept; decision 0049.
 */
import { currentConsent } from '../../consent/consent.data.ts'
import { RECENT_KEY } from '../../consent/consent.ts'
import { recentIn, withRecent } from './recent-searches.ts'

export function recentSearches(): string[] {
  if (!mayKeep()) return unsaved
  try {
    return recentIn(localStorage.getItem(RECENT_KEY))
  } catch {
    return unsaved
  }
}

export function rememberSearch(text: string) {
  unsaved = withRecent(recentSearches(), text)
  if (!mayKeep()) return
  try {
    localStorage.setItem(RECENT_KEY, JSON.stringify(unsaved))
  } catch {
    // A browser that stores nothing keeps them until the page closes.
  }
}

export function forgetSearches() {
  unsaved = []
  try {
    localStorage.removeItem(RECENT_KEY)
  } catch {
    // Nothing is stored there.
  }
}

const mayKeep = () => currentConsent().preferences.preferences

let unsaved: string[] = []
