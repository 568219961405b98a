/** The keys under which a person's rows lie. No two contexts have one in common. D40. */
import { createCipheriv, createHmac } from 'node:crypto'

export const KEY_BYTES = 16

const keyed = (root: Buffer, ...parts: string[]) =>
  createHmac('sha256', root).update(parts.join(' ')).digest()

/** An id in any spelling that PostgreSQL takes, and in its own. */
const ID = /^[\s{]*[0-9a-f]{4}(-?[0-9a-f]{4}){7}[\s}]*$/i
const ID_OF_A_ROW = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Who this is in one context: says "once each", "is it mine" there, and nothing anywhere else.
 * @param kind of the rows, one word
 * @param subject the thread, company or poll that is the context; an id as its row has it, not as it was sent
 * @throws Error for an id in another spelling: whoever spells one otherwise would be somebody else there
 */
export function contextKey(root: Buffer, kind: string, subject: string) {
  if (ID.test(subject) && !ID_OF_A_ROW.test(subject))
    throw new Error(`A key of ${kind} is made of an id as its row has it`)
  return keyed(root, 'context', kind, subject).subarray(0, KEY_BYTES)
}

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
