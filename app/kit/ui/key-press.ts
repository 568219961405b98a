/** Single-key shortcuts. No I/O here. */

export interface Press {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
  repeat: boolean
  isComposing: boolean
}

/** The index of the choice that a digit stands for, or undefined. */
export function choiceOf(press: Press, choices: number): number | undefined {
  if (!isPlain(press) || press.shiftKey || !/^[1-9]$/.test(press.key)) return undefined
  const place = Number(press.key) - 1
  return place < choices ? place : undefined
}

/** Modifier keys belong to the browser, and unfinished letters to the input method. */
export const isPlain = ({ ctrlKey, metaKey, altKey, isComposing }: Press) =>
  !ctrlKey && !metaKey && !altKey && !isComposing
