import sql from 'sql-template-tag'
import { type Database, databaseClock } from '../database/database.server.ts'
import type { RecurringTask } from './queue.server.ts'

/** Counting to this is cheap, and enough for monitoring. */
export const COUNTED_AT_MOST = 10_000
/** No due task should wait longer. */
const LATE_S = 10 * 60
/** The lease of running tasks. */
const IN_HAND_S = 2 * 60

interface QueueFigures {
  /** Due tasks that no one has taken. Each number is at most 10,000. */
  waiting: number
  failed: number
  /** How long the oldest due task has waited, or 0. */
  oldestSeconds: number
  isInHand: boolean
}

/** Leaves out recurring tasks, because their rows stay when their code is gone. */
export async function queueFigures({
  db,
  now,
}: {
  db: Database
  /** Replaces the database's clock in tests. */
  now?: () => Date
}): Promise<QueueFigures> {
  const moment = databaseClock(now)()
  const [figures] = await db.query<QueueFigures>(sql`
    select (select count(*) from (select from job_queue
             where due_at <= ${moment} and not recurs limit ${COUNTED_AT_MOST}) as due) as waiting,
           (select count(*) from (select from job_queue
             where due_at is null limit ${COUNTED_AT_MOST}) as given_up) as failed,
           coalesce((select extract(epoch from ${moment} - due_at) from job_queue
             where due_at <= ${moment} and not recurs order by due_at limit 1), 0)::float8
             as "oldestSeconds",
           exists (select from job_queue
             where due_at > ${moment} and attempts > 0 and not recurs
               and due_at <= ${moment} + make_interval(secs => ${IN_HAND_S}))
             as "isInHand"`)
  return figures as QueueFigures
}

/** `behind` means there's too much to do, `stuck` that nothing is getting done. */
export function queueState({ oldestSeconds, isInHand }: QueueFigures): 'ok' | 'behind' | 'stuck' {
  if (oldestSeconds <= LATE_S) return 'ok'
  return isInHand ? 'behind' : 'stuck'
}

/** One interval may be missed, and one may be slow or retried. */
const MISSED_RUNS = 2
const LATE_MS = 3_600_000

export interface RecurringTaskFigures {
  kind: string
  /** The time since it last finished, or since we first knew it. */
  ageSeconds: number
  isLate: boolean
}

/** @param tasks this version's recurring tasks. Rows of former ones stay, and mean nothing */
export async function recurringTaskFigures(
  { db, now }: { db: Database; now?: () => Date },
  tasks: RecurringTask[],
): Promise<RecurringTaskFigures[]> {
  const rows = await db.query<{ kind: string; seconds: number }>(sql`
    select kind, greatest(extract(epoch from ${databaseClock(now)()} - done_at), 0)::float8 as seconds
      from job_queue where recurs and done_at is not null`)
  const ages = new Map(rows.map(({ kind, seconds }) => [kind, seconds]))
  return tasks.flatMap(({ kind, intervalMs }) => {
    const ageSeconds = ages.get(kind)
    if (ageSeconds === undefined) return []
    const isLate = ageSeconds * 1000 > MISSED_RUNS * intervalMs + LATE_MS
    return [{ kind, ageSeconds, isLate }]
  })
}
