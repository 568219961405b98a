/** Whether this browser listens to "/"; see finder.data.ts, which reads it. */
import { SLASH_KEY, showFinder } from './finder.data.ts'

export function switchSlash(isOn: boolean) {
  try {
    if (isOn) localStorage.removeItem(SLASH_KEY)
    else localStorage.setItem(SLASH_KEY, 'off')
  } catch {
    // A browser that stores nothing goes on listening.
  }
  // The action closes the finder; whoever shows the key looks again.
  showFinder(false)
}
