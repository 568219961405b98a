/** Decodes a file in UTF-8, or in UTF-16 with a byte order mark. We'd have to guess other encodings. */
import { badRequest } from '#app/platform/http/refusal.ts'
import { IMPORT_REFUSALS } from './import-report.ts'

const SAVE_AS_UTF8 = 'In Excel, save it as "CSV UTF-8 (Comma delimited)" and send it again'

/** What replaces invalid bytes. */
export const DAMAGED = '\ufffd'
export const NOT_UTF8 = `This has characters that were lost, or aren’t UTF-8. ${SAVE_AS_UTF8}`

const ARCHIVE_HEAD = 4096

const begins = (bytes: Buffer, ...with_: number[]) => with_.every((byte, i) => bytes[i] === byte)

/** Invalid bytes become DAMAGED, so only their row fails. @throws Refusal bad-request for a binary file */
export async function* textOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  let buffered: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    buffered = buffered.length > 0 ? Buffer.concat([buffered, chunk]) : chunk
    // Enough to see a byte order mark, or an archive's first file names.
    if (!decoder && buffered.length < (begins(buffered, 0x50, 0x4b) ? ARCHIVE_HEAD : 4)) continue
    decoder ??= decoderFor(buffered)
    yield decoder.decode(buffered, { stream: true })
    buffered = Buffer.alloc(0)
  }
  decoder ??= decoderFor(buffered)
  yield decoder.decode(buffered)
}

function decoderFor(beginning: Buffer) {
  if (begins(beginning, 0xff, 0xfe)) return new TextDecoder('utf-16le')
  if (begins(beginning, 0xfe, 0xff)) return new TextDecoder('utf-16be')
  if (begins(beginning, 0xd0, 0xcf, 0x11, 0xe0) || isWorkbook(beginning))
    throw badRequest(`${IMPORT_REFUSALS.workbook} ${SAVE_AS_UTF8}`)
  if (begins(beginning, 0x50, 0x4b, 0x03, 0x04)) throw badRequest(IMPORT_REFUSALS.archive)
  const wide = wideEncoding(beginning.subarray(0, 4096))
  if (wide) return new TextDecoder(wide)
  if (beginning.subarray(0, 4096).includes(0)) throw badRequest(IMPORT_REFUSALS.notText)
  return new TextDecoder('utf-8')
}

/** Some databases export UTF-16 without a byte order mark. In plain letters, every other byte is zero. */
function wideEncoding(bytes: Buffer) {
  const zeros = [0, 0]
  for (const [i, byte] of bytes.entries()) if (byte === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (odd > bytes.length / 4 && even === 0) return 'utf-16le'
  return even > bytes.length / 4 && odd === 0 ? 'utf-16be' : undefined
}

/** An archive whose first file names are those of an Office document. */
const isWorkbook = (beginning: Buffer) =>
  begins(beginning, 0x50, 0x4b, 0x03, 0x04) &&
  /\[Content_Types\]|_rels\/|docProps\/|mimetypeapplication\/vnd\.oasis|^xl\//.test(
    beginning.subarray(30, ARCHIVE_HEAD).toString('latin1'),
  )
