/** Where the focus goes when a part of the page closes that had it. */
import { flushSync } from 'react-dom'

/**
 * Closes a part of the page, and gives the focus to what opens it if it was in there.
 * @param close sets the state
 * @param opener is asked after that: it may come back only now
 */
export function closeAndFocus(close: () => void, opener: () => HTMLElement | null | undefined) {
  flushSync(close)
  if (document.activeElement === document.body) opener()?.focus({ preventScroll: true })
}
