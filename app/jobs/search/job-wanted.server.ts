/** A list query as the search's methods need it. */
import sql, { join, type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { readCursor } from '#app/platform/database/keyset.server.ts'
import { badRequest } from '#app/platform/http/refusal.ts'
import { searchedWords } from '#app/platform/http/searches.server.ts'
import { DAY_MS, todayOf } from '#app/platform/jobs/days.server.ts'
import {
  type EmploymentType,
  isCurrency,
  type JobFilters,
  type JobSort,
  type RemotePolicy,
  UNKNOWN_CURRENCY,
  USUAL_CURRENCY,
} from '../job.ts'
import { roughWorth, wantedLocationKey } from '../postings/job-check.server.ts'

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

export interface Wanted {
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
  /** All are required; of salaries, the highest rung that isn't above the wanted one. */
  facets: string[]
  /** The remaining conditions, on an entry `job` or a row `job` whose day is `day`. */
  filters: (day: Sql) => Sql
}

/** The sort values in a job's row and in its entry: whole numbers, for the page marker. */
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
 * Thousands of dollars a year, as in the database's `job_facets`: a job has the facets of all rungs it reaches, so that
 * one facet means "at least" and only the difference is compared.
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

/** Null if nothing can match. @throws Refusal bad-request for an unknown currency */
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
    const parsed = await searchedWords(ctx, text)
    if (!parsed) return null
    // Nearly every description has small words, so one like "IT" is searched in titles only.
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
