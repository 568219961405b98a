/**
 * The nightly run: what is done once a day at a fixed hour, step by step, each a feature's own. One place,
 * so that nothing of the day is left behind in another; D39.
 */
import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Database } from '../database/database.server.ts'

export interface NightlyStep {
  name: string
  /** Done again where a process died in the middle: it must do no harm. */
  run(): Promise<unknown>
}

export interface NightlyLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
}

/** How often somebody looks whether it is time. */
export const NIGHTLY_LOOK_MS = 60_000

/**
 * The night whose hour has come last: its day, by the clock of the server.
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
 * Does the steps of the last night that nobody has done yet; a missed one is made up. Run it as a job,
 * which one process does at a time: who lost its turn meanwhile stops before the next step. A step that
 * fails holds up no other, and is tried again with the job.
 */
export async function runNightly(
  db: Database,
  steps: readonly NightlyStep[],
  { now, at, log }: { now: () => Date; at: string; log: NightlyLog },
) {
  const night = nightOf(now(), at)
  const holder = randomUUID()
  await db.query(sql`insert into nightly_run default values on conflict do nothing`)
  const [begun] = await db.query<{ done: string[] }>(sql`
    update nightly_run
       set holder = ${holder}, night = ${night},
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
      const { code } = error as { code?: unknown }
      log.warn({ step: name, code }, 'A step of the nightly run failed and is tried again')
      continue
    }
    took[name] = Math.round(performance.now() - began)
    const [mine] = await db.query(sql`
      update nightly_run set steps = steps || ${name}::text where holder = ${holder} returning night`)
    if (!mine) return
  }
  if (failures.length > 0) throw failures[0]
  await db.query(sql`
    update nightly_run set done_until = night, holder = null where holder = ${holder}`)
  log.info({ night, ms: took }, 'The nightly run is done')
}
