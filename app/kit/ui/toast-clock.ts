/** A toast's time. It stands still while somebody reads, and what is updated in place has all of it. */

import { dismissToast, TOAST_MS, type Toast } from './toast.ts'

/** Answers a function that lets a toast's time run, and that answers one which stops it. */
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
