import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import {
  DAILY,
  DAYS_SHOWN,
  daysBefore,
  daysUpTo,
  monthsUpTo,
  PEOPLE_MIN,
  weeksUpTo,
} from './day-count.ts'
import type { Analytics, Interaction } from './tracking.contract.ts'
import { INTERACTIONS_MAX } from './tracking.ts'

export async function companyViews({ db }: Ctx, ids: string[]) {
  return {
    views: await db.query<{ id: string; views: number }>(sql`
      select company_id as id, views from company_stats where company_id = any(${ids}::uuid[])`),
  }
}

/**
 * Clicks name no one. Callers recognize only their own, and only on the same day, because no one can compute a pseudonym
 * after its day. Spec §2.13, §7.2; S18.
 */
export async function newestInteractions(
  { db, actor }: Ctx,
  pseudonymOfToday: (accountId: string) => Promise<string>,
) {
  const mine = actor.account && (await pseudonymOfToday(actor.account.id))
  return {
    interactions: await db.query<Interaction>(sql`
      select id, company_id as "companyId", company_name as "companyName", created_at as at,
             left(md5(user_id), 8) as "userId", coalesce(user_id = ${mine}, false) as "isMe"
        from company_interactions order by created_at desc, id desc limit ${INTERACTIONS_MAX}`),
  }
}

export async function analytics({ db, now }: Ctx): Promise<Analytics> {
  const today = todayOf({ now })
  const [days, weeks, months] = [daysUpTo(today), weeksUpTo(today), monthsUpTo(today)]
  const rows = await db.query<{ name: string; day: string; n: number }>(sql`
    select name, day, n from daily_counts
     where (name = any (${[...DAILY]}::text[]) and day = any (${days}::date[]))
        or (name = 'sign-ups' and day = any (${weeks}::date[]))
        or (name = 'ratings' and day = any (${months}::date[]))`)
  const [first] = await db.query<{ day: string | null }>(
    sql`select min(day) as day from daily_counts where name = 'visitors'`,
  )
  const counted = new Map(rows.map(({ name, day, n }) => [`${name} ${day}`, n]))
  const count = (name: string, day: string) => counted.get(`${name} ${day}`) ?? 0
  const ofSeveral = (name: string) => (from: string) => {
    const n = count(name, from)
    return { from, n: n < PEOPLE_MIN ? null : n }
  }
  return {
    since: first?.day ?? null,
    days: days.map((day) => ({
      day,
      visitors: count('visitors', day),
      threads: count('threads', day),
      comments: count('comments', day),
      requests: count('requests', day),
      clicks: count('clicks', day),
    })),
    signUps: weeks.map(ofSeveral('sign-ups')),
    ratings: months.map(ofSeveral('ratings')),
  }
}

/** Days with clicks, by company. */
export async function clicksPerDay({ db, now }: Ctx, ids: string[]) {
  const today = todayOf({ now })
  const rows = await db.query<{ id: string; day: string; n: number }>(sql`
    select company_id as id, day, n from daily_clicks
     where company_id = any (${ids}::uuid[]) and day >= ${daysBefore(today, DAYS_SHOWN - 1)}
     order by day`)
  return {
    today,
    companies: ids.map((id) => ({
      id,
      counts: rows.filter((row) => row.id === id).map(({ day, n }) => ({ day, n })),
    })),
  }
}

/** Spreadsheets can't handle more rows than this. */
const FILE_ROWS_MAX = 50_000

/** Newest day first. */
export async function clicksOfAll({ db, now }: Ctx) {
  return db.query<{ day: string; company: string; n: number }>(sql`
    select day, company.name as company, n
      from daily_clicks join companies company on company.id = daily_clicks.company_id
     where day >= ${daysBefore(todayOf({ now }), DAYS_SHOWN - 1)}
     order by day desc, n desc, company.name_key limit ${FILE_ROWS_MAX}`)
}
