/** What must be true of a job before it is kept: each rule with its sentence. */
import { badRequest } from '../../../server/refusal.ts'
import { cleanText } from '../../../writing/text.ts'
import type { JobInput } from '../job.contract.ts'
import {
  isCurrency,
  JOB_CITY_MAX,
  JOB_DESCRIPTION_MAX,
  JOB_DESCRIPTION_MIN,
  JOB_PLACES_MAX,
  JOB_REGIONS_MAX,
  JOB_TAG_MAX,
  JOB_TAGS_MAX,
  JOB_TITLE_MAX,
  JOB_TITLE_MIN,
  type JobPlace,
  SALARY_MAX,
  type Salary,
  USUAL_CURRENCY,
  yearly,
} from '../job.ts'
import { roughWorth } from '../search/currency-worth.ts'
import { placeKeys } from '../search/job-place.ts'
import { COUNTRY_CODES } from './job-countries.ts'
import { applyProblem, salaryProblem } from './job-problems.ts'

/** A job as it is kept. */
export interface CheckedJob extends Omit<JobInput, 'salary'> {
  salary: { minimum: number | null; maximum: number | null; currency: string } & Pick<
    Salary,
    'period'
  >
  placeKeys: string[]
  yearly: { minimum: number; maximum: number }
  worth: number
}

const countries: ReadonlySet<string> = new Set(COUNTRY_CODES)

/**
 * @param isDraft a draft may wait for anything but its title; what it says must be right all the same
 * @throws Refusal bad-request with the sentence of the first rule that is broken
 */
export function checkedJob(input: JobInput, isDraft: boolean): CheckedJob {
  const { remotePolicy } = input
  const places = checkedPlaces(input.places)
  if (!isDraft && remotePolicy !== 'remote' && places.length === 0)
    throw badRequest('Please say where the work is done')
  const remoteRegions = checkedRegions(input)
  return {
    ...input,
    title: checkedTitle(input.title),
    description: checkedDescription(input.description, isDraft),
    places,
    hybridDays: checkedHybridDays(input, isDraft),
    remoteRegions,
    placeKeys: placeKeys(places, remoteRegions),
    tags: checkedTags(input.tags),
    apply: checkedApply(input.apply, isDraft),
    ...checkedSalary(input.salary, isDraft),
  }
}

const inOneLine = (text: string) => cleanText(text).replace(/\s+/g, ' ').trim()

function checkedTitle(typed: string) {
  const title = inOneLine(typed)
  const { length } = [...title]
  if (length < JOB_TITLE_MIN) throw badRequest(`A title has at least ${JOB_TITLE_MIN} characters`)
  if (length > JOB_TITLE_MAX) throw badRequest(`A title has at most ${JOB_TITLE_MAX} characters`)
  if (!/[\p{L}\p{N}]/u.test(title)) throw badRequest('A title needs words')
  return title
}

function checkedDescription(typed: string, isDraft: boolean) {
  const description = cleanText(typed)
  if (!isDraft && [...description.trim()].length < JOB_DESCRIPTION_MIN)
    throw badRequest(`A description has at least ${JOB_DESCRIPTION_MIN} characters`)
  if ([...description].length > JOB_DESCRIPTION_MAX)
    throw badRequest(
      `A description has at most ${JOB_DESCRIPTION_MAX.toLocaleString('en')} characters`,
    )
  return description
}

function checkedPlaces(typed: JobPlace[]) {
  const places = typed.map(({ city, country }) => ({ city: inOneLine(city), country }))
  if (places.length > JOB_PLACES_MAX) throw badRequest(`A job has at most ${JOB_PLACES_MAX} places`)
  for (const { city, country } of places) {
    if (city === '' || country === '') throw badRequest('Each place has a city and a country')
    if ([...city].length > JOB_CITY_MAX)
      throw badRequest(`The name of a city has at most ${JOB_CITY_MAX} characters`)
    if (!countries.has(country)) throw badRequest(`We do not know the country ${shown(country)}`)
  }
  const seen = new Set<string>()
  return places.filter(({ city, country }) => {
    const place = `${country} ${city}`
    return !seen.has(place) && seen.add(place)
  })
}

function checkedRegions({ remotePolicy, remoteRegions }: JobInput) {
  // Of other jobs the form may still hold some; they mean nothing there.
  if (remotePolicy !== 'remote') return []
  const regions = [...new Set(remoteRegions)]
  if (regions.length > JOB_REGIONS_MAX)
    throw badRequest(`A job has at most ${JOB_REGIONS_MAX} countries; leave them out if it is more`)
  for (const region of regions)
    if (!countries.has(region)) throw badRequest(`We do not know the country ${shown(region)}`)
  return regions
}

const shown = (code: string) => `"${inOneLine(code).slice(0, 40)}"`

function checkedHybridDays({ remotePolicy, hybridDays }: JobInput, isDraft: boolean) {
  if (remotePolicy !== 'hybrid' || (hybridDays === null && isDraft)) return null
  if (hybridDays === null || !Number.isInteger(hybridDays) || hybridDays < 1 || hybridDays > 4)
    throw badRequest('Please say how many days a week people are in the office: 1 to 4')
  return hybridDays
}

function checkedTags(typed: string[]) {
  const tags = new Map<string, string>()
  for (const tag of typed.map(inOneLine))
    if (tag !== '' && !tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag)
  const kept = [...tags.values()]
  if (kept.length > JOB_TAGS_MAX) throw badRequest(`A job has at most ${JOB_TAGS_MAX} tags`)
  if (kept.some((tag) => [...tag].length > JOB_TAG_MAX))
    throw badRequest(`A tag has at most ${JOB_TAG_MAX} characters`)
  return kept
}

/** A mailbox and its domain together: no mail server takes more. */
const EMAIL_MAX = 254

function checkedApply({ link, email }: JobInput['apply'], isDraft: boolean) {
  const apply = { link: link?.trim() || null, email: email?.trim() || null }
  if (isDraft && apply.link === null && apply.email === null) return apply
  const problem = applyProblem(apply)
  if (problem) throw badRequest(problem)
  if ((apply.email?.length ?? 0) > EMAIL_MAX)
    throw badRequest(`An email address has at most ${EMAIL_MAX} characters`)
  return apply
}

function checkedSalary(typed: JobInput['salary'], isDraft: boolean) {
  const currency = typed.currency.trim().toUpperCase()
  const cents = (amount: number | null) => (amount === null ? null : Math.round(amount * 100) / 100)
  const minimum = cents(typed.minimum)
  const maximum = cents(typed.maximum)
  const { period } = typed
  if (isDraft && (minimum === null || maximum === null)) {
    const kept = [minimum, maximum].map((amount) =>
      amount !== null && amount > 0 && amount <= SALARY_MAX ? amount : null,
    )
    return {
      salary: {
        minimum: kept[0] ?? null,
        maximum: kept[1] ?? null,
        currency: isCurrency(currency) ? currency : USUAL_CURRENCY,
        period,
      },
      yearly: { minimum: 0, maximum: 0 },
      worth: 0,
    }
  }
  const problem = salaryProblem({ minimum, maximum, currency })
  if (problem || minimum === null || maximum === null)
    throw badRequest(problem ?? 'Please say what the job pays: a minimum and a maximum')
  const salary = { minimum, maximum, currency, period }
  return { salary, yearly: yearly(salary), worth: roughWorth(salary) }
}
