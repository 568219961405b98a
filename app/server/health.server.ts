/** For the machines that watch over the site: is it alive, can it work? */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { type Database, isDatabaseError } from './database.server.ts'
import { projectFolder } from './project-folder.server.ts'
import { queueFigures, queueWord } from './queue-figures.server.ts'
import { stoppingOf } from './stopping.server.ts'

/** Whoever asks more often gets the same answer: anybody can ask, and each look is a few statements. */
const LOOK_EVERY_MS = 1_000
/** A database that does not answer within this does not answer. */
const PATIENCE_MS = 3_000
const UNDEFINED_TABLE = '42P01'

export interface Readiness {
  status: 'ok' | 'unavailable' | 'stopping'
  database: 'ok' | 'unreachable'
  /** `missing`: this program expects more of the schema than there is. */
  migrations: 'ok' | 'missing' | 'unknown'
  /** Told, and no reason to send people elsewhere: no other process would do better. */
  queue: 'ok' | 'behind' | 'stuck' | 'unknown'
}

/**
 * `/healthz`: the process answers. `/readyz`: it can also do its work; 503 if the database does not
 * answer, migrations are missing, or the process is about to stop.
 */
export function answerHealthChecks(
  app: FastifyInstance,
  db: Database,
  {
    now = () => new Date(),
    folder = join(projectFolder, 'db/migrations'),
  }: { now?: () => Date; folder?: string } = {},
) {
  const hidden = { schema: { hide: true } }
  const stopping = stoppingOf(app)
  let latest: { at: number; readiness: Promise<Readiness> } | undefined

  function look() {
    if (!latest || performance.now() - latest.at > LOOK_EVERY_MS)
      latest = { at: performance.now(), readiness: readinessOf(db, now, folder) }
    return latest.readiness
  }

  app.get('/healthz', hidden, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { status: 'ok' }
  })
  app.get('/readyz', hidden, async (_request, reply): Promise<Readiness> => {
    reply.header('cache-control', 'no-store')
    const readiness = await look()
    // Also when the stop began while it was looked.
    const status = stopping.hasBegun ? 'stopping' : readiness.status
    if (status !== 'ok') reply.code(503)
    return { ...readiness, status }
  })
}

async function readinessOf(db: Database, now: () => Date, folder: string): Promise<Readiness> {
  const readiness: Readiness = {
    status: 'unavailable',
    database: 'unreachable',
    migrations: 'unknown',
    queue: 'unknown',
  }
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS)
  })
  const look = async () => {
    await db.query(sql`select 1`)
    readiness.database = 'ok'
    readiness.migrations = (await missingMigrations(db, folder)) > 0 ? 'missing' : 'ok'
    if (readiness.migrations === 'ok') readiness.status = 'ok'
    readiness.queue = queueWord(await queueFigures({ db, now }))
  }
  // What is not known by then stays as it is written above.
  await Promise.race([look().catch(() => {}), tooLate])
  clearTimeout(timer)
  return { ...readiness }
}

/** How many migrations of this program the database does not have. */
async function missingMigrations(db: Database, folder: string) {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql'))
  const [found] = await db
    .query<{ count: number }>(
      sql`select count(*) from migrations where name = any (${names}::text[])`,
    )
    .catch((error) => {
      if (isDatabaseError(error, UNDEFINED_TABLE)) return [{ count: 0 }]
      throw error
    })
  return names.length - (found?.count ?? 0)
}
