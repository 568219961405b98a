import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Metrics } from './metrics.server.ts'

/** Headers that proxies add. A proxied client may be anyone, wherever the proxy is. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const LOOPBACK_NAME = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])(:\d+)?$/i

/**
 * `GET /metrics`, for local clients without a proxy, and for those with the token. Not found for everyone else.
 * @param token undefined: local clients only
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
    // From the connection itself, as headers can be forged.
    LOOPBACK.test(raw.socket.remoteAddress ?? '') &&
    LOOPBACK_NAME.test(headers.host ?? '') &&
    FORWARDED.every((name) => headers[name] === undefined)
  )
}

/** Constant time: both are hashed, so lengths don't show either. */
function knowsToken({ headers }: FastifyRequest, token: string | undefined) {
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]
  if (!token || !given) return false
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(token))
}
