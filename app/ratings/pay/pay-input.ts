/** A year's pay, as people give it. Runs in the browser too: no I/O here. */
import { isCurrency, UNITS_PER_DOLLAR, UNKNOWN_CURRENCY } from '#app/kit/writing/currencies.ts'
import { isArea } from './areas.ts'
import { PAY_REFUSALS, type Pay, payYears } from './pay.ts'
import { TITLE_KEYS } from './titles.ts'

export interface PayInput extends Pay {
  year: number
  /** The person has confirmed that a small amount is for a year. */
  isYearly: boolean
}

const DOLLARS_MAX = 10_000_000
/** Below, it may be a month's. In dollars. */
const MONTHLY_BELOW = 15_000
/** Above, it's likely the whole grant. */
const EQUITY_TIMES_MAX = 10

/** The problem of each field. @param today a day */
export function payProblems(pay: PayInput, today: string) {
  const years = payYears(today)
  return {
    title: TITLE_KEYS.includes(pay.title) ? undefined : PAY_REFUSALS.chooseTitle,
    area: isArea(pay.area) ? undefined : PAY_REFUSALS.chooseArea,
    year: years.includes(pay.year)
      ? undefined
      : PAY_REFUSALS.year(years.at(-1) as number, years[0] as number),
    currency: isCurrency(pay.currency) ? undefined : UNKNOWN_CURRENCY,
    base: baseProblem(pay),
    bonus: partProblem(pay.bonus, pay),
    equity:
      partProblem(pay.equity, pay) ??
      (pay.equity > EQUITY_TIMES_MAX * pay.base ? PAY_REFUSALS.hugeEquity : undefined),
  }
}

const dollars = (amount: number, { currency }: Pay) =>
  amount / (UNITS_PER_DOLLAR[currency] ?? Number.POSITIVE_INFINITY)

function baseProblem(pay: PayInput) {
  const { base, currency, isYearly } = pay
  const problem = partProblem(base, pay)
  if (problem) return problem
  const isLittle = UNITS_PER_DOLLAR[currency] !== undefined && dollars(base, pay) < MONTHLY_BELOW
  if (isLittle && !isYearly && base > 0) return PAY_REFUSALS.isMonthly(base, currency)
  return base < 1_000 ? PAY_REFUSALS.tooLittle : undefined
}

function partProblem(amount: number, pay: Pay) {
  if (amount < 0) return PAY_REFUSALS.negative
  return dollars(amount, pay) > DOLLARS_MAX ? PAY_REFUSALS.nobody : undefined
}

/** What a proof is bound to. Browser and server must produce the same bytes. */
export interface PresentedPay {
  companyId: string
  quarter: string
  /** SHA-256 of the keys that find it, and that remove this version. base64url */
  holder: string
  removal: string
  /** Keys of the holder's entries of the same year at companies merged into this one. */
  mergedKeys: string[]
  pay: PayInput
  badge?: { domain: string } | undefined
  /** Rises with each change, so a recorded request can't restore an earlier entry. */
  version: number
}

export function payMessage({ companyId, quarter, pay, badge, ...said }: PresentedPay) {
  const { title, area, currency, base, bonus, equity, experience, year, isYearly } = pay
  const entry = [year, title, area, currency, base, bonus, equity, experience, isYearly]
  const { holder, removal, mergedKeys, version } = said
  const fields = [companyId, quarter, holder, removal, mergedKeys, entry, badge?.domain ?? null]
  return new TextEncoder().encode(JSON.stringify([...fields, version]))
}

/**
 * An amount as typed: "85,000", "85k", "85’000.50". The currency may stand beside it, if it's the chosen one.
 * @returns a sentence if it isn't one. Nothing typed is nothing
 */
export function amountIn(typed: string, currency: string): number | string {
  const text = typed.replaceAll(currency, '').replaceAll(currency.toLowerCase(), '').trim()
  if (text === '') return 0
  const [code = ''] = /[A-Za-z]{3}/.exec(text) ?? []
  const [sign = ''] = /[$€£¥₹]/.exec(text) ?? []
  if (isCurrency(code.toUpperCase()) || (sign && !SIGNS[sign]?.includes(currency)))
    return PAY_REFUSALS.oneCurrency
  const number = text.replace(sign, '').trim()
  const amount = amountOf(number.replace(/\s?k$/i, ''))
  if (amount === undefined) return PAY_REFUSALS.noAmount
  return /k$/i.test(number) ? amount * 1_000 : amount
}

const SIGNS: Record<string, string> = {
  $: 'USD CAD AUD NZD SGD HKD MXN TWD',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY CNY',
  '₹': 'INR',
}

/** A separator before one or two last digits is a decimal one, all others group. */
function amountOf(number: string) {
  const [, whole = '', cents = '0'] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(number) ?? []
  const digits = whole.replace(/[,.’' \u00a0\u202f]/g, '')
  return /^-?\d+$/.test(digits) ? Number(`${digits}.${cents}`) : undefined
}
