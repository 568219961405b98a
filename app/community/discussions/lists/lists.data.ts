/** What this browser stores about lists of threads; it never leaves it. D48. */
import { currentConsent } from '#app/kit/consent/consent.data.ts'
import { READ_KEY } from '#app/kit/consent/consent.ts'
import { storedValue } from '#app/kit/ui/stored-value.ts'
import { choicesIn } from './list-choices.ts'
import { readIn } from './read-threads.ts'

/** Optional, so it is stored only with consent to preferences. */
export const readThreads = storedValue(
  READ_KEY,
  readIn,
  () => currentConsent().preferences.preferences,
)

export const listChoices = storedValue('listChoices', choicesIn)
