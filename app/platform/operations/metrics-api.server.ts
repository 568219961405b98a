/** `GET /metrics`, for a Prometheus of the house; for everybody else nothing is there. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Metrics } from './metrics.server.ts'

/** What proxies add. Who came through one may be anybody, wherever the proxy stands. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const LOOPBACK_NAME = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])(:\d+)?$/i

/**
 * Answers this machine itself, unless a proxy asks for somebody; and whoever knows the token.
 * @param token undefined: nobody from elsewhere
 */
export function registerMetrics(app: FastifyInstance, metrics: Metrics, token: string | undefined) {
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!isFromHere(request) && !knowsToken(request, token)) return reply.callNotFound()
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.text())
  })
}

function isFromHere({ headers, raw }: FastifyRequest) {
  return (
    // Of the connection itself: what a header says of it may be made up.
    LOOPBACK.test(raw.socket.remoteAddress ?? '') &&
    LOOPBACK_NAME.test(headers.host ?? '') &&
    FORWARDED.every((name) => headers[name] === undefined)
  )
}

/** As long for a wrong token as for a right one: both are hashed, so lengths do not show either. */
function knowsToken({ headers }: FastifyRequest, token: string | undefined) {
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]
  if (!token || !given) return false
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(token))
}
