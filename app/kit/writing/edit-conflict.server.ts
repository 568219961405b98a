/** Two devices, or two people, changed one text. */
import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '#app/platform/http/refusal.ts'

export const CHANGED_MEANWHILE =
  'This was changed in the meantime. See what it says now, then save again.'

/**
 * Call it while the row is locked. Sent twice, a change is one: where the text is `wanted` already, nothing is refused.
 * @param before what the change was made to; undefined for programs that overwrite whatever is there
 * @throws Refusal conflict
 */
export function requireUnchanged<Text>(stored: Text, before: Text | undefined, wanted: Text) {
  if (before === undefined || isDeepStrictEqual(stored, before)) return
  if (!isDeepStrictEqual(stored, wanted)) throw new Refusal('conflict', CHANGED_MEANWHILE)
}
