/**
 * Limits concurrent requests. We refuse excess ones before any work, so we can answer the others in time. Only work
 * counts, not waiting, so slow uploads and slow readers don't hold a slot. Cached pages, files, streams and health
 * checks don't count.
 */
import { readdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { preparedRefusal, sendRefusal } from '../operations/shutdown.server.ts'
import { Refusal } from './refusal.ts'
import { createConcurrencyLimit, type Gate } from './work-limits.server.ts'

/**
 * Far more than the CPU and ten connections handle at once, but few enough that the last one gets an answer within a
 * second if a page takes 10 ms.
 */
const LIMITS = { atOnce: 32, waiting: 12, patienceMs: 500 }
const RETRY_AFTER_S = 2
const BUSY = 'The site is very busy right now. Please try again in a moment.'

const NOT_COUNTED = /^\/(healthz|readyz|metrics|assets\/.*|api\/v1\/threads\/[^/]+\/live)$/

/** A counted request's release function. */
const LEAVE = Symbol('leave')
type Admitted = IncomingMessage & { [LEAVE]?: () => void }

/** Requests enter before their handler starts, and leave once their answer is ready. */
export interface Admission {
  /**
   * Called for each request from the network. Returns false if it was refused before the web framework saw it. Then
   * don't touch it. If a refusal cost a fifth of an answer, five times the site's capacity would use it up
   * completely.
   */
  begin(request: IncomingMessage, response: ServerResponse): boolean
  /** The work is done, whether or not the answer was read. */
  end(request: IncomingMessage): void
}

interface AdmissionSettings {
  gate?: Gate | undefined
  /** Sent with each refusal. */
  headers: [string, string][]
  page?: ((sentence: string) => string) | undefined
  clientFolder?: string | undefined
  onRefused: () => void
}

/** Call it before routes are mounted. */
export function createAdmission(
  app: FastifyInstance,
  {
    gate = createConcurrencyLimit(LIMITS),
    headers,
    page,
    clientFolder,
    onRefused,
  }: AdmissionSettings,
): Admission {
  const files = new Set(clientFolder ? readdirSync(clientFolder).map((name) => `/${name}`) : [])
  const refusal = preparedRefusal(BUSY, { headers, retryAfter: RETRY_AFTER_S, page })
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
        sendRefusal(request, response, refusal)
        return false
      }
      request[LEAVE] = () => {}
      return true
    },
    end,
  }
}

const isCounted = (request: Admitted) => request[LEAVE] !== undefined
