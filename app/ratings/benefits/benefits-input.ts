/** A year's benefits, as people give them. Runs in the browser too: no I/O here. */
import { PAY_REFUSALS, payYears } from '../pay/pay.ts'
import type { PresentedPay } from '../pay/pay-input.ts'
import { BENEFITS, BENEFITS_REFUSALS, type Benefits, DAYS_OFF_MAX, LEAVE_MAX } from './benefits.ts'

export interface BenefitsInput extends Benefits {
  year: number
}

/** The problem of each field. @param today a day */
export function benefitsProblems(given: BenefitsInput, today: string) {
  const years = payYears(today)
  return {
    year: years.includes(given.year)
      ? undefined
      : PAY_REFUSALS.year(years.at(-1) as number, years[0] as number),
    benefits: listProblem(given),
    leaveWeeks: isUpTo(given.leaveWeeks, LEAVE_MAX) ? undefined : BENEFITS_REFUSALS.leave,
    daysOff: isUpTo(given.daysOff, DAYS_OFF_MAX) ? undefined : BENEFITS_REFUSALS.daysOff,
  }
}

const isUpTo = (number: number | null, max: number) =>
  number === null || (number >= 0 && number <= max)

function listProblem({ has, uses, leaveWeeks, daysOff }: BenefitsInput) {
  if (has.length === 0 && leaveWeeks === null && daysOff === null) return BENEFITS_REFUSALS.nothing
  if (!isOnce(has) || !has.every((it) => BENEFITS.some(({ key }) => key === it)))
    return BENEFITS_REFUSALS.unknown
  return isOnce(uses) && uses.every((it) => has.includes(it)) ? undefined : BENEFITS_REFUSALS.notHad
}

const isOnce = (keys: string[]) => new Set(keys).size === keys.length

/** What a proof is bound to. Browser and server must produce the same bytes. */
export interface PresentedBenefits extends Omit<PresentedPay, 'pay' | 'badge'> {
  benefits: BenefitsInput
}

export function benefitsMessage({ companyId, quarter, benefits, ...said }: PresentedBenefits) {
  const { year, has, uses, leaveWeeks, daysOff } = benefits
  const { holder, removal, mergedKeys, version } = said
  const fields = [companyId, quarter, holder, removal, mergedKeys]
  return new TextEncoder().encode(
    JSON.stringify([...fields, [year, has, uses, leaveWeeks, daysOff], version]),
  )
}

/** A number as typed. @returns null for nothing, a sentence if it isn't one */
export function wholeIn(typed: string): number | null | string {
  const text = typed.trim()
  if (text === '') return null
  return /^\d{1,4}$/.test(text) ? Number(text) : BENEFITS_REFUSALS.noNumber
}
