/**
 * What was typed and pressed before the page was alive. `first-script.js`, which runs before anything is
 * painted, keeps it from everybody until then.
 */

import { toast } from './toast.ts'

/** A button that cannot be pressed yet, as a vote before it is known who votes, is looked at so long. */
const PATIENCE_MS = 5_000
const LOOK_AGAIN_MS = 100

interface EarlyInput {
  /** What each field holds since: its text, or whether it is ticked. */
  typed: Map<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement, string | boolean>
  /** Buttons, and forms sent without one, in this order; each once, as ever within so short a time (Spec §9). */
  pressed: Set<HTMLElement>
  /** Those that open something wherever they are pressed. */
  keys: KeyboardEvent[]
  stop: () => void
}

/** Does all of it again, once; call it when the page is alive. */
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

/** Nothing is lost without a word: what went away with its button, or stays closed, is told. */
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
  title: 'That press came too early',
  description: 'The page was still loading. Please press again.',
}

/**
 * React takes a change for one only if the field held something else before, by what it saw itself: so
 * the field is set to something else first, where React sees it, and then to what was typed, where it does not.
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
