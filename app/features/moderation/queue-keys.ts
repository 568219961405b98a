/** The keys of the queue: one press, one decision. Runs in the browser too: no I/O here. */

export const QUEUE_KEYS = [
  { command: 'next', keys: ['j', 'ArrowDown'] },
  { command: 'previous', keys: ['k', 'ArrowUp'] },
  { command: 'keep', keys: ['a'] },
  { command: 'remove', keys: ['r'] },
  { command: 'suspend', keys: ['s'] },
  { command: 'lock', keys: ['l'] },
  { command: 'open', keys: ['o'] },
  { command: 'undo', keys: ['u'] },
  { command: 'help', keys: ['?'] },
] as const

export type QueueCommand = (typeof QUEUE_KEYS)[number]['command']

/** What of a KeyboardEvent counts. */
export interface Press {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
  /** The key is held down. */
  repeat: boolean
  isComposing: boolean
}

/**
 * What a press asks for; undefined when it is not for us. A key that is held down walks through the
 * list, but decides nothing.
 */
export function commandOf(press: Press): QueueCommand | undefined {
  if (!isPlain(press)) return undefined
  // On most keyboards the question mark itself needs Shift.
  if (press.shiftKey && press.key !== '?') return undefined
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key
  const command = QUEUE_KEYS.find(({ keys }) => (keys as readonly string[]).includes(key))?.command
  const isStep = command === 'next' || command === 'previous'
  return press.repeat && !isStep ? undefined : command
}

/** The place, from 0, of the choice that a digit stands for; undefined when there is none. */
export function choiceOf(press: Press, choices: number): number | undefined {
  if (!isPlain(press) || press.shiftKey || !/^[1-9]$/.test(press.key)) return undefined
  const place = Number(press.key) - 1
  return place < choices ? place : undefined
}

/** Ctrl, Alt and the like belong to the browser; half-written letters to whoever writes them. */
const isPlain = ({ ctrlKey, metaKey, altKey, isComposing }: Press) =>
  !ctrlKey && !metaKey && !altKey && !isComposing
