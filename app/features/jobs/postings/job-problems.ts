/** What is wrong with what a job pays, and with the way to apply. Runs in the browser too: no I/O here. */
import { websiteProblem } from '../../companies/web-address.ts'
import { isCurrency, SALARY_MAX, UNKNOWN_CURRENCY } from '../job.ts'

/** What is wrong with a range of pay, as a sentence. No job without one. */
export function salaryProblem(salary: {
  minimum: number | null
  maximum: number | null
  currency: string
}): string | undefined {
  const { minimum, maximum, currency } = salary
  if (minimum === null || maximum === null || !(minimum > 0) || !(maximum > 0))
    return 'Please say what the job pays: a minimum and a maximum'
  if (maximum > SALARY_MAX) return `A salary is at most ${SALARY_MAX.toLocaleString('en')}`
  if (maximum < minimum) return 'The maximum salary is below the minimum'
  if (!isCurrency(currency)) return UNKNOWN_CURRENCY
  return undefined
}

/** What is wrong with the way to apply: exactly one of a link and an address, as a sentence. */
export function applyProblem({ link, email }: { link: string | null; email: string | null }) {
  if (link === null && email === null) return 'Please say how to apply: a link or an email address'
  if (link !== null && email !== null) return 'Please give a link or an email address, not both'
  if (link !== null) return websiteProblem(link, 'application page')
  if (email !== null && !/^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+\.[a-z]{2,}$/i.test(email))
    return 'This does not look like an email address'
  return undefined
}
