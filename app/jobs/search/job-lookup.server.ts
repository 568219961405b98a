/**
 * Looks open jobs up in the indexes of words and facets. Where many match, only enough of the list is read to fill the
 * page; facets include a job's slot in the order, so the index finds parts of the list.
 *
 * - Newest first: window after window of slots, sixteen a day, sized by the expected matches. Fast because jobs are
 *   stored in posting order: of a common word's index entry, only the window's part is read.
 * - Highest salary first: words correlate with pay (no barista is among the highest paid), so no estimate says how far
 *   down a list begins. Each band of salaries has its own index, which knows at once when a band has no matches; a
 *   sample of a band's matches says where in it the first of the list are.
 *
 * Wrong estimates cost time; the lists are exact.
 */

import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { isCurrency, UNKNOWN_CURRENCY } from '#app/kit/writing/currencies.ts'
import { atMost, PREPARED } from '#app/platform/database/database.server.ts'
import { foreignCursor, readCursor } from '#app/platform/database/keyset.server.ts'
import { searchedWords } from '#app/platform/database/searched-words.server.ts'
import { DAY_MS, todayOf } from '#app/platform/days.server.ts'
import { badRequest } from '#app/platform/http/refusal.ts'
import {
  EMPLOYMENT_TYPES,
  type EmploymentType,
  JOB_OPEN_DAYS,
  type JobFilters,
  type JobSort,
  REMOTE_POLICIES,
  type RemotePolicy,
  USUAL_CURRENCY,
} from '../job.ts'
import { dollarsAYear, wantedLocationKey } from '../postings/job-check.server.ts'

/** Slots per day in `job_facets`, by the id's first digit, which also orders jobs within a day. */
const SLOTS_A_DAY = 16
/** Slots in `job_facets` for each doubling of a salary. All below the first or above the last share one. */
const SLOTS_A_DOUBLING = 64
const FIRST_SLOT_WORTH = 2 ** 14
const LAST_SLOT_WORTH = 2 ** 20
/** How many matches a window should contain. */
const WINDOW_MATCHES = 60
/** If a window was too small, the next grows by what was missing, plus half of that. */
const WINDOW_MARGIN = 1.5
const WINDOW_GROWTH_MAX = 8
/** Lower ends of the salary bands, in dollars a year. */
export const BANDS = [340_000, 240_000, 170_000, 120_000, 84_000, 60_000, 42_000, 30_000, 0]
/** How many of a band's matches we sample to see where the others are. */
const SAMPLE_SIZE = 300
/** Rank in the sample at which a band's first window ends, and its growth. */
const FIRST_RANK = 8
const RANK_GROWTH = 4

/** All conditions on `job_postings job`, except that it's open. */
export const ofJob = ({ filters, words, facets, start, sort }: JobCriteria) =>
  join(
    [
      filters(sql`(job.posted_date - date '1970-01-01')`),
      ...(facets.length > 0 ? [sql`job.facets @> ${facets}::text[]`] : []),
      ...(words ? [sql`job.search @@ ${words}`] : []),
      ...(start ? [afterJob(ORDERS[sort].ofJob, sql`job.id`, start)] : []),
    ],
    ' and ',
  )

interface Part {
  slots?: string[]
  days?: string[]
  /** The band with this lower end. */
  band?: number
  /** A sample of this many, instead of the list's first. */
  some?: number
}

/** Comes first, because the index scans the first condition and skips within the others. */
const inPart = ({ slots, days, band }: Part) => sql`
  ${slots ? sql`job.facets && ${slots}::text[] and` : empty}
  ${days ? sql`job.facets && ${days}::text[] and` : empty}
  ${band === undefined ? empty : sql`${raw(bandCondition(band))} and`}`

/** Must match the band index's condition. */
function bandCondition(band: number) {
  const above = BANDS[BANDS.indexOf(band) - 1]
  return above === undefined
    ? `job.salary_worth >= ${band}`
    : `job.salary_worth >= ${band} and job.salary_worth < ${above}`
}

/**
 * The list's first matches, among all or in a part. "offset 0" makes PostgreSQL find all matches first, rather than
 * scan in some order.
 */
export const lookup = ({ db }: Ctx, wanted: JobCriteria, max: number, part: Part = {}) =>
  db.query<Found>(
    sql`
    select id, value from (
      select job.id, ${ORDERS[wanted.sort].ofJob} as value from job_postings job
       where job.status = 'open' and ${inPart(part)} ${ofJob(wanted)}
      ${part.some ? sql`limit ${atMost(part.some)}` : sql`offset 0`}) found
     order by value desc, id desc limit ${atMost(max)}`,
    PREPARED,
  )

