/** Makes text of a file's bytes: UTF-8, or UTF-16 that says so. Anything else would be guessed. */
import { isUtf8 } from 'node:buffer'
import { badRequest } from '../../server/refusal.ts'

export const SAVE_AS_UTF8 = 'In Excel, save it as "CSV UTF-8 (Comma delimited)" and send it again'

/** Thrown behind the text up to the line that is not what it should be. */
export class NotReadable extends Error {
  override name = 'NotReadable'
}

const begins = (bytes: Buffer, ...with_: number[]) => with_.every((byte, i) => bytes[i] === byte)

/**
 * @throws NotReadable, after everything before the line that is not in the file's encoding
 * @throws Refusal bad-request for what is no text at all
 */
export async function* textOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decode: ((bytes: Buffer, isLast: boolean) => Generator<string>) | undefined
  let held: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    held = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
    // Enough for a mark.
    if (!decode && held.length < 4) continue
    decode ??= decoderFor(held)
    yield* decode(held, false)
    held = Buffer.alloc(0)
  }
  decode ??= decoderFor(held)
  yield* decode(held, true)
}

function decoderFor(beginning: Buffer) {
  if (begins(beginning, 0xff, 0xfe)) return utf16('utf-16le')
  if (begins(beginning, 0xfe, 0xff)) return utf16('utf-16be')
  if (begins(beginning, 0x50, 0x4b, 0x03, 0x04) || begins(beginning, 0xd0, 0xcf, 0x11, 0xe0))
    throw badRequest(`This is a workbook, not a CSV file. ${SAVE_AS_UTF8}`)
  if (beginning.subarray(0, 4096).includes(0)) throw badRequest('This is not a text file')
  return utf8()
}

function utf16(encoding: 'utf-16le' | 'utf-16be') {
  const decoder = new TextDecoder(encoding, { fatal: true })
  return function* (bytes: Buffer, isLast: boolean) {
    try {
      yield decoder.decode(bytes, { stream: !isLast })
    } catch {
      throw new NotReadable()
    }
  }
}

/** Line by line where something is wrong, so that the row can be named. */
function utf8() {
  let rest: Buffer = Buffer.alloc(0)
  let isFirst = true
  return function* (bytes: Buffer, isLast: boolean) {
    let all = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes
    if (isFirst && begins(all, 0xef, 0xbb, 0xbf)) all = all.subarray(3)
    isFirst = false
    const end = isLast ? all.length : wholeCharacters(all)
    rest = Buffer.from(all.subarray(end))
    const whole = all.subarray(0, end)
    if (isUtf8(whole)) {
      yield whole.toString('utf8')
      return
    }
    for (let from = 0; ; ) {
      const lineEnd = whole.indexOf(0x0a, from)
      const line = whole.subarray(from, lineEnd < 0 ? whole.length : lineEnd + 1)
      if (!isUtf8(line)) throw new NotReadable()
      yield line.toString('utf8')
      from += line.length
    }
  }
}

/** How many bytes hold whole characters: the last one may go on in the next piece. */
function wholeCharacters(bytes: Buffer) {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) break
    if (byte < 0xc0) continue
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    return length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}
