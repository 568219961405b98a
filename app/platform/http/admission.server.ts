/**
 * How many requests are worked on: beyond that one is refused before anything is done for it, and the
 * others get their answer in time. Counted is work, not waiting: neither a body that comes slowly nor an
 * answer that is read slowly takes anybody's place. Kept pages, files, streams and what a machine asks
 * that watches over the site are not counted.
 */
import { readdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { turnAway, turningAway } from '../operations/stopping.server.ts'
import { createConcurrencyLimit, type Gate } from './concurrency-limit.server.ts'
import { Refusal } from './refusal.ts'

/**
 * Far more than the processor and ten connections work on at the same moment, and few enough that the last
 * of them is answered within a second where a page takes ten milliseconds.
 */
const WORKED_ON = { atOnce: 32, waiting: 12, patienceMs: 500 }
const RETRY_AFTER_S = 2
const BUSY = 'The site has more to do than it can right now. Please try again in a moment.'

const NOT_COUNTED = /^\/(healthz|readyz|metrics|assets\/.*|api\/v1\/threads\/[^/]+\/live)$/

/** Where a request keeps how it leaves, from when it came. */
const LEAVE = Symbol('leave')
type Admitted = IncomingMessage & { [LEAVE]?: () => void }

/** Has requests enter before their handler begins, and leave when their answer is made. */
export interface Admission {
  /**
   * To be called of each request that comes by the network; what a page asks in process is part of it.
   * False: it was refused, before the web framework saw it, and must not be touched. A refusal that costs
   * a fifth of an answer would be all that a site does that is asked for five times what it can.
   */
  begin(request: IncomingMessage, response: ServerResponse): boolean
  /** Its work is done, whether or not the answer has been read. */
  end(request: IncomingMessage): void
}

interface AdmissionSettings {
  gate?: Gate | undefined
  /** Of each refusal. */
  headers: [string, string][]
  /** The refusal as a page. */
  page?: ((sentence: string) => string) | undefined
  clientFolder?: string | undefined
  onRefused: () => void
}

/** To be called before routes are mounted. */
export function createAdmission(
  app: FastifyInstance,
  {
    gate = createConcurrencyLimit(WORKED_ON),
    headers,
    page,
    clientFolder,
    onRefused,
  }: AdmissionSettings,
): Admission {
  const files = new Set(clientFolder ? readdirSync(clientFolder).map((name) => `/${name}`) : [])
  const refusal = turningAway(BUSY, { headers, retryAfter: RETRY_AFTER_S, page })
  const end = (request: Admitted) => request[LEAVE]?.()

  app.addHook('preHandler', async (request, reply) => {
    const raw: Admitted = request.raw
    if (!isCounted(raw)) return
    const leave = await gate.enter(() => reply.raw.destroyed)
    if (!leave) {
      onRefused()
      throw new Refusal('unavailable', BUSY, { retryAfter: RETRY_AFTER_S })
    }
    raw[LEAVE] = leave
    reply.raw.once('close', leave)
  })
  app.addHook('onSend', async ({ raw }) => end(raw))

  return {
    begin(request: Admitted, response) {
      const [path = ''] = (request.url ?? '').split('?', 1)
      if (NOT_COUNTED.test(path) || files.has(path)) return true
      if (gate.isFull) {
        onRefused()
        turnAway(request, response, refusal)
        return false
      }
      request[LEAVE] = () => {}
      return true
    },
    end,
  }
}

const isCounted = (request: Admitted) => request[LEAVE] !== undefined
