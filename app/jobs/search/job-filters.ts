/** The filters of the job list, as text and links. Pure. */
import { amountText } from '#app/kit/writing/currencies.ts'
import {
  EMPLOYMENT_TYPE_NAMES,
  type PostedWithin,
  REMOTE_POLICY_NAMES,
  USUAL_CURRENCY,
} from '../job.ts'
import { type JobListAddress, jobListHref } from './job-list-address.ts'

/** The filters a job alert can have: all except order, age and page. */
export function filtersOf(address: JobListAddress) {
  const { within, sort, after, ...filters } = address
  return filters
}

export interface SetFilter {
  key: Exclude<keyof JobListAddress, 'sort' | 'after' | 'currency'>
  /** Such as "At least €60,000 a year". */
  text: string
  /** The list without this filter. */
  href: string
}

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
  return found.flatMap(([key, text]) =>
    text === undefined
      ? []
      : [{ key, text, href: jobListHref({ ...address, after: undefined, [key]: undefined }) }],
  )
}

const withinText = (days: PostedWithin) =>
  days === 1 ? 'Posted within a day' : `Posted within ${days} days`
