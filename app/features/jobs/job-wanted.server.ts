/** What a list of jobs asks for, as its ways to find them need it. */
import sql, { join, type Sql } from 'sql-template-tag'
import type { Ctx } from '../../auth/context.server.ts'
import { transaction } from '../../server/context.server.ts'
import { isDatabaseError } from '../../server/database.server.ts'
import { readCursor } from '../../server/keyset.server.ts'
import { badRequest } from '../../server/refusal.ts'
import { roughWorth } from './currency-worth.ts'
import type { JobFilters } from './job.contract.ts'
import {
  type EmploymentType,
  isCurrency,
  type JobSort,
  type RemotePolicy,
  UNKNOWN_CURRENCY,
  USUAL_CURRENCY,
} from './job.ts'
import { wantedPlaceKey } from './job-place.ts'
import { todayOf } from './job-queries.server.ts'

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

export interface Wanted {
  sort: JobSort
  start?: Start
  /** Of `job_entries`: the place and the currency, one of them, or everything. */
  key: string
  /** The least that is wanted, in the order of salaries; within one currency it is the order of pay. */
  worth?: number
  remote?: RemotePolicy
  type?: EmploymentType
  /** As a tsquery. */
  words?: Sql
  /** All of these. */
  facets: string[]
  /** One of these each. */
  salarySteps?: string[]
  days?: string[]
  /** What remains, of an entry `job` or a row `job`, whose day is `day`. */
  filters: (day: Sql) => Sql
  /** Which of these remain: lists of one shape are one statement. */
  shape: string
}

/** What stands in a job's row and in an entry, as the whole number that a page marker keeps. */
export const ORDERS: Record<JobSort, { ofJob: Sql; ofEntry: Sql }> = {
  newest: { ofJob: sql`(job.posted_date - date '1970-01-01')`, ofEntry: sql`posted_day` },
  salary: { ofJob: sql`job.salary_worth`, ofEntry: sql`salary_worth` },
}
export const orderName = (sort: JobSort) => `jobs ${sort}`
const WHOLE_NUMBER = /^\d{1,10}$/
const INTEGER_MAX = 2 ** 31 - 1

const DAY_MS = 86_400_000
/** Steps of pay for each doubling, as in the column `facets`. */
const SALARY_STEPS = 4
/** Of 100,000,000 an hour, and one more. */
const LAST_SALARY_STEP = 152
const INTERNAL_ERROR = 'XX000'

/** Days since 1970. */
export const dayNumber = (day: string) => Math.round(Date.parse(day) / DAY_MS)

/** From the first to the last number, these two too. */
export const facetsFrom = (letter: string, first: number, last: number) =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => `${letter}:${first + n}`)

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
  if (remote) wanted.facets.push(`r:${remote}`)
  if (type) wanted.facets.push(`t:${type}`)

  const text = (query.search ?? '').replaceAll('\0', ' ').trim()
  if (text !== '') {
    if (!(await hasWords(ctx, text))) return null
    wanted.words = sql`websearch_to_tsquery('english', ${text})`
  }
  return wanted

  function parts({ salary, currency: named = USUAL_CURRENCY, place }: JobListQuery) {
    const first = dayNumber(today) - (within ?? 0)
    const currency = named.toUpperCase()
    if (salary !== undefined && !isCurrency(currency)) throw badRequest(UNKNOWN_CURRENCY)
    const placeKey = place === undefined ? null : wantedPlaceKey(place)
    return {
      facets: placeKey === null ? [] : [placeKey],
      key: [placeKey, salary !== undefined && `c:${currency}`].filter(Boolean).join(' ') || '*',
      worth:
        salary === undefined
          ? undefined
          : roughWorth({ minimum: salary, maximum: salary, currency, period: 'year' }),
      // One lower: at a border the database may count otherwise.
      salarySteps:
        salary === undefined
          ? undefined
          : facetsFrom(`c:${currency}`, stepOf(salary) - 1, LAST_SALARY_STEP),
      // The newest are looked up by day anyway.
      days:
        within === undefined || sort === 'newest'
          ? undefined
          : facetsFrom('d', first, dayNumber(today)),
      filters: (day: Sql) =>
        join(
          [
            sql`job.valid_through >= ${today}::date`,
            ...(within === undefined ? [] : [sql`${day} >= ${first}::integer`]),
            ...(salary === undefined
              ? []
              : [
                  sql`job.salary_currency = ${currency} and job.yearly_maximum >= ${salary}::bigint`,
                ]),
          ],
          ' and ',
        ),
      shape: `${within === undefined ? '' : 'within'} ${salary === undefined ? '' : 'paid'}`.trim(),
    }
  }
}

/** As `job_step` of the database. */
const stepOf = (amount: number) => Math.floor((Math.log(amount) * SALARY_STEPS) / Math.LN2)

/** False as well for what PostgreSQL cannot read, such as a hundred dashes in a row. */
async function hasWords(ctx: Ctx, text: string) {
  try {
    const [parsed] = await transaction(ctx, ({ db }) =>
      db.query<{ nodes: number }>(
        sql`select numnode(websearch_to_tsquery('english', ${text})) as nodes`,
      ),
    )
    return parsed !== undefined && parsed.nodes > 0
  } catch (error) {
    if (isDatabaseError(error, INTERNAL_ERROR)) return false
    throw error
  }
}
