/** Short notices that disappear by themselves. Spec §9. */
import { createWatchers } from './stored-value.ts'

export const TOAST_MS = 4000
/** When we forget a dismissed toast. Spec §4: a very long delay. */
export const TOAST_FORGOTTEN_MS = 1_000_000
export const TOASTS_SHOWN = 3

export type Toast = {
  id: string
  /** False once it's dismissed. */
  open: boolean
  title: string
  description?: string
  /** Something failed, so it's announced immediately. */
  variant?: 'destructive'
  /** How many milliseconds the toast stays. With 0, until someone closes it. */
  duration?: number
  action?: { label: string; onPress: () => void }
}

/** Shows a toast and returns its id. An open toast with the same id is updated in place. */
export function toast(notice: Omit<Toast, 'id' | 'open'> & { id?: string }): string {
  const id = notice.id ?? `toast-${++count}`
  const fresh = { ...notice, id, open: true }
  const isShown = toasts.some((each) => each.id === id && each.open)
  replace(
    isShown
      ? toasts.map((each) => (each.id === id ? fresh : each))
      : [...toasts.filter((each) => each.id !== id), fresh],
  )
  return id
}

/** Closes a toast, or all of them without an id. */
export function dismissToast(id?: string) {
  const dismissed = toasts.filter((each) => each.open && (id === undefined || each.id === id))
  if (dismissed.length === 0) return
  const closed = dismissed.map((each) => ({ ...each, open: false }))
  replace(toasts.map((each) => closed.find(({ id }) => id === each.id) ?? each))
  setTimeout(() => replace(toasts.filter((each) => !closed.includes(each))), TOAST_FORGOTTEN_MS)
}

/** Oldest first, including dismissed ones. */
export const currentToasts = (): readonly Toast[] => toasts

let count = 0
let toasts: readonly Toast[] = []
const { watch, tell } = createWatchers()
export const watchToasts = watch

function replace(next: readonly Toast[]) {
  toasts = next
  tell()
}
