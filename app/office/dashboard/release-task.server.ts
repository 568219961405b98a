/**
 * Counts each company's numbers once for each closed week, if anyone acts for it. Only memory knows
 * the authors, while this runs.
 */
import sql, { type Sql } from 'sql-template-tag'
import { departedAmong, openAuthors } from '#app/community/discussions/posts/own-posts.server.ts'
import { daysBefore } from '#app/companies/tracking/day-count.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import type { DataContext, ServerContext } from '#app/platform/database/server-context.server.ts'
import { dayOf } from '#app/platform/days.server.ts'
import type { TaskKind } from '#app/platform/queue/queue.server.ts'
import { tenths } from '#app/ratings/score.server.ts'
import {
  authorsIn,
  closeSpans,
  DEPARTED,
  isPublishableInterest,
  lastClosedMonth,
  lastClosedWeek,
  monthBefore,
  nextFollowers,
  nextMonth,
  nextWeek,
  PARTS,
  PEOPLE_MIN,
  type PostsOfOne,
  type RatingsAlike,
  ratersIn,
  ratingNumbers,
} from './dashboard-release.ts'

export interface ReleaseSettings {
  /** With fewer ratings, a company's page shows no number, so the dashboard doesn't either. */
  minShown: number
  /** Whether ratings wait for others, so the last month's may not all be public yet. */
  ratingsWait?: boolean
  hasJobs: boolean
}

type ReleaseContext = Pick<ServerContext, 'db' | 'secrets'>

/** Counts a company for its first employer, so that their first visit shows numbers. */
export const RELEASE_DASHBOARD_TASK: TaskKind<{ companyId: string }> = 'release-dashboard'

/** Runs every hour. @param only this company */
export async function releaseDashboards(
  { db, now, secrets }: ReleaseContext & DataContext,
  settings: ReleaseSettings,
  only: string | null = null,
) {
  const today = dayOf(now())
  const due = await db.query<{ id: string }>(sql`
    select distinct claim.company_id as id
      from employer_claims claim
      left join dashboard_counts counted using (company_id)
     where claim.status = 'approved' and (${only}::uuid is null or claim.company_id = ${only}::uuid)
       and (counted.counted_week is null or counted.counted_week < ${lastClosedWeek(today)}::date)`)
  for (const { id } of due)
    await db.transaction((db) => releaseDashboard({ db, secrets }, id, { ...settings, today }))
}

async function releaseDashboard(ctx: ReleaseContext, companyId: string, settings: Settings) {
  const { db } = ctx
  await db.query(sql`
    insert into dashboard_counts (company_id) values (${companyId}) on conflict do nothing`)
  const [counted] = await db.query<Counted>(sql`
    select counted_week::text as week, follower_basis as basis, followers as shown,
           jobs_since::text as "jobsSince", view_basis::float8 as views, apply_basis::float8 as applies
      from dashboard_counts where company_id = ${companyId} for update`)
  const week = lastClosedWeek(settings.today)
  // Another process was faster.
  if (!counted || (counted.week !== null && counted.week >= week)) return
  await releasePosts(ctx, companyId, 'threads', week)
  await releasePosts(ctx, companyId, 'comments', week)
  await releaseRatings(db, companyId, settings)
  await releaseFollowers(db, companyId, counted, settings.today)
  if (settings.hasJobs) await releaseJobs(db, companyId, counted, settings.today)
  await db.query(sql`
    update dashboard_counts set counted_week = ${week}, counted_on = ${settings.today}
     where company_id = ${companyId}`)
}

type Settings = ReleaseSettings & { today: string }
interface Counted {
  week: string | null
  basis: number
  shown: number | null
  jobsSince: string | null
  views: number
  applies: number
}

/** 1970-01-05 was a Monday. */
const weekOfMinute = (minute: Sql) =>
  sql`(date '1970-01-05' + (${minute} / 1440 - 4) / 7 * 7)::text`
const minuteOfDay = (day: string) => sql`(${day}::date - date '1970-01-01') * 1440`

const POSTS = {
  threads: (companyId: string, between: (minute: Sql) => Sql) => sql`
    select ${weekOfMinute(sql`posted_minute`)} as period, id, person_sealed as "personSealed"
      from threads
     where company_id = ${companyId} and hidden is null and ${between(sql`posted_minute`)}`,
  comments: (companyId: string, between: (minute: Sql) => Sql) => sql`
    select ${weekOfMinute(sql`c.posted_minute`)} as period, c.id, c.person_sealed as "personSealed"
      from comments c join threads t on t.id = c.thread_id
     where t.company_id = ${companyId} and t.hidden is null and c.hidden is null
       and not c.is_deleted and ${between(sql`c.posted_minute`)}`,
}

interface AuthoredPost {
  period: string
  id: string
  personSealed: Uint8Array | null
}

/** Posts by people who left have no author, so no one knows how many people they were, or who is back. */
async function countedByAuthor(ctx: ReleaseContext, posts: AuthoredPost[]): Promise<PostsOfOne[]> {
  const authors = openAuthors(ctx.secrets, posts)
  const departed = await departedAmong(ctx.db, [...authors.values()])
  const people = new Map<string, number>()
  const counted = new Map<string, PostsOfOne>()
  for (const { period, id } of posts) {
    const root = authors.get(id)?.root.toString('hex')
    const isGone = root === undefined || departed.has(root)
    if (!isGone && !people.has(root)) people.set(root, people.size + 1)
    const person = isGone ? DEPARTED : (people.get(root) as number)
    const n = (counted.get(`${period} ${person}`)?.n ?? 0) + 1
    counted.set(`${period} ${person}`, { period, person, n })
  }
  return [...counted.values()]
}

