/** The keys under which a person's rows lie. No two contexts have one in common. Decision 40. */
import { createCipheriv, createHmac } from 'node:crypto'

export const KEY_BYTES = 16

const keyed = (root: Buffer, ...parts: string[]) =>
  createHmac('sha256', root).update(parts.join(' ')).digest()

/**
 * Who this is in one context: says "once each", "is it mine" there, and nothing anywhere else.
 * @param kind of the rows, one word
 * @param subject the thread, company or poll that is the context
 */
export const contextKey = (root: Buffer, kind: string, subject: string) =>
  keyed(root, 'context', kind, subject).subarray(0, KEY_BYTES)

/**
 * The keys of the rows `from` to `from + count - 1` of a person. Only the server can name them, so they
 * find one's own rows, of which no two share anything.
 */
export const numberKeys = (root: Buffer, kind: string, from: number, count: number): Buffer[] =>
  keysOfNumbers(
    root,
    kind,
    Array.from({ length: count }, (_, n) => from + n),
  )

/** The same of any numbers. */
export function keysOfNumbers(root: Buffer, kind: string, numbers: number[]): Buffer[] {
  const blocks = Buffer.alloc(numbers.length * KEY_BYTES)
  for (const [i, number] of numbers.entries()) blocks.writeUInt32BE(number, (i + 1) * KEY_BYTES - 4)
  // Whole blocks, each another number: what is wrong about ECB, equal blocks, cannot be here.
  const cipher = createCipheriv('aes-256-ecb', keyed(root, 'numbers', kind), null)
  const keys = cipher.setAutoPadding(false).update(blocks)
  return numbers.map((_, i) => keys.subarray(i * KEY_BYTES, (i + 1) * KEY_BYTES))
}
