/** What people do with discussions. Reading does without its code: it comes with the first act. */
import { warmOn } from '../../../ui/warm.ts'

/** A failed load is the act's failure. */
export const actions = () => import('../discussion-actions.data.ts')

/** Spread on what stands around the buttons. */
export const warmActions = warmOn(actions)
