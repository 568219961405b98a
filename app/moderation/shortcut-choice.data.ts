/** Whether this browser wants single keys to decide; WCAG 2.1.4 asks for a way to switch them off. */

const KEY = 'moderationKeys'

export function wantsShortcuts(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off'
  } catch {
    return true
  }
}

export function chooseShortcuts(areWanted: boolean) {
  try {
    if (areWanted) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, 'off')
  } catch {
    // A browser that stores nothing keeps the choice until the page closes.
  }
}
