import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Credentials } from '#app/api/auth/actor.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { requireAccess } from '#app/api/policy.server.ts'
import { requestReader } from '#app/api/request.server.ts'
import { csvText } from '#app/companies/tracking/tracking-files.server.ts'
import { networkOf } from '#app/platform/http/rate-limits.server.ts'
import { type LogEntry, LogFilters } from './administration.contract.ts'
import { ADMIN_ACTION_TEXTS } from './administration.ts'
import { logEntries } from './log-queries.server.ts'

const reader = requestReader({ query: LogFilters })

const PORTION = 1_000

/** Mounts `GET /api/v1/administration/log.csv`, with everything that the filters leave. */
export function serveLogFile(
  app: FastifyInstance,
  contextOf: (credentials: Credentials) => Promise<Ctx>,
) {
  app.get(
    '/api/v1/administration/log.csv',
    {
      schema: {
        summary: "The administrators' log, as CSV",
        tags: ['administration'],
        ...reader.schema,
      },
      validatorCompiler: reader.validatorCompiler,
    },
    async (request, reply) => {
      const read = reader.check(request)
      const { authorization } = request.headers
      const ctx = await contextOf({ authorization, network: networkOf(request.ip) })
      requireAccess({ access: 'admin' }, ctx.actor)
      const { query: filters } = read()
      // Read before anything is sent, so an unavailable database gives a 503.
      const first = await logEntries(ctx, filters, { limit: PORTION })
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', 'attachment; filename="log.csv"')
        .type('text/csv; charset=utf-8; header=present')
        .send(Readable.from(logCsv(ctx, filters, first)))
    },
  )
}

/** One row per entry, newest first. Times are UTC, and empty where only the day is stored. */
export async function* logCsv(
  ctx: Pick<Ctx, 'db'>,
  filters: LogFilters,
  first: LogEntry[],
): AsyncGenerator<string> {
  yield csvText([['day', 'time (UTC)', 'administrator', 'did', 'subject']])
  for (let entries = first; entries.length > 0; ) {
    yield csvText(entries.map(rowOf))
    if (entries.length < PORTION) return
    const after = String(entries.at(-1)?.entry)
    entries = await logEntries(ctx, filters, { after, limit: PORTION })
  }
}

const rowOf = ({ day, minute, admin, action, subject }: LogEntry) => [
  day,
  minute?.slice(11, 16) ?? '',
  admin,
  ADMIN_ACTION_TEXTS[action],
  subject,
]
