/**
 * Finds open jobs by any filters, in the order of a list, however many there are. No way is quick for
 * all filters:
 *
 * - Common ones are walked to in `job_entries`, whose indexes hold a list in its order for each place,
 *   each currency and everything, until the page is full. A walk ends after so many jobs; then what is
 *   wanted is rare around here.
 * - Where few pay as much as is wanted, those are read and sorted.
 * - Rare ones, and all words but the most common, are looked up in the indexes of words and facets.
 * - A company's jobs are few enough to be looked through.
 */
import sql, { empty, join, raw } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { transaction } from '#app/platform/database/context.server.ts'
import { atMost, PREPARED } from '#app/platform/database/database.server.ts'
import { writeCursor } from '#app/platform/database/keyset.server.ts'
import { SEARCH_TIMEOUT } from '#app/platform/http/searches.server.ts'
import type { JobRow, JobsPage } from '../job.contract.ts'
import { EMPLOYMENT_TYPES, REMOTE_POLICIES } from '../job.ts'
import { jobRowColumns, jobRowOf, type RawJobRow } from '../job-queries.server.ts'
import { lookUp, lookUpHighest, lookUpNewest, ofJob } from './job-lookup.server.ts'
import {
  beyond,
  type Found,
  type JobListQuery,
  ORDERS,
  orderName,
  startOf,
  type Wanted,
  wantedOf,
} from './job-wanted.server.ts'

/** Jobs that one walk passes: the index answers for them. */
const SCANNED_MAX = 2_000
/** And of those the ones whose words are looked at. */
const LOOKED_INTO_MAX = 100
/** Jobs that pay at least so much and are read at once. */
const PAID_MAX = 12_000
/** Matches that are looked up at once. */
const RARE_MAX = 100
/** Nobody walks for words unless so many times the page is expected to be found. */
const SCAN_MARGIN = 1.5

/**
 * A page of open jobs. A search without words finds nothing.
 * @throws Refusal bad-request for a page marker that is none of this list's, and an unknown currency
 */
export async function listJobs(ctx: Ctx, query: JobListQuery): Promise<JobsPage> {
  const start = startOf(query)
  const wanted = await wantedOf(ctx, query, start)
  if (wanted === null) return { jobs: [], next: null }
  const most = query.limit + 1
  const found = query.company
    ? await companyJobs(ctx, query.company, wanted, most)
    : await findJobs(ctx, wanted, most)
  const shown = found.slice(0, query.limit)
  const last = shown.at(-1)
  return {
    jobs: await jobsInOrder(ctx, shown),
    next:
      last && found.length > query.limit
        ? writeCursor({ order: orderName(query.sort), value: String(last.value), id: last.id })
        : null,
  }
}

async function jobsInOrder(ctx: Ctx, found: Found[]): Promise<JobRow[]> {
  if (found.length === 0) return []
  const ids = found.map(({ id }) => id)
  const rows = await ctx.db.query<RawJobRow>(
    sql`
    select ${jobRowColumns(ctx)}
      from unnest(${ids}::uuid[]) with ordinality as found(id, place)
      join job_postings job on job.id = found.id order by place`,
    PREPARED,
  )
  return rows.map((row) => jobRowOf(ctx, row))
}

/** The first of the list among the company's open jobs. "offset 0": by the company alone. */
function companyJobs({ db }: Ctx, company: string, wanted: Wanted, most: number) {
  return db.query<Found>(
    sql`
    select id, value from (
      select job.id, ${ORDERS[wanted.sort].ofJob} as value from job_postings job
       where job.company_id = ${company} and job.status = 'open' and ${ofJob(wanted)} offset 0) found
     order by value desc, id desc limit ${atMost(most)}`,
    PREPARED,
  )
}

async function findJobs(ctx: Ctx, wanted: Wanted, most: number): Promise<Found[]> {
  const { words, sort } = wanted
  if (!words) {
    const walked = await walk(ctx, wanted, most)
    if (walked.length >= most || (await isScanWhole(ctx, wanted))) return walked
    const paid = await amongBestPaid(ctx, wanted, most)
    if (paid) return paid
  }
  return quickly(ctx, async (ctx) => {
    const { matches, share } = await outlookOf(ctx, wanted)
    if (matches <= RARE_MAX) return lookUp(ctx, wanted, most)
    if (words && share * LOOKED_INTO_MAX >= SCAN_MARGIN * most) {
      const walked = await walk(ctx, wanted, most)
      if (walked.length >= most) return walked
    }
    return sort === 'newest'
      ? lookUpNewest(ctx, wanted, matches, most)
      : lookUpHighest(ctx, wanted, most)
  })
}

/**
 * The newest of those that pay so much: where few do, they are all read, in the order of pay, from the
 * index alone. Nothing where many do.
 */
