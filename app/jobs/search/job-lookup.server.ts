/**
 * Looks open jobs up in the indexes of words and facets. Where many match, only as much of the list is
 * looked at as fills the page; so that the index finds its parts, a job's facets name its slot.
 *
 * - The newest: window after window of slots, sixteen a day, sized by how many matches are expected.
 *   They are quick because jobs stand in the table as they were posted: of what a common word's index
 *   entry holds, only the window's part is read.
 * - The highest salaries: words go with pay (no barista is among the highest paid), and no guess says
 *   how far down a list of them begins. So each band of salaries has an index of its own, which knows
 *   at once where there are none, and some of a band say where in it the first of the list are.
 *
 * Guesses cost time; the lists are exact.
 */
import sql, { empty, join, raw } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { atMost, PREPARED } from '#app/platform/database/database.server.ts'
import { todayOf } from '#app/platform/jobs/days.server.ts'
import { EMPLOYMENT_TYPES, JOB_OPEN_DAYS, REMOTE_POLICIES } from '../job.ts'
import { beyond, dayNumber, type Found, ORDERS, type Wanted } from './job-wanted.server.ts'

/** As in the database's `job_facets`: a day's, by the first digit of the id, which is the order within. */
const SLOTS_A_DAY = 16
/** And of salaries that double. Below the first and above the last all are in one. */
const SLOTS_A_DOUBLING = 64
const FIRST_SLOT_WORTH = 2 ** 14
const LAST_SLOT_WORTH = 2 ** 20
/** Matches that a window should hold. */
const WINDOW_MATCHES = 60
/** A window that was too small grows by what it lacked and half as much again. */
const WINDOW_MARGIN = 1.5
const WINDOW_GROWTH_MAX = 8
/** Where the indexes of bands of salaries begin, in dollars a year. */
export const BANDS = [340_000, 240_000, 170_000, 120_000, 84_000, 60_000, 42_000, 30_000, 0]
/** Matches of a band that say where its others are. */
const SOME = 300
/** A window of a band begins at so-manieth of these, and grows. */
const FIRST_OF_SOME = 8
const OF_SOME_GROWTH = 4

/** All that is wanted, on `job_postings job`, but that it is open. */
export const ofJob = ({ filters, words, facets, start, sort }: Wanted) =>
  join(
    [
      filters(sql`(job.posted_date - date '1970-01-01')`),
      ...(facets.length > 0 ? [sql`job.facets @> ${facets}::text[]`] : []),
      ...(words ? [sql`job.search @@ ${words}`] : []),
      ...(start ? [beyond(ORDERS[sort].ofJob, sql`job.id`, start)] : []),
    ],
    ' and ',
  )

interface Part {
  /** Of one of these slots. */
  slots?: string[]
  /** Of one of these days. */
  days?: string[]
  /** Of the band that begins there. */
  band?: number
  /** Not the first of them, but any so many, in the order of the list. */
  some?: number
}

/** Before what is wanted: the index goes through the first, and jumps to its entries in the others. */
const inPart = ({ slots, days, band }: Part) => sql`
  ${slots ? sql`job.facets && ${slots}::text[] and` : empty}
  ${days ? sql`job.facets && ${days}::text[] and` : empty}
  ${band === undefined ? empty : sql`${raw(bandCondition(band))} and`}`

/** As the index of the band says it. */
function bandCondition(band: number) {
  const above = BANDS[BANDS.indexOf(band) - 1]
  return above === undefined
    ? `job.salary_worth >= ${band}`
    : `job.salary_worth >= ${band} and job.salary_worth < ${above}`
}

/**
 * The first of the list among all that match, or those of a part. "offset 0": PostgreSQL shall find all
 * of them first, and not walk in some order until it has enough.
 */
export const lookUp = ({ db }: Ctx, wanted: Wanted, most: number, part: Part = {}) =>
  db.query<Found>(
    sql`
    select id, value from (
      select job.id, ${ORDERS[wanted.sort].ofJob} as value from job_postings job
       where job.status = 'open' and ${inPart(part)} ${ofJob(wanted)}
      ${part.some ? sql`limit ${atMost(part.some)}` : sql`offset 0`}) found
     order by value desc, id desc limit ${atMost(most)}`,
    PREPARED,
  )

/** @param matches as many as are expected, of all days */
export async function lookUpNewest(ctx: Ctx, wanted: Wanted, matches: number, most: number) {
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
    found.push(...(await lookUp(ctx, wanted, most, { slots: daySlots(first, last) })))
    if (found.length >= most || first === end) return found.slice(0, most)
    last = first - 1
    const lacked = (WINDOW_MARGIN * (most - found.length)) / Math.max(1, found.length)
    width *= Math.min(WINDOW_GROWTH_MAX, Math.max(1, lacked))
  }
}

/** Renewed jobs are older than others. */
async function oldestDay({ db }: Ctx, { key, remote, type }: Wanted) {
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

/** Facets of these slots; a whole day is one. */
function daySlots(first: number, last: number) {
  const facets: string[] = []
  for (let slot = first; slot <= last; ) {
    const isDay = slot % SLOTS_A_DAY === 0 && slot + SLOTS_A_DAY - 1 <= last
    facets.push(isDay ? `D:${slot / SLOTS_A_DAY}` : `d:${slot}`)
    slot += isDay ? SLOTS_A_DAY : 1
  }
  return facets
}

/** Band after band; where one has more than some, the slots above the highest of these. */
export async function lookUpHighest(ctx: Ctx, wanted: Wanted, most: number) {
  const { start, worth = 0, firstDay } = wanted
  const days =
    firstDay === undefined
      ? undefined
      : daySlots(firstDay * SLOTS_A_DAY, (dayNumber(todayOf(ctx)) + 1) * SLOTS_A_DAY - 1)
  const found: Found[] = []
  for (const [n, band] of BANDS.entries()) {
    if (start && start.value < band) continue
    const above = BANDS[n - 1] ?? LAST_SLOT_WORTH
    // One more: at a border the database may count otherwise.
    const last = slotOf(start && start.value < above ? start.value : above) + 1
    const part: Part = { band, days }
    if (start && start.value < above) part.slots = salarySlots(slotOf(band) - 1, last)
    const some = await lookUp(ctx, wanted, SOME, { ...part, some: SOME })
    const lacking = most - found.length
    found.push(...(some.length < SOME ? some : await firstOf(part, some, last, lacking)))
    if (found.length >= most || band <= worth) break
  }
  return found.slice(0, most)

  async function firstOf(part: Part, some: Found[], last: number, lacking: number) {
    for (let rank = FIRST_OF_SOME; rank < SOME; rank *= OF_SOME_GROWTH) {
      const slots = salarySlots(slotOf((some[rank] as Found).value), last)
      const rows = await lookUp(ctx, wanted, most, { ...part, slots })
      if (rows.length >= lacking) return rows
    }
    return lookUp(ctx, wanted, most, part)
  }
}

const slotOf = (worth: number) =>
  Math.floor(
    SLOTS_A_DOUBLING * Math.log2(Math.min(LAST_SLOT_WORTH, Math.max(FIRST_SLOT_WORTH, worth))),
  )

const salarySlots = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, n) => `w:${first + n}`)
