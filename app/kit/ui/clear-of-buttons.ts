/** Keeps floating things, such as toasts, off buttons. Loaded after the page. */

/** Doesn't include links within text, because a page is full of those and people can scroll. */
export const BUTTONS = 'button, .button, summary'
/** The buttons a screen is about. */
export const PRIMARY_BUTTONS = '.button.primary'
const GAP = 8

export type Box = Pick<DOMRect, 'top' | 'bottom' | 'left' | 'right'>

/** The rectangles of visible buttons outside of `floating`. */
export const buttonsAround = (floating: Element, which = BUTTONS): Box[] =>
  [...document.querySelectorAll(which)]
    // Parts of a long page that have no layout yet are far away. Don't force it.
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

/**
 * The first position from `box`'s own top downwards that covers no button. Undefined if the box wouldn't end
 * above `end`.
 */
export function clearTop(box: Box, buttons: Box[], end: number): number | undefined {
  // A DOMRect's sides aren't own properties, so it can't be spread.
  const { left, right } = box
  const height = box.bottom - box.top
  let top = box.top
  for (const button of [...buttons].sort((a, b) => a.top - b.top)) {
    const room = { left, right, top: top - GAP, bottom: top + height + GAP }
    if (isOver(room, button)) top = button.bottom + GAP
  }
  return top + height <= end ? top : undefined
}

/** Calls `look` whenever something may have moved. Returns a function that stops it. */
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
