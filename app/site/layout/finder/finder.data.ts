/** Whether the finder is open, and what opens it. In the first load of every page: keep it small. */
import { useSyncExternalStore } from 'react'
import { stored } from '#app/kit/session/session.data.ts'
import { isPlain, type Press } from '#app/kit/ui/list-keys.ts'
import { createWatchers } from '#app/kit/ui/stored-value.ts'

/** WCAG 2.1.4: single-key shortcuts can be switched off; stored as "off". */
export const SLASH_KEY = 'finderSlash'

export const useFinder = () => useSyncExternalStore(watch, isFinderShown, no)
/** False where "/" was switched off. */
export const useSlash = () => useSyncExternalStore(watch, isSlashOn, yes)

/** Opens or closes it. Subscribers also read the "/" setting again. */
export function showFinder(isWanted: boolean) {
  isOpen = isWanted
  tell()
}

/** Call it once. Early presses wait until the page can show the finder. */
export function listenForFinder() {
  document.addEventListener('keydown', (event) => {
    const isTyping = (event.target as Element).matches('input,textarea,select,[contenteditable]')
    if (
      // Already used by something else: Ctrl-K makes a link in the text editor.
      event.defaultPrevented ||
      event.repeat ||
      !opensFinder(event, isMac(), isTyping) ||
      (event.key === '/' && !isSlashOn()) ||
      // One dialog at a time.
      (!isOpen && document.querySelector('[role$=dialog]'))
    )
      return
    event.preventDefault()
    showFinder(!isOpen || event.key === '/')
  })
}

export const isMac = () => /Mac|iP/.test(navigator.platform)

let isOpen = false
const { watch, tell } = createWatchers()
export const isFinderShown = () => isOpen
const no = () => false
const yes = () => true

const isSlashOn = () => stored(SLASH_KEY) !== 'off'

/** Ctrl-K; Cmd-K on a Mac, where Ctrl-K cuts a line in text fields. "/" only outside of them. */
export function opensFinder(press: Press, isMac: boolean, isTyping: boolean): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = press
  if (key === '/') return !isTyping && isPlain(press)
  return /^k$/i.test(key) && (isMac ? metaKey : ctrlKey) && !altKey && !shiftKey
}
