/** Reads and writes the job list's query string. Pure. */

import { isCurrency } from '#app/kit/writing/currencies.ts'
import { cutText } from '#app/kit/writing/text.ts'
import { isUuid } from '#app/platform/uuid.ts'
import {
  EMPLOYMENT_TYPES,
  JOB_SORTS,
  type JobFilters,
  type JobSort,
  POSTED_WITHIN,
  type PostedWithin,
  REMOTE_POLICIES,
  SALARY_MAX,
  USUAL_CURRENCY,
} from '../job.ts'

/** `after`: the page marker, for readers without JavaScript. */
export interface JobListAddress extends JobFilters {
  /** Days. */
  within?: PostedWithin
  sort?: JobSort
  after?: string
}

export const SEARCH_MAX = 200
export const LOCATION_MAX = 100

type Query = Record<string, string | undefined>

const oneOf = <Known extends string>(known: readonly Known[], wanted: string | undefined) =>
  known.find((each) => each === wanted)

const limitedText = (text: string | undefined, max: number) =>
  cutText(text?.trim() ?? '', max) || undefined

/** "60,000", "60 000", "60k"; undefined for anything else. */
export function wholeAmount(text: string | undefined): number | undefined {
  const typed = (text ?? '').trim().replace(/[\s,.'’_](?=\d{3}(?!\d))/g, '')
  const [, digits, k] = /^(\d{1,9})(k?)$/i.exec(typed) ?? []
  if (digits === undefined) return undefined
  const amount = Number(digits) * (k ? 1000 : 1)
  return amount >= 1 && amount <= SALARY_MAX ? amount : undefined
}

/** Leaves out invalid values, so every address leads to a list. */
export function jobListAddress(query: Query): JobListAddress {
  const salary = wholeAmount(query.salary)
  const currency = query.currency?.trim().toUpperCase() ?? ''
  const sort = oneOf(JOB_SORTS, query.sort)
  const company = query.company?.toLowerCase()
  return {
    search: limitedText(query.search, SEARCH_MAX),
    company: isUuid(company) ? company : undefined,
    place: limitedText(query.place, LOCATION_MAX),
    remote: oneOf(REMOTE_POLICIES, query.remote),
    type: oneOf(EMPLOYMENT_TYPES, query.type),
    salary,
    currency:
      salary !== undefined && currency !== USUAL_CURRENCY && isCurrency(currency)
        ? currency
        : undefined,
    within: POSTED_WITHIN.find((days) => String(days) === query.within),
    sort: sort === 'newest' ? undefined : sort,
    after: query.after && query.after.length <= 500 ? query.after : undefined,
  }
}

/** A URL that leaves out defaults. */
export function jobListHref(address: JobListAddress): string {
  const query = new URLSearchParams()
  for (const name of NAMES) {
    const value = address[name]
    if (value === undefined || (name === 'sort' && value === 'newest')) continue
    if (name === 'currency' && (address.salary === undefined || value === USUAL_CURRENCY)) continue
    query.set(name, String(value))
  }
  return query.size > 0 ? `/jobs?${query}` : '/jobs'
}

const NAMES = [
  'search',
  'company',
  'place',
  'remote',
  'type',
  'salary',
  'currency',
  'within',
  'sort',
  'after',
] as const satisfies (keyof JobListAddress)[]
