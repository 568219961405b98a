/** A click guard: a double click must not send a form twice. Spec §2.4, §9. */

import { type MouseEvent, useRef } from 'react'

/** Repeat clicks within this many milliseconds are ignored. Spec §9. */
export const CLICK_GUARD_MS = 300

/**
 * Wraps `onClick` so that repeat clicks within 300 ms do nothing: a repeat neither calls the
 * handler nor submits the form that the button belongs to.
 */
export function useClickGuard<E extends Element>(onClick?: (event: MouseEvent<E>) => void) {
  const lastClick = useRef(Number.NEGATIVE_INFINITY)
  return (event: MouseEvent<E>) => {
    const isRepeat = event.timeStamp - lastClick.current < CLICK_GUARD_MS
    if (isRepeat) {
      event.preventDefault()
      event.stopPropagation()
      return
    }
    lastClick.current = event.timeStamp
    onClick?.(event)
  }
}
