/** Keeps toasts off buttons and windows: below the buttons of a page; above a window, which leaves them room. */
import {
  buttonsAround,
  clearTop,
  PRIMARY_BUTTONS,
  watchLayout,
} from '#app/kit/ui/clear-of-buttons.ts'
import { TOASTS_ID } from '#app/kit/ui/toaster.tsx'

/** Between toasts, and around them. Spec §9. */
const GAP = 14

/** Moves the list of toasts whenever it would lie over one; answers how to end that. */
export function keepToastsClear() {
  const { style } = document.documentElement
  const place = () => {
    const toasts = document.getElementById(TOASTS_ID)
    const height = toasts?.offsetHeight ?? 0
    const isWindowOpen = document.querySelector('[role=dialog]') !== null
    if (!toasts || height === 0) {
      style.removeProperty('--toast-top')
      style.removeProperty('--toast-room')
    } else if (isWindowOpen) {
      style.setProperty('--toast-top', `${GAP}px`)
      style.setProperty('--toast-room', `${height + 2 * GAP}px`)
    } else {
      style.removeProperty('--toast-room')
      style.removeProperty('--toast-top')
      const box = toasts.getBoundingClientRect()
      // Where a screen is full of buttons, it leaves at least those free that the screen is about.
      const top =
        clearTop(box, buttonsAround(toasts), window.innerHeight) ??
        clearTop(box, buttonsAround(toasts, PRIMARY_BUTTONS), window.innerHeight)
      if (top !== undefined && top !== box.top) style.setProperty('--toast-top', `${top}px`)
    }
  }
  const end = watchLayout(place)
  place()
  return end
}