/** @param matches expected, of all days */
export async function lookupNewest(ctx: Ctx, wanted: JobCriteria, matches: number, max: number) {
  const { start, firstDay } = wanted
  const tomorrow = (dayNumber(todayOf(ctx)) + 1) * SLOTS_A_DAY
  const usual = JOB_OPEN_DAYS * SLOTS_A_DAY
  const found: Found[] = []
  let end = firstDay === undefined ? undefined : firstDay * SLOTS_A_DAY
  let last = start
    ? start.value * SLOTS_A_DAY + Number.parseInt(start.id.charAt(0), 16)
    : tomorrow - 1
  let width = (usual * WINDOW_MATCHES) / matches
  for (;;) {
    let first = last - Math.ceil(width) + 1
    if (first < tomorrow - usual) end ??= (await oldestDay(ctx, wanted)) * SLOTS_A_DAY
    first = Math.max(first, end ?? first)
    found.push(...(await lookup(ctx, wanted, max, { slots: daySlots(first, last) })))
    if (found.length >= max || first === end) return found.slice(0, max)
    last = first - 1
    const lacked = (WINDOW_MARGIN * (max - found.length)) / Math.max(1, found.length)
    width *= Math.min(WINDOW_GROWTH_MAX, Math.max(1, lacked))
  }
}

/** Renewed jobs may be older than the usual window. */
async function oldestDay({ db }: Ctx, { key, remote, type }: JobCriteria) {
  const [oldest] = await db.query<{ day: number | null }>(
    sql`
    select min(posted_day) as day
      from unnest(${remote ? [remote] : [...REMOTE_POLICIES]}::text[]) policy,
           unnest(${type ? [type] : [...EMPLOYMENT_TYPES]}::text[]) type,
           lateral (select posted_day from job_entries
                     where key = ${key} and remote_policy = policy and employment_type = type
                     order by posted_day limit 1) oldest`,
    PREPARED,
  )
  return oldest?.day ?? dayNumber('9999-12-31')
}

/** Facets of these slots; a whole day has one. */
function daySlots(first: number, last: number) {
  const facets: string[] = []
  for (let slot = first; slot <= last; ) {
    const isDay = slot % SLOTS_A_DAY === 0 && slot + SLOTS_A_DAY - 1 <= last
    facets.push(isDay ? `D:${slot / SLOTS_A_DAY}` : `d:${slot}`)
    slot += isDay ? SLOTS_A_DAY : 1
  }
  return facets
}

/** Goes band by band. If a band has more matches than the sample, it goes by the slots above the sample's best. */
export async function lookupHighest(ctx: Ctx, wanted: JobCriteria, max: number) {
  const { start, worth = 0, firstDay } = wanted
  const days =
    firstDay === undefined
      ? undefined
      : daySlots(firstDay * SLOTS_A_DAY, (dayNumber(todayOf(ctx)) + 1) * SLOTS_A_DAY - 1)
  const found: Found[] = []
  for (const [n, band] of BANDS.entries()) {
    if (start && start.value < band) continue
    const above = BANDS[n - 1] ?? LAST_SLOT_WORTH
    // One more, because the database may round differently at a border.
    const last = slotOf(start && start.value < above ? start.value : above) + 1
    const part: Part = { band, days }
    if (start && start.value < above) part.slots = salarySlots(slotOf(band) - 1, last)
    const some = await lookup(ctx, wanted, SAMPLE_SIZE, { ...part, some: SAMPLE_SIZE })
    const lacking = max - found.length
    found.push(...(some.length < SAMPLE_SIZE ? some : await firstOf(part, some, last, lacking)))
    if (found.length >= max || band <= worth) break
  }
  return found.slice(0, max)

  async function firstOf(part: Part, some: Found[], last: number, lacking: number) {
    for (let rank = FIRST_RANK; rank < SAMPLE_SIZE; rank *= RANK_GROWTH) {
      const slots = salarySlots(slotOf((some[rank] as Found).value), last)
      const rows = await lookup(ctx, wanted, max, { ...part, slots })
      if (rows.length >= lacking) return rows
    }
    return lookup(ctx, wanted, max, part)
  }
}

const slotOf = (worth: number) =>
  Math.floor(
    SLOTS_A_DOUBLING * Math.log2(Math.min(LAST_SLOT_WORTH, Math.max(FIRST_SLOT_WORTH, worth))),
  )

const salarySlots = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, n) => `w:${first + n}`)

export interface JobListQuery extends JobFilters {
  /** Days. */
  within?: number
  sort: JobSort
  after?: string
  limit: number
}

/** The job that the page comes after. */
export interface Start {
  value: number
  id: string
}

