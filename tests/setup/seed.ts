/**
 * All randomness in a test run derives from one seed, so `npm test -- --seed N` repeats a failure. That covers IDs,
 * names and tokens, but not keys that OpenSSL generates itself.
 */
import crypto, { createCipheriv, createHash } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { relative } from 'node:path'
import { expect } from 'vitest'

/** Each file has its own sequence, no matter what ran before it in this process. */
const file = relative(process.cwd(), expect.getState().testPath ?? '')
const key = createHash('sha256').update(`${process.env.TEST_SEED} ${file}`).digest()
const stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
const draw = (bytes: number) => stream.update(Buffer.alloc(bytes))

const fill = <View extends ArrayBufferView>(view: View) => {
  draw(view.byteLength).copy(new Uint8Array(view.buffer, view.byteOffset, view.byteLength))
  return view
}

function uuid() {
  const bytes = draw(16)
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

Math.random = () => draw(6).readUIntBE(0, 6) / 2 ** 48
Object.assign(crypto, {
  randomUUID: uuid,
  randomBytes(size: number, callback?: (error: null, bytes: Buffer) => void) {
    const bytes = draw(size)
    if (callback) process.nextTick(callback, null, bytes)
    return bytes
  },
  randomInt: (...range: [number, number?]) => {
    const [from, to] = range[1] === undefined ? [0, range[0]] : (range as [number, number])
    return from + Math.floor(Math.random() * (to - from))
  },
})
syncBuiltinESMExports()
Object.assign(globalThis.crypto, { getRandomValues: fill, randomUUID: uuid })
