/** Reads a salary that a feed writes as one text: "60000 EUR", "€60,000 – €75,000 a year", "$25/hour". No I/O here. */

import { readNumber } from '#app/companies/importing/cells.server.ts'
import { RowProblem } from '#app/companies/importing/imported-company.ts'
import { isCurrency } from '#app/kit/writing/currencies.ts'
import { cutText } from '#app/kit/writing/text.ts'
import type { JobInput, SalaryPeriod } from '../job.ts'

const SIGNS: [RegExp, string][] = [
  [/€/, 'EUR'],
  [/£/, 'GBP'],
  [/₹/, 'INR'],
  [/₩/, 'KRW'],
  [/zł/i, 'PLN'],
  [/R\$/, 'BRL'],
  [/US\$|U\.S\. ?\$/i, 'USD'],
  [/CA\$|C\$/i, 'CAD'],
  [/A\$|AU\$/i, 'AUD'],
]
/** Whose dollars a plain "$" means, by where the job is. */
const DOLLARS: Record<string, string> = {
  US: 'USD',
  CA: 'CAD',
  AU: 'AUD',
  NZ: 'NZD',
  SG: 'SGD',
  HK: 'HKD',
}

const PERIODS: [RegExp, SalaryPeriod][] = [
  [/\b(?:hour(?:ly)?|hrs?|h|stunde|std)\b/i, 'hour'],
  [/\b(?:day|daily|tag)\b/i, 'day'],
  [/\b(?:week(?:ly)?|woche)\b/i, 'week'],
  [/\b(?:month(?:ly)?|mo|monat|mois)\b/i, 'month'],
  [/\b(?:year(?:ly)?|yr|annum|annual(?:ly)?|p\.?a|jahr)\b/i, 'year'],
]
/** Nobody works for less a year, so a smaller amount without a period is for something else. */
const YEARLY_MIN = 5_000

interface Known {
  /** The row's own, or ''. */
  currency: string
  /** ISO 3166-1, of the job's first location. */
  country: string | undefined
  period: SalaryPeriod | undefined
}

/** @param known what the row's other columns say @throws RowProblem */
export function readSalary(given: string, known: Known): JobInput['salary'] {
  const text = cutText(given.replace(/<[^<>]*>/g, ' '), 200)
  const found = [...text.matchAll(/\d[\d.,'’\u00a0\u202f ]*(?<=\d)(?: ?k\b)?/gi)].map(([it]) => it)
  // In "60–75k", both are thousands.
  const isThousands = /k$/i.test(found.at(-1) ?? '')
  const amounts = found.map((it) => readNumber(isThousands && !/k$/i.test(it) ? `${it}k` : it))
  const [minimum, maximum = minimum, third] = amounts
  const quoted = `“${cutText(given.trim(), 60)}”`
  if (minimum === undefined || maximum === undefined || third !== undefined)
    throw new RowProblem(`We can’t read the salary ${quoted}`)
  const currency = known.currency || currencyIn(text, known.country)
  if (currency === undefined)
    throw new RowProblem(`The salary ${quoted} doesn’t say its currency, such as EUR or USD`)
  const period = PERIODS.find(([words]) => words.test(text))?.[1] ?? known.period
  if (!period && maximum < YEARLY_MIN)
    throw new RowProblem(`The salary ${quoted} doesn’t say if it’s for a year, month or hour`)
  return { minimum, maximum, currency: currency.slice(0, 10), period: period ?? 'year' }
}

function currencyIn(text: string, country: string | undefined) {
  const codes = new Set((text.match(/(?<![A-Z])[A-Z]{3}(?![A-Z])/g) ?? []).filter(isCurrency))
  const [code, other] = codes
  if (code) return other ? undefined : code
  const sign = SIGNS.find(([sign]) => sign.test(text))?.[1]
  return sign ?? (text.includes('$') ? DOLLARS[country ?? ''] : undefined)
}
