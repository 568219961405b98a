/** What people do with discussions. Reading does without its code: it comes with the first act. */

/** A failed load is the act's failure. */
export const actions = () => import('../discussion-actions.data.ts')

const warmUp = () => {
  actions().catch(() => {})
}

/** Spread on what stands around the buttons: whoever points at it gets the code before they press. */
export const warmActions = { onPointerEnter: warmUp, onFocus: warmUp, onTouchStart: warmUp }
