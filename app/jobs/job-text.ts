/** Salary, locations and work arrangement as text. Pure. */

import { countryName } from '#app/kit/writing/countries.ts'
import { amountFormat } from '#app/kit/writing/currencies.ts'
import { cutText } from '#app/kit/writing/text.ts'
import {
  JOB_CITY_MAX,
  type JobLocation,
  REMOTE_POLICY_NAMES,
  type RemotePolicy,
  type Salary,
  type SalaryPeriod,
} from './job.ts'

export const PERIOD_TEXTS: Record<SalaryPeriod, string> = {
  year: 'a year',
  month: 'a month',
  week: 'a week',
  day: 'a day',
  hour: 'an hour',
}

/** Lists abbreviate amounts from here on, because yen and rupees would fill the line. */
const LONG_AMOUNT = 1_000_000

/** "€60,000–75,000 a year", "$32.50–40.00 an hour", "¥6M–8M a year". In full, "¥6,000,000–8,000,000". */
export function salaryText({ minimum, maximum, currency, period }: Salary, isFull = false) {
  const isLong = !isFull && minimum >= LONG_AMOUNT
  const hasCents = !isLong && !(Number.isInteger(minimum) && Number.isInteger(maximum))
  const format = amountFormat(currency, isLong, hasCents)
  const low = format(minimum)
  const range = minimum === maximum ? low : `${low}–${withoutSign(format(maximum), low)}`
  return `${range} ${PERIOD_TEXTS[period]}`
}

/** The first amount's sign counts for both. */
function withoutSign(amount: string, first: string) {
  const sign = /^[^\d]*/.exec(first)?.[0] ?? ''
  return amount.startsWith(sign) ? amount.slice(sign.length) : amount
}

/** "Lisbon, Portugal". Leaves out an unknown country code. */
export const locationText = ({ city, country }: JobLocation) =>
  [cutText(city.trim(), JOB_CITY_MAX), countryName(country)].filter(Boolean).join(', ')

/** "Lisbon, Portugal · Porto, Portugal and 3 more". */
export function locationsText(places: readonly JobLocation[], named = 2): string {
  const words = places.map(locationText).filter(Boolean)
  const rest = words.length - named
  const shown = words.slice(0, named).join(' · ')
  return rest > 0 ? `${shown} and ${rest} more` : shown
}

interface Arrangement {
  remotePolicy: RemotePolicy
  hybridDays: number | null
  remoteRegions: readonly string[]
}

/** "On-site", "Hybrid, 3 days a week in the office", "Remote, from Germany or Austria". */
export function arrangementText({ remotePolicy, hybridDays, remoteRegions }: Arrangement): string {
  const name = REMOTE_POLICY_NAMES[remotePolicy]
  if (remotePolicy === 'hybrid' && hybridDays !== null)
    return `${name}, ${hybridDays} ${hybridDays === 1 ? 'day' : 'days'} a week in the office`
  if (remotePolicy !== 'remote') return name
  const regions = remoteRegions.map(countryName).filter((region) => region !== undefined)
  if (remoteRegions.length === 0) return `${name}, from anywhere`
  if (regions.length > 3) return `${name}, from ${regions.length} countries`
  return regions.length > 0 ? `${name}, from ${alternatives(regions)}` : name
}

const alternatives = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

const DAY = 24 * 60 * 60_000

interface Posted {
  postedOn: string | null
  postedDaysAgo: number | null
  validThrough: string | null
}

/**
 * Days until its last open day: 0 on that day, null for a draft. We only use the response, because the browser's
 * clock may be wrong, and it may be a different day in its time zone.
 */
export function daysLeft({ postedOn, postedDaysAgo, validThrough }: Posted): number | null {
  if (postedOn === null || postedDaysAgo === null || validThrough === null) return null
  return Math.round((Date.parse(validThrough) - Date.parse(postedOn)) / DAY) - postedDaysAgo
}

export function timeLeftText(days: number): string {
  if (days <= 0) return 'Open until the end of today'
  return days === 1 ? 'Open until tomorrow' : `Open for ${days} more days`
}
