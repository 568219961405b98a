/** The keys of the queue: one press, one decision. Runs in the browser too: no I/O here. */
import { isPlain, type Press } from '#app/kit/ui/key-press.ts'

export const QUEUE_KEYS = [
  { command: 'next', keys: ['j', 'ArrowDown'] },
  { command: 'previous', keys: ['k', 'ArrowUp'] },
  { command: 'keep', keys: ['a'] },
  { command: 'remove', keys: ['r'] },
  { command: 'suspend', keys: ['s'] },
  { command: 'lock', keys: ['l'] },
  { command: 'count', keys: ['c'] },
  { command: 'drop', keys: ['d'] },
  { command: 'mark', keys: ['x'] },
  { command: 'mark-next', keys: ['Shift+j'] },
  { command: 'mark-previous', keys: ['Shift+k'] },
  { command: 'unmark', keys: ['Escape'] },
  { command: 'open', keys: ['o'] },
  { command: 'undo', keys: ['u'] },
  { command: 'help', keys: ['?'] },
] as const

export type QueueCommand = (typeof QUEUE_KEYS)[number]['command']
/** Of a post and the others of its author. Only by buttons: a key decides about what is read. */
export type GroupCommand = 'keep-all' | 'remove-all'

const STEPS = new Set<QueueCommand>(['next', 'previous', 'mark-next', 'mark-previous'])

/**
 * What a press asks for; undefined when it is not for us. A key that is held down walks through the
 * list, but decides nothing.
 */
export function commandOf(press: Press): QueueCommand | undefined {
  if (!isPlain(press)) return undefined
  // On most keyboards the question mark itself needs Shift.
  const shift = press.shiftKey && press.key !== '?' ? 'Shift+' : ''
  const key = shift + (press.key.length === 1 ? press.key.toLowerCase() : press.key)
  const command = QUEUE_KEYS.find(({ keys }) => (keys as readonly string[]).includes(key))?.command
  return press.repeat && !(command && STEPS.has(command)) ? undefined : command
}
