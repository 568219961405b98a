/** What people are paid: given once per person, company and year, and shown only as numbers of many. No I/O here. */
import { amountText } from '#app/kit/writing/currencies.ts'

/** How many entries, of different people, a number needs. */
export const PAY_MIN = 10
/** Numbers change only with at least this many people's entries. */
export const PAY_BATCH = 5
/** Longer than any title's key or what people type for one. */
export const TITLE_MAX = 60
/** How many numbers one answer has. */
export const CELLS_MAX = 200
/** Of this year, and as many before it. */
const EARLIER_YEARS = 4

export const EXPERIENCE = ['0-1', '2-4', '5-9', '10-19', '20+'] as const
export type Experience = (typeof EXPERIENCE)[number]

export const MEASURES = ['total', 'base', 'bonus', 'equity'] as const
export type Measure = (typeof MEASURES)[number]
export const MEASURE_NAMES: Record<Measure, string> = {
  total: 'Total',
  base: 'Base salary',
  bonus: 'Bonus',
  equity: 'Equity',
}

/** A year's pay as it's sent and kept. */
export interface Pay {
  /** The title's family. */
  title: string
  area: string
  currency: string
  base: number
  bonus: number
  equity: number
  experience: Experience
}

/** Told to those whose entry has just arrived, or gone. */
export const PAY_PENDING =
  'Numbers only change once at least five people’s changes are in, so no one can tell when you gave yours.'

/** Names an entry: the context of its proof, what finds it again, and where the browser keeps it. */
export type PaySubject = `pay:${string}:${number}`
export const paySubject = (companyId: string, year: number): PaySubject =>
  `pay:${companyId}:${year}`
export const yearOf = (subject: string) => Number(subject.split(':')[2])

export const PAY_REFUSALS = {
  notFound: 'You haven’t given your pay at this company for this year',
  invalidProof: 'This entry’s proof isn’t valid, or it has expired',
  merged: 'This company is now part of another one. Please give your pay there.',
  chooseTitle: 'Choose the nearest title from the list',
  chooseArea: 'Choose a place from the list',
  oneCurrency: 'Give all amounts in one currency',
  noAmount: 'Write an amount such as 85,000',
  nobody: 'That’s more than anyone is paid. Check the amount and the currency.',
  tooLittle: 'A year’s base salary is at least 1,000',
  negative: 'An amount can’t be negative',
  hugeEquity:
    'That’s a lot of equity for this salary. Give what it’s worth in one year, not the whole grant.',
  isMonthly: (base: number, currency: string) =>
    `Is ${amountText(base, currency)} a month? Give what you get in a year.`,
  year: (from: number, to: number) => `Choose a year from ${from} to ${to}`,
} as const

/** The newest first. @param today a day */
export const payYears = (today: string) =>
  Array.from({ length: EARLIER_YEARS + 1 }, (_, ago) => Number(today.slice(0, 4)) - ago)

/** To the nearest 1,000, which is all that's kept. */
export const coarse = (amount: number) => Math.round(amount / 1_000) * 1_000
