/** The filters of a list of jobs: what is offered, and what is set, in words. Pure. */
import {
  EMPLOYMENT_TYPE_NAMES,
  type PostedWithin,
  REMOTE_POLICY_NAMES,
  USUAL_CURRENCY,
} from '../job.ts'
import { amountText } from '../job-text.ts'
import { type JobListAddress, jobListHref } from './job-list-address.ts'

/** Offered in the filter and in the form; an address may name any other. */
export const COMMON_CURRENCIES = [
  'USD',
  'EUR',
  'GBP',
  'CHF',
  'CAD',
  'AUD',
  'NZD',
  'SEK',
  'NOK',
  'DKK',
  'PLN',
  'CZK',
  'INR',
  'JPY',
  'SGD',
  'BRL',
  'MXN',
  'ZAR',
] as const

/** What a job alert can wait for: all but the order, the time and the page. */
export function filtersOf(address: JobListAddress) {
  const { within, sort, after, ...filters } = address
  return filters
}

export interface SetFilter {
  key: Exclude<keyof JobListAddress, 'sort' | 'after' | 'currency'>
  /** What it asks for: "At least €60,000 a year". */
  words: string
  /** The list without it. */
  href: string
}

/** Each filter that is set, so that it can be taken away by itself. */
export function setFilters(address: JobListAddress, companyName?: string): SetFilter[] {
  const { search, company, place, remote, type, salary, currency, within } = address
  const found: [SetFilter['key'], string | undefined][] = [
    ['search', search && `“${search}”`],
    ['company', company && `At ${companyName ?? 'one company'}`],
    ['place', place && `In ${place}`],
    ['remote', remote && REMOTE_POLICY_NAMES[remote]],
    ['type', type && EMPLOYMENT_TYPE_NAMES[type]],
    [
      'salary',
      salary === undefined
        ? undefined
        : `At least ${amountText(salary, currency ?? USUAL_CURRENCY)} a year`,
    ],
    ['within', within && withinText(within)],
  ]
  return found.flatMap(([key, words]) =>
    words === undefined
      ? []
      : [{ key, words, href: jobListHref({ ...address, after: undefined, [key]: undefined }) }],
  )
}

/** "Posted within 7 days". */
export const withinText = (days: PostedWithin) =>
  days === 1 ? 'Posted within a day' : `Posted within ${days} days`
