/** The keys that open the finder. Runs in the browser too: no I/O here. */
import { isPlain, type Press } from '#app/kit/ui/list-keys.ts'

/** Ctrl-K; Cmd-K on a Mac, where Ctrl-K cuts a line in text fields. "/" only outside of them. */
export function opensFinder(press: Press, isMac: boolean, isTyping: boolean): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = press
  if (key === '/') return !isTyping && isPlain(press)
  return /^k$/i.test(key) && (isMac ? metaKey : ctrlKey) && !altKey && !shiftKey
}
