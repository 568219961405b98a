/** Recognises a file's encoding, and decodes it. */
import { isAscii, isUtf8 } from 'node:buffer'
import { cutText } from '#app/kit/writing/text.ts'
import { badRequest } from '#app/platform/http/refusal.ts'
import {
  ENCODING_NAMES,
  ENCODINGS,
  type Encoding,
  type ReadingChoice,
  type ReadingQuestion,
} from './file-reading.ts'
import { IMPORT_REFUSALS } from './import-report.ts'

const SAVE_AS_UTF8 = 'In Excel, save it as "CSV UTF-8 (Comma delimited)" and send it again'

/** What replaces invalid bytes. */
export const DAMAGED = '\ufffd'
export const lostSentence = (encoding: Encoding) =>
  encoding === 'utf-8'
    ? `This has characters that were lost, or aren’t UTF-8. ${SAVE_AS_UTF8}`
    : `This has characters that were lost, or aren’t ${ENCODINGS[encoding]}`

/** Enough to see an archive's first file names. */
const BEGINNING = 4096

const begins = (bytes: Buffer, ...with_: number[]) => with_.every((byte, i) => bytes[i] === byte)

/** Invalid bytes become DAMAGED, so only their cell is lost. */
export async function* textOf(
  chunks: AsyncIterable<Buffer>,
  encoding: Encoding,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  // Node 20 reads Windows-1252 as Latin-1 unless it streams.
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

const XML_HEAD = 256
const XML_ENCODING = /^<\?xml[^>]*\sencoding=["']([\w.:-]{1,40})["']/

/** In the encoding of its byte order mark or declaration. @throws Refusal bad-request for a binary file */
export async function* textOfXml(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  let bytes: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    bytes = bytes.length > 0 ? Buffer.concat([bytes, chunk]) : chunk
    if (!decoder && bytes.length < XML_HEAD) continue
    decoder ??= decoderOfXml(bytes)
    yield decoder.decode(bytes, { stream: true })
    bytes = Buffer.alloc(0)
  }
  decoder ??= decoderOfXml(bytes)
  yield decoder.decode(bytes, { stream: true }) + decoder.decode()
}

function decoderOfXml(beginning: Buffer) {
  const marked = markedEncoding(beginning) ?? (isBinary(beginning) && wideEncoding(beginning))
  if (marked && 'encoding' in marked) return new TextDecoder(marked.encoding)
  const declared = XML_ENCODING.exec(beginning.subarray(0, XML_HEAD).toString('latin1'))?.[1]
  try {
    return new TextDecoder(declared ?? 'utf-8')
  } catch {
    return new TextDecoder('utf-8')
  }
}

const decoded = (bytes: Buffer, encoding: Encoding) => {
  const decoder = new TextDecoder(encoding)
  return decoder.decode(bytes, { stream: true }) + decoder.decode()
}

export type EncodingFound = { encoding: Encoding } | { question: ReadingQuestion }

/**
 * Reads the whole file. It asks if several encodings give different texts, all of which could be right.
 * @throws Refusal bad-request for a binary file
 */
export async function encodingOf(chunks: AsyncIterable<Buffer>): Promise<EncodingFound> {
  let beginning: Buffer = Buffer.alloc(0)
  let rest: Buffer = Buffer.alloc(0)
  const lines = new ForeignLines()
  for await (const chunk of chunks) {
    if (beginning.length < BEGINNING) beginning = Buffer.concat([beginning, chunk])
    if (beginning.length >= BEGINNING && isBinary(beginning)) break
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const end = bytes.findLastIndex((byte) => byte < FIRST_TRAIL) + 1
    lines.add(bytes.subarray(0, end))
    rest = bytes.subarray(end)
  }
  const marked = markedEncoding(beginning) ?? (isBinary(beginning) && wideEncoding(beginning))
  if (marked) return marked
  lines.add(rest)
  return lines.encoding()
}

const isBinary = (beginning: Buffer) =>
  markedEncoding(beginning) !== undefined || beginning.subarray(0, BEGINNING).includes(0)

/** By a byte order mark. @throws Refusal bad-request for archives */
function markedEncoding(beginning: Buffer): EncodingFound | undefined {
  if (begins(beginning, 0xff, 0xfe, 0, 0) || begins(beginning, 0, 0, 0xfe, 0xff))
    throw badRequest(IMPORT_REFUSALS.utf32)
  if (begins(beginning, 0xff, 0xfe)) return { encoding: 'utf-16le' }
  if (begins(beginning, 0xfe, 0xff)) return { encoding: 'utf-16be' }
  if (begins(beginning, 0xef, 0xbb, 0xbf)) return { encoding: 'utf-8' }
  if (begins(beginning, 0xd0, 0xcf, 0x11, 0xe0) || isWorkbook(beginning))
    throw badRequest(`${IMPORT_REFUSALS.workbook} ${SAVE_AS_UTF8}`)
  if (begins(beginning, 0x50, 0x4b, 0x03, 0x04) || begins(beginning, 0x1f, 0x8b))
    throw badRequest(IMPORT_REFUSALS.archive)
  if (begins(beginning, 0x25, 0x50, 0x44, 0x46)) throw badRequest(IMPORT_REFUSALS.notText)
  return undefined
}

/** An archive whose first file names are those of an office document. */
const isWorkbook = (beginning: Buffer) =>
  begins(beginning, 0x50, 0x4b, 0x03, 0x04) &&
  /\[Content_Types\]|_rels\/|docProps\/|mimetypeapplication\/vnd\.oasis|^xl\/|^Index\//.test(
    beginning.subarray(30, BEGINNING).toString('latin1'),
  )

