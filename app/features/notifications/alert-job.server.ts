/**
 * Alerts: news about companies, for whoever follows them. One row per company and event, which counts
 * on until it is read. The jobs may run twice. All of them take rows in the order of the author keys,
 * so that two of them, and a reader who marks all as read, never wait for each other.
 */
import sql, { raw, type Sql } from 'sql-template-tag'
import { type DataContext, transaction } from '../../server/context.server.ts'
import type { Database } from '../../server/database.server.ts'
import { minuteOf } from '../reports/report.ts'
import { ALERT_THREADS_MAX } from './notification.ts'

/** A thread that moderators held for longer is no news any more. */
const NEW_DAYS = 7
const DAY_MINUTES = 1_440
/** Companies whose scores are looked at together. */
const BATCH = 200

const wants = (topic: 'threads' | 'ratings' | 'policy') =>
  sql`follow.${raw(topic)} and not follow.is_paused`
const onConflict = sql`on conflict (author_key, company_id, event) where kind = 'alert'`
/** More of what a mail told of and nobody read is not mailed again. */
const unreadAgain = sql`
  is_mailed = known.is_mailed and not known.is_read, is_read = false, minute = excluded.minute`

/**
 * Tells followers of a company of a new thread about it: not its author, and not who muted it. Which
 * threads were told of stands in the row, so each is told once.
 */
export const alertOfThread = (base: DataContext, id: string) =>
  transaction(base, async ({ db, now }) => {
    const minute = minuteOf(now())
    await db.query(sql`
      insert into notifications as known
        (author_key, kind, company_id, event, thread_ids, minute)
      select follow.author_key, 'alert', follow.company_id, 'thread', array[thread.id], ${minute}
        from threads thread join follows follow on follow.company_id = thread.company_id
       where thread.id = ${id} and thread.hidden is null
         and thread.posted_minute >= ${minute - NEW_DAYS * DAY_MINUTES}
         and ${wants('threads')} and follow.author_key <> thread.author_key
         and not exists (select from muted_threads muted
                          where muted.author_key = follow.author_key
                            and muted.thread_id = thread.id)
       order by follow.author_key
      ${onConflict} do update
         set count = case when known.is_read then 1
                          else least(known.count + 1, ${ALERT_THREADS_MAX}) end,
             thread_ids = (excluded.thread_ids || known.thread_ids)[:${ALERT_THREADS_MAX}::integer],
             ${unreadAgain}
       where not known.thread_ids @> excluded.thread_ids`)
  })

/**
 * Tells followers that a company says something else of days in the office. Which statement was told
 * of stands in `reason`, so each is told once.
 */
export const alertOfPolicy = (base: DataContext, { companyId }: { companyId: string }) =>
  transaction(base, async ({ db, now }) => {
    await db.query(sql`
      insert into notifications as known (author_key, kind, company_id, event, reason, minute)
      select follow.author_key, 'alert', follow.company_id, 'policy', latest.id::text,
             ${minuteOf(now())}
        from (select max(id) as id from company_policies where company_id = ${companyId}) latest
        join follows follow on follow.company_id = ${companyId}
       where latest.id is not null and ${wants('policy')}
       order by follow.author_key
      ${onConflict} do update set reason = excluded.reason, ${unreadAgain}
       where known.reason is distinct from excluded.reason`)
  })

interface ShownScore {
  companyId: string
  score: number
  told: number | null
}

/**
 * Tells followers of companies whose score, as it is shown, is another one than they were last told
 * of. Once a day, on purpose: told at once, it would tell when somebody rated, and a rating knows no
 * time finer than its month. The first time a score is only noted.
 */
export async function alertOfScores({ db, now }: DataContext) {
  const minute = minuteOf(now())
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const last = await db.transaction((db) => notifyOfScores(db, after, minute))
    if (last === undefined) return
    after = last
  }
}

/** @returns the last company that was looked at; undefined when there is none after it */
async function notifyOfScores(db: Database, after: string, minute: number) {
  // A company that somebody writes to just now is looked at tomorrow: nobody waits for anybody.
  const seen = await db.query<ShownScore>(sql`
    select company_id as "companyId", score, told_score as told from company_stats
     where company_id > ${after}::uuid and score > 0
       and (told_score is null or abs(score - told_score) > 0.04)
     order by company_id limit ${BATCH} for no key update skip locked`)
  const changed = seen
    .map((each) => ({ ...each, shown: each.score.toFixed(1) }))
    .filter(({ told, shown }) => told?.toFixed(1) !== shown)
  await db.query(sql`
    update company_stats stats set told_score = shown.score
      from ${asTable(changed)} as shown (company_id, score) where stats.company_id = shown.company_id`)
  const moved = changed.filter(({ told }) => told !== null)
  if (moved.length > 0) await notifyOfMoves(db, moved, minute)
  return seen.at(-1)?.companyId
}

const asTable = (scores: { companyId: string; shown: string }[]): Sql => sql`
  unnest(${scores.map(({ companyId }) => companyId)}::uuid[],
         ${scores.map(({ shown }) => Number(shown))}::float8[])`

async function notifyOfMoves(
  db: Database,
  moved: (ShownScore & { shown: string })[],
  minute: number,
) {
  const ids = moved.map(({ companyId }) => companyId)
  const moves = moved.map(({ told, shown }) => `${told?.toFixed(1)} ${shown}`)
  // Until it is read, it moves from where the reader last saw it.
  await db.query(sql`
    insert into notifications as known (author_key, kind, company_id, event, reason, minute)
    select follow.author_key, 'alert', follow.company_id, 'rating', moved.scores, ${minute}
      from unnest(${ids}::uuid[], ${moves}::text[]) as moved (company_id, scores)
      join follows follow on follow.company_id = moved.company_id
     where ${wants('ratings')}
     order by follow.author_key, follow.company_id
    ${onConflict} do update
       set reason = case when known.is_read then excluded.reason
                         else split_part(known.reason, ' ', 1) || ' '
                              || split_part(excluded.reason, ' ', 2) end,
           ${unreadAgain}`)
  // Back where it was before anybody read of it: that is no news.
  await db.query(sql`
    delete from notifications
     where kind = 'alert' and event = 'rating' and company_id = any (${ids}::uuid[])
       and split_part(reason, ' ', 1) = split_part(reason, ' ', 2)`)
}
