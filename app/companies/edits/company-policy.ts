/** A company's policy on office days. Runs in the browser too: no I/O here. */

export const POLICY_MODES = ['office', 'hybrid', 'remote'] as const
export type PolicyMode = (typeof POLICY_MODES)[number]
export const POLICY_MODE_NAMES: Record<PolicyMode, string> = {
  office: 'In the office',
  hybrid: 'Hybrid',
  remote: 'Remote',
}

export interface Policy {
  mode: PolicyMode
  /** Days a week in the office; null if unknown. */
  days: number | null
  /** A month, such as 2026-03. */
  since: string | null
  /** Where the company says so. */
  source: string | null
}

/** Days in the office, as raters report them. */
export interface OfficeDays {
  mean: number
  ratings: number
}

export const DAYS_MAX = 5

/** Days a week; null if it doesn't say. */
export function statedDays({ mode, days }: Policy): number | null {
  if (mode === 'remote') return 0
  return days ?? (mode === 'office' ? DAYS_MAX : null)
}

/** "Hybrid, 2 days a week in the office". */
export function policyText({ mode, days }: Policy): string {
  if (mode === 'remote' || days === null) return POLICY_MODE_NAMES[mode]
  return mode === 'office'
    ? `In the office, ${daysText(days)} a week`
    : `Hybrid, ${daysText(days)} a week in the office`
}

const toTenths = (days: number) => Math.round(days * 10) / 10

/** "2 days", "1 day", "3.1 days". */
export const daysText = (days: number) =>
  toTenths(days) === 1 ? '1 day' : `${toTenths(days)} days`

/** "Says 2 days, 14 people say 3.1". Undefined if neither is known. */
export function officeText(policy: Policy | null, actual: OfficeDays | null): string | undefined {
  const stated = policy && statedDays(policy)
  if (!actual) return policy ? policyText(policy) : undefined
  const { mean, ratings } = actual
  if (!policy) return `${ratings} people say they go in ${daysText(mean)} a week`
  const says =
    policy.mode === 'remote' || stated === null
      ? POLICY_MODE_NAMES[policy.mode].toLowerCase()
      : daysText(stated)
  return `Says ${says}, ${ratings} people say ${toTenths(mean)}`
}

/** "Says 2 days a week. 14 raters report 3.1". */
export function policyDifference(policy: Policy, { mean, ratings }: OfficeDays): string {
  const stated = statedDays(policy)
  const spent = `${ratings} raters report ${toTenths(mean)}`
  return stated === null
    ? `Doesn’t say how many days. ${spent}`
    : `Says ${daysText(stated)} a week. ${spent}`
}