/** A cut surrogate may come last. In a wrong order, line ends don't exist. */
const IMPOSSIBLE_BUT_CUT = /(?![\t\r\n])\p{Cc}|\p{Cn}|\ufffd(?!$)/u

/** Some databases export UTF-16 without a byte order mark. @throws Refusal bad-request for anything else with zeros */
function wideEncoding(beginning: Buffer): EncodingFound {
  const bytes = beginning.subarray(0, (beginning.length >> 1) * 2)
  const readings = (['utf-16le', 'utf-16be'] as const)
    .map((encoding) => ({ encoding, text: decoded(bytes, encoding) }))
    .filter(({ text }) => /[\n\r]/.test(text) && !IMPOSSIBLE_BUT_CUT.test(text))
  const [first, second] = readings
  if (!first) throw badRequest(IMPORT_REFUSALS.notText)
  if (!second) return { encoding: first.encoding }
  return asked(
    readings.map(({ encoding, text }) => ({ encoding, lines: text.split(/\r\n|\r|\n/) })),
  )
}

/** No character of two bytes ends with one of these. */
const FIRST_TRAIL = 0x30
const SAMPLE_BYTES = 512 * 1024
const CHOICES_MAX = 4
const ROWS_SHOWN = 3

/** A file's lines with letters outside of ASCII. */
class ForeignLines {
  #utf8 = 0
  #others = 0
  #bytes = 0
  readonly #sample: Buffer[] = []

