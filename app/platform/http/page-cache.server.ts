/**
 * Rendered pages as bytes. Each is rendered for an anonymous visitor, so one copy serves everyone. We can
 * lose them at any time.
 */

import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, brotliDecompress, constants } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { ChannelState } from '../database/database.server.ts'
import { RETRY_AFTER_S } from '../operations/shutdown.server.ts'

const FRESH_MS = 30_000
/** Up to this age, we send a stale page while we render a new one. */
const STALE_MS = 5 * 60_000
export const CACHE_BYTES = 48 * 1024 * 1024
/** "Not found" pages have their own store, so made-up URLs never displace real pages. */
const ABSENT_MS = 10_000
const ABSENT_BYTES = 2 * 1024 * 1024

const CACHE_CONTROL = `public, max-age=0, s-maxage=${FRESH_MS / 1000}, stale-while-revalidate=${STALE_MS / 1000}`

type RenderedHtml = { status: 200 | 404 | 410 | 503; html: string }
export type RenderedPage = { status: 301; location: string } | RenderedHtml

export interface PageCache {
  /** Sends a cached page, even a "not found". If it returns false, the page must be rendered. */
  sendCached(key: string, request: IncomingMessage, response: ServerResponse): boolean
  /**
   * Renders (once per page at a time), caches and sends. Doesn't cache "not found" for a URL where someone
   * else may find something.
   */
  renderAndSend(
    key: string,
    request: IncomingMessage,
    response: ServerResponse,
    options?: { isForSomeone?: boolean },
  ): Promise<void>
  forget(prefix: string): void
  forgetThread(threadId: string): void
  /**
   * How well we receive other processes' changes. While `deaf`, we send no cached pages. While `refused`, no
   * one can write, so we send all of them, no matter how old. Callers drop all pages before `ok`.
   */
  setChannelState(state: ChannelState): void
}

export function createPageCache(
  render: (key: string) => Promise<RenderedPage>,
  settings: {
    headers: [string, string][]
    /**
     * The onion service, which is this site without TLS. We recognize it by its host. Other hosts' pages
     * name its URL.
     */
    onion?:
      | { url: string; headers: [string, string][]; isOnion: (request: IncomingMessage) => boolean }
      | undefined
    /** False renders every time, for development. */
    keeps?: boolean
    now?: () => number
  },
): PageCache {
  const { keeps = true, now = Date.now } = settings
  const cacheOf = (maxSize: number) =>
    new LRUCache<string, CachedPage>({ maxSize, sizeCalculation: weightOf })
  const pages = cacheOf(CACHE_BYTES)
  const absent = cacheOf(ABSENT_BYTES)
  interface Rendering {
    page: Promise<CachedPage | RenderedPage>
    /** The content has changed since rendering began. */
    isOutdated: boolean
    isForSomeone: boolean
  }
  const inFlight = new Map<string, Rendering>()
  const base = settings.headers.flat()
  const { onion } = settings
  const onionBase = onion?.headers.flat() ?? []
  /** @param headers begin with `base` */
  const forHost: ForHost = (headers, request) => {
    if (!onion) return headers
    if (onion.isOnion(request)) return [...onionBase, ...headers.slice(base.length)]
    return [...headers, 'onion-location', onion.url + request.url]
  }
  let channelState: ChannelState = 'ok'

  const renderOnce = (key: string, isForSomeone = false) => {
    const running = inFlight.get(key)
    if (running) {
      running.isForSomeone ||= isForSomeone
      return running.page
    }
    const rendering: Rendering = { page: render(key).then(keep), isOutdated: false, isForSomeone }
    async function keep(page: RenderedPage) {
      if ('location' in page || page.status === 503) {
        // Without the database, an old page is better than none.
        if (page.status !== 503) pages.delete(key)
        return page
      }
      const isThere = page.status === 200
      const cached = { ...bytesOf(page), renderedAt: now() }
      if (!isThere) pages.delete(key)
      if (keeps && !rendering.isOutdated)
        if (isThere) pages.set(key, cached)
        else if (!rendering.isForSomeone) absent.set(key, cached)
      return cached
    }
    inFlight.set(key, rendering)
    const done = () => {
      if (inFlight.get(key) === rendering) inFlight.delete(key)
    }
    rendering.page.then(done, done)
    return rendering.page
  }

  /** "Not found" may be one page for many URLs, so we make its bytes only once. */
  const known = new WeakMap<RenderedHtml, CachedPage>()
  function bytesOf(page: RenderedHtml) {
    const bytes =
      known.get(page) ??
      cachedPage(page, {
        headers: [...base, 'cache-control', page.status === 200 ? CACHE_CONTROL : 'no-store'],
        renderedAt: now(),
      })
    if (page.status !== 200) known.set(page, bytes)
    return bytes
  }

  return {
    forget(prefix) {
      for (const cache of [pages, absent])
        for (const key of cache.keys()) if (key.startsWith(prefix)) cache.delete(key)
      for (const [key, rendering] of inFlight)
        if (key.startsWith(prefix)) {
          rendering.isOutdated = true
          inFlight.delete(key)
        }
    },
    forgetThread(threadId) {
      for (const [key, page] of pages)
        if (page.threads.has(threadId) || key.startsWith(`/thread/${threadId}`)) pages.delete(key)
      for (const key of absent.keys()) if (key.startsWith(`/thread/${threadId}`)) absent.delete(key)
      // We don't know the links of unfinished pages yet.
      for (const rendering of inFlight.values()) rendering.isOutdated = true
      inFlight.clear()
    },
    setChannelState(state) {
      channelState = state
    },
    sendCached(key, request, response) {
      if (channelState === 'deaf') return false
      const page = pages.get(key)
      if (!page) return sendAbsent(key, request, response)
      const age = now() - page.renderedAt
      if (age > FRESH_MS + STALE_MS && channelState === 'ok') return false
      if (!sendCached(page, request, response, { forHost })) return false
      // A failed refresh keeps the stale page. The next visitor retries.
      if (age > FRESH_MS) renderOnce(key).catch(() => {})
      if (!page.isWellCompressed) compressWell(page)
      return true
    },
    async renderAndSend(key, request, response, { isForSomeone } = {}) {
      const page = await renderOnce(key, isForSomeone)
      if ('brotli' in page) sendCached(page, request, response, { isPatient: true, forHost })
      else if ('location' in page) {
        // Redirects may change and change back, and a browser that cached both would loop.
        const headers = [
          'location',
          page.location,
          'cache-control',
          'no-store',
          'content-length',
          '0',
        ]
        response.writeHead(page.status, forHost([...base, ...headers], request))
        response.end()
      } else {
        const html = Buffer.from(page.html)
        const headers = [
          ...[...base, ...htmlHeaders(html), 'cache-control', 'no-store'],
          ...(page.status === 503 ? ['retry-after', String(RETRY_AFTER_S)] : []),
        ]
        response.writeHead(page.status, forHost(headers, request))
        response.end(request.method === 'HEAD' ? undefined : html)
      }
    },
  }

  function sendAbsent(key: string, request: IncomingMessage, response: ServerResponse) {
    const page = absent.get(key)
    if (!page || now() - page.renderedAt > ABSENT_MS) return false
    return sendCached(page, request, response, { forHost })
  }
}

