/** What this browser keeps about lists of threads, and sends nowhere. D48. */
import { currentConsent } from '#app/kit/consent/consent.data.ts'
import { READ_KEY } from '#app/kit/consent/consent.ts'
import { storedValue } from '#app/kit/ui/stored-value.ts'
import { choicesIn } from './list-choices.ts'
import { readIn } from './read-threads.ts'

/** A convenience that nobody asked for: it outlives the page only for those who let preferences be kept. */
export const readThreads = storedValue(
  READ_KEY,
  readIn,
  () => currentConsent().preferences.preferences,
)

export const listChoices = storedValue('listChoices', choicesIn)
