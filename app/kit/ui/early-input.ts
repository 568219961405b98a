/** What people typed and pressed before the page was ready, as first-script.js kept it. */

import { toast } from './toast.ts'

/** How long to wait for a button that can't be pressed yet, such as a vote before we know who votes. */
const PATIENCE_MS = 5_000
const LOOK_AGAIN_MS = 100

interface EarlyInput {
  /** What each field holds now: its text, or whether it's checked. */
  typed: Map<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement, string | boolean>
  /** Buttons, and forms sent without one, in order and once each (Spec §9). */
  pressed: Set<HTMLElement>
  /** Elements that open something wherever they're pressed. */
  keys: KeyboardEvent[]
  stop: () => void
}

/** Replays everything once the page is ready. */
export function replayEarlyInput() {
  const page = window as { kettleEarly?: EarlyInput }
  const early = page.kettleEarly
  if (!early) return
  page.kettleEarly = undefined
  early.stop()
  for (const [field, kept] of early.typed) if (field.isConnected) retype(field, kept)
  for (const pressed of early.pressed) pressAgain(pressed, performance.now() + PATIENCE_MS)
  for (const { type, key, ctrlKey, metaKey } of early.keys) {
    const again = { key, ctrlKey, metaKey, bubbles: true, cancelable: true }
    document.body.dispatchEvent(new KeyboardEvent(type, again))
  }
}

/** Tells people if a button is gone or stays disabled. */
function pressAgain(pressed: HTMLElement, until: number) {
  const isClosed = pressed.matches(':disabled, [aria-disabled=true]')
  if (pressed.isConnected && !isClosed) {
    if (pressed instanceof HTMLFormElement) pressed.requestSubmit()
    else pressed.click()
  } else if (pressed.isConnected && performance.now() < until)
    setTimeout(pressAgain, LOOK_AGAIN_MS, pressed, until)
  else toast(NOT_PRESSED)
}

const NOT_PRESSED = {
  title: 'Still loading',
  description: 'Please try again.',
}

/**
 * React notices a change only if the value differs from the last one it saw. So we first set a different value where
 * React sees it, and then the typed one where it doesn't.
 */
function retype(
  field: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement,
  kept: string | boolean,
) {
  if (typeof kept === 'boolean') {
    const box = field as HTMLInputElement
    box.checked = !kept
    box.click()
    return
  }
  field.value = ''
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value') ?? {}
  set?.call(field, kept)
  field.dispatchEvent(
    new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }),
  )
}
