/** A company as a row of a file or of the scraper gives it. Spec §3 "Imported company". No I/O here. */

import { cleanText } from '../../writing/text.ts'
import { CATEGORY_MAX, DESCRIPTION_MAX, NAME_MAX } from '../companies/edits/company-edit.ts'
import { tidyWebsite, websiteProblem } from '../companies/web-address.ts'

/** What a missing name and a missing category become. Spec §5. */
export const UNKNOWN_COMPANY = 'Unknown Company'
export const OTHER_CATEGORY = 'Other'

export const IMPORT_FIELDS = ['name', 'category', 'website', 'logo_url', 'description'] as const
export type ImportField = (typeof IMPORT_FIELDS)[number]

/** Nobody has looked at the values yet. */
export type GivenCompany = { [Field in ImportField]?: unknown }

export interface ImportedCompany {
  name: string
  category: string
  website: string | null
  logoUrl: string | null
  description: string | null
}

/** No cell that is meant for us is longer; what is longer is not even kept in memory. */
export const CELL_MAX = 10_000
export const LOGO_ADDRESS_MAX = 500

const FIELD_NAMES: Record<ImportField, string> = {
  name: 'name',
  category: 'category',
  website: 'website',
  logo_url: 'logo address',
  description: 'description',
}
const LENGTHS = { name: NAME_MAX, category: CATEGORY_MAX, description: DESCRIPTION_MAX } as const

/** What else these columns are called, in files and by the scraper (Spec §3 "Scraper result"). */
const ALIASES: Record<string, ImportField> = {
  company: 'name',
  companyname: 'name',
  sector: 'category',
  industry: 'category',
  url: 'website',
  homepage: 'website',
  companywebsite: 'website',
  logo: 'logo_url',
  about: 'description',
  firstsentence: 'description',
  ...Object.fromEntries(IMPORT_FIELDS.map((field) => [field.replace('_', ''), field])),
}

/** The field that a column or key means, in any case: "Company Name" is `name`. */
export const fieldOf = (title: string): ImportField | undefined => {
  const plain = title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  return Object.hasOwn(ALIASES, plain) ? ALIASES[plain] : undefined
}

/** Lines and tabs are only layout; other control characters, and halves of one, are damage. */
const CONTROLS = /(?![\n\r\t])\p{Cc}|\p{Cs}/u
/** Nothing to clean: most cells of most files. */
const PLAIN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/

/** What is wrong with a row, as a sentence for whoever sent it. */
export class RowProblem extends Error {
  override name = 'RowProblem'
}

/**
 * A row as it is kept, with the defaults of Spec §5.
 * @throws RowProblem
 */
export function checkedCompany(given: unknown): ImportedCompany {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new RowProblem('This row is not a company')
  const row = given as GivenCompany
  const text = (field: ImportField) => textIn(row, field)
  const [name, category, description] = [text('name'), text('category'), text('description')]
  const [website, logoUrl] = [text('website'), text('logo_url')]
  if (!name && !category && !description && !website && !logoUrl)
    throw new RowProblem('This row is empty')
  return {
    name: name || UNKNOWN_COMPANY,
    category: category || OTHER_CATEGORY,
    description: description || null,
    website: websiteIn(website),
    logoUrl: logoIn(logoUrl),
  }
}

function textIn(row: GivenCompany, field: ImportField): string {
  const value = row[field] ?? ''
  const what = FIELD_NAMES[field]
  if (typeof value !== 'string') throw new RowProblem(`The ${what} must be a text`)
  if (value.length > CELL_MAX)
    throw new RowProblem(`The ${what} has more than ${CELL_MAX.toLocaleString('en')} characters`)
  if (CONTROLS.test(value)) throw new RowProblem(`The ${what} holds a control character`)
  const text = PLAIN.test(value) ? value : cleanText(value).replace(/\s+/g, ' ').trim()
  const max = field in LENGTHS ? LENGTHS[field as keyof typeof LENGTHS] : CELL_MAX
  if (text.length > max) throw new RowProblem(`A ${what} has at most ${max} characters`)
  return text
}

/** `javascript:`, `data:` and `mailto:`, which are no names of hosts; "acme.com:80" is one. */
const OTHER_SCHEME = /^(?!https?:)[a-z][a-z0-9+.-]*:(?!\d)/i

function websiteIn(text: string): string | null {
  if (OTHER_SCHEME.test(text))
    throw new RowProblem('The website must begin with http:// or https://')
  const website = tidyWebsite(text)
  const problem = websiteProblem(website, 'website')
  if (problem) throw new RowProblem(problem)
  // Letters beyond ASCII are kept as the network writes them, so that a host has one spelling.
  return website === null || PLAIN.test(website) ? website : limited(new URL(website).href)
}

function limited(website: string): string {
  const problem = websiteProblem(website, 'website')
  if (problem) throw new RowProblem(problem)
  return website
}

/** Only its form: where it leads is looked at when it is fetched, by a job. Decision 19. */
function logoIn(text: string): string | null {
  if (text === '') return null
  if (text.length > LOGO_ADDRESS_MAX)
    throw new RowProblem(`The address of the logo has at most ${LOGO_ADDRESS_MAX} characters`)
  if (OTHER_SCHEME.test(text)) throw new RowProblem('The logo must begin with http:// or https://')
  const address = tidyWebsite(text.replace(/^\/\//, '')) ?? ''
  if (/\s/.test(address) || !URL.canParse(address))
    throw new RowProblem('This is not the address of a logo')
  const { protocol, username, password } = new URL(address)
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new RowProblem('The logo must begin with http:// or https://')
  if (username || password)
    throw new RowProblem('The address of the logo cannot hold a user name or password')
  return address
}

/** Sites where many companies have a page: behind their first page the host tells nothing. */
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
 * The host that tells a company from others: in lower case, without "www.", in punycode. Null where
 * there is no website, or one of a site on which many have a page.
 */
export function siteOf(website: string | null): string | null {
  if (website === null || !URL.canParse(website)) return null
  const { hostname, pathname } = new URL(website)
  const host = hostname.replace(/^www\./, '')
  const isShared = SHARED_SITES.some((site) => host === site || host.endsWith(`.${site}`))
  return isShared && pathname !== '/' ? null : host
}
