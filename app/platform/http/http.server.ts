import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import fastifyStatic from '@fastify/static'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  LogController,
} from 'fastify'
import type { z } from 'zod'
import { declaredOutput, onOmittedRows } from '../database/rows.server.ts'
import type { Config } from '../operations/config.server.ts'
import { logSettings } from '../operations/logging.server.ts'
import { type Shutdown, shutdownOf } from '../operations/shutdown.server.ts'
import { type Admission, createAdmission } from './admission.server.ts'
import type { AnswerCache } from './answer-cache.server.ts'
import type { PageCache } from './page-cache.server.ts'
import { networkOf, type RateLimit, tooMany } from './rate-limits.server.ts'
import { answerOf, FAILED, Refusal } from './refusal.ts'
import { cutSlowBody, parseJsonBodies } from './request-body.server.ts'
import { headersByHost } from './security-headers.server.ts'
import { createUnavailableLog, isUnavailable } from './unavailable.ts'
import type { Gate } from './work-limits.server.ts'

const BODY_LIMIT_BYTES = 256 * 1024
/** Real URLs are shorter. Node itself limits all headers to 16 KiB. */
const URL_MAX = 4_096
const YEAR_S = 31_536_000

export interface Pages {
  /** The cache key of a URL: its path and the query parameters that its screen declares. */
  keyOf(url: string): string
  /** The route pattern for metrics, such as `/company/:id`. Undefined for unknown URLs. */
  patternOf?(url: string): string | undefined
  cache: PageCache
  misses?: RateLimit
  /** A page that says why there's no page right now. */
  unavailable?(sentence: string): string
}

/** Called with each answer's route pattern, never its URL. */
export interface ResponseFigures {
  answered(answer: {
    route: string
    method: string
    /** The status, or 0 if the client didn't wait. */
    status: number
    seconds: number
  }): void
  page(how: 'kept' | 'rendered'): void
  /**
   * Called for requests refused without work, because the site is too busy or a network requests too many
   * pages.
   */
  refused(why: 'busy' | 'page-limit'): void
  leftOut(rows: number): void
}

/** Marks a request for which no route matched. */
const UNKNOWN_ROUTE = 'unknown'
/** Carries a route's pattern from Fastify to the metrics. */
const ROUTE = Symbol('route')
type Routed = IncomingMessage & { [ROUTE]?: string }

/** Headers that browsers only use on documents. The script policy stays, because workers have their own. */
const FOR_DOCUMENTS = new Set([
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'permissions-policy',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
])

/** Paths of built files and API answers. */
const NO_DOCUMENTS = /^\/(assets|api\/v1)\//

