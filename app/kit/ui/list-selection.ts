/** Which case is selected while the list changes around it. Runs in the browser too: no I/O here. */

/** The one after (1) or before (-1); the first or the last where none was selected. */
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
 * Who inherits the selection: the selected one itself if it is still there, else the nearest that
 * followed it, else the nearest before it. Undefined when nothing was selected, or nothing is left.
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
