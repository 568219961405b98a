/**
 * Rendered pages, kept as the bytes that leave. Every page is rendered for an anonymous visitor,
 * so one copy serves everybody. May be lost at any time.
 */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { RETRY_AFTER_S } from './stopping.server.ts'

const FRESH_MS = 30_000
/** A stale page is sent while a new one is rendered; older than this it is not sent any more. */
const STALE_MS = 5 * 60_000
const CACHE_BYTES = 48 * 1024 * 1024
/** For the first visitor quickly; for those after, a fifth smaller at three times the cost. */
const BROTLI_QUALITY = { first: 1, later: 6 }

const CACHE_CONTROL = `public, max-age=0, s-maxage=${FRESH_MS / 1000}, stale-while-revalidate=${STALE_MS / 1000}`

export type RenderedPage =
  | { status: 301 | 302; location: string }
  | { status: 200 | 404 | 410 | 503; html: string }

interface CachedPage {
  identity: Buffer
  /** Of the first quality until somebody asks again: most pages of a large site are seen once. */
  brotli: Buffer
  etag: string
  identityHeaders: string[]
  brotliHeaders: string[]
  notModifiedHeaders: string[]
  renderedAt: number
  isWellCompressed: boolean
}

export interface PageCache {
  /** Sends the page when it is there; false when it must be rendered first. */
  sendCached(key: string, request: IncomingMessage, response: ServerResponse): boolean
  /** Renders (one at a time per page), keeps what may be kept, and sends. */
  renderAndSend(key: string, request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Drops the pages whose keys begin so: what they show has changed. */
  forget(prefix: string): void
}

export function createPageCache(
  render: (key: string) => Promise<RenderedPage>,
  settings: {
    /** On every page. */
    headers: [string, string][]
    /** False renders every time: for development. */
    keeps?: boolean
    now?: () => number
  },
): PageCache {
  const { keeps = true, now = Date.now } = settings
  const pages = new LRUCache<string, CachedPage>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (page) => page.identity.length + page.brotli.length + 1024,
  })
  interface Rendering {
    page: Promise<CachedPage | RenderedPage>
    /** What it shows has changed since it began. */
    isOutdated: boolean
  }
  const inFlight = new Map<string, Rendering>()
  const base = settings.headers.flat()

  const renderOnce = (key: string) => {
    const running = inFlight.get(key)
    if (running) return running.page
    const rendering: Rendering = { page: render(key).then(keep), isOutdated: false }
    async function keep(page: RenderedPage) {
      if (page.status !== 200) {
        // The database is away: what was kept is better than that.
        if (page.status !== 503) pages.delete(key)
        return page
      }
      const kept = await prepared(page.html, base, now())
      if (keeps && !rendering.isOutdated) pages.set(key, kept)
      return kept
    }
    inFlight.set(key, rendering)
    const done = () => {
      if (inFlight.get(key) === rendering) inFlight.delete(key)
    }
    rendering.page.then(done, done)
    return rendering.page
  }

  return {
    forget(prefix) {
      for (const key of pages.keys()) if (key.startsWith(prefix)) pages.delete(key)
      for (const [key, rendering] of inFlight)
        if (key.startsWith(prefix)) {
          rendering.isOutdated = true
          inFlight.delete(key)
        }
    },
    sendCached(key, request, response) {
      const page = pages.get(key)
      if (!page) return false
      const age = now() - page.renderedAt
      if (age > FRESH_MS + STALE_MS) return false
      // A failed refresh leaves the stale page in place; the next visitor tries again.
      if (age > FRESH_MS) renderOnce(key).catch(() => {})
      sendKept(page, request, response)
      if (!page.isWellCompressed) compressWell(page)
      return true
    },
    async renderAndSend(key, request, response) {
      const page = await renderOnce(key)
      if ('identity' in page) sendKept(page, request, response)
      else if ('location' in page) {
        response.writeHead(page.status, [...base, 'location', page.location, 'content-length', '0'])
        response.end()
      } else {
        const html = Buffer.from(page.html)
        response.writeHead(page.status, [
          ...base,
          ...htmlHeaders(html),
          'cache-control',
          'no-store',
          ...(page.status === 503 ? ['retry-after', String(RETRY_AFTER_S)] : []),
        ])
        response.end(request.method === 'HEAD' ? undefined : html)
      }
    },
  }
}

async function prepared(html: string, base: string[], renderedAt: number): Promise<CachedPage> {
  const identity = Buffer.from(html)
  const brotli = await compressed(identity, BROTLI_QUALITY.first)
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`
  const shared = [...base, 'cache-control', CACHE_CONTROL, 'vary', 'accept-encoding', 'etag', etag]
  return {
    identity,
    brotli,
    etag,
    identityHeaders: [...shared, ...htmlHeaders(identity)],
    brotliHeaders: brotliHeaders(shared, brotli),
    notModifiedHeaders: shared,
    renderedAt,
    isWellCompressed: false,
  }
}

/** In the background, once; until it is done the first bytes serve. */
function compressWell(page: CachedPage) {
  page.isWellCompressed = true
  compressed(page.identity, BROTLI_QUALITY.later).then(
    (brotli) => {
      page.brotli = brotli
      page.brotliHeaders = brotliHeaders(page.notModifiedHeaders, brotli)
    },
    () => {},
  )
}

const compressed = (bytes: Buffer, quality: number) =>
  promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })

const brotliHeaders = (shared: string[], body: Buffer) => [
  ...shared,
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

function sendKept(page: CachedPage, request: IncomingMessage, response: ServerResponse) {
  const { headers } = request
  if (headers['if-none-match']?.includes(page.etag)) {
    response.writeHead(304, page.notModifiedHeaders)
    response.end()
    return
  }
  const brotli = /\bbr\b/.test(String(headers['accept-encoding'] ?? ''))
  response.writeHead(200, brotli ? page.brotliHeaders : page.identityHeaders)
  response.end(request.method === 'HEAD' ? undefined : brotli ? page.brotli : page.identity)
}
