/**
 * Whether the finder is open, what's typed in it, and what opens it. This is part of every page's first load, so keep it
 * small.
 */
import { useSyncExternalStore } from 'react'
import { stored } from '#app/kit/session/session.data.ts'
import { isPlain, type KeyPress } from '#app/kit/ui/list-keys.ts'
import { createWatchers } from '#app/kit/ui/stored-value.ts'

/** People can switch off single-key shortcuts (WCAG 2.1.4). Stored as "off". */
const SLASH_KEY = 'finderSlash'

export const useFinder = () => useSyncExternalStore(watch, isFinderShown, no)
/** False if "/" was switched off. */
export const useSlash = () => useSyncExternalStore(watch, isSlashOn, yes)

export const useFinderText = () => useSyncExternalStore(watch, finderText, none)

/** Opens it, empty, or closes it. */
export function showFinder(isWanted: boolean) {
  if (isWanted && !isOpen) {
    text = ''
    isEntered = false
  }
  isOpen = isWanted
  tell()
}

export function typeInFinder(typed: string) {
  text = typed
  tell()
}

/** Whether Enter was pressed before the finder's code was there. */
export function enterEarly() {
  isEntered = true
}
export const consumeEarlyEnter = () => {
  const was = isEntered
  isEntered = false
  return was
}

/** Call this once. Early presses wait until the page can show the finder. */
export function listenForFinder() {
  document.addEventListener('keydown', (event) => {
    const isTyping = (event.target as Element).matches('input,textarea,select,[contenteditable]')
    // Runs until the finder's box has the focus.
    const isEarly = event.target === document.body || !document.querySelector('[role$=dialog]')
    if (isOpen && !isTyping && isEarly && typeEarly(event)) return
    if (
      // Something else already used the key, such as Ctrl-K for a link in the text editor.
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

/** Handles keys pressed while the finder's code loads. Returns false for keys that mean nothing to it. */
function typeEarly(event: KeyboardEvent): boolean {
  const { key } = event
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  if (key === 'Enter') enterEarly()
  else if (key === 'Escape') showFinder(false)
  else if (key === 'Backspace') typeInFinder([...text].slice(0, -1).join(''))
  else if ([...key].length === 1) typeInFinder(text + key)
  else return false
  event.preventDefault()
  return true
}

export const isMac = () => /Mac|iP/.test(navigator.platform)

let isOpen = false
let text = ''
let isEntered = false
const { watch, tell } = createWatchers()
export const isFinderShown = () => isOpen
export const finderText = () => text
const none = () => ''
const no = () => false
const yes = () => true

const isSlashOn = () => stored(SLASH_KEY) !== 'off'

/** Kept in this browser. Without storage, it's lost. */
export function switchSlash(isOn: boolean) {
  try {
    if (isOn) localStorage.removeItem(SLASH_KEY)
    else localStorage.setItem(SLASH_KEY, 'off')
  } catch {}
  tell()
}

/** Ctrl-K, or Cmd-K on a Mac, where Ctrl-K cuts a line in text fields. "/" only works outside of text fields. */
export function opensFinder(press: KeyPress, isMac: boolean, isTyping: boolean): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = press
  if (key === '/') return !isTyping && isPlain(press)
  return /^k$/i.test(key) && (isMac ? metaKey : ctrlKey) && !altKey && !shiftKey
}
