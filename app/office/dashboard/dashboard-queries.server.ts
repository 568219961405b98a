import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { forbiddenFor, may } from '#app/api/auth/permissions.ts'
import { actsFor, ownCompanyIds } from '#app/companies/claims/claim-queries.server.ts'
import { companyPath } from '#app/companies/company.ts'
import { policyOf } from '#app/companies/company-queries.server.ts'
import { statedDays } from '#app/companies/edits/company-policy.ts'
import { noCompany } from '#app/companies/merging/merged-companies.server.ts'
import { daysBefore } from '#app/companies/tracking/day-count.ts'
import { csvText } from '#app/platform/csv.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import type { DashboardQuery, DashboardView } from './dashboard.contract.ts'
import { CATEGORY_KEYS, DASHBOARD_REFUSALS, type Days, FEWER } from './dashboard.ts'
import { comingCounts, nextWeek, type PartKey, type RatingNumbers } from './dashboard-release.ts'

/** Lets in people who act for the company, too. @throws Refusal forbidden */
async function requireDashboard(ctx: Ctx, companyId: string) {
  if (!may.openDashboards(ctx.actor) && !(await actsFor(ctx, companyId)))
    throw forbiddenFor(ctx.actor, DASHBOARD_REFUSALS.forbidden)
}

type Spans<Numbers> = (Days & { numbers: Numbers })[] | null
type Row = {
  company: { id: string; slug: string | null; name: string }
  policy: DashboardView['office']['policy']
  week: string | null
  followers: number | null
  followersSince: string | null
  threads: Spans<{ n: number }>
  comments: Spans<{ n: number }>
  ratings: Spans<RatingNumbers>
  jobs: Spans<{ views: number; applies: number }>
}

/**
 * The spans that end within the range. We never cut spans.
 * @throws Refusal forbidden, not-found
 */
export async function companyDashboard(
  ctx: Ctx,
  companyId: string,
  { weeks, category }: DashboardQuery,
  { hasJobs, ratingsWait }: { hasJobs: boolean; ratingsWait: boolean },
): Promise<DashboardView> {
  await requireDashboard(ctx, companyId)
  const [found] = await ctx.db.query<Row>(sql`
    select json_build_object('id', c.id, 'slug', c.slug, 'name', c.name) as company,
           ${policyOf(sql`c`)} as policy, counted.counted_week::text as week, counted.followers,
           counted.followers_since::text as "followersSince", span_lists.*
      from companies c
      left join dashboard_counts counted on counted.company_id = c.id
     cross join lateral (
       select json_agg(span) filter (where kind = 'threads') as threads,
              json_agg(span) filter (where kind = 'comments') as comments,
              json_agg(span) filter (where kind = 'ratings') as ratings,
              json_agg(span) filter (where kind = 'jobs') as jobs
         from (select kind, json_build_object('from', first_day::text, 'to', last_day::text,
                              'numbers', numbers) as span
                 from dashboard_spans
                where company_id = c.id
                  and last_day >= counted.counted_week - 7 * (${Number(weeks)}::integer - 1)
                order by first_day) ordered) span_lists
     where c.id = ${companyId}`)
  if (!found) throw noCompany()
  const { company, week, policy } = found
  const jobs = found.jobs?.map(({ numbers, ...days }) => ({ ...days, ...numbers })) ?? []
  return {
    company: { id: company.id, name: company.name, path: companyPath(company) },
    weeks,
    from: week && daysBefore(week, 7 * (Number(weeks) - 1)),
    until: week && daysBefore(nextWeek(week), 1),
    coming: comingCounts(todayOf(ctx), ratingsWait),
    ...ratingsIn(found.ratings ?? [], { policy, category }),
    threads: postsIn(found.threads ?? []),
    comments: postsIn(found.comments ?? []),
    followers: { n: found.followers, since: found.followersSince },
    jobs: hasJobs
      ? {
          spans: jobs,
          views: jobs.length > 0 ? jobs.reduce((sum, { views }) => sum + views, 0) : null,
          applies: jobs.length > 0 ? jobs.reduce((sum, { applies }) => sum + applies, 0) : null,
        }
      : null,
  }
}

