/** A stop that loses nothing: who is being answered gets the answer, who comes now is turned away. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Seconds until somebody who was turned away asks again: as long as a restart takes, and a little. */
export const RETRY_AFTER_S = 5
const LOOK_EVERY_MS = 20
/** What a machine asks that wants to know of the stop. */
const STILL_ANSWERED = /^\/(healthz|readyz|metrics)(\?|$)/

export interface Stopping {
  readonly hasBegun: boolean
  /** Answers that are not at their end, live streams among them. */
  readonly open: ReadonlySet<ServerResponse>
  /** Calls `work` when the stop begins: whoever has an answer without an end ends it then. */
  onBegin(work: () => void): void
  /** Knows the answer until it is over. False: it was turned away and must not be touched. */
  admit(request: IncomingMessage, response: ServerResponse): boolean
  /**
   * Turns new requests away, ends streams, and waits for answers that are being made or read, at
   * most so long; who reads too slowly is cut off then. The listener stays: a word is better than
   * a closed door. Answers whether everybody got their answer.
   */
  begin(patienceMs: number): Promise<boolean>
}

const known = new WeakMap<Server, Stopping>()

/** The one of this server, in whatever scope of it one stands. */
export function stoppingOf({ server }: Pick<FastifyInstance, 'server'>): Stopping {
  const existing = known.get(server)
  if (existing) return existing
  const fresh = createStopping(() => server.closeAllConnections())
  known.set(server, fresh)
  return fresh
}

function createStopping(cutOff: () => void): Stopping {
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
          turnAway(request, response)
          return false
        }
      }
      open.add(response)
      response.once('close', () => open.delete(response))
      return true
    },
    async begin(patienceMs) {
      hasBegun = true
      // The next request of the same browser finds a process that stays.
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

interface TurningAway {
  page: { head: string[]; body: string }
  answer: { head: string[]; body: string }
}

/** How somebody is turned away: made once, as it is done when there is no time. */
export function turningAway(
  message: string,
  {
    headers = [],
    retryAfter = RETRY_AFTER_S,
    page,
  }: {
    headers?: [string, string][]
    /** Seconds. */
    retryAfter?: number
    /** As markup; else people get the bare sentence. */
    page?: ((sentence: string) => string) | undefined
  } = {},
): TurningAway {
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

const RESTARTING = turningAway('The site is restarting. Please try again in a moment.')

/** Nothing of it was done, so it may be sent again. */
export function turnAway(
  request: IncomingMessage,
  response: ServerResponse,
  away: TurningAway = RESTARTING,
) {
  // What is still being sent is read away: an answer to a closed door would be lost.
  request.resume()
  const { head, body } = request.headers.accept?.includes('text/html') ? away.page : away.answer
  response.writeHead(503, head)
  response.end(body)
}
