/** Toasts: short notices that come and go by themselves. Spec §9. Any code may raise one. */

/** How long a toast stays unless told otherwise. Spec §9. */
export const TOAST_MS = 4000
/** How many show at once. Spec §9. */
export const TOASTS_SHOWN = 3

export type Toast = {
  id: string
  title: string
  description?: string
  /** Destructive: something failed. It is announced at once. */
  variant?: 'destructive'
  /** Milliseconds; 0 stays until it is closed. */
  duration?: number
  action?: { label: string; onPress: () => void }
}

/** Shows a toast and returns its id. The same id again updates the toast in place. */
export function toast(notice: Omit<Toast, 'id'> & { id?: string }): string {
  const id = notice.id ?? `toast-${++count}`
  const fresh = { ...notice, id }
  const isKnown = toasts.some((each) => each.id === id)
  replace(isKnown ? toasts.map((each) => (each.id === id ? fresh : each)) : [...toasts, fresh])
  return id
}

/** Takes a toast away; without an id, all of them. */
export function dismissToast(id?: string) {
  replace(id === undefined ? [] : toasts.filter((each) => each.id !== id))
}

/** The toasts that are wanted on the page, oldest first. */
export const currentToasts = (): readonly Toast[] => toasts

/** Calls `watcher` whenever the toasts change, until the returned function is called. */
export function watchToasts(watcher: () => void) {
  watchers.add(watcher)
  return () => {
    watchers.delete(watcher)
  }
}

let count = 0
let toasts: readonly Toast[] = []
const watchers = new Set<() => void>()

function replace(next: readonly Toast[]) {
  if (next.length === toasts.length && next.every((each, index) => each === toasts[index])) return
  toasts = next
  for (const watcher of watchers) watcher()
}