function postsIn(rows: NonNullable<Row['threads']>): DashboardView['threads'] {
  const spans = rows.map(({ numbers, ...days }) => ({ ...days, n: numbers.n }))
  return { spans, n: spans.length > 0 ? spans.reduce((sum, { n }) => sum + n, 0) : null }
}

function ratingsIn(
  rows: NonNullable<Row['ratings']>,
  { policy, category }: Pick<DashboardView['office'], 'policy'> & Pick<DashboardQuery, 'category'>,
): Pick<DashboardView, 'ratings' | 'office'> {
  const keys = category ? [category] : CATEGORY_KEYS
  const numbers = rows.map(({ numbers }) => numbers)
  const partsOf = (numbers: RatingNumbers[]) =>
    keys.flatMap((key) => {
      const part = partIn(numbers, key)
      return part ? [{ key, ...part }] : []
    })
  const spans = rows.map(({ from, to, numbers }) => ({
    from,
    to,
    ratings: numbers.ratings,
    score: scoreIn([numbers]).mean,
    parts: partsOf([numbers]),
    officeDays: partIn([numbers], 'officeDays'),
  }))
  const [last, before] = [spans.at(-1), spans.at(-2)]
  return {
    ratings: {
      spans,
      inAll: numbers.length > 0 ? scoreIn(numbers) : null,
      change: last && before ? hundredths(last.score - before.score) : null,
      parts: partsOf(numbers),
    },
    office: { policy, actual: partIn(numbers, 'officeDays') },
  }
}

/** @param numbers at least one */
function scoreIn(numbers: RatingNumbers[]) {
  const ratings = numbers.reduce((sum, it) => sum + it.ratings, 0)
  const tenths = numbers.reduce((sum, it) => sum + it.tenths, 0)
  return { mean: hundredths(tenths / (10 * ratings)), ratings }
}

/** Computed over the spans that may show it. Null if there's none. */
function partIn(numbers: RatingNumbers[], key: PartKey) {
  const parts = numbers.flatMap((it) => it.parts[key] ?? [])
  const ratings = parts.reduce((sum, part) => sum + part.ratings, 0)
  if (ratings === 0) return null
  return { mean: hundredths(parts.reduce((sum, part) => sum + part.sum, 0) / ratings), ratings }
}

const hundredths = (value: number) => Math.round(100 * value) / 100

/** The companies that the person acts for, by name. */
export async function myDashboards(ctx: Ctx) {
  const ids = await ownCompanyIds(ctx)
  const rows = await ctx.db.query<{ id: string; slug: string | null; name: string }>(sql`
    select id, slug, name from companies where id = any(${ids}::uuid[]) order by name_key, id`)
  return {
    companies: rows.map(({ id, slug, name }) => ({ id, name, path: companyPath({ id, slug }) })),
  }
}

/** One row per number, with its days. */
export function dashboardCsv(view: DashboardView): string {
  const { ratings, threads, comments, followers, office, jobs } = view
  const stated = office.policy && statedDays(office.policy)
  return csvText([
    ['what', 'from', 'to', 'number', 'of ratings'],
    ...ratings.spans.flatMap(({ from, to, ratings, score, parts, officeDays }) => [
      ['score', from, to, score, ratings],
      ...parts.map(({ key, mean, ratings }) => [key, from, to, mean, ratings]),
      ...(officeDays
        ? [['office days actual', from, to, officeDays.mean, officeDays.ratings]]
        : []),
    ]),
    ...threads.spans.map(({ from, to, n }) => ['threads', from, to, n, '']),
    ...comments.spans.map(({ from, to, n }) => ['comments', from, to, n, '']),
    ['followers', followers.since ?? '', '', followers.n ?? FEWER, ''],
    ['office days stated', office.policy?.since ?? '', '', stated ?? '', ''],
    ...(jobs?.spans.flatMap(({ from, to, views, applies }) => [
      ['job views', from, to, views, ''],
      ['job applies', from, to, applies, ''],
    ]) ?? []),
  ])
}
