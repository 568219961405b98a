/** The keys that open the finder. Runs in the browser too: no I/O here. */
import { isPlain, type Press } from '#app/kit/ui/key-press.ts'

/** Ctrl-K, on a Mac Cmd-K: there Ctrl-K cuts a line where somebody types. "/", unless it is typed. */
export function opensFinder(press: Press, isMac: boolean, isTyping: boolean): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = press
  if (key === '/') return !isTyping && isPlain(press)
  return /^k$/i.test(key) && (isMac ? metaKey : ctrlKey) && !altKey && !shiftKey
}
