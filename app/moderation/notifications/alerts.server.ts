/**
 * Alerts: news about companies, for people who follow them or wait for jobs like theirs. Each person has one
 * row per company and event, which keeps counting until it's read. The tasks may run twice. All of them lock
 * people in the same order, so two never wait for each other.
 */

import sql, { type Sql } from 'sql-template-tag'
import { openPersonRoots, type SealedPersonRoot } from '#app/api/auth/roots.server.ts'
import { openAuthor } from '#app/community/discussions/posts/own-posts.server.ts'
import { mutedBy, mutersOf } from '#app/community/discussions/threads/saved-threads.server.ts'
import { type Follower, followersOf } from '#app/companies/following/follow-queries.server.ts'
import { fittingAlerts } from '#app/jobs/alerts/job-alert-queries.server.ts'
import { isOpen } from '#app/jobs/job-queries.server.ts'
import { transaction } from '#app/platform/database/server-context.server.ts'
import { minuteOf } from '#app/platform/days.server.ts'
import { NIL_UUID } from '#app/platform/uuid.ts'
import { ALERT_JOBS_MAX, ALERT_THREADS_MAX, type AlertEvent } from './notification.ts'
import {
  type NotificationContext,
  notificationRows,
  retryNotificationNumbers,
  writeNotifications,
} from './notification-keys.server.ts'

/** A thread that was held for longer isn't news. */
const NEW_DAYS = 7
const DAY_MINUTES = 1_440
/** How many companies' scores we check together. */
const BATCH = 200

/** We don't email unread news twice. */
const unreadAgain = sql`
  is_mailed = known.is_mailed and not known.is_read, is_read = false, minute = excluded.minute,
  own_row_key = excluded.own_row_key`

/**
 * Tells followers of a company about a new thread, except its author and people who muted it. The row lists the
 * threads it has announced, so we announce each only once.
 */
export const alertOfThread = (base: NotificationContext, id: string) =>
  retryNotificationNumbers(() => writeThreadNotifications(base, id))

const writeThreadNotifications = (base: NotificationContext, id: string) =>
  transaction(base, async ({ db, now, secrets }) => {
    const minute = minuteOf(now())
    const [thread] = await db.query<{ companyId: string | null; personSealed: Uint8Array | null }>(
      sql`select company_id as "companyId", person_sealed as "personSealed" from threads where id = ${id}`,
    )
    if (!thread?.companyId) return
    const author = openAuthor(secrets, id, thread.personSealed)
    const muters = await mutersOf({ db, secrets }, [id])
    const followers = await followersOf({ db, secrets }, [thread.companyId], 'threads')
    const readers = followers.filter(
      ({ root }) => !author?.root.equals(root) && !muters.has(mutedBy(id, root)),
    )
    await writeNotifications(
      { db, now },
      piecesOf(readers, 'thread'),
      (pieces) => sql`
      insert into notifications as known
        (key, own_row_key, kind, company_id, event, thread_ids, minute)
      select reader.key, reader.own_row_key, 'alert', reader.company_id, 'thread', array[thread.id], ${minute}
        from threads thread join ${notificationRows(pieces)} on reader.company_id = thread.company_id
       where thread.id = ${id} and thread.hidden is null
         and thread.posted_minute >= ${minute - NEW_DAYS * DAY_MINUTES}
       order by reader.nth
      on conflict (key) do update
         set count = case when known.is_read then 1
                          else least(known.count + 1, ${ALERT_THREADS_MAX}) end,
             thread_ids = (excluded.thread_ids || known.thread_ids)[:${ALERT_THREADS_MAX}::integer],
             ${unreadAgain}
       where not known.thread_ids @> excluded.thread_ids`,
    )
  })

const piecesOf = (readers: Follower[], event: AlertEvent) =>
  readers.map((reader) => ({
    ...reader,
    subject: { kind: 'alert' as const, companyId: reader.companyId, event },
  }))

/**
 * Tells followers that a company changed its office policy. `reason` says which statement we announced, so we
 * announce each only once.
 */
