/**
 * What was looked for in this browser lately. Never sent anywhere. It is a convenience that nobody asked
 * for, so that it outlives the page only for those who let preferences be kept; D49.
 */
import { currentConsent } from '#app/kit/consent/consent.data.ts'
import { RECENT_KEY } from '#app/kit/consent/consent.ts'
import { storedValue } from '#app/kit/ui/stored-value.ts'

const recent = storedValue(RECENT_KEY, recentIn, () => currentConsent().preferences.preferences)

export const recentSearches = recent.current

export const rememberSearch = (text: string) => recent.change((texts) => withRecent(texts, text))

export const forgetSearches = () => recent.change(() => [])

/** A glance, and no diary. */
export const RECENT_MAX = 6

/** The newest first; a text that is there already, in whatever case, moves to the front. */
export const withRecent = (recent: readonly string[], text: string): string[] =>
  [text, ...recent.filter((each) => each.toLowerCase() !== text.toLowerCase())].slice(0, RECENT_MAX)

/** Whatever is stored: what makes no sense is no search. */
export function recentIn(stored: string | null): string[] {
  try {
    const found: unknown = JSON.parse(stored ?? '[]')
    if (!Array.isArray(found)) return []
    return found.filter((each) => typeof each === 'string').slice(0, RECENT_MAX)
  } catch {
    return []
  }
}
