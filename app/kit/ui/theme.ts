/**
 * Light or dark: the person's choice, or else the system's. Spec §4. first-script.js does the same before the
 * first paint.
 */

import { useSyncExternalStore } from 'react'

export type Theme = 'light' | 'dark'
export type ThemeChoice = Theme | 'system'

/** A stored value counts only if it's light or dark. Spec §4. */
export const THEME_KEY = 'theme'

/** The browser's frame has the page's color. The same two values are in first-script.js. */
const PAPER = { light: '#faf7f2', dark: '#14161c' } as const

/** Undefined on the server and while hydrating, when the toggle has both states. */
export function useTheme() {
  const theme = useSyncExternalStore(subscribe, currentTheme, unknown)
  const choice = useSyncExternalStore(subscribe, currentChoice, unknown)
  return { theme, choice, setTheme }
}

/** Sets this browser's theme. `system` forgets the choice. Other tabs follow. */
export function setTheme(choice: ThemeChoice) {
  unsaved = choice
  try {
    if (choice === 'system') localStorage.removeItem(THEME_KEY)
    else localStorage.setItem(THEME_KEY, choice)
  } catch {
    // If the browser can't store anything, it keeps the choice until the page closes.
  }
  announce()
}

/** The other one of the two. */
export const toggleTheme = () => setTheme(currentTheme() === 'dark' ? 'light' : 'dark')

const unknown = () => undefined
const watchers = new Set<() => void>()
let unsaved: ThemeChoice = 'system'

const DARK = '(prefers-color-scheme: dark)'
/** We only watch it, and never read it. In Chromium, reading it between a change and its event loses the event. */
let systemDark: MediaQueryList | undefined

function currentChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(THEME_KEY)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return unsaved
  }
}

function currentTheme(): Theme {
  const choice = currentChoice()
  if (choice !== 'system') return choice
  return matchMedia(DARK).matches ? 'dark' : 'light'
}

function subscribe(watcher: () => void) {
  watchers.add(watcher)
  if (watchers.size === 1) {
    systemDark ??= matchMedia(DARK)
    systemDark.addEventListener('change', announce)
    window.addEventListener('storage', announce)
    // The system may have changed since the first paint.
    if (!document.documentElement.classList.contains(currentTheme())) announce()
  }
  return () => {
    watchers.delete(watcher)
    if (watchers.size > 0) return
    systemDark?.removeEventListener('change', announce)
    window.removeEventListener('storage', announce)
  }
}

function announce() {
  const theme = currentTheme()
  const root = document.documentElement.classList
  root.add('theme-changing')
  root.remove('light', 'dark')
  root.add(theme)
  // Forces a layout, so the new colors apply before anything can fade again.
  void document.body.offsetHeight
  root.remove('theme-changing')
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', PAPER[theme])
  for (const watcher of watchers) watcher()
}
