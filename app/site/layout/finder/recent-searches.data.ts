/** Recent searches of this browser; never sent. Kept beyond the page only with consent to preferences; D49. */
import { currentConsent } from '#app/kit/consent/consent.data.ts'
import { RECENT_KEY } from '#app/kit/consent/consent.ts'
import { storedValue } from '#app/kit/ui/stored-value.ts'

const recent = storedValue(RECENT_KEY, recentIn, () => currentConsent().preferences.preferences)

export const recentSearches = recent.current

export const rememberSearch = (text: string) => recent.change((texts) => withRecent(texts, text))

export const forgetSearches = () => recent.change(() => [])

export const RECENT_MAX = 6

/** Newest first; the same text in another case moves to the front. */
export const withRecent = (recent: readonly string[], text: string): string[] =>
  [text, ...recent.filter((each) => each.toLowerCase() !== text.toLowerCase())].slice(0, RECENT_MAX)

/** Invalid stored values are dropped. */
export function recentIn(stored: string | null): string[] {
  try {
    const found: unknown = JSON.parse(stored ?? '[]')
    if (!Array.isArray(found)) return []
    return found.filter((each) => typeof each === 'string').slice(0, RECENT_MAX)
  } catch {
    return []
  }
}
