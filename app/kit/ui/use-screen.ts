/**
 * Whether the page has room (so we don't render invisible parts), and whether people can see it. False on the server.
 */
import { useCallback, useSyncExternalStore } from 'react'

/** From Tailwind's `lg` on, a preview fits next to its form. */
export const useIsWide = () => useMedia('(min-width: 64rem)')

/** Below Tailwind's `md`. */
export const useIsPhone = () => useMedia('(max-width: 47.99rem)')

function useMedia(query: string) {
  const subscribe = useCallback(
    (look: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', look)
      return () => media.removeEventListener('change', look)
    },
    [query],
  )
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  )
}

/** Whether the tab is in the background. */
export const usePageHidden = () =>
  useSyncExternalStore(
    watchVisibility,
    () => document.hidden,
    () => false,
  )

function watchVisibility(watcher: () => void) {
  document.addEventListener('visibilitychange', watcher)
  return () => document.removeEventListener('visibilitychange', watcher)
}
