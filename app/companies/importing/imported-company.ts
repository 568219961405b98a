/** A company as a row of a file or the scraper. Spec §3 "Imported company". No I/O here. */

import { lengthOf, oneLine } from '#app/kit/writing/text.ts'
import { CATEGORY_MAX, COMPANY_NAME_MAX, DESCRIPTION_MAX } from '../edits/company-edit.ts'
import {
  type CompanyFacts,
  type CompanySize,
  FACT_FIELDS,
  FACT_NAMES,
  type FactField,
  factProblems,
  tidyFacts,
} from '../edits/company-facts.ts'
import { tidyWebsite, websiteProblem } from '../web-address.ts'

/** Defaults. Spec §5. */
export const UNKNOWN_COMPANY = 'Unknown Company'
export const OTHER_CATEGORY = 'Other'

export const IMPORT_FIELDS = [
  'name',
  'category',
  'website',
  'logo_url',
  'description',
  ...FACT_FIELDS,
] as const
export type ImportField = (typeof IMPORT_FIELDS)[number]

/** Unchecked. */
export type UncheckedCompany = { [Field in ImportField]?: unknown }

export interface ImportedCompany extends CompanyFacts {
  name: string
  category: string
  website: string | null
  logoUrl: string | null
  description: string | null
}

/** We don't even keep longer cells in memory. */
export const CELL_MAX = 10_000
export const LOGO_ADDRESS_MAX = 500

export const FIELD_NAMES: Record<ImportField, string> = {
  name: 'name',
  category: 'category',
  website: 'website',
  logo_url: 'logo address',
  description: 'description',
  ...(Object.fromEntries(
    FACT_FIELDS.map((field) => [field, FACT_NAMES[field].toLowerCase()]),
  ) as Record<FactField, string>),
  founded: 'year of founding',
}
const LENGTHS = {
  name: COMPANY_NAME_MAX,
  category: CATEGORY_MAX,
  description: DESCRIPTION_MAX,
} as const

/** Other titles, in files and from the scraper (Spec §3 "Scraper result"). */
const ALIASES: Record<string, ImportField> = {
  company: 'name',
  companyname: 'name',
  security: 'name',
  issuer: 'name',
  organisation: 'name',
  organization: 'name',
  employer: 'name',
  sector: 'category',
  industry: 'category',
  gicssector: 'category',
  url: 'website',
  homepage: 'website',
  companywebsite: 'website',
  logo: 'logo_url',
  about: 'description',
  firstsentence: 'description',
  othernames: 'aliases',
  alsoknownas: 'aliases',
  hq: 'headquarters',
  headquarter: 'headquarters',
  headquarterslocation: 'headquarters',
  city: 'headquarters',
  employees: 'size',
  companysize: 'size',
  sizerange: 'size',
  employeecount: 'size',
  numberofemployees: 'size',
  headcount: 'size',
  locality: 'headquarters',
  domain: 'website',
  companydomain: 'website',
  foundedin: 'founded',
  yearfounded: 'founded',
  symbol: 'ticker',
  tickersymbol: 'ticker',
  ...Object.fromEntries(
    IMPORT_FIELDS.map((field) => [field.replace('_', '').toLowerCase(), field]),
  ),
}

/** Recognises any spelling: "Company Name" is `name`. */
export const fieldOf = (title: string): ImportField | undefined => {
  const plain = title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  return Object.hasOwn(ALIASES, plain) ? ALIASES[plain] : undefined
}

/** Line breaks and tabs are layout. Other control characters and lone surrogates are damage. */
const CONTROLS = /(?![\n\r\t])\p{Cc}|\p{Cs}/u
/** Matches cells that need no cleaning, as most do. */
const PLAIN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/

/** Why a row is invalid, as a message for the sender. */
export class RowProblem extends Error {
  override name = 'RowProblem'
}

/** Fills in the defaults of Spec §5. @throws RowProblem */
export function checkedCompany(given: unknown, thisYear = LAST_YEAR): ImportedCompany {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new RowProblem('This row isn’t a company')
  const row = given as UncheckedCompany
  const texts = Object.fromEntries(
    IMPORT_FIELDS.map((field) => [field, textIn(row, field)]),
  ) as Record<ImportField, string>
  if (Object.values(texts).every((text) => text === '')) throw new RowProblem('This row is empty')
  return {
    name: texts.name || UNKNOWN_COMPANY,
    category: texts.category || OTHER_CATEGORY,
    description: texts.description || null,
    website: websiteIn(texts.website),
    logoUrl: logoIn(texts.logo_url),
    ...factsIn(texts, thisYear),
  }
}

