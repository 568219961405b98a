/**
 * What was looked for in this browser lately. Never sent anywhere. It is a convenience that nobody asked
 * for, so that it outlives the page only for those who let preferences be kept; decision 0049.
 */

import { currentConsent } from '#app/kit/consent/consent.data.ts'
import { RECENT_KEY } from '#app/kit/consent/consent.ts'
import { storedValue } from '#app/kit/ui/stored-value.ts'
import { recentIn, withRecent } from './recent-searches.ts'

const recent = storedValue(RECENT_KEY, recentIn, () => currentConsent().preferences.preferences)

export const recentSearches = recent.current

export const rememberSearch = (text: string) => recent.change((texts) => withRecent(texts, text))

export const forgetSearches = () => recent.change(() => [])
