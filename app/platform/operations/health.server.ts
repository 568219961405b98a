import { statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import type { ChannelState, Database, OpenDatabase } from '../database/database.server.ts'
import { levelOf, type Migration, ourMigrations } from '../database/migrations.server.ts'
import type { WriteFigures, WriteWatch } from '../database/write-watch.server.ts'
import type { LimitsState } from '../http/shared-counts.server.ts'
import { withDeadline } from '../http/work-limits.server.ts'
import type { Queue } from '../queue/queue.server.ts'
import {
  queueFigures,
  queueState,
  type RecurringTaskFigures,
  recurringTaskFigures,
} from '../queue/queue-figures.server.ts'
import { shutdownOf } from './shutdown.server.ts'

/** We cache answers for this long, because anyone can ask and each check takes a few statements. */
const LOOK_EVERY_MS = 1_000
/** A database that takes longer counts as down. */
const PATIENCE_MS = 3_000

interface Readiness extends Partial<HealthStates> {
  status: 'ok' | 'unavailable' | 'stopping'
  database: 'ok' | 'unreachable'
  /**
   * `missing` means this version expects more of the schema, `newer` that a newer version changed it
   * incompatibly.
   */
  migrations: 'ok' | 'missing' | 'newer' | 'unknown'
  /**
   * Events from other processes: `refused` while the database takes no connections, `deaf` while we may
   * miss some, so pages aren't cached.
   */
  news: ChannelState
  /** We only report these, because another process wouldn't do better. */
  queue: 'ok' | 'behind' | 'stuck' | 'unknown'
  /** `alone` means we don't know other processes' counts. We don't refuse anyone because of that. */
  limits: LimitsState
}

/**
 * `/healthz` says that the process answers, `/readyz` that it can also work. It returns 503 if the database
 * is down, its schema doesn't fit, we miss events, or the process is stopping.
 */
export function registerHealthChecks(
  app: FastifyInstance,
  db: Database & Partial<Pick<OpenDatabase, 'eventChannel'>>,
  {
    now,
    known = ourMigrations(),
    limits = () => 'alone',
    healthChecks,
  }: {
    now?: () => Date
    known?: Migration[] | Promise<Migration[]>
    limits?: () => LimitsState
    healthChecks?: HealthChecks
  } = {},
) {
  const hidden = { schema: { hide: true } }
  const shutdown = shutdownOf(app)
  let latest: { at: number; readiness: ReturnType<typeof readinessOf> } | undefined

  function look() {
    if (!latest || performance.now() - latest.at > LOOK_EVERY_MS)
      latest = {
        at: performance.now(),
        readiness: readinessOf(db, { now, known, healthChecks }),
      }
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
    const channelState = db.eventChannel?.state ?? 'ok'
    const isReady = readiness.status === 'ok' && channelState === 'ok'
    const status = shutdown.hasBegun ? 'stopping' : isReady ? 'ok' : 'unavailable'
    if (status !== 'ok') reply.code(503)
    return { ...readiness, status, news: channelState, limits: limits() }
  })
}

async function readinessOf(
  db: Database,
  {
    now,
    known,
    healthChecks,
  }: { now?: () => Date; known: Migration[] | Promise<Migration[]>; healthChecks?: HealthChecks },
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
    readiness.migrations = await migrationsState(db, await known)
    if (readiness.migrations === 'ok') readiness.status = 'ok'
    readiness.queue = queueState(await queueFigures({ db, now }))
    if (healthChecks) Object.assign(readiness, await healthStates(healthChecks))
  }
  // Anything we don't know by then keeps the defaults above.
  await withDeadline(look(), PATIENCE_MS).catch(() => {})
  return { ...readiness }
}

async function migrationsState(db: Database, known: Migration[]) {
  const { missing, newer } = await levelOf(db, known)
  if (missing.length > 0) return 'missing'
  return newer.some(({ isCompatible }) => !isCompatible) ? 'newer' : 'ok'
}

/** Slow failures: writes that fail, a disk that fills up, overdue recurring tasks. */
export interface HealthChecks {
  writes(): Promise<WriteFigures>
  disk(): Promise<DiskSpace>
  recurringTasks(): Promise<RecurringTaskFigures[]>
}

/** States that /readyz shows. None of them makes a process unready, because another wouldn't do better. */
interface HealthStates {
  writes: WriteFigures['writes'] | 'unknown'
  writesReason?: WriteFigures['writesReason']
  lastWriteSeconds: number | null
  disk: DiskSpace['word'] | 'unknown'
  rounds: 'ok' | 'late' | 'unknown'
}

export const createHealthChecks = (parts: {
  db: Database
  watch: WriteWatch
  queue: Pick<Queue, 'recurringTasks'>
  dataDir: string
  now?: () => Date
}): HealthChecks => ({
  writes: () => parts.watch.figures(parts.db),
  disk: () => diskSpace(parts.dataDir),
  recurringTasks: () => recurringTaskFigures(parts, parts.queue.recurringTasks()),
})

/** If we can't determine it, it's `unknown`. */
async function healthStates(healthChecks: HealthChecks): Promise<HealthStates> {
  const unknown = () => undefined
  const [writes, disk, rounds] = await Promise.all([
    healthChecks.writes().catch(unknown),
    healthChecks.disk().catch(unknown),
    healthChecks.recurringTasks().catch(unknown),
  ])
  return {
    writes: 'unknown',
    lastWriteSeconds: null,
    ...writes,
    disk: disk?.word ?? 'unknown',
    rounds: !rounds ? 'unknown' : rounds.some(({ isLate }) => isLate) ? 'late' : 'ok',
  }
}

/** With less free space, a database here soon lacks room for a checkpoint. */
const LOW_BYTES = 500e6
const LOW_SHARE = 0.05
/** This much free space is enough, even if it's a small part of a large disk. */
const PLENTY_BYTES = 5e9

interface DiskSpace {
  freeBytes: number
  word: 'ok' | 'low'
}

/**
 * What this user may still fill.
 * @throws an error of the file system
 */
async function diskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, word: spaceState(bavail * bsize, blocks * bsize) }
}

/** `low` below 500 MB, or below 5% of the disk if that's less than 5 GB. */
export const spaceState = (freeBytes: number, allBytes: number): 'ok' | 'low' =>
  freeBytes < LOW_BYTES || (freeBytes < allBytes * LOW_SHARE && freeBytes < PLENTY_BYTES)
    ? 'low'
    : 'ok'
