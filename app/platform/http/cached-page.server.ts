import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, brotliDecompress, constants } from 'node:zlib'

/** Fast for the first visitor, a tenth smaller for the next ones. */
const BROTLI = { first: { quality: 3, window: 18 }, later: { quality: 6, window: 22 } }
/** Concurrent decompressions, for the rare clients without Brotli. */
const PLAIN_AT_ONCE = 8

const THREAD_LINK = /\/thread\/([0-9a-f]{8}-[0-9a-f-]{27})/g

export interface CachedPage {
  status: number
  /** At first quality until the second request, as most pages of a large site are seen once. */
  brotli: Buffer
  etag: string
  brotliHeaders: string[]
  /** Headers of every answer with this page. */
  headers: string[]
  renderedAt: number
  /** The threads that it links to. */
  threads: ReadonlySet<string>
  isWellCompressed: boolean
}

/** Approximate bytes in memory, including headers, tag and thread ids. */
export const weightOf = ({ brotli, threads }: CachedPage) =>
  brotli.length + 1_700 + threads.size * 100

/** @param headers alternating names and values */
export function cachedPage(
  { status, html }: { status: number; html: string },
  { headers, renderedAt }: { headers: string[]; renderedAt: number },
): CachedPage {
  const plain = Buffer.from(html)
  // Synchronous: handing it to another thread and back takes longer.
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

/** A substring would keep the whole page in memory. */
const copyOf = (ascii: string) => Buffer.from(ascii, 'latin1').toString('latin1')

/** Runs once, in the background. The first bytes serve until it's done. */
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
 * Sends the page, decompressed for clients without Brotli. Returns false without sending if too
 * many pages are being decompressed, unless `isPatient`.
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
  if (!isPatient && decompressing.size >= PLAIN_AT_ONCE && !decompressing.has(page)) return false
  plainBytes(page).then(
    (plain) => {
      response.writeHead(page.status, [...page.headers, ...htmlHeaders(plain)])
      response.end(hasBody ? plain : undefined)
    },
    () => response.destroy(),
  )
  return true
}

const decompressing = new Map<CachedPage, Promise<Buffer>>()

/** Once for all concurrent requests. */
function plainBytes(page: CachedPage): Promise<Buffer> {
  const running = decompressing.get(page)
  if (running) return running
  const plain = promisify(brotliDecompress)(page.brotli).finally(() => decompressing.delete(page))
  decompressing.set(page, plain)
  return plain
}

const settingsOf = (bytes: Buffer, { quality, window }: { quality: number; window: number }) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_LGWIN]: window,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  },
})

/** zlib returns a slice of 16 kB, which would all stay in memory. */
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