async function releasePosts(
  { db, secrets }: ReleaseContext,
  companyId: string,
  kind: keyof typeof POSTS,
  week: string,
) {
  const since = await dayAfterLast(db, companyId, kind)
  const between = (minute: Sql) => sql`
    ${minute} < ${minuteOfDay(nextWeek(week))}
    ${since ? sql`and ${minute} >= ${minuteOfDay(since)}` : sql``}`
  const posts = await db.query<AuthoredPost>(POSTS[kind](companyId, between))
  const rows = await countedByAuthor({ db, secrets }, posts)
  for (const { from, to, rows: posts } of closeSpans(rows, {
    peopleIn: authorsIn,
    since,
    next: nextWeek,
  }))
    await writeSpan(db, companyId, kind, {
      from,
      to: daysBefore(nextWeek(to), 1),
      numbers: { n: posts.reduce((sum, { n }) => sum + n, 0) },
    })
}

async function releaseRatings(db: Database, companyId: string, settings: Settings) {
  const since = await dayAfterLast(db, companyId, 'ratings')
  const closed = lastClosedMonth(settings.today)
  const rows = await db.query<{
    period: string
    ratings: number
    tenths: number
    has: Record<string, boolean>
    sums: RatingsAlike['sums']
  }>(sql`
    select month::text as period, count(*)::integer as ratings,
           sum(${tenths})::integer as tenths,
           json_build_object('rto', rto is not null, 'dei', dei is not null,
             'workLife', work_life is not null, 'culture', culture is not null,
             'officeDays', office_days is not null) as has,
           json_build_object('rto', sum(rto), 'dei', sum(dei),
             'workLife', sum(work_life), 'culture', sum(culture),
             'officeDays', sum(office_days)) as sums
      from public_ratings
     where company_id = ${companyId} and month <= ${settings.ratingsWait ? monthBefore(closed) : closed}::date
           ${since ? sql`and month >= ${since}::date` : sql``}
     group by month, rto is not null, dei is not null, work_life is not null,
              culture is not null, office_days is not null`)
  const alike = rows.map((row) => ({ ...row, has: PARTS.filter((part) => row.has[part]) }))
  for (const { from, to, rows: ratings } of closeSpans<RatingsAlike>(alike, {
    peopleIn: ratersIn,
    since,
    next: nextMonth,
    min: Math.max(PEOPLE_MIN, settings.minShown),
  }))
    await writeSpan(db, companyId, 'ratings', {
      from,
      to: daysBefore(nextMonth(to), 1),
      numbers: ratingNumbers(ratings),
    })
}

async function releaseFollowers(db: Database, companyId: string, before: Counted, today: string) {
  const [counted] = await db.query<{ n: number }>(sql`
    select count(*)::integer as n from follows where company_id = ${companyId}`)
  const followers = nextFollowers(counted?.n ?? 0, before)
  if (followers.basis === before.basis) return
  await db.query(sql`
    update dashboard_counts
       set follower_basis = ${followers.basis}, followers = ${followers.shown},
           followers_since = ${today}
     where company_id = ${companyId}`)
}

/** Sums of the jobs' own counts, which count each person once a day. The first run only stores a base. */
async function releaseJobs(db: Database, companyId: string, before: Counted, today: string) {
  const [sums] = await db.query<{ views: number; applies: number }>(sql`
    select coalesce(sum(views), 0)::float8 as views, coalesce(sum(applies), 0)::float8 as applies
      from job_postings where company_id = ${companyId}`)
  if (!sums) return
  const since = { views: sums.views - before.views, applies: sums.applies - before.applies }
  // A deleted job's numbers are gone, so counting starts over.
  const hasStarted = before.jobsSince !== null && since.views >= 0 && since.applies >= 0
  if (hasStarted && !isPublishableInterest(since)) return
  if (hasStarted)
    await writeSpan(db, companyId, 'jobs', {
      from: before.jobsSince as string,
      to: daysBefore(today, 1),
      numbers: since,
    })
  await db.query(sql`
    update dashboard_counts
       set jobs_since = ${today}, view_basis = ${sums.views}, apply_basis = ${sums.applies}
     where company_id = ${companyId}`)
}

/** Where the next span of this kind starts. Undefined before the first. */
async function dayAfterLast(db: Database, companyId: string, kind: string) {
  const [last] = await db.query<{ day: string }>(sql`
    select (last_day + 1)::text as day from dashboard_spans
     where company_id = ${companyId} and kind = ${kind} order by first_day desc limit 1`)
  return last?.day
}

/** We write spans once and never change them. */
const writeSpan = (
  db: Database,
  companyId: string,
  kind: string,
  { from, to, numbers }: { from: string; to: string; numbers: object },
) =>
  db.query(sql`
    insert into dashboard_spans (company_id, kind, first_day, last_day, numbers)
    values (${companyId}, ${kind}, ${from}, ${to}, ${JSON.stringify(numbers)}::text::jsonb)`)
