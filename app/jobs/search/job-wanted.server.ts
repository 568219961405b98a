/** What a list of jobs asks for, as its ways to find them need it. */
import sql, { join, type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { readCursor } from '#app/platform/database/keyset.server.ts'
import { badRequest } from '#app/platform/http/refusal.ts'
import { searchedWords } from '#app/platform/http/searches.server.ts'
import { DAY_MS, todayOf } from '#app/platform/jobs/days.server.ts'
import type { JobFilters } from '../job.contract.ts'
import {
  type EmploymentType,
  isCurrency,
  type JobSort,
  type RemotePolicy,
  UNKNOWN_CURRENCY,
  USUAL_CURRENCY,
} from '../job.ts'
import { roughWorth } from './currency-worth.ts'
import { wantedLocationKey } from './job-location.ts'

export interface JobListQuery extends JobFilters {
  /** Days. */
  within?: number
  sort: JobSort
  after?: string
  limit: number
}

/** Where a page begins: behind this job. */
export interface Start {
  value: number
  id: string
}

export interface Found {
  id: string
  /** In the list's order. */
  value: number
}

export interface Wanted {
  sort: JobSort
  start?: Start
  /** Of `job_entries`: the place and the currency, one of them, or everything. */
  key: string
  /** The first day that is wanted. */
  firstDay?: number
  /** The least that is wanted, in the order of salaries; within one currency it is the order of pay. */
  worth?: number
  remote?: RemotePolicy
  type?: EmploymentType
  /** As a tsquery. */
  words?: Sql
  /** All of these; of pay, the highest rung of the ladder that is not too high. */
  facets: string[]
  /** What remains, of an entry `job` or a row `job`, whose day is `day`. */
  filters: (day: Sql) => Sql
}

/** What stands in a job's row and in an entry, as the whole number that a page marker keeps. */
export const ORDERS: Record<JobSort, { ofJob: Sql; ofEntry: Sql }> = {
  newest: { ofJob: sql`(job.posted_date - date '1970-01-01')`, ofEntry: sql`posted_day` },
  salary: { ofJob: sql`job.salary_worth`, ofEntry: sql`salary_worth` },
}
export const beyond = (value: Sql, id: Sql, start: Start) =>
  sql`(${value}, ${id}) < (${start.value}::integer, ${start.id}::uuid)`
export const orderName = (sort: JobSort) => `jobs ${sort}`
const WHOLE_NUMBER = /^\d{1,10}$/
const INTEGER_MAX = 2 ** 31 - 1

/**
 * Thousands of dollars a year, as in the database's `job_facets`: a job holds all that it reaches, so
 * that one facet stands for "at least", and only the difference is left to be compared.
 */
export const RUNGS = [20, 30, 40, 50, 60, 80, 100, 125, 150, 200, 250, 300, 400, 500, 700, 1_000]

/** Days since 1970. */
export const dayNumber = (day: string) => Math.round(Date.parse(day) / DAY_MS)

/** @throws Refusal bad-request */
export function startOf({ sort, after }: JobListQuery): Start | undefined {
  if (after === undefined) return undefined
  const cursor = readCursor(after, orderName(sort), WHOLE_NUMBER)
  if (!cursor || Number(cursor.value) > INTEGER_MAX)
    throw badRequest('This page marker does not belong to this list')
  return { value: Number(cursor.value), id: cursor.id }
}

/** Null where nothing can be found. @throws Refusal bad-request for a currency nobody knows */
export async function wantedOf(
  ctx: Ctx,
  query: JobListQuery,
  start: Start | undefined,
): Promise<Wanted | null> {
  const { sort, remote, type, within } = query
  const today = todayOf(ctx)
  const wanted: Wanted = { sort, start, remote, type, ...parts(query) }

  const text = (query.search ?? '').trim()
  if (text !== '') {
    const asked = await searchedWords(ctx, text)
    if (!asked) return null
    // Nearly every description has small words: what is meant, as by "IT", stands in the title.
    const words = asked.isSmall ? asked.query.replace(/'(?:[^']|'')*'/g, '$&:A') : asked.query
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
        : roughWorth({ minimum: salary, maximum: salary, currency, period: 'year' })
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
