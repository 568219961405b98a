/** What a job alert looks for. Runs in the browser too: no I/O here. */
import { amountText, isCurrency, UNKNOWN_CURRENCY } from '#app/kit/writing/currencies.ts'
import {
  EMPLOYMENT_TYPE_NAMES,
  type JobFilters,
  REMOTE_POLICY_NAMES,
  USUAL_CURRENCY,
} from '../job.ts'

export const JOB_ALERTS_MAX = 20
export const SAVED_JOBS_MAX = 200

export const ALERT_REFUSALS = {
  notFound: 'This job alert doesn’t exist',
  full: `You have ${JOB_ALERTS_MAX} job alerts, which is the limit. Delete one first.`,
  savedFull: `You’ve saved ${SAVED_JOBS_MAX} jobs, which is the limit. Remove one first.`,
  noFilters: 'Choose at least one filter first, so we know what to look for',
  noWords: 'Use words that appear in job posts, so the alert can find matches',
  unknownLocation: 'This doesn’t look like a city or a country',
} as const

const tidy = (text: string | undefined) =>
  text?.replaceAll('\0', ' ').replace(/\s+/g, ' ').trim() || undefined

/** Drops blank filters, and a currency without a salary. */
export function tidyWishes({
  search,
  company,
  place,
  remote,
  type,
  ...pay
}: JobFilters): JobFilters {
  const { salary, currency } = pay
  const wishes: JobFilters = {
    search: tidy(search),
    company,
    place: tidy(place),
    remote,
    type,
    salary,
    currency: salary === undefined ? undefined : (tidy(currency)?.toUpperCase() ?? USUAL_CURRENCY),
  }
  return Object.fromEntries(Object.entries(wishes).filter(([, wish]) => wish !== undefined))
}

export const hasWishes = (wishes: JobFilters) => Object.keys(tidyWishes(wishes)).length > 0

/** Checks everything except whether the place exists and the search has words. Only the server knows that. */
export function wishesProblem(wishes: JobFilters): string | undefined {
  if (!hasWishes(wishes)) return ALERT_REFUSALS.noFilters
  const { currency } = wishes
  return currency === undefined || isCurrency(currency) ? undefined : UNKNOWN_CURRENCY
}

/** "Remote, full-time, from €60,000, “data”, in Berlin, at Acme". */
export function wishesText(filters: JobFilters, companyName?: string | null): string {
  const { search, company, place, remote, type, salary, currency } = tidyWishes(filters)
  const words = [
    remote && REMOTE_POLICY_NAMES[remote].toLowerCase(),
    type && EMPLOYMENT_TYPE_NAMES[type].toLowerCase(),
    salary !== undefined && currency && `from ${amountText(salary, currency)}`,
    search && `“${search}”`,
    place && `in ${place}`,
    company && `at ${companyName ?? 'one company'}`,
  ]
    .filter(Boolean)
    .join(', ')
  return words === '' ? 'Any job' : words.slice(0, 1).toUpperCase() + words.slice(1)
}
