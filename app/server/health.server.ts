/** For the machines that watch over the site: is it alive, can it work? */
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import type { Database } from './database.server.ts'

/** `/healthz`: the process answers. `/readyz`: it can also reach its database; 503 if not. */
export function answerHealthChecks(app: FastifyInstance, db: Database) {
  const hidden = { schema: { hide: true } }
  app.get('/healthz', hidden, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { status: 'ok' }
  })
  app.get('/readyz', hidden, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    try {
      await db.query(sql`select 1`)
      return { status: 'ok', database: 'ok' }
    } catch {
      reply.code(503)
      return { status: 'unavailable', database: 'unreachable' }
    }
  })
}
