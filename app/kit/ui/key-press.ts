/** Single keys that mean something. No I/O here. */

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

/** The place, from 0, of the choice that a digit stands for; undefined when there is none. */
export function choiceOf(press: Press, choices: number): number | undefined {
  if (!isPlain(press) || press.shiftKey || !/^[1-9]$/.test(press.key)) return undefined
  const place = Number(press.key) - 1
  return place < choices ? place : undefined
}

/** Ctrl, Alt and the like belong to the browser; half-written letters to whoever writes them. */
export const isPlain = ({ ctrlKey, metaKey, altKey, isComposing }: Press) =>
  !ctrlKey && !metaKey && !altKey && !isComposing
