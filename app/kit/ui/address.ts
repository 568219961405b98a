/** Where the person is, and how to navigate. The browser's history is the only source. */

import { createContext, useContext } from 'react'
import { navigate as go, usePathname, useSearch } from 'wouter/use-browser-location'

/** Path and search as in a request line: encoded, the search without its question mark. */
export interface PageAddress {
  path: string
  search: string
}

/** The address while the server renders. The browser knows where it is. */
export const ServerAddress = createContext<PageAddress | undefined>(undefined)

export function useAddress(): PageAddress {
  const server = useContext(ServerAddress)
  const path = usePathname({ ssrPath: server?.path })
  const search = useSearch({ ssrSearch: server?.search })
  return { path, search: search.replace(/^\?/, '') }
}

/** Asks before someone leaves. Set by unsaved-guard.ts, which loads after the page. */
interface Guard {
  /** Leaves immediately, or after the person confirms. */
  leaveBy: (go: () => void) => void
  /** Back or Forward led elsewhere. */
  onMove: (event: PopStateEvent) => void
}
let guard: Guard = { leaveBy: (go) => go(), onMove: () => {} }

export const guardAddress = (next: Guard) => {
  guard = next
}

/** Call it before hydration, because a window calls listeners in the order they were added. */
export const listenToHistory = () => addEventListener('popstate', (event) => guard.onMove(event))

/** Goes to a page of the site. `replace` doesn't ask, because scripts use it to correct an address. */
export function navigate(href: string, { replace = false, isLink = false } = {}) {
  const leave = () => go(href, { replace })
  if (replace && !isLink) leave()
  else guard.leaveBy(leave)
}

/**
 * How long the page was visible before its scripts ran, in ms. For the specification's timers, which start when
 * people arrive. 0 for anything that opens later.
 */
export const headStart = () =>
  document.documentElement.classList.contains('alive') ? 0 : performance.now()
