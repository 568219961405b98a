/** A page as the bytes that leave: with Brotli, which nearly everybody reads, and nothing else. */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, brotliDecompress, constants } from 'node:zlib'

/** For the first visitor quickly, for those after a tenth smaller. */
const BROTLI = { first: { quality: 3, window: 18 }, later: { quality: 6, window: 22 } }
/** Pages that are made plain again at the same moment: the rare client without Brotli waits its turn. */
const PLAIN_AT_ONCE = 8

const THREAD_LINK = /\/thread\/([0-9a-f]{8}-[0-9a-f-]{27})/g

export interface CachedPage {
  status: number
  /** Of the first quality until somebody asks again: most pages of a large site are seen once. */
  brotli: Buffer
  etag: string
  brotliHeaders: string[]
  /** What every answer with this page says. */
  headers: string[]
  renderedAt: number
  /** The threads to which it leads. */
  threads: ReadonlySet<string>
  isWellCompressed: boolean
}

/** Bytes that it takes in memory, about: its headers, its tag and the threads it leads to come with it. */
export const weightOf = ({ brotli, threads }: CachedPage) =>
  brotli.length + 1_700 + threads.size * 100

/** @param headers names and values in turn */
export function cachedPage(
  { status, html }: { status: number; html: string },
  { headers, renderedAt }: { headers: string[]; renderedAt: number },
): CachedPage {
  const plain = Buffer.from(html)
  // Here and now: that is done sooner than it is handed to another thread and back.
  const brotli = exactly(brotliCompressSync(plain, settingsOf(plain, BROTLI.first)))
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  const all = [...headers, 'vary', 'accept-encoding', ...(status === 200 ? ['etag', etag] : [])]
  return {
    status,
    brotli,
    etag,
    brotliHeaders: brotliHeaders(all, brotli),
    headers: all,
    renderedAt,
    threads: new Set(Array.from(html.matchAll(THREAD_LINK), ([, id]) => copyOf(id as string))),
    isWellCompressed: false,
  }
}

/** A part of a string keeps the whole string in memory: of each page that is kept, all of its markup. */
const copyOf = (ascii: string) => Buffer.from(ascii, 'latin1').toString('latin1')

/** In the background, once; until it is done the first bytes serve. */
export function compressWell(page: CachedPage) {
  page.isWellCompressed = true
  promisify(brotliDecompress)(page.brotli)
    .then((plain) => promisify(brotliCompress)(plain, settingsOf(plain, BROTLI.later)))
    .then(
      (compressed) => {
        const brotli = exactly(compressed)
        page.brotli = brotli
        page.brotliHeaders = brotliHeaders(page.headers, brotli)
      },
      () => {},
    )
}

/**
 * Sends it, plain to whom that is all they read. False, and nothing is sent, where too many pages are
 * being made plain already, unless who asks is patient.
 */
export function sendCached(
  page: CachedPage,
  request: IncomingMessage,
  response: ServerResponse,
  { isPatient = false } = {},
): boolean {
  const { headers } = request
  if (page.status === 200 && headers['if-none-match']?.includes(page.etag)) {
    response.writeHead(304, page.headers)
    response.end()
    return true
  }
  const hasBody = request.method !== 'HEAD'
  if (/\bbr\b/.test(String(headers['accept-encoding'] ?? ''))) {
    response.writeHead(page.status, page.brotliHeaders)
    response.end(hasBody ? page.brotli : undefined)
    return true
  }
  if (!isPatient && plainUnderway.size >= PLAIN_AT_ONCE && !plainUnderway.has(page)) return false
  plainBytes(page).then(
    (plain) => {
      response.writeHead(page.status, [...page.headers, ...htmlHeaders(plain)])
      response.end(hasBody ? plain : undefined)
    },
    () => response.destroy(),
  )
  return true
}

const plainUnderway = new Map<CachedPage, Promise<Buffer>>()

/** Once for all who ask meanwhile. */
function plainBytes(page: CachedPage): Promise<Buffer> {
  const underway = plainUnderway.get(page)
  if (underway) return underway
  const plain = promisify(brotliDecompress)(page.brotli).finally(() => plainUnderway.delete(page))
  plainUnderway.set(page, plain)
  return plain
}

const settingsOf = (bytes: Buffer, { quality, window }: { quality: number; window: number }) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_LGWIN]: window,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  },
})

/** A short answer of zlib is a part of 16 kB, all of which it would keep in memory. */
function exactly(brotli: Buffer) {
  const exact = Buffer.allocUnsafeSlow(brotli.length)
  brotli.copy(exact)
  return exact
}

const brotliHeaders = (headers: string[], body: Buffer) => [
  ...headers,
  ...htmlHeaders(body),
  'content-encoding',
  'br',
]

export const htmlHeaders = (body: Buffer) => [
  'content-type',
  'text/html; charset=utf-8',
  'content-length',
  String(body.length),
]
