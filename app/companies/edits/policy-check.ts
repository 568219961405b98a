/** Whether what somebody says of a company's days in the office can be. No I/O here. */

import { tidyWebsite, websiteProblem } from '../web-address.ts'
import { DAYS_MAX, type Policy, type PolicyMode } from './company-policy.ts'

/** Nobody went "back" to an office before there were any. */
const FIRST_MONTH = '1950-01'

export const tidyPolicy = ({ mode, days, since, source }: Policy): Policy => ({
  mode,
  days: mode === 'remote' ? null : days,
  since: since || null,
  source: tidyWebsite(source),
})

export type PolicyProblems = { [Part in keyof Policy]?: string }

/** Why it cannot be, by part, as sentences. @param thisMonth such as 2026-03 */
export function policyProblems(policy: Policy | null, thisMonth: string): PolicyProblems {
  if (policy === null) return { mode: 'A policy can be changed, but not removed' }
  const { mode, days, since, source } = policy
  return {
    days: daysProblem(mode, days),
    since: since === null ? undefined : sinceProblem(since, thisMonth),
    source: websiteProblem(source, 'source'),
  }
}

function daysProblem(mode: PolicyMode, days: number | null) {
  if (days === null) return undefined
  if (mode === 'remote') return 'Remote work has no days in the office'
  const isPossible = Number.isInteger(days) && days >= 0 && days <= DAYS_MAX
  return isPossible ? undefined : `A week has 0 to ${DAYS_MAX} days in the office`
}

function sinceProblem(since: string, thisMonth: string) {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(since) || since < FIRST_MONTH)
    return 'Since when it holds must be a month, such as 2026-03'
  return since > thisMonth ? 'The policy cannot begin in the future' : undefined
}
