/** Whether the tab is in the background. */

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