/**
 * Names separated by semicolons, a country’s code, a size’s name and a year. cells.server.ts reads what files have
 * instead.
 */
function factsIn(texts: Record<ImportField, string>, thisYear: number): CompanyFacts {
  const facts = tidyFacts(
    {
      ...texts,
      aliases: texts.aliases.split(';'),
      country: texts.country || null,
      size: (texts.size || null) as CompanySize | null,
      founded: texts.founded === '' ? null : Number(texts.founded),
    },
    texts.name,
  )
  const problem = Object.values(factProblems(facts, thisYear)).find(Boolean)
  if (problem) throw new RowProblem(problem)
  return facts
}

/** The database's limit, because a constraint can't know the current year. */
export const LAST_YEAR = 2200

const isFact = (field: ImportField) => (FACT_FIELDS as readonly string[]).includes(field)

function textIn(row: UncheckedCompany, field: ImportField): string {
  const given = row[field] ?? ''
  const value = Number.isInteger(given) && isFact(field) ? String(given) : given
  const what = FIELD_NAMES[field]
  if (typeof value !== 'string') throw new RowProblem(`The ${what} must be text`)
  if (value.length > CELL_MAX)
    throw new RowProblem(`The ${what} has more than ${CELL_MAX.toLocaleString('en')} characters`)
  if (CONTROLS.test(value)) throw new RowProblem(`The ${what} contains a control character`)
  const text = PLAIN.test(value) ? value : oneLine(value)
  const max = field in LENGTHS ? LENGTHS[field as keyof typeof LENGTHS] : CELL_MAX
  if (lengthOf(text) > max) throw new RowProblem(`A ${what} can have at most ${max} characters`)
  return text
}

/** `javascript:`, `data:` and `mailto:`, but not "acme.com:80". */
const OTHER_SCHEME = /^(?!https?:)[a-z][a-z0-9+.-]*:(?!\d)/i

function websiteIn(text: string): string | null {
  if (OTHER_SCHEME.test(text))
    throw new RowProblem('The website must start with http:// or https://')
  const website = tidyWebsite(text.replace(/^\/\//, ''))
  const problem = websiteProblem(website, 'website')
  if (problem) throw new RowProblem(problem)
  // We store hosts in punycode, so each has one spelling.
  return website === null || PLAIN.test(website) ? website : limited(new URL(website).href)
}

function limited(website: string): string {
  const problem = websiteProblem(website, 'website')
  if (problem) throw new RowProblem(problem)
  return website
}

/** Checks only the syntax. The task that fetches the logo checks where the address leads. S19. */
function logoIn(text: string): string | null {
  if (text === '') return null
  if (text.length > LOGO_ADDRESS_MAX)
    throw new RowProblem(`The logo’s address can have at most ${LOGO_ADDRESS_MAX} characters`)
  if (OTHER_SCHEME.test(text))
    throw new RowProblem('The logo’s address must start with http:// or https://')
  const address = tidyWebsite(text.replace(/^\/\//, '')) ?? ''
  if (/\s/.test(address) || !URL.canParse(address))
    throw new RowProblem('This isn’t a valid logo address')
  const { protocol, username, password } = new URL(address)
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new RowProblem('The logo’s address must start with http:// or https://')
  if (username || password)
    throw new RowProblem('The logo’s address can’t contain a username or password')
  return address
}

/** Sites where many companies have a page, so the host doesn't identify one. */
const SHARED_SITES = [
  'bloomberg.com',
  'crunchbase.com',
  'facebook.com',
  'github.com',
  'glassdoor.com',
  'google.com',
  'indeed.com',
  'instagram.com',
  'linkedin.com',
  'tiktok.com',
  'tradingview.com',
  'twitter.com',
  'wikipedia.org',
  'x.com',
  'yahoo.com',
  'youtube.com',
]

/**
 * The host that identifies a company: in lower case and punycode, without "www.". Null without a
 * website, or for a page on a shared site.
 */
export function siteOf(website: string | null): string | null {
  if (website === null || !URL.canParse(website)) return null
  const { hostname, pathname } = new URL(website)
  const host = hostname.replace(/^www\./, '')
  const isSharedSite = SHARED_SITES.some((site) => host === site || host.endsWith(`.${site}`))
  return isSharedSite && pathname !== '/' ? null : host
}
