/**
 * Finds open jobs by any filters, in list order, however many there are. No single method is fast for all filters:
 *
 * - Common ones: an index scan of `job_entries`, which has a list in order for each location, each currency and
 *   everything, until the page is full. It stops after SCANNED_MAX jobs, as matches are then rare.
 * - If few jobs pay as much as wanted, those are read and sorted.
 * - Rare ones, and all but the most common words: a lookup in the indexes of words and facets.
 * - A company's jobs are few enough to read them all.
 */
import sql, { empty, join, raw } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { atMost, PREPARED } from '#app/platform/database/database.server.ts'
import { writeCursor } from '#app/platform/database/keyset.server.ts'
import { transaction } from '#app/platform/database/server-context.server.ts'
import { SEARCH_TIMEOUT } from '#app/platform/http/searches.server.ts'
import type { JobRow, JobsPage } from '../job.contract.ts'
import { EMPLOYMENT_TYPES, REMOTE_POLICIES } from '../job.ts'
import { jobRowColumns, jobRowOf, type RawJobRow } from '../job-queries.server.ts'
import {
  afterJob,
  type Found,
  type JobCriteria,
  type JobListQuery,
  lookup,
  lookupHighest,
  lookupNewest,
  ORDERS,
  ofJob,
  orderName,
  startOf,
  wantedOf,
} from './job-lookup.server.ts'

/** How many entries one scan reads, using only the index. */
const SCANNED_MAX = 2_000
/** How many entries' words a scan checks. */
const LOOKED_INTO_MAX = 100
/** How many jobs above a salary we read at once. */
const PAID_MAX = 12_000
/** How many matches we look up at once. */
const RARE_MAX = 100
/** We scan for words only if we expect this many times the page. */
const SCAN_MARGIN = 1.5

/**
 * A search without words finds nothing. @throws Refusal bad-request for another list's page marker or an unknown
 * currency
 */
export async function listJobs(ctx: Ctx, query: JobListQuery): Promise<JobsPage> {
  const start = startOf(query)
  const wanted = await wantedOf(ctx, query, start)
  if (wanted === null) return { jobs: [], next: null }
  const max = query.limit + 1
  const found = query.company
    ? await companyJobs(ctx, query.company, wanted, max)
    : await findJobs(ctx, wanted, max)
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
      from unnest(${ids}::uuid[]) with ordinality as found(id, position)
      join job_postings job on job.id = found.id order by position`,
    PREPARED,
  )
  return rows.map((row) => jobRowOf(ctx, row))
}

/** "offset 0" makes PostgreSQL search by company only. */
function companyJobs({ db }: Ctx, company: string, wanted: JobCriteria, max: number) {
  return db.query<Found>(
    sql`
    select id, value from (
      select job.id, ${ORDERS[wanted.sort].ofJob} as value from job_postings job
       where job.company_id = ${company} and job.status = 'open' and ${ofJob(wanted)} offset 0) found
     order by value desc, id desc limit ${atMost(max)}`,
    PREPARED,
  )
}

async function findJobs(ctx: Ctx, wanted: JobCriteria, max: number): Promise<Found[]> {
  const { words, sort } = wanted
  if (!words) {
    const scanned = await scan(ctx, wanted, max)
    if (scanned.length >= max || (await isScanWhole(ctx, wanted))) return scanned
    const paid = await amongBestPaid(ctx, wanted, max)
    if (paid) return paid
  }
  return withIndexPlan(ctx, async (ctx) => {
    const { matches, share } = await estimateOf(ctx, wanted)
    if (matches <= RARE_MAX) return lookup(ctx, wanted, max)
    if (words && share * LOOKED_INTO_MAX >= SCAN_MARGIN * max) {
      const scanned = await scan(ctx, wanted, max)
      if (scanned.length >= max) return scanned
    }
    return sort === 'newest'
      ? lookupNewest(ctx, wanted, matches, max)
      : lookupHighest(ctx, wanted, max)
  })
}

/**
 * The newest jobs above a salary. If there are few, we read all by salary, using only the index. Undefined if there
 * are many.
 */
async function amongBestPaid({ db }: Ctx, wanted: JobCriteria, max: number) {
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
                        ${start ? sql`and ${afterJob(column, sql`job_id`, start)}` : empty}
                  order by ${column} desc, job_id desc limit ${atMost(max)}) as found`,
    PREPARED,
  )
  return read && read.entries < PAID_MAX ? read.found : undefined
}

