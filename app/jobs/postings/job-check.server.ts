import { isBlankHtml, markdownHtml } from '#app/kit/writing/markdown.ts'
import { badRequest } from '#app/platform/http/refusal.ts'
import type { JobInput } from '../job.contract.ts'
import { isCurrency, SALARY_MAX, type Salary, USUAL_CURRENCY, yearly } from '../job.ts'
import { roughWorth } from '../search/currency-worth.ts'
import { locationKeys } from '../search/job-location.ts'
import { jobProblems, SHORT_DESCRIPTION, tidyJob } from './job-problems.ts'

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
  const problem = Object.values(jobProblems(job, isDraft)).find(Boolean)
  if (problem) throw badRequest(problem)
  const html = markdownHtml(job.description)
  if (!isDraft && isBlankHtml(html)) throw badRequest(SHORT_DESCRIPTION)
  const places = [
    ...new Map(job.places.map((place) => [`${place.country} ${place.city}`, place])).values(),
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
    return { salary, yearly: yearly(salary), worth: roughWorth(salary) }
  }
  // An incomplete draft: keep what is valid.
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