/** The caller adds routes. `pages` answers everything else. */
export async function createHttp(settings: {
  config: Config
  clientFolder?: string
  /** The inline script of each page. Absent without pages. */
  inlineScript?: string
  pages: Pages
  answers?: AnswerCache | undefined
  figures?: ResponseFigures
  gate?: Gate
  bodyWithinMs?: number
}) {
  const { config, pages, answers, figures } = settings
  const headers = headersByHost(config, settings.inlineScript)
  const mapsOf = (list: [string, string][]) => ({
    documents: new Map(list),
    // A first visit loads twenty built files, and there are many small answers.
    others: new Map(list.filter(([name]) => !FOR_DOCUMENTS.has(name))),
  })
  const [own, onion] = [mapsOf(headers.own), mapsOf(headers.onion)]
  const mapsFor = (request: IncomingMessage) => (headers.isOnion(request) ? onion : own)

  const app = Fastify({
    logger: {
      level: config.logLevel,
      ...logSettings,
    },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: config.trustProxy,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
    return503OnClosing: true,
    frameworkErrors: (error, _request, reply) => {
      sendError(reply as unknown as FastifyReply, error)
    },
    serverFactory: (handle) => {
      const server = createServer({ keepAliveTimeout: 65_000 }, (request: Routed, response) => {
        if (shutdown.hasBegun) response.setHeaders(mapsFor(request).documents)
        if (!shutdown.admit(request, response)) return
        if (figures) noteResponse(request, response, figures, pages)
        // The page cache comes first, because most requests are for pages.
        if (
          isPageRequest(request) &&
          pages.cache.sendCached(pages.keyOf(request.url ?? '/'), request, response)
        ) {
          request[ROUTE] = PAGE
          figures?.page('kept')
          return
        }
        const route =
          isPageRequest(request) && answers?.sendCached(request, response, mapsFor(request).others)
        if (route) {
          request[ROUTE] = route
          return
        }
        if (!admission.begin(request, response)) return
        cutSlowBody(request, response, settings.bodyWithinMs)
        const { documents, others } = mapsFor(request)
        response.setHeaders(NO_DOCUMENTS.test(request.url ?? '') ? others : documents)
        handle(request, response)
      })
      const shutdown: Shutdown = shutdownOf({ server })
      server.on('clientError', (error, socket) =>
        refuseBrokenRequest(error, socket as Socket, headers.own),
      )
      return server
    },
  })
  setUpJson(app, pages)
  const stopNoting = onOmittedRows((what) => {
    app.log.error(what, 'Rows of a list were left out')
    figures?.leftOut(what.rows)
  })
  app.addHook('onClose', async () => {
    stopNoting()
  })
  const noteUnavailable = createUnavailableLog(app.log)
  // Runs before any error handler, because some routes have their own.
  app.addHook('onError', (_request, _reply, error, next) => {
    if (isUnavailable(error)) noteUnavailable(error)
    next()
  })
  app.addHook('onRequest', (request, _reply, next) => {
    ;(request.raw as Routed)[ROUTE] = request.routeOptions.url
    if (request.url.length > URL_MAX)
      return next(new Refusal('bad-request', 'This URL is too long'))
    if (!isWellEncoded(request.url))
      return next(new Refusal('bad-request', 'This URL isn’t encoded correctly'))
    next()
  })

  const admission: Admission = createAdmission(app, {
    gate: settings.gate,
    // The page's links must also work at the onion address.
    headers: headers.onion,
    page: pages.unavailable,
    clientFolder: settings.clientFolder,
    onRefused: () => figures?.refused('busy'),
  })

  if (settings.clientFolder)
    await app.register(fastifyStatic, {
      root: settings.clientFolder,
      prefix: '/',
      wildcard: false,
      preCompressed: true,
      index: false,
      // Otherwise the library's header would override ours.
      cacheControl: false,
      globIgnore: ['**/*.br', '**/*.gz', '**/manifest.json'],
      setHeaders: (response, path) => {
        response.setHeader('vary', 'accept-encoding')
        // Files in /assets are named by their content.
        const forever = path.includes('/assets/')
        response.setHeader(
          'cache-control',
          forever ? `public, max-age=${YEAR_S}, immutable` : 'public, max-age=0, must-revalidate',
        )
        // Sites that show a shared link may also show its picture.
        if (!forever && /\.(png|svg)$/.test(path))
          response.setHeader('cross-origin-resource-policy', 'cross-origin')
      },
    })

  app.setNotFoundHandler(async (request, reply) => {
    if (MOVED.test(request.url)) throw new Refusal('gone', 'This page is out of date. Reload it.')
    if (isForPrograms(request.url)) throw new Refusal('not-found', 'There’s nothing at this URL')
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      reply.header('allow', 'GET, HEAD')
      throw new Refusal('method-not-allowed', 'This page is read-only')
    }
    const wait = await pages.misses?.use(networkOf(request.ip))
    if (wait !== undefined) {
      figures?.refused('page-limit')
      throw tooMany(wait)
    }
    reply.hijack()
    const raw: Routed = request.raw
    // The route is hidden from this caller.
    const isForSomeone = raw[ROUTE] !== undefined
    raw[ROUTE] = PAGE
    try {
      figures?.page('rendered')
      await pages.cache.renderAndSend(pages.keyOf(request.url), raw, reply.raw, { isForSomeone })
    } catch (error) {
      app.log.error({ err: error }, 'A page couldn’t be rendered')
      sendPlainFailure(reply.raw)
    } finally {
      admission.end(raw)
    }
  })
  return app
}

/** Replaced by the URL's pattern in the metrics. */
const PAGE = 'page'