/** Puts known words into the statement, so PostgreSQL plans for each of them. */
const inText = (words: readonly string[]) => raw(words.map((word) => `'${word}'`).join(', '))

interface Estimate {
  matches: number
  /** The share of jobs with these words, among those that match everything else. */
  share: number
}

/** The planner's estimate. A wrong one costs time. */
async function estimateOf({ db }: Ctx, { words, facets }: JobCriteria): Promise<Estimate> {
  const open = sql`
    select from job_postings where status = 'open'
           ${facets.length > 0 ? sql`and facets @> ${facets}::text[]` : empty}`
  const [explained] = await db.query<{ 'QUERY PLAN': [{ Plan: { Plans: PlanNode[] } }] }>(sql`
    explain (format json)
      ${open} union all ${open} ${words ? sql`and search @@ ${words}` : empty}`)
  const [all, matching] = explained?.['QUERY PLAN'][0].Plan.Plans ?? []
  const matches = matching?.['Plan Rows'] ?? 0
  return { matches, share: matches / (all?.['Plan Rows'] || 1) }
}

interface PlanNode {
  'Plan Rows': number
}

/** The list's next entries. Merges index-only scans for each wanted remote policy and employment type. */
function entriesInOrder({ key, sort, remote, type, start, firstDay, worth }: JobCriteria) {
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
          ${start ? sql`and ${afterJob(column, sql`job_id`, start)}` : empty}
        order by ${column} desc, job_id desc limit ${atMost(SCANNED_MAX)})`,
    ),
  )
  return sql`
    select job.job_id as id, ${column} as value, job.* from (${join(parts, ' union all ')}) job
     order by ${column} desc, job_id desc limit ${atMost(SCANNED_MAX)}`
}

/** Entries that match everything but the words. */
const filteredEntries = (wanted: JobCriteria) => sql`
  select job.id, job.value from (${entriesInOrder(wanted)}) job where ${wanted.filters(sql`job.posted_day`)}`

/** The first matches, until enough rows were read. */
function scan({ db }: Ctx, wanted: JobCriteria, max: number) {
  const { words } = wanted
  if (!words) return db.query<Found>(sql`${filteredEntries(wanted)} limit ${atMost(max)}`, PREPARED)
  // "is true" and "offset 0" make PostgreSQL check row by row, instead of using the word index. "select" makes it
  // parse the words only once.
  return db.query<Found>(
    sql`
    select entry.id, entry.value from (${filteredEntries(wanted)} limit ${atMost(LOOKED_INTO_MAX)}) entry
     where exists (select from job_postings job
                    where job.id = entry.id and (job.search @@ (select ${words})) is true offset 0)
     limit ${atMost(max)}`,
    PREPARED,
  )
}

/** Whether the list ended within the scan. */
async function isScanWhole({ db }: Ctx, wanted: JobCriteria) {
  const [end] = await db.query<{ isCut: boolean }>(
    sql`select count(*) = ${SCANNED_MAX} as "isCut" from (${entriesInOrder(wanted)}) job`,
    PREPARED,
  )
  return end?.isCut === false
}

/** No sequential scan, no matter how common the words are, an exact bitmap, and one plan for a named statement. */
const withIndexPlan = <Result>(ctx: Ctx, work: (ctx: Ctx) => Promise<Result>) =>
  transaction(ctx, async (ctx) => {
    await ctx.db.query(sql`
      select set_config('enable_seqscan', 'off', true), set_config('work_mem', '32MB', true),
             set_config('plan_cache_mode', 'force_generic_plan', true),
             set_config('statement_timeout', ${SEARCH_TIMEOUT}, true)`)
    return work(ctx)
  })
