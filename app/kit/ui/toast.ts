/** Toasts: short notices that come and go by themselves. Spec §9. Any code may raise one. */

/** How long a toast stays unless told otherwise. Spec §9. */
export const TOAST_MS = 4000
/** A toast that was dismissed is forgotten after so long. Spec §4: a very long delay. */
export const TOAST_FORGOTTEN_MS = 1_000_000
/** How many show at once. Spec §9. */
export const TOASTS_SHOWN = 3

export type Toast = {
  id: string
  /** False once it was dismissed: it shows no more. */
  open: boolean
  title: string
  description?: string
  /** Destructive: something failed. It is announced at once. */
  variant?: 'destructive'
  /** Milliseconds; 0 stays until it is closed. */
  duration?: number
  action?: { label: string; onPress: () => void }
}

/** Shows a toast and returns its id. The same id again updates a toast that is open in its place. */
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

/** Closes a toast; without an id, all of them. */
export function dismissToast(id?: string) {
  const dismissed = toasts.filter((each) => each.open && (id === undefined || each.id === id))
  if (dismissed.length === 0) return
  const closed = dismissed.map((each) => ({ ...each, open: false }))
  replace(toasts.map((each) => closed.find(({ id }) => id === each.id) ?? each))
  setTimeout(() => replace(toasts.filter((each) => !closed.includes(each))), TOAST_FORGOTTEN_MS)
}

/** The toasts of this page, oldest first; those that are open are to be seen. */
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
  toasts = next
  for (const watcher of watchers) watcher()
}
