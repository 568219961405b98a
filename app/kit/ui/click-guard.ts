/** The click guard of the whole page: a double click must not act twice. Spec §2.4, §9. */

/** Repeat clicks within this many milliseconds are ignored. Spec §9. */
export const CLICK_GUARD_MS = 300

/**
 * Whatever acts when it is pressed. A link only leads somewhere, and there twice is once; a link that
 * does more says so by `data-guarded`.
 */
const GUARDED = 'button, [role=button], [role^=menuitem], [data-guarded]'

/**
 * A repeat click within 300 ms reaches nobody and submits no form: on the same button, or as the second of a
 * double click, when the first has put another button in its place. One listener for all, before those of
 * the screens, so that no kind of button can be forgotten.
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