export interface Found {
  id: string
  /** The sort value. */
  value: number
}

export interface JobCriteria {
  sort: JobSort
  start?: Start
  /** Key in `job_entries`: location and currency, one of them, or everything. */
  key: string
  firstDay?: number
  /** Least salary as a sort value; within one currency it sorts like the salary. */
  worth?: number
  remote?: RemotePolicy
  type?: EmploymentType
  words?: Sql
  /** A job needs all of these. For salaries, it's the highest rung that isn't above the wanted one. */
  facets: string[]
  /** The remaining conditions, on an entry `job` or a row `job` whose day is `day`. */
  filters: (day: Sql) => Sql
}

/** The sort values in a job's row and in its entry: whole numbers, for the page marker. */
export const ORDERS: Record<JobSort, { ofJob: Sql; ofEntry: Sql }> = {
  newest: { ofJob: sql`(job.posted_date - date '1970-01-01')`, ofEntry: sql`posted_day` },
  salary: { ofJob: sql`job.salary_worth`, ofEntry: sql`salary_worth` },
}
export const afterJob = (value: Sql, id: Sql, start: Start) =>
  sql`(${value}, ${id}) < (${start.value}::integer, ${start.id}::uuid)`
export const orderName = (sort: JobSort) => `jobs ${sort}`
const WHOLE_NUMBER = /^\d{1,10}$/
const INTEGER_MAX = 2 ** 31 - 1

/**
 * Thousands of dollars a year, as in the database's `job_facets`. A job has the facets of all rungs it reaches, so one
 * facet means "at least", and PostgreSQL only compares the rest.
 */
export const RUNGS = [20, 30, 40, 50, 60, 80, 100, 125, 150, 200, 250, 300, 400, 500, 700, 1_000]

/** Days since 1970. */
const dayNumber = (day: string) => Math.round(Date.parse(day) / DAY_MS)

/** @throws Refusal bad-request */
export function startOf({ sort, after }: JobListQuery): Start | undefined {
  if (after === undefined) return undefined
  const cursor = readCursor(after, orderName(sort), WHOLE_NUMBER)
  if (!cursor || Number(cursor.value) > INTEGER_MAX) throw foreignCursor()
  return { value: Number(cursor.value), id: cursor.id }
}

/** Null if nothing can match. @throws Refusal bad-request for an unknown currency */
export async function wantedOf(
  ctx: Ctx,
  query: JobListQuery,
  start: Start | undefined,
): Promise<JobCriteria | null> {
  const { sort, remote, type, within } = query
  const today = todayOf(ctx)
  const wanted: JobCriteria = { sort, start, remote, type, ...parts(query) }

  const text = (query.search ?? '').trim()
  if (text !== '') {
    const parsed = await searchedWords(ctx, text)
    if (!parsed) return null
    // Nearly every description has small words, so we search for one like "IT" only in titles.
    const words = parsed.isSmall ? parsed.query.replace(/'(?:[^']|'')*'/g, '$&:A') : parsed.query
    wanted.words = sql`${words}::tsquery`
  }
  return wanted

  function parts({ salary, currency: named = USUAL_CURRENCY, place }: JobListQuery) {
    const currency = named.toUpperCase()
    if (salary !== undefined && !isCurrency(currency)) throw badRequest(UNKNOWN_CURRENCY)
    const locationKey = place === undefined ? null : wantedLocationKey(place)
    const kind = [remote, type, locationKey].filter(Boolean).join(' ')
    const firstDay = within === undefined ? undefined : dayNumber(today) - within
    const worth =
      salary === undefined
        ? undefined
        : dollarsAYear({ minimum: salary, maximum: salary, currency, period: 'year' })
    return {
      key: [locationKey, salary !== undefined && `c:${currency}`].filter(Boolean).join(' ') || '*',
      facets: [
        ...(kind === '' ? [] : [kind]),
        ...(worth === undefined ? [] : [rungOf(currency, worth)]),
      ],
      firstDay,
      worth,
      filters: (day: Sql) =>
        join(
          [
            sql`job.valid_through >= ${today}::date`,
            ...(firstDay === undefined ? [] : [sql`${day} >= ${firstDay}::integer`]),
            ...(salary === undefined
              ? []
              : [
                  sql`job.salary_currency = ${currency} and job.yearly_maximum >= ${salary}::bigint`,
                ]),
          ],
          ' and ',
        ),
    }
  }
}

function rungOf(currency: string, worth: number) {
  const rung = RUNGS.findLast((rung) => rung * 1_000 <= worth)
  return rung === undefined ? `c:${currency}` : `c:${currency}:${rung}`
}
