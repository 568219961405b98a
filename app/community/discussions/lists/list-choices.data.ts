/** Choices about lists of threads, kept in this browser and sent to nobody. Decision 48. */
import { storedValue } from '#app/kit/ui/stored-value.ts'
import { choicesIn } from './list-choices.ts'

export const listChoices = storedValue('listChoices', choicesIn)
