import { countryCodeOf } from '#app/kit/writing/countries.ts'
import { isCurrency, UNITS_PER_DOLLAR } from '#app/kit/writing/currencies.ts'
import { isBlankHtml, markdownHtml } from '#app/kit/writing/markdown.ts'
import { foldText } from '#app/kit/writing/text.ts'
import { badRequest, requireValid } from '#app/platform/http/refusal.ts'
import {
  JOB_REFUSALS,
  type JobInput,
  type JobLocation,
  SALARY_MAX,
  type Salary,
  USUAL_CURRENCY,
  yearly,
} from '../job.ts'
import { jobProblems, tidyJob } from './job-problems.ts'

/** A job as it is stored. */
export interface CheckedJob extends JobInput {
  /** The description as HTML. */
  html: string
  locationKeys: string[]
  yearly: { minimum: number; maximum: number }
  worth: number
}

/** @param isDraft only the title is required @throws Refusal bad-request with the first broken rule's sentence */
export function checkedJob(input: JobInput, isDraft: boolean): CheckedJob {
  const job = tidyJob(input)
  requireValid(jobProblems(job, isDraft))
  const html = markdownHtml(job.description)
  if (!isDraft && isBlankHtml(html)) throw badRequest(JOB_REFUSALS.shortDescription)
  const places = [
    ...new Map(
      job.places.map((location) => [`${location.country} ${location.city}`, location]),
    ).values(),
  ]
  return {
    ...job,
    html,
    places,
    locationKeys: locationKeys(places, job.remoteRegions),
    ...payOf(job.salary),
  }
}

function payOf({ minimum, maximum, currency, period }: JobInput['salary']) {
  if (minimum !== null && maximum !== null) {
    const salary: Salary = { minimum, maximum, currency, period }
    return { salary, yearly: yearly(salary), worth: dollarsAYear(salary) }
  }
  // For an incomplete draft, keep what's valid.
  const kept = (amount: number | null) =>
    amount !== null && amount > 0 && amount <= SALARY_MAX ? amount : null
  return {
    salary: {
      minimum: kept(minimum),
      maximum: kept(maximum),
      currency: isCurrency(currency) ? currency : USUAL_CURRENCY,
      period,
    },
    yearly: { minimum: 0, maximum: 0 },
    worth: 0,
  }
}

/** A limit that no one is paid, and that fits into the sort column. */
const DOLLARS_A_YEAR_MAX = 2_000_000_000

/** A salary's upper end, in rough dollars a year. */
export function dollarsAYear(salary: Salary): number {
  const units = UNITS_PER_DOLLAR[salary.currency]
  if (units === undefined) return 0
  return Math.min(DOLLARS_A_YEAR_MAX, Math.round(yearly(salary).maximum / units))
}

/** "München" and " MUNCHEN" are the same city. */
const foldCity = (city: string) => foldText(city).replace(/\s+/g, ' ').trim()

/** City, country and both. A remote job also has the countries people can do it from. */
export function locationKeys(places: JobLocation[], remoteRegions: string[]): string[] {
  const keys = places.flatMap(({ city, country }) => {
    const folded = foldCity(city)
    return [`p:${folded}`, `k:${country}`, `b:${folded}:${country}`]
  })
  return [...new Set([...keys, ...remoteRegions.map((code) => `k:${code}`)])]
}

/** The key that a matching job has: for "Berlin", "Germany", "DE", "Berlin, Germany". Null if blank. */
export function wantedLocationKey(location: string): string | null {
  const whole = foldCity(location.replaceAll('\0', ' '))
  if (whole === '') return null
  const country = countryCodeOf(whole)
  if (country !== undefined) return `k:${country}`
  const comma = whole.lastIndexOf(',')
  const state = comma > 0 ? countryCodeOf(whole.slice(comma + 1).trim()) : undefined
  return state === undefined ? `p:${whole}` : `b:${whole.slice(0, comma).trim()}:${state}`
}
