/**
 * Idempotency keys make sure that a form that's sent again adds nothing. Its row has the key or a hash of it, and a
 * hash of what was sent (`sent_hash`).
 */
import sql from 'sql-template-tag'
import { Refusal } from '../http/refusal.ts'

export const SENT_HASH_BYTES = 16

/** A column for `requireSameText`: whether the row was made from content with this hash. */
export const isSameAs = (hash: Buffer, column = sql`sent_hash`) =>
  sql`${column} is not distinct from ${hash} as "isSame"`

/** @throws Refusal idempotency-key-used for another text under the key of this row */
export function requireSameText({ isSame }: { isSame: boolean }) {
  if (!isSame)
    throw new Refusal(
      'idempotency-key-used',
      'You already sent this form with different text. Your text is still here. Send it again to post it separately.',
    )
}
