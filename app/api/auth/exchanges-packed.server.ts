/** Exchanges of refresh tokens as bytes: for what is written down, and for what other processes are told. */
import type { Exchange } from './session-numbers.server.ts'

const HASH_BYTES = 16
const NUMBER_AT = HASH_BYTES
const TIME_AT = NUMBER_AT + 4
const DAY_AT = TIME_AT + 4
export const EXCHANGE_BYTES = DAY_AT + 2
/** Beside the day. What was written before this was known counts as used: nobody takes an old token for a lost answer. */
const UNUSED = 0x8000

/** @param count with so many it is one size, however few there are */
export function packed(exchanges: readonly Exchange[], count = exchanges.length): Buffer {
  const bytes = Buffer.alloc(count * EXCHANGE_BYTES)
  for (const [i, { session, number, at, lastDay, isUsed }] of exchanges.entries()) {
    const start = i * EXCHANGE_BYTES
    bytes.write(session, start, 'latin1')
    bytes.writeUInt32BE(number, start + NUMBER_AT)
    bytes.writeUInt32BE(at, start + TIME_AT)
    bytes.writeUInt16BE(isUsed ? lastDay : lastDay | UNUSED, start + DAY_AT)
  }
  return bytes
}

export function* unpacked(bytes: Buffer): Generator<Exchange> {
  for (let start = 0; start < bytes.length; start += EXCHANGE_BYTES) {
    const number = bytes.readUInt32BE(start + NUMBER_AT)
    // Nobody exchanged: it fills up the size.
    if (number === 0) return
    const day = bytes.readUInt16BE(start + DAY_AT)
    yield {
      session: bytes.toString('latin1', start, start + HASH_BYTES),
      number,
      at: bytes.readUInt32BE(start + TIME_AT),
      lastDay: day & ~UNUSED,
      isUsed: (day & UNUSED) === 0,
    }
  }
}
