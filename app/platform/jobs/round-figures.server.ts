/** How long ago each kind of work that comes round was done. */
import sql from 'sql-template-tag'
import type { Database } from '../database/database.server.ts'
import { databaseClock } from '../database/database-clock.server.ts'
import type { Round } from './jobs.server.ts'

/** A round may be missed, and one may take its time or be tried again. */
const MISSED_ROUNDS = 2
const LATE_MS = 3_600_000

export interface RoundFigures {
  kind: string
  /** Since it last came to its end; since it became known, if it never did. */
  ageSeconds: number
  isLate: boolean
}

/** @param rounds what comes round in this program: rows of former ones stay and mean nothing */
export async function roundFigures(
  { db, now }: { db: Database; now?: () => Date },
  rounds: Round[],
): Promise<RoundFigures[]> {
  const rows = await db.query<{ kind: string; seconds: number }>(sql`
    select kind, greatest(extract(epoch from ${databaseClock(now)()} - done_at), 0)::float8 as seconds
      from job_queue where recurs and done_at is not null`)
  const ages = new Map(rows.map(({ kind, seconds }) => [kind, seconds]))
  return rounds.flatMap(({ kind, intervalMs }) => {
    const ageSeconds = ages.get(kind)
    if (ageSeconds === undefined) return []
    const isLate = ageSeconds * 1000 > MISSED_ROUNDS * intervalMs + LATE_MS
    return [{ kind, ageSeconds, isLate }]
  })
}
