/** The HTTP server: security headers, refusals in one shape, files, pages. Knows no feature. */
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
import { declaredAnswer, onLeftOut } from '../database/rows.server.ts'
import type { Config } from '../operations/config.server.ts'
import { logSettings } from '../operations/logging.server.ts'
import { type Stopping, stoppingOf } from '../operations/stopping.server.ts'
import { type Admission, createAdmission } from './admission.server.ts'
import type { Gate } from './concurrency-limit.server.ts'
import { parseJsonBodies } from './json-body.server.ts'
import type { PageCache } from './page-cache.server.ts'
import { networkOf, type RateLimit, tooMany } from './rate-limits.server.ts'
import { FAILED, Refusal } from './refusal.ts'
import { securityHeaders } from './security-headers.server.ts'
import { cutSlowBody } from './slow-bodies.server.ts'
import { isUnavailable } from './unavailable.ts'
import { createUnavailableLog } from './unavailable-log.server.ts'

const BODY_LIMIT_BYTES = 256 * 1024
/** Longer addresses than this are nobody's; Node's own bound on all headers is 16 KiB. */
const ADDRESS_MAX = 4_096
const YEAR_S = 31_536_000

export interface Pages {
  /** The cache's key of an address: its path and the query parameters that its screen declares. */
  keyOf(url: string): string
  /** What such addresses have in common, for figures: `/company/:id`; undefined if it is nobody's. */
  patternOf?(url: string): string | undefined
  cache: PageCache
  /** Of a network: pages that must be rendered for it. */
  misses?: RateLimit
  /** Says why there is no page right now, in the site's looks. */
  unavailable?(sentence: string): string
}

/** Hears of what was answered; never of an address, only of the pattern that it matched. */
export interface ResponseFigures {
  answered(answer: {
    route: string
    method: string
    /** 0: whoever asked did not wait for it. */
    status: number
    seconds: number
  }): void
  page(how: 'kept' | 'rendered'): void
  /** Refused before anything was done: too much at once for the site, or too many pages for a network. */
  refused(why: 'busy' | 'page-limit'): void
}

/** What no pattern matched: probes, misspellings, anything at all. */
const UNKNOWN_ROUTE = 'unknown'
/** Where a route's pattern travels from Fastify to the figures. */
const ROUTE = Symbol('route')
type Routed = IncomingMessage & { [ROUTE]?: string }

/** Headers that browsers heed of documents only. The script policy stays: a worker has its own. */
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

/** Where there are files of the build and answers. */
const NO_DOCUMENTS = /^\/(assets|api\/v1)\//

