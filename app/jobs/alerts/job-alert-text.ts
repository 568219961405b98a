/** What a job alert waits for, in words. Runs in the browser too: no I/O here. */
import { EMPLOYMENT_TYPE_NAMES, REMOTE_POLICY_NAMES } from '../job.ts'
import { amountText } from '../job-text.ts'
import { type JobWishes, tidyWishes } from './job-alert.ts'

/** "Remote, full-time, from €60,000, “data”, in Berlin, at Acme". */
export function wishesText(given: JobWishes, companyName?: string | null): string {
  const { search, company, place, remote, type, salary, currency } = tidyWishes(given)
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
