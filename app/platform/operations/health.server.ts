/** For the machines that watch over the site: is it alive, can it work? */
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import type { ChannelState, Database, OpenDatabase } from '../database/database.server.ts'
import { type Migration, ourMigrations } from '../database/migrations.server.ts'
import { levelOf } from '../database/schema-level.server.ts'
import { withDeadline } from '../http/deadline.server.ts'
import type { LimitsWord } from '../http/shared-counts.server.ts'
import { queueFigures, queueWord } from '../jobs/queue-figures.server.ts'
import { type HealthChecks, type HealthStates, healthStates } from './health-checks.server.ts'
import { stoppingOf } from './stopping.server.ts'

/** Whoever asks more often gets the same answer: anybody can ask, and each look is a few statements. */
const LOOK_EVERY_MS = 1_000
/** A database that does not answer within this does not answer. */
const PATIENCE_MS = 3_000

export interface Readiness extends Partial<HealthStates> {
  status: 'ok' | 'unavailable' | 'stopping'
  database: 'ok' | 'unreachable'
  /**
   * `missing`: this program expects more of the schema than there is. `newer`: a newer one has changed
   * it in a way that this program may not go on with.
   */
  migrations: 'ok' | 'missing' | 'newer' | 'unknown'
  /**
   * Of what other processes write: `refused` while the database takes nobody in, `deaf` while this
   * process may miss something, so that it renders each page anew.
   */
  news: ChannelState
  /** Told, and no reason to send people elsewhere: no other process would do better. */
  queue: 'ok' | 'behind' | 'stuck' | 'unknown'
  /** `alone`: what other processes count is not known here. Nobody is refused for that. */
  limits: LimitsWord
}

/**
 * `/healthz`: the process answers. `/readyz`: it can also do its work; 503 if the database does not
 * answer, its schema is not this program's, news from others are not heard, or the process is about to
 * stop.
 */
export function registerHealthChecks(
  app: FastifyInstance,
  db: Database & Partial<Pick<OpenDatabase, 'news'>>,
  {
    now,
    known = ourMigrations(),
    limits = () => 'alone',
    signs,
  }: {
    now?: () => Date
    known?: Migration[] | Promise<Migration[]>
    limits?: () => LimitsWord
    signs?: HealthChecks
  } = {},
) {
  const hidden = { schema: { hide: true } }
  const stopping = stoppingOf(app)
  let latest: { at: number; readiness: ReturnType<typeof readinessOf> } | undefined

  function look() {
    if (!latest || performance.now() - latest.at > LOOK_EVERY_MS)
      latest = { at: performance.now(), readiness: readinessOf(db, { now, known, signs }) }
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
    const news = db.news?.state ?? 'ok'
    const isReady = readiness.status === 'ok' && news === 'ok'
    const status = stopping.hasBegun ? 'stopping' : isReady ? 'ok' : 'unavailable'
    if (status !== 'ok') reply.code(503)
    return { ...readiness, status, news, limits: limits() }
  })
}

async function readinessOf(
  db: Database,
  {
    now,
    known,
    signs,
  }: { now?: () => Date; known: Migration[] | Promise<Migration[]>; signs?: HealthChecks },
): Promise<Omit<Readiness, 'news' | 'limits'>> {
  const readiness: Omit<Readiness, 'news' | 'limits'> = {
    status: 'unavailable',
    database: 'unreachable',
    migrations: 'unknown',
    queue: 'unknown',
  }
  const look = async () => {
    await db.query(sql`select 1`)
    readiness.database = 'ok'
    readiness.migrations = await migrationsWord(db, await known)
    if (readiness.migrations === 'ok') readiness.status = 'ok'
    readiness.queue = queueWord(await queueFigures({ db, now }))
    if (signs) Object.assign(readiness, await healthStates(signs))
  }
  // What is not known by then stays as it is written above.
  await withDeadline(look(), PATIENCE_MS).catch(() => {})
  return { ...readiness }
}

async function migrationsWord(db: Database, known: Migration[]) {
  const { missing, newer } = await levelOf(db, known)
  if (missing.length > 0) return 'missing'
  return newer.some(({ isCompatible }) => !isCompatible) ? 'newer' : 'ok'
}
