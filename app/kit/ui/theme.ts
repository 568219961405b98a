/**
 * Light or dark: what was chosen, else what the system prefers. Spec §4. Before the first paint
 * `first-script.js` does the same, so that no page flashes in the wrong theme; its `js` on <html>
 * tells the styles that scripts run.
 */

import { useSyncExternalStore } from 'react'

export type Theme = 'light' | 'dark'
export type ThemeChoice = Theme | 'system'

/** The local storage key; a stored value counts only if it is light or dark. Spec §4. */
export const THEME_KEY = 'theme'

/** The browser's own frame takes the page's paper; the same two values stand in first-script.js. */
const PAPER = { light: '#faf7f2', dark: '#14161c' } as const

/** Undefined on the server and while hydrating: the toggle holds both ways then, and the styles show the one. */
export function useTheme() {
  const theme = useSyncExternalStore(subscribe, currentTheme, unknown)
  const choice = useSyncExternalStore(subscribe, currentChoice, unknown)
  return { theme, choice, setTheme }
}

/** Chooses a theme for this browser; `system` forgets the choice. Other tabs follow. */
export function setTheme(choice: ThemeChoice) {
  unsaved = choice
  try {
    if (choice === 'system') localStorage.removeItem(THEME_KEY)
    else localStorage.setItem(THEME_KEY, choice)
  } catch {
    // A browser that stores nothing keeps the choice until the page closes.
  }
  announce()
}

const unknown = () => undefined
const watchers = new Set<() => void>()
let unsaved: ThemeChoice = 'system'

const DARK = '(prefers-color-scheme: dark)'
/**
 * Only watched, never asked: in Chromium, asking this one between a change and the event of it takes
 * the event away.
 */
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
    // The system may have changed between the first paint and now.
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
  // Laid out once, so that the new colours stand before anything may fade again.
  void document.body.offsetHeight
  root.remove('theme-changing')
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', PAPER[theme])
  for (const watcher of watchers) watcher()
}
