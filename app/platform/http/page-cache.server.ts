/**
 * Rendered pages, kept as the bytes that leave. Every page is rendered for an anonymous visitor,
 * so one copy serves everybody. May be lost at any time.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { ChannelState } from '../database/database.server.ts'
import { RETRY_AFTER_S } from '../operations/stopping.server.ts'
import {
  type CachedPage,
  cachedPage,
  compressWell,
  htmlHeaders,
  sendCached,
  weightOf,
} from './cached-page.server.ts'

const FRESH_MS = 30_000
/** A stale page is sent while a new one is rendered; older than this it is not sent any more. */
const STALE_MS = 5 * 60_000
export const CACHE_BYTES = 48 * 1024 * 1024
/** What is not there, or not any more: made-up addresses never take the place of pages. */
const ABSENT_MS = 10_000
const ABSENT_BYTES = 2 * 1024 * 1024

const CACHE_CONTROL = `public, max-age=0, s-maxage=${FRESH_MS / 1000}, stale-while-revalidate=${STALE_MS / 1000}`

type RenderedHtml = { status: 200 | 404 | 410 | 503; html: string }
export type RenderedPage = { status: 301; location: string } | RenderedHtml

export interface PageCache {
  /** Sends the page when it is there, also one that says that nothing is; else it must be rendered. */
  sendCached(key: string, request: IncomingMessage, response: ServerResponse): boolean
  /**
   * Renders (one at a time per page), keeps what may be kept, and sends. That nothing is there is not
   * kept of an address at which somebody else may find something.
   */
  renderAndSend(
    key: string,
    request: IncomingMessage,
    response: ServerResponse,
    options?: { isForSomebody?: boolean },
  ): Promise<void>
  /** Drops the pages whose keys begin so: what they show has changed. */
  forget(prefix: string): void
  /** Drops the pages that lead to this thread: what they show of it is gone. */
  forgetThread(threadId: string): void
  /**
   * How well it is heard what others write, who may have deleted what is kept. While we are `deaf`
   * nothing that was kept is sent; while nobody can write (`refused`) all of it, however old. Whoever
   * says `ok` again has dropped all pages.
   */
  heed(news: ChannelState): void
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
  const kept = (maxSize: number) =>
    new LRUCache<string, CachedPage>({ maxSize, sizeCalculation: weightOf })
  const pages = kept(CACHE_BYTES)
  const absent = kept(ABSENT_BYTES)
  interface Rendering {
    page: Promise<CachedPage | RenderedPage>
    /** What it shows has changed since it began. */
    isOutdated: boolean
    isForSomebody: boolean
  }
  const inFlight = new Map<string, Rendering>()
  const base = settings.headers.flat()
  let news: ChannelState = 'ok'

  const renderOnce = (key: string, isForSomebody = false) => {
    const running = inFlight.get(key)
    if (running) {
      running.isForSomebody ||= isForSomebody
      return running.page
    }
    const rendering: Rendering = { page: render(key).then(keep), isOutdated: false, isForSomebody }
    async function keep(page: RenderedPage) {
      if ('location' in page || page.status === 503) {
        // The database is away: what was kept is better than that.
        if (page.status !== 503) pages.delete(key)
        return page
      }
      const isThere = page.status === 200
      const kept = { ...bytesOf(page), renderedAt: now() }
      if (!isThere) pages.delete(key)
      if (keeps && !rendering.isOutdated)
        if (isThere) pages.set(key, kept)
        else if (!rendering.isForSomebody) absent.set(key, kept)
      return kept
    }
    inFlight.set(key, rendering)
    const done = () => {
      if (inFlight.get(key) === rendering) inFlight.delete(key)
    }
    rendering.page.then(done, done)
    return rendering.page
  }

  /** One page may say of many addresses that nothing is there: its bytes are made once. */
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
      for (const kept of [pages, absent])
        for (const key of kept.keys()) if (key.startsWith(prefix)) kept.delete(key)
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
      // Which ones they lead to is known once they are made.
      for (const rendering of inFlight.values()) rendering.isOutdated = true
      inFlight.clear()
    },
    heed(state) {
      news = state
    },
    sendCached(key, request, response) {
      if (news === 'deaf') return false
      const page = pages.get(key)
      if (!page) return sendAbsent(key, request, response)
      const age = now() - page.renderedAt
      if (age > FRESH_MS + STALE_MS && news === 'ok') return false
      if (!sendCached(page, request, response)) return false
      // A failed refresh leaves the stale page in place; the next visitor tries again.
      if (age > FRESH_MS) renderOnce(key).catch(() => {})
      if (!page.isWellCompressed) compressWell(page)
      return true
    },
    async renderAndSend(key, request, response, { isForSomebody } = {}) {
      const page = await renderOnce(key, isForSomebody)
      if ('brotli' in page) sendCached(page, request, response, { isPatient: true })
      else if ('location' in page) {
        // What an address leads to may change, and change back: a browser that kept both would go in circles.
        const headers = [
          'location',
          page.location,
          'cache-control',
          'no-store',
          'content-length',
          '0',
        ]
        response.writeHead(page.status, [...base, ...headers])
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

  function sendAbsent(key: string, request: IncomingMessage, response: ServerResponse) {
    const page = absent.get(key)
    if (!page || now() - page.renderedAt > ABSENT_MS) return false
    return sendCached(page, request, response)
  }
}
