/** What floats over the page by itself, such as a toast, lies over no button. Loaded once the page is. */

/** Links within a text are not among them: a page is full of those, and they can be scrolled free. */
export const BUTTONS = 'button, .button, summary'
/** What a screen is about. */
export const PRIMARY_BUTTONS = '.button.primary'
/** Between what floats and a button. */
const GAP = 8

export type Box = Pick<DOMRect, 'top' | 'bottom' | 'left' | 'right'>

/** Where such buttons are seen, but for those of `floating` itself. */
export const buttonsAround = (floating: Element, which = BUTTONS): Box[] =>
  [...document.querySelectorAll(which)]
    // Of a long page, what the browser has not laid out is far away, and not laid out for this.
    .filter((button) => !floating.contains(button) && isSeen(button))
    .map((button) => button.getBoundingClientRect())
    .filter(({ width, height }) => width > 0 && height > 0)

const isSeen = (button: Element) =>
  button.checkVisibility?.({ contentVisibilityAuto: true, visibilityProperty: true }) ?? true

export const isOver = (box: Box, button: Box) =>
  box.top < button.bottom &&
  box.bottom > button.top &&
  box.left < button.right &&
  box.right > button.left

/** The first top from `box`'s own downwards at which it lies over no button; undefined where it does not end above `end`. */
export function clearTop(box: Box, buttons: Box[], end: number): number | undefined {
  // A DOMRect's sides are not its own properties: it cannot be spread.
  const { left, right } = box
  const height = box.bottom - box.top
  let top = box.top
  for (const button of [...buttons].sort((a, b) => a.top - b.top)) {
    const room = { left, right, top: top - GAP, bottom: top + height + GAP }
    if (isOver(room, button)) top = button.bottom + GAP
  }
  return top + height <= end ? top : undefined
}

/** Calls `look` whenever something may have moved, and says how to end that. */
export function watchLayout(look: () => void) {
  const sizes = new ResizeObserver(look)
  const nodes = new MutationObserver(look)
  sizes.observe(document.body)
  nodes.observe(document.body, { childList: true, subtree: true })
  addEventListener('scroll', look, { capture: true, passive: true })
  addEventListener('resize', look)
  return () => {
    sizes.disconnect()
    nodes.disconnect()
    removeEventListener('scroll', look, { capture: true })
    removeEventListener('resize', look)
  }
}
