/** Single-key shortcuts, and which item of a list they select. No I/O here. */

export interface KeyPress {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
  repeat: boolean
  isComposing: boolean
}

/** The index of a digit's choice, or undefined. */
export function choiceOf(press: KeyPress, choices: number): number | undefined {
  if (!isPlain(press) || press.shiftKey || !/^[1-9]$/.test(press.key)) return undefined
  const index = Number(press.key) - 1
  return index < choices ? index : undefined
}

/** Leaves modifier keys to the browser, and unfinished letters to the input method. */
export const isPlain = ({ ctrlKey, metaKey, altKey, isComposing }: KeyPress) =>
  !ctrlKey && !metaKey && !altKey && !isComposing

/** The next (1) or previous (-1) one. Without a selection, the first or last. */
export function stepFrom(
  keys: readonly string[],
  selected: string | undefined,
  step: 1 | -1,
): string | undefined {
  const at = selected === undefined ? -1 : keys.indexOf(selected)
  if (at < 0) return step === 1 ? keys[0] : keys.at(-1)
  return keys[at + step] ?? keys[at]
}

/**
 * The selected item if it's still there, or else the nearest after it, or else the nearest before it. Undefined if
 * nothing was selected or nothing is left.
 */
export function inheritorOf(
  before: readonly string[],
  after: readonly string[],
  selected: string | undefined,
): string | undefined {
  if (selected === undefined || after.includes(selected)) return selected
  const at = before.indexOf(selected)
  const next = before.slice(at + 1).find((key) => after.includes(key))
  return next ?? before.slice(0, Math.max(at, 0)).findLast((key) => after.includes(key)) ?? after[0]
}
