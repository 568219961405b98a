/**
 * What was typed and pressed before the page was alive. `public/theme.js`, which runs before anything is
 * painted, keeps it from everybody until then.
 */

interface EarlyInput {
  /** What each field holds since: its text, or whether it is ticked. */
  typed: Map<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement, string | boolean>
  /** The buttons that were pressed, in this order; each once, as ever within so short a time (Spec §9). */
  pressed: Set<HTMLElement>
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
  for (const button of early.pressed) if (button.isConnected) button.click()
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
