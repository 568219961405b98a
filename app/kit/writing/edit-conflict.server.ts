import { isDeepStrictEqual } from 'node:util'
import { changedMeanwhile } from '#app/platform/http/refusal.ts'

export const CHANGED_MEANWHILE =
  'This changed while you were editing. Check the new version, then save again.'

/**
 * Refuses a change if another device or person changed the text first. Call it while the row is locked. A change that's
 * sent twice passes, because the text is already `wanted`.
 * @param before what was changed; undefined for programs that overwrite anything
 * @throws Refusal changed-meanwhile
 */
export function requireUnchanged<Text>(stored: Text, before: Text | undefined, wanted: Text) {
  if (before === undefined || isDeepStrictEqual(stored, before)) return
  if (!isDeepStrictEqual(stored, wanted)) throw changedMeanwhile(CHANGED_MEANWHILE)
}