export const alertOfPolicy = (base: NotificationContext, { companyId }: { companyId: string }) =>
  retryNotificationNumbers(() => writePolicyNotifications(base, companyId))

const writePolicyNotifications = (base: NotificationContext, companyId: string) =>
  transaction(base, async ({ db, now, secrets }) => {
    const readers = await followersOf({ db, secrets }, [companyId], 'policy')
    await writeNotifications(
      { db, now },
      piecesOf(readers, 'policy'),
      (pieces) => sql`
      insert into notifications as known (key, own_row_key, kind, company_id, event, reason, minute)
      select reader.key, reader.own_row_key, 'alert', reader.company_id, 'policy', latest.id::text,
             ${minuteOf(now())}
        from (select max(id) as id from company_policies where company_id = ${companyId}) latest
        cross join ${notificationRows(pieces)}
       where latest.id is not null
       order by reader.nth
      on conflict (key) do update set reason = excluded.reason, ${unreadAgain}
       where known.reason is distinct from excluded.reason`,
    )
  })

interface ShownScore {
  companyId: string
  score: number
  announced: number | null
}

/**
 * Tells followers of companies whose shown score has changed since they were last told. Runs once a day,
 * because an immediate alert would reveal when someone rated, and a rating has no time finer than its month. We
 * only store a company's first score.
 */
export async function alertOfScores(base: NotificationContext) {
  const { db } = base
  let after = NIL_UUID
  for (;;) {
    const from = after
    const last = await retryNotificationNumbers(() =>
      db.transaction((db) => notifyOfScores({ ...base, db }, from)),
    )
    if (last === undefined) return
    after = last
  }
}

/** @returns the last company it checked, or undefined if there was none */
async function notifyOfScores(ctx: NotificationContext, after: string) {
  const { db } = ctx
  // If a company's row is locked right now, it gets its turn tomorrow.
  const seen = await db.query<ShownScore>(sql`
    select company_id as "companyId", score, announced_score as announced from company_stats
     where company_id > ${after}::uuid and score > 0
       and (announced_score is null or abs(score - announced_score) > 0.04)
     order by company_id limit ${BATCH} for no key update skip locked`)
  const changed = seen
    .map((each) => ({ ...each, shown: each.score.toFixed(1) }))
    .filter(({ announced, shown }) => announced?.toFixed(1) !== shown)
  await db.query(sql`
    update company_stats stats set announced_score = shown.score
      from ${asTable(changed)} as shown (company_id, score) where stats.company_id = shown.company_id`)
  const moved = changed.filter(({ announced }) => announced !== null)
  if (moved.length > 0) await notifyOfMoves(ctx, moved)
  return seen.at(-1)?.companyId
}

const asTable = (scores: { companyId: string; shown: string }[]): Sql => sql`
  unnest(${scores.map(({ companyId }) => companyId)}::uuid[],
         ${scores.map(({ shown }) => Number(shown))}::float8[])`

async function notifyOfMoves(ctx: NotificationContext, moved: (ShownScore & { shown: string })[]) {
  const { db } = ctx
  const ids = moved.map(({ companyId }) => companyId)
  const moves = moved.map(({ announced, shown }) => `${announced?.toFixed(1)} ${shown}`)
  const readers = await followersOf(ctx, ids, 'ratings')
  // Until the alert is read, it counts from where the reader last saw the score.
  await writeNotifications(
    ctx,
    piecesOf(readers, 'rating'),
    (pieces) => sql`
    insert into notifications as known (key, own_row_key, kind, company_id, event, reason, minute)
    select reader.key, reader.own_row_key, 'alert', reader.company_id, 'rating', moved.scores,
           ${minuteOf(ctx.now())}
      from unnest(${ids}::uuid[], ${moves}::text[]) as moved (company_id, scores)
      join ${notificationRows(pieces)} on reader.company_id = moved.company_id
     order by reader.nth
    on conflict (key) do update
       set reason = case when known.is_read then excluded.reason
                         else split_part(known.reason, ' ', 1) || ' '
                              || split_part(excluded.reason, ' ', 2) end,
           ${unreadAgain}`,
  )
  // The score is back where the reader last saw it, so that isn't news.
  await db.query(sql`
    delete from notifications
     where kind = 'alert' and event = 'rating' and company_id = any (${ids}::uuid[])
       and split_part(reason, ' ', 1) = split_part(reason, ' ', 2)`)
}

