/** A stop that loses nothing: who is being answered gets the answer, who comes now is turned away. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Seconds until somebody who was turned away asks again: as long as a restart takes, and a little. */
export const RETRY_AFTER_S = 5
const LOOK_EVERY_MS = 20
const RESTARTING = 'The site is restarting. Please try again in a moment.'
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

/** Nothing of it was done, so it may be sent again. */
export function turnAway(request: IncomingMessage, response: ServerResponse, message = RESTARTING) {
  const isPage = request.headers.accept?.includes('text/html')
  // What is still being sent is read away: an answer to a closed door would be lost.
  request.resume()
  response.writeHead(503, {
    'content-type': isPage ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'retry-after': String(RETRY_AFTER_S),
  })
  response.end(isPage ? message : JSON.stringify({ error: { code: 'unavailable', message } }))
}