/** Fast for the first visitor, and a tenth smaller for later ones. */
const BROTLI = { first: { quality: 3, window: 18 }, later: { quality: 6, window: 22 } }
/** Concurrent decompressions, for the rare clients without Brotli. */
const PLAIN_AT_ONCE = 8

const THREAD_LINK = /\/thread\/([0-9a-f]{8}-[0-9a-f-]{27})/g

export interface CachedPage {
  status: number
  /** Compressed lightly until the second request, because most pages of a large site are seen only once. */
  brotli: Buffer
  etag: string
  brotliHeaders: string[]
  /** Headers of every answer with this page. */
  headers: string[]
  renderedAt: number
  /** The threads that the page links to. */
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
  // Synchronous, because handing it to another thread and back takes longer.
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

/** Runs once, in the background. Until it's done, we send the first bytes. */
function compressWell(page: CachedPage) {
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

type ForHost = (headers: string[], request: IncomingMessage) => string[]

interface Sending {
  isPatient?: boolean
  forHost?: ForHost
}

/**
 * Sends the page, decompressed for clients without Brotli. Returns false without sending if too
 * many pages are being decompressed, unless `isPatient`.
 */
export function sendCached(
  page: CachedPage,
  request: IncomingMessage,
  response: ServerResponse,
  { isPatient = false, forHost = (headers) => headers }: Sending = {},
): boolean {
  const { headers } = request
  if (page.status === 200 && headers['if-none-match']?.includes(page.etag)) {
    response.writeHead(304, forHost(page.headers, request))
    response.end()
    return true
  }
  const hasBody = request.method !== 'HEAD'
  if (/\bbr\b/.test(String(headers['accept-encoding'] ?? ''))) {
    response.writeHead(page.status, forHost(page.brotliHeaders, request))
    response.end(hasBody ? page.brotli : undefined)
    return true
  }
  if (!isPatient && decompressing.size >= PLAIN_AT_ONCE && !decompressing.has(page)) return false
  plainBytes(page).then(
    (plain) => {
      response.writeHead(page.status, forHost([...page.headers, ...htmlHeaders(plain)], request))
      response.end(hasBody ? plain : undefined)
    },
    () => response.destroy(),
  )
  return true
}

const decompressing = new Map<CachedPage, Promise<Buffer>>()

/** Decompresses once for all concurrent requests. */
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

/** zlib returns a slice of a 16 kB buffer, and all of that would stay in memory. */
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

const htmlHeaders = (body: Buffer) => [
  'content-type',
  'text/html; charset=utf-8',
  'content-length',
  String(body.length),
]