/** Jobs per statement, because each may reach thousands of people. */
const JOBS_BATCH = 10

/**
 * The task after jobs were opened, oldest first. Followers of the company, and people with a matching alert,
 * hear about each job once, because the row lists the jobs it has announced.
 */
export async function alertOfJobs(base: NotificationContext, opened: { id: string }[]) {
  const ids = [...new Set(opened.map(({ id }) => id))]
  for (let from = 0; from < ids.length; from += JOBS_BATCH)
    await retryNotificationNumbers(() =>
      writeJobNotifications(base, ids.slice(from, from + JOBS_BATCH)),
    )
}

const writeJobNotifications = (base: NotificationContext, ids: string[]) =>
  transaction(base, async ({ db, now, secrets }) => {
    const companies = await db.query<{ id: string }>(sql`
      select distinct company_id as id from job_postings where id = any (${ids}::uuid[])`)
    const readers = await followersOf(
      { db, secrets },
      companies.map(({ id }) => id),
      'jobs',
    )
    const fitting = await db.query<SealedPersonRoot & { job_id: string; company_id: string }>(
      fittingAlerts({ now }, ids),
    )
    const waiting = openPersonRoots(secrets, fitting)
    const open = await db.query<{ id: string; companyId: string }>(sql`
      select job.id, job.company_id as "companyId" from job_postings job
       where job.id = any (${ids}::uuid[]) and ${isOpen({ now })}`)
    // The jobs that are new to each person, by company, newest first.
    const news = new Map<string, { root: Buffer; companyId: string; jobIds: Set<string> }>()
    const add = (root: Buffer, companyId: string, jobId: string) => {
      const name = `${root.toString('hex')} ${companyId}`
      const known = news.get(name) ?? { root, companyId, jobIds: new Set() }
      news.set(name, known)
      known.jobIds.add(jobId)
    }
    for (const { id, companyId } of open)
      for (const reader of readers)
        if (reader.companyId === companyId) add(reader.root, companyId, id)
    for (const [i, { root }] of waiting.entries())
      add(root, fitting[i]?.company_id as string, fitting[i]?.job_id as string)
    const pieces = [...news.values()].map(({ jobIds, ...piece }) => ({
      ...piece,
      subject: { kind: 'alert' as const, companyId: piece.companyId, event: 'job' as const },
      jobIds: ids.filter((id) => jobIds.has(id)).reverse(),
    }))
    await writeNotifications(
      { db, now },
      pieces,
      (pieces) => sql`
      insert into notifications as known
        (key, own_row_key, kind, company_id, event, job_ids, count, minute)
      select reader.key, reader.own_row_key, 'alert', reader.company_id, 'job',
             array(select json_array_elements_text(jobs.ids)::uuid),
             json_array_length(jobs.ids), ${minuteOf(now())}
        from ${notificationRows(pieces)}
        join json_array_elements(${JSON.stringify(pieces.map(({ jobIds }) => jobIds.slice(0, ALERT_JOBS_MAX)))}::json)
             with ordinality as jobs (ids, nth) on jobs.nth = reader.nth
       order by reader.nth
      on conflict (key) do update
         set (count, job_ids) = (
               select least(count(*) + case when known.is_read then 0 else known.count end,
                            ${ALERT_JOBS_MAX}::integer),
                      (array_agg(fresh.id order by fresh.place)
                        || known.job_ids)[:${ALERT_JOBS_MAX}::integer]
                 from unnest(excluded.job_ids) with ordinality as fresh (id, place)
                where fresh.id <> all (known.job_ids)),
             is_mailed = known.is_mailed and not known.is_read, is_read = false,
             minute = excluded.minute, own_row_key = excluded.own_row_key
       where not known.job_ids @> excluded.job_ids`,
    )
  })
