/** Whether the finder is open, and what opens it. In the first load of every page: light. */
import { useSyncExternalStore } from 'react'
import { stored } from '#app/kit/session/session.data.ts'
import { opensFinder } from './finder-keys.ts'

/** WCAG 2.1.4: a single key that does something can be switched off; here by storing "off". */
export const SLASH_KEY = 'finderSlash'

export const useFinder = () => useSyncExternalStore(watch, isFinderShown, no)
/** False in a browser that shall not listen to "/". */
export const useSlash = () => useSyncExternalStore(watch, isSlashOn, yes)

/** Opens or closes it; whoever draws looks again, too, at whether "/" does. */
export function showFinder(isWanted: boolean) {
  isOpen = isWanted
  for (const watcher of watchers) watcher()
}

/** Call it once, in the browser, as soon as there is a script: a press waits for the page that shows it. */
export function listenForFinder() {
  document.addEventListener('keydown', (event) => {
    const isTyping = (event.target as Element).matches('input,textarea,select,[contenteditable]')
    if (
      // What has its own use for the key has prevented it: in a text editor Ctrl-K makes a link.
      event.defaultPrevented ||
      event.repeat ||
      !opensFinder(event, isMac(), isTyping) ||
      (event.key === '/' && !isSlashOn()) ||
      // One window at a time.
      (!isOpen && document.querySelector('[role$=dialog]'))
    )
      return
    event.preventDefault()
    showFinder(!isOpen || event.key === '/')
  })
}

export const isMac = () => /Mac|iP/.test(navigator.platform)

let isOpen = false
const watchers = new Set<() => void>()
export const isFinderShown = () => isOpen
const no = () => false
const yes = () => true

const isSlashOn = () => stored(SLASH_KEY) !== 'off'

function watch(watcher: () => void) {
  watchers.add(watcher)
  return () => {
    watchers.delete(watcher)
  }
}
