/** Facts about a company. Runs in the browser too: no I/O here. */
import { COUNTRY_CODES, countryName } from '#app/kit/writing/countries.ts'
import { lengthProblem, oneLine } from '#app/kit/writing/text.ts'

export const ALIASES_MAX = 10
export const ALIAS_MAX = 120
export const HEADQUARTERS_MAX = 80
export const TICKER_MAX = 20
export const LEGAL_FORM_MAX = 40
/** The oldest companies that still exist are from about then. */
const FOUNDED_LEAST = 500

/** Numbers of employees, in ranges that companies publish. */
export const COMPANY_SIZES = [
  '1-50',
  '51-200',
  '201-1000',
  '1001-5000',
  '5001-20000',
  '20001+',
] as const
export type CompanySize = (typeof COMPANY_SIZES)[number]
export const COMPANY_SIZE_NAMES: Record<CompanySize, string> = {
  '1-50': 'Up to 50 people',
  '51-200': '51 to 200 people',
  '201-1000': '201 to 1,000 people',
  '1001-5000': '1,001 to 5,000 people',
  '5001-20000': '5,001 to 20,000 people',
  '20001+': 'More than 20,000 people',
}

export interface CompanyFacts {
  /** Other names. Search finds them, too. */
  aliases: string[]
  /** Such as a city. */
  headquarters: string | null
  /** The headquarters' country: ISO 3166-1, two letters. */
  country: string | null
  size: CompanySize | null
  /** A year. */
  founded: number | null
  /** Stock exchange symbol. */
  ticker: string | null
  /** Such as GmbH, Inc. or plc. */
  legalForm: string | null
}
export type FactField = keyof CompanyFacts

export const NO_FACTS: CompanyFacts = {
  aliases: [],
  headquarters: null,
  country: null,
  size: null,
  founded: null,
  ticker: null,
  legalForm: null,
}

export const FACT_NAMES: Record<FactField, string> = {
  aliases: 'Other names',
  headquarters: 'Headquarters',
  country: 'Country',
  size: 'Size',
  founded: 'Founded',
  ticker: 'Ticker',
  legalForm: 'Legal form',
}
export const FACT_FIELDS = Object.keys(FACT_NAMES) as FactField[]

/** Removes invisible characters, extra spaces and duplicate names. */
export const tidyFacts = (facts: CompanyFacts, name: string): CompanyFacts => ({
  aliases: unlike(facts.aliases.map(oneLine), name),
  headquarters: oneLine(facts.headquarters ?? '') || null,
  country: facts.country || null,
  size: facts.size || null,
  founded: facts.founded,
  ticker: oneLine(facts.ticker ?? '').toUpperCase() || null,
  legalForm: oneLine(facts.legalForm ?? '') || null,
})

function unlike(aliases: string[], name: string): string[] {
  const known = new Set(['', name.toLowerCase()])
  return aliases.filter((alias) => {
    const isNew = !known.has(alias.toLowerCase())
    known.add(alias.toLowerCase())
    return isNew
  })
}

export type FactProblems = { [Field in FactField]?: string }

/** The problem of each given field. */
export function factProblems(facts: Partial<CompanyFacts>, thisYear: number): FactProblems {
  const { aliases = [], headquarters, country, size, founded, ticker, legalForm } = facts
  return {
    aliases:
      aliases.length > ALIASES_MAX
        ? `A company can have at most ${ALIASES_MAX} other names here`
        : aliases.map((alias) => lengthProblem(alias, ALIAS_MAX, 'name')).find(Boolean),
    headquarters: lengthProblem(headquarters ?? '', HEADQUARTERS_MAX, 'place'),
    country:
      country && !COUNTRY_CODES.includes(country) ? 'We don’t recognize this country' : undefined,
    size: size && !COMPANY_SIZES.includes(size) ? 'We don’t recognize this size' : undefined,
    founded:
      typeof founded !== 'number' ||
      (Number.isInteger(founded) && founded >= FOUNDED_LEAST && founded <= thisYear)
        ? undefined
        : 'The founding year must be a year, such as 1998',
    ticker: lengthProblem(ticker ?? '', TICKER_MAX, 'ticker'),
    legalForm: lengthProblem(legalForm ?? '', LEGAL_FORM_MAX, 'legal form'),
  }
}

/** How pages show a fact. Null if it's unknown. */
export function factText<Field extends FactField>(field: Field, facts: Pick<CompanyFacts, Field>) {
  const value: CompanyFacts[FactField] = facts[field]
  if (value === null) return null
  if (Array.isArray(value)) return value.join(', ') || null
  if (field === 'country') return countryName(String(value)) ?? String(value)
  if (field === 'size') return COMPANY_SIZE_NAMES[value as CompanySize]
  return String(value)
}

/** "Leuven, Belgium", or the known part. */
export const placeText = (facts: Pick<CompanyFacts, 'headquarters' | 'country'>) =>
  [factText('headquarters', facts), factText('country', facts)].filter(Boolean).join(', ') || null
