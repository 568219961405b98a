/** The keys of a person's rows, different in each context. D40. */

import { createCipheriv, createHmac } from 'node:crypto'
import { isUuid } from '#app/platform/uuid.ts'

export const KEY_BYTES = 16

const keyed = (root: Buffer, ...parts: string[]) =>
  createHmac('sha256', root).update(parts.join(' ')).digest()

/** An id in any format PostgreSQL accepts. */
const ID = /^[\s{]*[0-9a-f]{4}(-?[0-9a-f]{4}){7}[\s}]*$/i

/**
 * A person's key in one context. The key shows what's theirs there, and means nothing elsewhere.
 * @param kind of the rows, one word
 * @param subject the thread, company or poll. An id as stored, not as sent
 * @throws Error for an id in another format, which would give the person a second key
 */
export function contextKey(root: Buffer, kind: string, subject: string) {
  if (ID.test(subject) && !isUuid(subject))
    throw new Error(`A ${kind} key needs the id exactly as stored`)
  return keyed(root, 'context', kind, subject).subarray(0, KEY_BYTES)
}

/**
 * The keys of a person's rows `from` to `from + count - 1`. Only the server can compute them, so it
 * can find the person's rows, which share nothing.
 */
export const numberKeys = (root: Buffer, kind: string, from: number, count: number): Buffer[] =>
  keysOfNumbers(
    root,
    kind,
    Array.from({ length: count }, (_, n) => from + n),
  )

export function keysOfNumbers(root: Buffer, kind: string, numbers: number[]): Buffer[] {
  const blocks = Buffer.alloc(numbers.length * KEY_BYTES)
  for (const [i, number] of numbers.entries()) blocks.writeUInt32BE(number, (i + 1) * KEY_BYTES - 4)
  // Each block is a different number, so ECB's weakness (equal blocks) doesn't matter.
  const cipher = createCipheriv('aes-256-ecb', keyed(root, 'numbers', kind), null)
  const keys = cipher.setAutoPadding(false).update(blocks)
  return numbers.map((_, i) => keys.subarray(i * KEY_BYTES, (i + 1) * KEY_BYTES))
}