function noteResponse(
  request: Routed,
  response: ServerResponse,
  figures: ResponseFigures,
  { patternOf }: Pages,
) {
  const began = performance.now()
  response.once('close', () => {
    // A stream's duration says nothing about our speed.
    if (isStream(response)) return
    const { [ROUTE]: route = UNKNOWN_ROUTE, method = '', url = '/' } = request
    figures.answered({
      route:
        route === PAGE
          ? (patternOf?.(url) ?? UNKNOWN_ROUTE)
          : route.replace(/^\/assets\/.*/, '/assets/*'),
      method,
      status: response.writableFinished ? response.statusCode : 0,
      seconds: (performance.now() - began) / 1000,
    })
  })
}

export const isStream = (response: ServerResponse) =>
  String(response.getHeader('content-type')).startsWith('text/event-stream')

/** Pages from before the paths moved would take a 404 for a rating that's already removed. */
const MOVED = /\/held-rating(\/|$)/

/** Paths that aren't pages. */
const isForPrograms = (url: string) =>
  /^\/(api|auth|functions|assets)(\/|$)/.test(url.split('?')[0] ?? '')

const isPageRequest = (request: IncomingMessage) =>
  request.method === 'GET' || request.method === 'HEAD'

/** Broken percent-encoding and encoded NULs never reach a route. */
function isWellEncoded(url: string) {
  try {
    return !decodeURIComponent(url.replaceAll('+', ' ')).includes('\0')
  } catch {
    return false
  }
}

const statusOf = (error: Partial<FastifyError> & { status?: number }) =>
  error.status ?? error.statusCode ?? 500

const CODE_BY_STATUS: Record<number, string> = {
  400: 'bad-request',
  404: 'not-found',
  413: 'too-large',
  414: 'bad-request',
  415: 'unsupported-type',
  503: 'unavailable',
}

/** Bodies and answers in JSON, errors as `sendError` words them. `unavailable` makes a page for people. */
export function setUpJson(app: FastifyInstance, pages: Pick<Pages, 'unavailable'> = {}) {
  parseJsonBodies(app)
  // The library's own function would encode the answer, and read most of it twice.
  app.setSerializerCompiler<z.ZodType>(
    ({ schema, method, url }) =>
      (answer) =>
        JSON.stringify(declaredOutput(`${method} ${url}`, schema, answer)),
  )
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const status = statusOf(error)
    const isForReader = answerOf(error) !== undefined
    const isForPeople = status === 503 || (status === 429 && request.is404)
    if (isForReader && isForPeople && pages.unavailable && !isForPrograms(request.url)) {
      const { retryAfter } = error as { retryAfter?: number }
      if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
      return reply
        .code(status)
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(pages.unavailable(error.message))
    }
    if (status >= 500 && !isForReader)
      app.log.error({ err: error, route: request.routeOptions.url }, 'A request failed')
    sendError(reply, error)
  })
}

/** Sends `{ error: { code, message } }`, with our sentence for a refusal, and no internals for a bug. */
function sendError(reply: FastifyReply, error: FastifyError) {
  const status = statusOf(error)
  const { retryAfter } = error as { retryAfter?: unknown }
  if (typeof retryAfter === 'number') reply.header('retry-after', retryAfter)
  const answer = (code: string, message: string) =>
    reply
      .code(status)
      .header('cache-control', 'no-store')
      .header('content-type', 'application/json; charset=utf-8')
      .serializer(JSON.stringify)
      .send({ error: { code, message } })

  const said = answerOf(error)
  if (said) return answer(said.code, said.message)
  if (status < 500) return answer(CODE_BY_STATUS[status] ?? 'bad-request', error.message)
  return answer(FAILED.code, FAILED.message)
}

/** What Node can't parse as HTTP, and oversized headers. */
function refuseBrokenRequest(error: Error, socket: Socket, headers: [string, string][]) {
  if (!socket.writable || (error as NodeJS.ErrnoException).code === 'ECONNRESET')
    return socket.destroy()
  const tooLarge = (error as NodeJS.ErrnoException).code === 'HPE_HEADER_OVERFLOW'
  const status = tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request'
  const message = tooLarge ? 'This URL or its headers are too long' : 'This isn’t valid HTTP'
  const body = JSON.stringify({ error: { code: 'bad-request', message } })
  const lines = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

function sendPlainFailure(response: ServerResponse) {
  if (response.headersSent) return response.destroy()
  response.writeHead(500, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
  })
  response.end(FAILED.message)
}

export type Http = FastifyInstance
