import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { restartingPage } from '../http/restarting-page.server.ts'

/**
 * A graceful stop: we answer running requests and refuse new ones. Clients may retry after about the time of a restart,
 * in seconds.
 */
export const RETRY_AFTER_S = 5
const LOOK_EVERY_MS = 20
/** Monitoring must see the stop. */
const STILL_ANSWERED = /^\/(healthz|readyz|metrics)(\?|$)/

export interface Shutdown {
  readonly hasBegun: boolean
  /** Unfinished responses, including live streams. */
  readonly open: ReadonlySet<ServerResponse>
  /** Calls `work` when the stop begins, to end endless responses. */
  onBegin(work: () => void): void
  /** Tracks the response. Returns false if it was refused. Then don't touch it. */
  admit(request: IncomingMessage, response: ServerResponse): boolean
  /**
   * Refuses new requests, ends streams, and waits up to `patienceMs` for the rest, then cuts off
   * slow readers. The listener stays, because a refusal is better than no connection.
   * @returns whether everyone got their response
   */
  begin(patienceMs: number): Promise<boolean>
}

const known = new WeakMap<Server, Shutdown>()

export function shutdownOf({ server }: Pick<FastifyInstance, 'server'>): Shutdown {
  const existing = known.get(server)
  if (existing) return existing
  const fresh = createStopping(() => server.closeAllConnections())
  known.set(server, fresh)
  return fresh
}

function createStopping(cutOff: () => void): Shutdown {
  const open = new Set<ServerResponse>()
  const works: (() => void)[] = []
  let hasBegun = false
  return {
    get hasBegun() {
      return hasBegun
    },
    open,
    onBegin(work) {
      works.push(work)
    },
    admit(request, response) {
      if (hasBegun) {
        response.setHeader('connection', 'close')
        if (!STILL_ANSWERED.test(request.url ?? '')) {
          sendRefusal(request, response)
          return false
        }
      }
      open.add(response)
      response.once('close', () => open.delete(response))
      return true
    },
    async begin(patienceMs) {
      hasBegun = true
      // The browser's next request then finds another process.
      for (const response of open)
        if (!response.headersSent) response.setHeader('connection', 'close')
      for (const work of works) work()
      const latest = performance.now() + patienceMs
      while (open.size > 0 && performance.now() < latest) await wait(LOOK_EVERY_MS)
      const isDrained = open.size === 0
      if (!isDrained) cutOff()
      return isDrained
    },
  }
}

interface PreparedRefusal {
  page: { head: string[]; body: string }
  answer: { head: string[]; body: string }
}

/** A prepared refusal, because there's no time to make one when we need it. */
export function preparedRefusal(
  message: string,
  {
    headers = [],
    retryAfter = RETRY_AFTER_S,
    page,
  }: {
    headers?: [string, string][]
    retryAfter?: number
    /** Markup. Without it, people get the bare sentence. */
    page?: ((sentence: string) => string) | undefined
  } = {},
): PreparedRefusal {
  const written = (type: string, body: string) => ({
    head: [
      ...headers.flat(),
      'content-type',
      `${type}; charset=utf-8`,
      'content-length',
      String(Buffer.byteLength(body)),
      'cache-control',
      'no-store',
      'retry-after',
      String(retryAfter),
    ],
    body,
  })
  return {
    page: page ? written('text/html', page(message)) : written('text/plain', message),
    answer: written(
      'application/json',
      JSON.stringify({ error: { code: 'unavailable', message } }),
    ),
  }
}

const RESTARTING = preparedRefusal(
  'The site is restarting. Please try again in a moment.',
  restartingPage,
)

/** Refuses a request that we haven't started on, so the client may retry. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: PreparedRefusal = RESTARTING,
) {
  // Reads the rest of the request, because otherwise the client would miss the response.
  request.resume()
  const { head, body } = request.headers.accept?.includes('text/html')
    ? refusal.page
    : refusal.answer
  response.writeHead(503, head)
  response.end(body)
}
