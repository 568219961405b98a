/**
 * The nightly run: daily steps of all features, at a fixed hour. All steps are here, so no traces of the day remain
 * elsewhere. D39.
 */
import { randomUUID } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import { type Database, isDatabaseError, type OpenDatabase } from '../database/database.server.ts'
import { errorFacts } from '../operations/logging.server.ts'

export interface NightlyStep {
  name: string
  /** May run again after a crash, so it must be idempotent. */
  run(): Promise<unknown>
}

export interface NightlyLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
}

/** How often to check whether the run is due. */
export const NIGHTLY_LOOK_MS = 60_000

/**
 * The most recent night, by the server's clock.
 * @param at such as 03:30
 */
export function nightOf(now: Date, at: string): string {
  const [hour = 0, minute = 0] = at.split(':').map(Number)
  const begin = new Date(now)
  begin.setHours(hour, minute, 0, 0)
  if (begin > now) begin.setDate(begin.getDate() - 1)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${begin.getFullYear()}-${two(begin.getMonth() + 1)}-${two(begin.getDate())}`
}

/**
 * Runs the last night's unfinished steps, even late. It's a task, so one process at a time runs it, and a process that
 * lost its turn stops before the next step. A failing step doesn't block others, and is retried with the task.
 */
export async function runNightly(
  db: Database,
  steps: readonly NightlyStep[],
  { now, at, log }: { now: () => Date; at: string; log: NightlyLog },
) {
  const night = nightOf(now(), at)
  const leaseId = randomUUID()
  await db.query(sql`insert into nightly_run default values on conflict do nothing`)
  const [begun] = await db.query<{ done: string[] }>(sql`
    update nightly_run
       set lease_id = ${leaseId}, night = ${night},
           steps = case when night = ${night}::date then steps else '{}' end
     where done_until is null or done_until < ${night}::date
    returning steps as done`)
  if (!begun) return
  const took: Record<string, number> = {}
  const failures: unknown[] = []
  for (const { name, run } of steps) {
    if (begun.done.includes(name)) continue
    const began = performance.now()
    try {
      await run()
    } catch (error) {
      failures.push(error)
      log.warn(
        { step: name, error: errorFacts(error) },
        'A step of the nightly run failed and will be retried',
      )
      continue
    }
    took[name] = Math.round(performance.now() - began)
    const [mine] = await db.query(sql`
      update nightly_run set steps = steps || ${name}::text where lease_id = ${leaseId} returning night`)
    if (!mine) return
  }
  if (failures.length > 0) throw failures[0]
  await db.query(sql`
    update nightly_run set done_until = night, lease_id = null where lease_id = ${leaseId}`)
  log.info({ night, ms: took }, 'The nightly run is done')
}

const NOT_ALLOWED = '42501'

/**
 * The end of the nightly run, which frees and overwrites the day's traces in tables and the log. It switches the
 * write-ahead log, so the day's file ends, and the checkpoint releases it. With `wal_recycle=off`, PostgreSQL deletes
 * such files instead of keeping them for later. Only some roles may do that, and `npm run doctor` says what's missing.
 */
export const clearTraces = (db: OpenDatabase) =>
  db.dedicated(async (db) => {
    for (const statement of ['vacuum (analyze)', 'select pg_switch_wal()', 'checkpoint'])
      await db.query(raw(statement)).catch((error) => {
        if (!isDatabaseError(error, NOT_ALLOWED)) throw error
      })
  })
