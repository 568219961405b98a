/** Whether the tab is in the background, where nothing needs to move or run out. */

import { useSyncExternalStore } from 'react'

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
