/** Spec §9. */
export const CLICK_GUARD_MS = 300

/** Whatever acts when pressed. A link only navigates, where twice is once; one that does more has `data-guarded`. */
const GUARDED = 'button, [role=button], [role^=menuitem], [data-guarded]'

/**
 * Stops repeat clicks within 300 ms (Spec §2.4, §9): on the same button, or as the second of a double click when the
 * first put another button there. One listener before all others, so that no button is forgotten.
 */
export function guardClicks(page: EventTarget) {
  const lastClicks = new WeakMap<Element, number>()
  let lastOfAll = Number.NEGATIVE_INFINITY
  const ignoreRepeat = (event: Event) => {
    const button = (event.target as Element).closest(GUARDED)
    if (!button) return
    const isSecond = (event as MouseEvent).detail > 1
    const lastClick = isSecond ? lastOfAll : (lastClicks.get(button) ?? Number.NEGATIVE_INFINITY)
    if (event.timeStamp - lastClick < CLICK_GUARD_MS) {
      event.preventDefault()
      event.stopImmediatePropagation()
    } else {
      lastClicks.set(button, event.timeStamp)
      lastOfAll = event.timeStamp
    }
  }
  page.addEventListener('click', ignoreRepeat, { capture: true })
}
