/**
 * Rendered pages, kept as the bytes that leave. Every page is rendered for an anonymous visitor,
 * so one copy serves everybody. May be lost at any time.
 */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { LRUCache } from 'lru-cache'

const FRESH_MS = 30_000
/** A stale page is sent while a new one is rendered; older than this it is not sent any more. */
const STALE_MS = 5 * 60_000
const CACHE_BYTES = 48 * 1024 * 1024
/** 5 costs a tenth of 11 and makes pages some 8 % larger. */
const BROTLI_QUALITY = 5

const CACHE_CONTROL = `public, max-age=0, s-maxage=${FRESH_MS / 1000}, stale-while-revalidate=${STALE_MS / 1000}`

export type RenderedPage =
  | { status: 301 | 302; location: string }
  | { status: 200 | 404 | 503; html: string }

interface CachedPage {
  identity: Buffer
  brotli: Buffer
  etag: string
  identityHeaders: string[]
  brotliHeaders: string[]
  notModifiedHeaders: string[]
  renderedAt: number
}

export interface PageCache {
  /** Sends the page when it is there; false when it must be rendered first. */
  sendCached(key: string, request: IncomingMessage, response: ServerResponse): boolean
  /** Renders (one at a time per page), keeps what may be kept, and sends. */
  renderAndSend(key: string, request: IncomingMessage, response: ServerResponse): Promise<void>
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
  const inFlight = new Map<string, Promise<CachedPage | RenderedPage>>()
  const base = settings.headers.flat()

  const renderOnce = (key: string) => {
    const running = inFlight.get(key)
    if (running) return running
    const started = render(key)
      .then(async (page) => {
        if (page.status !== 200) {
          pages.delete(key)
          return page
        }
        const kept = await prepared(page.html, base, now())
        if (keeps) pages.set(key, kept)
        return kept
      })
      .finally(() => inFlight.delete(key))
    inFlight.set(key, started)
    return started
  }

  return {
    sendCached(key, request, response) {
      const page = pages.get(key)
      if (!page) return false
      const age = now() - page.renderedAt
      if (age > FRESH_MS + STALE_MS) return false
      // A failed refresh leaves the stale page in place; the next visitor tries again.
      if (age > FRESH_MS) renderOnce(key).catch(() => {})
      sendKept(page, request, response)
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
        ])
        response.end(request.method === 'HEAD' ? undefined : html)
      }
    },
  }
}

async function prepared(html: string, base: string[], renderedAt: number): Promise<CachedPage> {
  const identity = Buffer.from(html)
  const brotli = await promisify(brotliCompress)(identity, {
    params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
  })
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`
  const shared = [...base, 'cache-control', CACHE_CONTROL, 'vary', 'accept-encoding', 'etag', etag]
  return {
    identity,
    brotli,
    etag,
    identityHeaders: [...shared, ...htmlHeaders(identity)],
    brotliHeaders: [...shared, ...htmlHeaders(brotli), 'content-encoding', 'br'],
    notModifiedHeaders: shared,
    renderedAt,
  }
}

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
