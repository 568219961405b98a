/** The rules of a job, each with its sentence, for form and server. Pure. */

import { websiteProblem } from '#app/companies/web-address.ts'
import { EMAIL_MAX } from '#app/identity/accounts/account.ts'
import { COUNTRY_CODES } from '#app/kit/writing/countries.ts'
import { isCurrency, UNKNOWN_CURRENCY } from '#app/kit/writing/currencies.ts'
import {
  cleanText,
  cutText,
  lengthOf,
  lengthProblem,
  oneLine,
  visibleText,
} from '#app/kit/writing/text.ts'
import {
  HYBRID_DAYS,
  JOB_CITY_MAX,
  JOB_DESCRIPTION_MAX,
  JOB_DESCRIPTION_MIN,
  JOB_LOCATIONS_MAX,
  JOB_REFUSALS,
  JOB_REGIONS_MAX,
  JOB_TAG_MAX,
  JOB_TAGS_MAX,
  JOB_TITLE_MAX,
  JOB_TITLE_MIN,
  type JobInput,
  SALARY_MAX,
} from '../job.ts'

/** Removes invisible characters, extra spaces, and fields that don't apply to its remote policy. */
export function tidyJob(job: JobInput): JobInput {
  const { remotePolicy, salary, apply } = job
  return {
    ...job,
    title: oneLine(job.title),
    description: cleanText(job.description),
    places: job.places.map(({ city, country }) => ({ city: oneLine(city), country })),
    hybridDays: remotePolicy === 'hybrid' ? job.hybridDays : null,
    remoteRegions: remotePolicy === 'remote' ? [...new Set(job.remoteRegions)] : [],
    salary: {
      ...salary,
      minimum: inCents(salary.minimum),
      maximum: inCents(salary.maximum),
      currency: salary.currency.trim().toUpperCase(),
    },
    tags: eachOnce(job.tags),
    apply: { link: apply.link?.trim() || null, email: apply.email?.trim() || null },
  }
}

const inCents = (amount: number | null) => (amount === null ? null : Math.round(amount * 100) / 100)

/** Drops tags that differ only in case. */
function eachOnce(typed: string[]): string[] {
  const tags = new Map<string, string>()
  for (const tag of typed.map(oneLine))
    if (tag !== '' && !tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag)
  return [...tags.values()]
}

/**
 * Problems of a job from `tidyJob`, by field. @param isDraft only the title is required, but
 * whatever is there must be valid
 */
export function jobProblems(job: JobInput, isDraft: boolean) {
  const { salary, apply } = job
  const waitsForPay = isDraft && (salary.minimum === null || salary.maximum === null)
  const waitsForWay = isDraft && apply.link === null && apply.email === null
  const pay = waitsForPay ? undefined : salaryProblem(salary)
  const payField = payFieldOf(salary)
  return {
    title: titleProblem(job.title),
    description: descriptionProblem(job.description, isDraft),
    places: locationsProblem(job, isDraft),
    hybridDays: hybridDaysProblem(job, isDraft),
    remoteRegions: regionsProblem(job.remoteRegions),
    minimum: payField === 'minimum' ? pay : undefined,
    maximum: payField === 'maximum' ? pay : undefined,
    currency: payField === 'currency' ? pay : undefined,
    tags: tagsProblem(job.tags),
    apply: waitsForWay ? undefined : applyProblem(apply),
  }
}

function titleProblem(title: string) {
  const visible = visibleText(title)
  if (lengthOf(visible) < JOB_TITLE_MIN) return `A title needs at least ${JOB_TITLE_MIN} characters`
  const hasWords = /[\p{L}\p{N}]/u.test(visible)
  return (
    lengthProblem(title, JOB_TITLE_MAX, 'title') ??
    (hasWords ? undefined : 'A title needs letters or numbers')
  )
}

function descriptionProblem(description: string, isDraft: boolean) {
  if (!isDraft && lengthOf(visibleText(description).trim()) < JOB_DESCRIPTION_MIN)
    return JOB_REFUSALS.shortDescription
  return lengthProblem(description, JOB_DESCRIPTION_MAX, 'description')
}

function locationsProblem({ remotePolicy, places }: JobInput, isDraft: boolean) {
  if (places.length === 0 && remotePolicy !== 'remote' && !isDraft)
    return 'Please say where people work'
  if (places.some(({ city, country }) => city === '' || country === ''))
    return 'Each place needs a city and a country'
  if (places.some(({ city }) => lengthOf(city) > JOB_CITY_MAX))
    return `A city’s name can have at most ${JOB_CITY_MAX} characters`
  if (places.length > JOB_LOCATIONS_MAX) return `A job can have at most ${JOB_LOCATIONS_MAX} places`
  return countriesProblem(places.map(({ country }) => country))
}

function regionsProblem(regions: string[]) {
  if (regions.length > JOB_REGIONS_MAX)
    return `A job can have at most ${JOB_REGIONS_MAX} countries. Leave them out if there are more.`
  return countriesProblem(regions)
}

function countriesProblem(codes: string[]) {
  const unknown = codes.find((code) => !COUNTRY_CODES.includes(code))
  return unknown === undefined
    ? undefined
    : `We don’t know the country "${cutText(oneLine(unknown), 40)}"`
}

function hybridDaysProblem({ remotePolicy, hybridDays }: JobInput, isDraft: boolean) {
  if (remotePolicy !== 'hybrid' || (isDraft && hybridDays === null)) return undefined
  return HYBRID_DAYS.some((days) => days === hybridDays)
    ? undefined
    : 'Please say how many days a week people are in the office, from 1 to 4'
}

function tagsProblem(tags: string[]) {
  if (tags.length > JOB_TAGS_MAX) return `A job can have at most ${JOB_TAGS_MAX} tags`
  return tags.some((tag) => lengthOf(tag) > JOB_TAG_MAX)
    ? `A tag can have at most ${JOB_TAG_MAX} characters`
    : undefined
}

/** Every job needs a salary range. */
export function salaryProblem({ minimum, maximum, currency }: JobInput['salary']) {
  if (minimum === null || maximum === null || !(minimum > 0) || !(maximum > 0))
    return 'Please give a minimum and a maximum salary'
  if (maximum > SALARY_MAX) return `A salary can be at most ${SALARY_MAX.toLocaleString('en')}`
  if (maximum < minimum) return 'The maximum salary is below the minimum'
  if (!isCurrency(currency)) return UNKNOWN_CURRENCY
  return undefined
}

/** The field that shows the salary's problem. */
function payFieldOf({ minimum, maximum, currency }: JobInput['salary']) {
  if (minimum === null || !(minimum > 0)) return 'minimum'
  if (maximum === null || maximum < minimum || maximum > SALARY_MAX) return 'maximum'
  return isCurrency(currency) ? 'maximum' : 'currency'
}

/** Exactly one of link and email. */
function applyProblem({ link, email }: JobInput['apply']) {
  if (link === null && email === null)
    return 'Please give a link or an email address for applications'
  if (link !== null && email !== null) return 'Please give a link or an email address, not both'
  if (link !== null) return websiteProblem(link, 'application page')
  if (email !== null && !/^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+\.[a-z]{2,}$/i.test(email))
    return 'This doesn’t look like an email address'
  return (email?.length ?? 0) > EMAIL_MAX
    ? `An email address can have at most ${EMAIL_MAX} characters`
    : undefined
}
