/**
 * Counts each day's events hourly, so no page has to. Counts identify no one. The migration says how we hide small
 * numbers.
 */
import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '#app/platform/database/database.server.ts'
import type { DataContext } from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import {
  DAYS_SHOWN,
  type Daily,
  daysBefore,
  monthsBefore,
  monthsUpTo,
  weeksUpTo,
} from './day-count.ts'
import { MARKS } from './visitor-marks.server.ts'

/** Hourly. Recounts today and yesterday. */
export async function countDays({ db, now }: DataContext, { ratingsWait = false } = {}) {
  const today = todayOf({ now })
  await countVisitors(db, today)
  await countClicks(db, today)
  for (const name of Object.keys(SOURCES) as Counted[]) await countDaily(db, name, today)
  // While ratings wait for a batch, some of last month's aren't public yet.
  await countRatings(db, ratingsWait ? monthsBefore(daysBefore(today, 1), 1) : today)
  await db.query(sql`
    delete from daily_counts where name = 'sign-ups' and day < ${weeksUpTo(today)[0]}`)
}

/**
 * Once a day is over, only the number remains. Corrects for people who share a mark: with k of m marks set, about -m
 * ln(1 - k/m) people came.
 */
const countVisitors = (db: Database, today: string) =>
  db.query(sql`
    with over as (delete from visitor_marks where day < ${today} returning day, marks),
         seen as (select day, least(bit_count(marks), ${MARKS - 1}::integer) as hit
                    from (select * from over
                          union all
                          select * from visitor_marks where day = ${today}) marked)
    insert into daily_counts (name, day, n)
    select 'visitors', day, round(-${MARKS}::integer * ln(1 - hit / ${MARKS}::numeric)) from seen
    on conflict (name, day) do update set n = greatest(daily_counts.n, excluded.n)`)

async function countClicks(db: Database, today: string) {
  const since = await firstToCount(db, 'clicks', today)
  await db.query(sql`
    insert into daily_clicks (company_id, day, n)
    select company_id, (created_at at time zone 'UTC')::date as day, count(*)
      from company_interactions where created_at >= ${since}::date::timestamp at time zone 'UTC'
     group by company_id, day
    on conflict (company_id, day) do update set n = excluded.n`)
  await db.query(sql`
    delete from daily_clicks where day < ${daysBefore(today, DAYS_SHOWN - 1)}`)
}

/** Sources of daily numbers: rows of (day, n) from `since` on. */
const SOURCES = {
  threads: (since: string) => sql`
    select ${dayOfMinute} as day, count(*) as n from threads
     where hidden is null and posted_minute >= ${minuteOfDay(since)} group by day`,
  comments: (since: string) => sql`
    select ${dayOfMinute} as day, count(*) as n from comments
     where hidden is null and not is_deleted and posted_minute >= ${minuteOfDay(since)}
     group by day`,
  requests: (since: string) => sql`
    select created_on as day, count(*) as n from company_requests
     where created_on >= ${since} group by day`,
  clicks: (since: string) => sql`
    select day, sum(n) as n from daily_clicks where day >= ${since} group by day`,
} satisfies Partial<Record<Daily, (since: string) => Sql>>

type Counted = keyof typeof SOURCES

const dayOfMinute = sql`date '1970-01-01' + posted_minute / 1440`
const minuteOfDay = (day: string) => sql`(${day}::date - date '1970-01-01') * 1440`

/** Includes days with zero. */
async function countDaily(db: Database, name: Counted, today: string) {
  const since = await firstToCount(db, name, today)
  await db.query(sql`
    insert into daily_counts (name, day, n)
    select ${name}, day, coalesce(n, 0)
      from (select generate_series(${since}::date::timestamp, ${today}::date::timestamp,
                                   interval '1 day')::date as day) days
      left join (${SOURCES[name](since)}) counted using (day)
    on conflict (name, day) do update set n = excluded.n`)
}

/** The last counted day may not have been over, and yesterday's last clicks arrive late. */
async function firstToCount(db: Database, name: Counted, today: string) {
  const [counted] = await db.query<{ day: string | null }>(
    sql`select max(day) as day from daily_counts where name = ${name}`,
  )
  const first = daysBefore(today, DAYS_SHOWN - 1)
  const [earlier = first] = [counted?.day ?? first, daysBefore(today, 1)].sort()
  return [earlier, first].sort()[1] as string
}

/**
 * Counts each past month once. A number that changed later would reveal on which day someone rated or took back a
 * rating.
 */
async function countRatings(db: Database, today: string) {
  const counted = await db.query<{ day: string }>(
    sql`select day from daily_counts where name = 'ratings'`,
  )
  const missing = monthsUpTo(today).filter((month) => !counted.some(({ day }) => day === month))
  if (missing.length > 0)
    await db.query(sql`
      insert into daily_counts (name, day, n)
      select 'ratings', month, coalesce(sum(ratings), 0)
        from unnest(${missing}::date[]) as over(month) left join rating_months using (month)
       group by month
      on conflict (name, day) do nothing`)
}
