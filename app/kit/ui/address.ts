/** Where the person is, and how to go elsewhere. The browser's history is the one truth. */

import { createContext, useContext } from 'react'
import { navigate as go, usePathname, useSearch } from 'wouter/use-browser-location'

/** An address as it stands in a request line: encoded, the search without its question mark. */
export interface PageAddress {
  path: string
  search: string
}

/** Where the server renders; the browser knows where it is. */
export const ServerAddress = createContext<PageAddress | undefined>(undefined)

/** The current address, anew whenever it changes. */
export function useAddress(): PageAddress {
  const server = useContext(ServerAddress)
  const path = usePathname({ ssrPath: server?.path })
  const search = useSearch({ ssrSearch: server?.search })
  return { path, search: search.replace(/^\?/, '') }
}

/** Who is asked before somebody leaves: see leaving.ts, which comes later than the page. */
interface Guard {
  /** Leaves at once, or once the person has agreed. */
  leaveBy: (go: () => void) => void
  /** Back or Forward led elsewhere. */
  onMove: (event: PopStateEvent) => void
}
let guard: Guard = { leaveBy: (go) => go(), onMove: () => {} }

export const guardAddress = (next: Guard) => {
  guard = next
}

/** Call it before the page comes to life: a window calls its listeners in the order in which they came. */
export const listenToHistory = () => addEventListener('popstate', (event) => guard.onMove(event))

/**
 * Goes to another page of the site; `replace` takes the place of the current history entry. What a script puts right
 * in place asks nobody; a link does.
 */
export function navigate(href: string, { replace = false, isLink = false } = {}) {
  const leave = () => go(href, { replace })
  if (replace && !isLink) leave()
  else guard.leaveBy(leave)
}

/**
 * How long the page has been looked at already when its scripts come, in ms, for what the specification times from
 * the arrival: 0 for what is opened later, with the scripts.
 */
export const headStart = () =>
  document.documentElement.classList.contains('alive') ? 0 : performance.now()
