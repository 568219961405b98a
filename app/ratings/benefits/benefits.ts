/** What people get besides pay: given once per person, company and year, shown only as shares and medians. No I/O here. */
import { slugOf } from '#app/kit/writing/text.ts'

/** How many people's entries a share needs, and a median. */
export const SHARES_MIN = 5
export const MEDIAN_MIN = 10
export const LEAVE_MAX = 160
export const DAYS_OFF_MAX = 80
/** Longer than any benefit's key. */
export const KEY_MAX = 40

export interface Benefit {
  key: string
  name: string
}

/** A benefit is kept by its name, so a new name is another benefit. */
const GROUPS = `
Time: Flexible hours, Four-day week, Part-time on request, Overtime paid or taken off, Extra days off to buy, Sabbatical, Paid sick days, Paid days for volunteering
Family: Paid parental leave, Days off for a sick child, Leave to care for relatives, Childcare place, Childcare allowance
Health: Health insurance, Dental insurance, Glasses or eye tests, Mental health support, Health check-ups, Gym or sports, Disability insurance, Life insurance
Money: Company pension, Shares or options, Holiday or 13th month pay, Staff discount, Meal vouchers, Moving costs, Savings plan
Place and travel: Working from home, Working from abroad, Home office allowance, Public transport ticket, Bike to lease, Company car, Free parking
At work: Meals or a canteen, Free drinks and fruit, Dogs welcome, Company phone for private use, Choice of computer
Learning: Training budget, Paid time to study, Language courses, Conferences, Mentoring
`

export const BENEFIT_GROUPS: readonly { name: string; benefits: Benefit[] }[] =
  /* @__PURE__ */ GROUPS.trim()
    .split('\n')
    .map((line) => {
      const [name = '', list = ''] = line.split(': ')
      return { name, benefits: list.split(', ').map((name) => ({ key: slugOf(name), name })) }
    })
export const BENEFITS: readonly Benefit[] = /* @__PURE__ */ BENEFIT_GROUPS.flatMap(
  ({ benefits }) => benefits,
)

/** A year's benefits as they're sent and kept. */
export interface Benefits {
  /** Keys of benefits. */
  has: string[]
  /** Some of `has`. */
  uses: string[]
  /** Paid parental leave. Null if unknown. */
  leaveWeeks: number | null
  /** Paid, a year. Null if unknown. */
  daysOff: number | null
}

/** Told to those whose entry has just arrived, or gone. */
export const BENEFITS_PENDING =
  'Shares change with the next update that has at least five people’s changes, so no one can tell when you gave yours.'

/** Names an entry: the context of its proof, what finds it again, and where the browser keeps it. */
export const benefitsSubject = (companyId: string, year: number) => `benefits:${companyId}:${year}`

export const BENEFITS_REFUSALS = {
  notFound: 'You haven’t given your benefits at this company for this year',
  invalidProof: 'This entry’s proof isn’t valid, or it has expired',
  merged: 'This company is now part of another one. Please give your benefits there.',
  unknown: 'Choose benefits from the list',
  notHad: 'You can only use a benefit that you have',
  nothing: 'Choose at least one benefit, or write one of the two numbers',
  noNumber: 'Write a whole number such as 25',
  leave: `Paid parental leave is ${LEAVE_MAX} weeks at most. Give weeks, not days.`,
  daysOff: `Paid days off are ${DAYS_OFF_MAX} a year at most. Give working days, not hours.`,
} as const