async function amongBestPaid({ db }: Ctx, wanted: Wanted, most: number) {
  const { key, sort, remote, type, worth, filters, start } = wanted
  if (sort !== 'newest' || worth === undefined) return undefined
  const column = ORDERS.newest.ofEntry
  const [read] = await db.query<{ entries: number; found: Found[] }>(
    sql`
    with paid as materialized (
      select job_id, posted_day, salary_currency, yearly_maximum, valid_through from job_entries
       where key = ${key} and remote_policy in (${inText(remote ? [remote] : REMOTE_POLICIES)})
         and employment_type in (${inText(type ? [type] : EMPLOYMENT_TYPES)})
         and salary_worth >= ${worth}::integer
       limit ${atMost(PAID_MAX)})
    select (select count(*)::integer from paid) as entries,
           array(select json_build_object('id', job_id, 'value', ${column}) from paid job
                  where ${filters(sql`job.posted_day`)}
                        ${start ? sql`and ${beyond(column, sql`job_id`, start)}` : empty}
                  order by ${column} desc, job_id desc limit ${atMost(most)}) as found`,
    PREPARED,
  )
  return read && read.entries < PAID_MAX ? read.found : undefined
}

/** Known words as they stand, so that PostgreSQL plans to look for each of them. */
const inText = (words: readonly string[]) => raw(words.map((word) => `'${word}'`).join(', '))

interface Outlook {
  matches: number
  /** Of the jobs that fit but for words, those that have these. */
  share: number
}

/** As the planner expects. A bad guess costs time. */
async function outlookOf({ db }: Ctx, { words, facets }: Wanted): Promise<Outlook> {
  const open = sql`
    select from job_postings where status = 'open'
           ${facets.length > 0 ? sql`and facets @> ${facets}::text[]` : empty}`
  const [explained] = await db.query<{ 'QUERY PLAN': [{ Plan: { Plans: Expected[] } }] }>(sql`
    explain (format json)
      ${open} union all ${open} ${words ? sql`and search @@ ${words}` : empty}`)
  const [all, matching] = explained?.['QUERY PLAN'][0].Plan.Plans ?? []
  const matches = matching?.['Plan Rows'] ?? 0
  return { matches, share: matches / (all?.['Plan Rows'] || 1) }
}

interface Expected {
  'Plan Rows': number
}

/**
 * The next entries of the list: one index scan for each remote policy and employment type that is not
 * filtered, merged. The index alone answers.
 */
function along({ key, sort, remote, type, start, firstDay, worth }: Wanted) {
  const column = ORDERS[sort].ofEntry
  const least = sort === 'newest' ? firstDay : worth
  const parts = (remote ? [remote] : REMOTE_POLICIES).flatMap((policy) =>
    (type ? [type] : EMPLOYMENT_TYPES).map(
      (type) => sql`
      (select job_id, posted_day, salary_worth, salary_currency, yearly_maximum, valid_through
         from job_entries
        where key = ${key} and remote_policy = ${raw(`'${policy}'`)}
          and employment_type = ${raw(`'${type}'`)}
          ${least === undefined ? empty : sql`and ${column} >= ${least}::integer`}
          ${start ? sql`and ${beyond(column, sql`job_id`, start)}` : empty}
        order by ${column} desc, job_id desc limit ${atMost(SCANNED_MAX)})`,
    ),
  )
  return sql`
    select job.job_id as id, ${column} as value, job.* from (${join(parts, ' union all ')}) job
     order by ${column} desc, job_id desc limit ${atMost(SCANNED_MAX)}`
}

/** Those of the next entries that are wanted, as far as words are not. */
const passed = (wanted: Wanted) => sql`
  select job.id, job.value from (${along(wanted)}) job where ${wanted.filters(sql`job.posted_day`)}`

/** The first of the next jobs that are wanted, until enough rows were looked into. */
function walk({ db }: Ctx, wanted: Wanted, most: number) {
  const { words } = wanted
  if (!words) return db.query<Found>(sql`${passed(wanted)} limit ${atMost(most)}`, PREPARED)
  // "is true" and "offset 0": PostgreSQL shall look into the rows one by one, not look up the words;
  // and "select": it shall read the words once.
  return db.query<Found>(
    sql`
    select passed.id, passed.value from (${passed(wanted)} limit ${atMost(LOOKED_INTO_MAX)}) passed
     where exists (select from job_postings job
                    where job.id = passed.id and (job.search @@ (select ${words})) is true offset 0)
     limit ${atMost(most)}`,
    PREPARED,
  )
}

/** Whether the list ended before the walk did. */
async function isScanWhole({ db }: Ctx, wanted: Wanted) {
  const [end] = await db.query<{ isCut: boolean }>(
    sql`select count(*) = ${SCANNED_MAX} as "isCut" from (${along(wanted)}) job`,
    PREPARED,
  )
  return end?.isCut === false
}

/**
 * However common the words, no plan reads the whole table; what an index finds is kept exact; and
 * nobody plans anew what has a name.
 */
const quickly = <Result>(ctx: Ctx, work: (ctx: Ctx) => Promise<Result>) =>
  transaction(ctx, async (ctx) => {
    await ctx.db.query(sql`
      select set_config('enable_seqscan', 'off', true), set_config('work_mem', '32MB', true),
             set_config('plan_cache_mode', 'force_generic_plan', true),
             set_config('statement_timeout', ${SEARCH_TIMEOUT}, true)`)
    return work(ctx)
  })
