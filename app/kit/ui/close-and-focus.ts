import { flushSync } from 'react-dom'

/**
 * Closes a part of the page. If it had the focus, gives that to what opens it.
 * @param close sets the state
 * @param trigger is called afterwards, as it may only appear then
 */
export function closeAndFocus(close: () => void, trigger: () => HTMLElement | null | undefined) {
  flushSync(close)
  if (document.activeElement === document.body) trigger()?.focus({ preventScroll: true })
}