/** Routes are added by the caller; `pages` answers whatever no route matches. */
export async function createHttp(settings: {
  config: Config
  clientFolder?: string
  /** The text of the one that stands in each page; none without pages. */
  inlineScript?: string
  pages: Pages
  figures?: ResponseFigures
  /** How much is worked on at once; the usual one unless a test has its own. */
  gate?: Gate
  /** So long a body may take; the usual time unless a test has its own. */
  bodyWithinMs?: number
}) {
  const { config, pages, figures } = settings
  const headers = securityHeaders(config, settings.inlineScript)
  const headerMap = new Map(headers)
  // A first visit asks for twenty files of the build; answers are small and many.
  const headersOfOthers = new Map(headers.filter(([name]) => !FOR_DOCUMENTS.has(name)))

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
        if (stopping.hasBegun) response.setHeaders(headerMap)
        if (!stopping.admit(request, response)) return
        if (figures) noteResponse(request, response, figures, pages)
        // The page cache comes before everything else: most visitors ask for nothing else.
        if (
          isPageRequest(request) &&
          pages.cache.sendCached(pages.keyOf(request.url ?? '/'), request, response)
        ) {
          request[ROUTE] = PAGE
          figures?.page('kept')
          return
        }
        if (!admission.begin(request, response)) return
        cutSlowBody(request, response, settings.bodyWithinMs)
        response.setHeaders(NO_DOCUMENTS.test(request.url ?? '') ? headersOfOthers : headerMap)
        handle(request, response)
      })
      const stopping: Stopping = stoppingOf({ server })
      server.on('clientError', (error, socket) =>
        refuseBrokenRequest(error, socket as Socket, headers),
      )
      return server
    },
  })
  parseJsonBodies(app)
  // The library's would encode, which reads most of an answer twice.
  app.setSerializerCompiler<z.ZodType>(
    ({ schema, method, url }) =>
      (answer) =>
        JSON.stringify(declaredAnswer(`${method} ${url}`, schema, answer)),
  )
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const status = statusOf(error)
    const isSaid = isUnavailable(error) || error.name === 'Refusal'
    const isForPeople = status === 503 || (status === 429 && request.is404)
    if (isSaid && isForPeople && pages.unavailable && !isForPrograms(request.url)) {
      const { retryAfter } = error as { retryAfter?: number }
      if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
      return reply
        .code(status)
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(pages.unavailable(error.message))
    }
    if (status >= 500 && !isUnavailable(error) && (error as Error).name !== 'Refusal')
      app.log.error({ err: error, route: request.routeOptions.url }, 'a request failed')
    sendError(reply, error)
  })
  const noteNoMore = onLeftOut((what) => app.log.error(what, 'rows of a list were left out'))
  app.addHook('onClose', async () => {
    noteNoMore()
  })
  const noteUnavailable = createUnavailableLog(app.log)
  // Before whichever handler answers: some routes have shapes of their own.
  app.addHook('onError', (_request, _reply, error, next) => {
    if (isUnavailable(error)) noteUnavailable(error)
    next()
  })
  app.addHook('onRequest', (request, _reply, next) => {
    ;(request.raw as Routed)[ROUTE] = request.routeOptions.url
    if (request.url.length > ADDRESS_MAX)
      return next(new Refusal('bad-request', 'This address is too long'))
    if (!isWellEncoded(request.url))
      return next(new Refusal('bad-request', 'This address is not encoded correctly'))
    next()
  })

  const admission: Admission = createAdmission(app, {
    gate: settings.gate,
    headers,
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
      // Else its own header would come after ours and win.
      cacheControl: false,
      globIgnore: ['**/*.br', '**/*.gz', '**/manifest.json'],
      setHeaders: (response, path) => {
        response.setHeader('vary', 'accept-encoding')
        // The build names everything in /assets by its content.
        const forever = path.includes('/assets/')
        response.setHeader(
          'cache-control',
          forever ? `public, max-age=${YEAR_S}, immutable` : 'public, max-age=0, must-revalidate',
        )
        // Whoever shows a shared address may show the picture of it.
        if (!forever && /\.(png|svg)$/.test(path))
          response.setHeader('cross-origin-resource-policy', 'cross-origin')
      },
    })

  app.setNotFoundHandler(async (request, reply) => {
    if (isForPrograms(request.url)) throw new Refusal('not-found', 'There is nothing at this URL')
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      reply.header('allow', 'GET, HEAD')
      throw new Refusal('method-not-allowed', 'This page can only be read')
    }
    const wait = await pages.misses?.use(networkOf(request.ip))
    if (wait !== undefined) {
      figures?.refused('page-limit')
      throw tooMany(wait)
    }
    reply.hijack()
    const raw: Routed = request.raw
    // A route that says to this caller that it is not there.
    const isForSomebody = raw[ROUTE] !== undefined
    raw[ROUTE] = PAGE
    try {
      figures?.page('rendered')
      await pages.cache.renderAndSend(pages.keyOf(request.url), raw, reply.raw, { isForSomebody })
    } catch (error) {
      app.log.error({ err: error }, 'a page could not be rendered')
      sendPlainFailure(reply.raw)
    } finally {
      admission.end(raw)
    }
  })
  return app
}

/** In place of a pattern: it is to be found by the address. */
const PAGE = 'page'

function noteResponse(
  request: Routed,
  response: ServerResponse,
  figures: ResponseFigures,
  { patternOf }: Pages,
) {
  const began = performance.now()
  response.once('close', () => {
    // A stream's end says nothing about how fast we are.
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

/** Server-Sent Events. */
export const isStream = (response: ServerResponse) =>
  String(response.getHeader('content-type')).startsWith('text/event-stream')

/** Where nobody expects a page. */
const isForPrograms = (url: string) =>
  /^\/(api|auth|functions|assets)(\/|$)/.test(url.split('?')[0] ?? '')

const isPageRequest = (request: IncomingMessage) =>
  request.method === 'GET' || request.method === 'HEAD'

/** Broken percent-encoding and encoded NUL bytes never reach a route. */
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

/** `{ error: { code, message } }`: our sentence for a refusal, nothing of the inside for a bug. */
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

  if (error.name === 'Refusal') return answer(error.code, error.message)
  if (isUnavailable(error)) return answer('unavailable', error.message)
  if (status < 500) return answer(CODE_BY_STATUS[status] ?? 'bad-request', error.message)
  return answer(FAILED.code, FAILED.message)
}

/** What Node itself cannot read as HTTP, and headers beyond its bound. */
function refuseBrokenRequest(error: Error, socket: Socket, headers: [string, string][]) {
  if (!socket.writable || (error as NodeJS.ErrnoException).code === 'ECONNRESET')
    return socket.destroy()
  const tooLarge = (error as NodeJS.ErrnoException).code === 'HPE_HEADER_OVERFLOW'
  const status = tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request'
  const message = tooLarge ? 'This address or its headers are too long' : 'This is not valid HTTP'
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
  response.end('Something went wrong on our side. Please try again.')
}

export type Http = FastifyInstance
