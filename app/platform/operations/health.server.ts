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

/** Answers are cached for this long: anyone can ask, and each check takes a few statements. */
const LOOK_EVERY_MS = 1_000
/** A database that takes longer counts as down. */
const PATIENCE_MS = 3_000

export interface Readiness extends Partial<HealthStates> {
  status: 'ok' | 'unavailable' | 'stopping'
  database: 'ok' | 'unreachable'
  /** `missing`: this version expects more of the schema. `newer`: a newer version changed it incompatibly. */
  migrations: 'ok' | 'missing' | 'newer' | 'unknown'
  /**
   * Events from other processes: `refused` while the database takes no connections, `deaf` while
   * some may be missed, so each page is rendered anew.
   */
  news: ChannelState
  /** Reported only: another process would do no better. */
  queue: 'ok' | 'behind' | 'stuck' | 'unknown'
  /** `alone`: other processes' counts are unknown. No one is refused for that. */
  limits: LimitsWord
}

/**
 * `/healthz`: the process answers. `/readyz`: it can also work. 503 if the database is down, its
 * schema doesn't fit, events are missed, or the process is stopping.
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
    // The stop may have begun meanwhile.
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
  // Whatever isn't known by then keeps the defaults above.
  await withDeadline(look(), PATIENCE_MS).catch(() => {})
  return { ...readiness }
}

async function migrationsWord(db: Database, known: Migration[]) {
  const { missing, newer } = await levelOf(db, known)
  if (missing.length > 0) return 'missing'
  return newer.some(({ isCompatible }) => !isCompatible) ? 'newer' : 'ok'
}
