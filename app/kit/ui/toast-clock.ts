/** A toast's time. It stops while someone reads, and an update starts it again. */

import { dismissToast, TOAST_MS, type Toast } from './toast.ts'

/** Returns a function that runs a toast's time and returns the way to stop it. */
export function createToastClock(): (toast: Toast) => (() => void) | undefined {
  let known: Toast | undefined
  let left = 0
  return (toast) => {
    const { id, duration = TOAST_MS } = toast
    if (known !== toast) left = duration
    known = toast
    if (duration === 0) return
    const startedAt = performance.now()
    const timer = setTimeout(() => dismissToast(id), left)
    return () => {
      clearTimeout(timer)
      left -= performance.now() - startedAt
    }
  }
}