  /** @param bytes without a cut character at the end */
  add(bytes: Buffer) {
    if (isAscii(bytes)) return
    if (isUtf8(bytes)) {
      this.#utf8++
      return
    }
    for (const text of bytes.toString('latin1').split(/[\r\n]+/)) {
      const line = Buffer.from(text, 'latin1')
      if (isAscii(line)) continue
      if (isUtf8(line)) this.#utf8++
      else {
        this.#others++
        if (this.#bytes < SAMPLE_BYTES) this.#sample.push(line)
        this.#bytes += line.length
      }
    }
  }

  encoding(): EncodingFound {
    // Lines of another encoding are hardly ever valid in UTF-8, so these few are damaged.
    if (this.#utf8 >= this.#others) return { encoding: 'utf-8' }
    const likely = distinct(
      LEGACY.map((encoding) => {
        const lines = decoded(
          Buffer.concat(this.#sample.flatMap((line) => [line, LINE_END])),
          encoding,
        )
        return { encoding, lines: lines.split('\n'), oddness: oddnessOf(lines) }
      }),
    )
    const good = likely.filter(({ oddness }) => oddness <= ODD_MAX)
    const [only, other] = good
    if (only && !other) return { encoding: only.encoding }
    return asked((other ? good : likely).slice(0, CHOICES_MAX))
  }
}

const LINE_END = Buffer.from('\n')
const LEGACY = ENCODING_NAMES.filter((name) => !name.startsWith('utf'))
const ODD_MAX = 0.1

interface EncodingReading {
  encoding: Encoding
  lines: string[]
}

/** The first of those with the same text, the most natural one first. */
function distinct<Each extends EncodingReading & { oddness: number }>(readings: Each[]): Each[] {
  const byText = new Map<string, Each>()
  for (const reading of readings) {
    const text = reading.lines.join('\n')
    if (!byText.has(text)) byText.set(text, reading)
  }
  return [...byText.values()].sort((a, b) => a.oddness - b.oddness)
}

/** What hardly any text has, unless it's read in a wrong encoding. */
const ODD = [
  // "CafÈ".
  /(?<=\p{Ll})(?![A-Z])\p{Lu}/gu,
  // "M¸ller".
  /(?<=[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}])(?![!-~’‘‐–—·])[\p{S}\p{P}\p{No}ªº](?=[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}])/gu,
  // "©koda" and "ªµ∑".
  /(?<![\d\p{L}])(?![!-~])[\p{S}\p{No}](?=\p{Ll})|(?![!-~])\p{S}(?=[^\0-\x7f])/gu,
  // "Ãàçïðîì".
  /(?<=[À-ɏ]{3})[À-ɏ]/gu,
  // Two alphabets in a word.
  /(?<=\p{Script=Latin})[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}\u0591-\u05c7\u064b-\u065f]|[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}](?=\p{Script=Latin})/gu,
  /(?<=\p{Script=Cyrillic})\p{Script=Greek}|\p{Script=Greek}(?=\p{Script=Cyrillic})/gu,
  // "M黮ler".
  /(?<=[a-z])[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}](?=[a-z])/gu,
  /\p{Script=Han}(?=[\p{Script=Hangul}\p{Script=Greek}\p{Script=Cyrillic}])|[\p{Script=Hangul}\p{Script=Greek}\p{Script=Cyrillic}](?=\p{Script=Han})/gu,
  /\p{Script=Hangul}(?=[\p{Script=Hiragana}\p{Script=Katakana}])|[\p{Script=Hiragana}\p{Script=Katakana}](?=\p{Script=Hangul})/gu,
  // Katakana of half width beside other letters.
  /[｡-ﾟ](?![｡-ﾟ])(?=\p{L})|(?<![｡-ﾟ])(?<=\p{L})[｡-ﾟ]/gu,
]

/** Control characters, and characters that don't exist. */
const IMPOSSIBLE = /(?![\t\n\r])\p{Cc}|\p{Co}|\p{Cn}|\ufffd/gu
const IMPOSSIBLE_WEIGHT = 5

/** Odd characters per foreign one. */
function oddnessOf(text: string): number {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  const odd = ODD.reduce((sum, pattern) => sum + count(pattern), 0)
  return (odd + IMPOSSIBLE_WEIGHT * count(IMPOSSIBLE)) / Math.max(1, count(/[^\0-\x7f]/gu))
}

/** A question with three lines that tell the readings apart. */
function asked(readings: EncodingReading[]): { question: ReadingQuestion } {
  const [first] = readings
  const differing = (first?.lines ?? []).flatMap((line, i) => {
    const others = readings.slice(1).map((reading) => reading.lines[i] ?? '')
    const differing = others.filter((other) => other !== line).length
    return differing > 0 ? [{ i, differing }] : []
  })
  const shown = differing.sort((a, b) => b.differing - a.differing).slice(0, ROWS_SHOWN)
  const choices = readings.map(
    ({ encoding, lines }): ReadingChoice => ({
      value: encoding,
      rows: shown.map(({ i }) => around(lines[i] ?? '')),
    }),
  )
  return { question: { about: 'encoding', choices } }
}

const SHOWN_MAX = 80

/** The part of a line that has its first foreign letter. */
function around(line: string) {
  const letters = [...line]
  const at = letters.findIndex((letter) => letter > '\x7f')
  const from = Math.max(0, at - SHOWN_MAX / 2)
  const part = cutText(letters.slice(from).join(''), SHOWN_MAX)
  return `${from > 0 ? '…' : ''}${part}`.trim()
}
