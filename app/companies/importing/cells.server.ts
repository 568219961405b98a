/**
 * Reads what people write into tables: numbers, years, days, countries. We never guess what's ambiguous. The message
 * names both meanings.
 */
import countryNames from 'i18n-iso-countries'
import { countries, countryName } from '#app/kit/writing/countries.ts'
import { foldText } from '#app/kit/writing/text.ts'
import { dayOf } from '#app/platform/days.server.ts'
import { COMPANY_SIZES, type CompanySize, FACT_FIELDS } from '../edits/company-facts.ts'
import type { OmittedCell } from './import-report.ts'
import {
  checkedCompany,
  FIELD_NAMES,
  IMPORT_FIELDS,
  type ImportedCompany,
  type ImportField,
  RowProblem,
  type UncheckedCompany,
} from './imported-company.ts'

/** How tables and programs write "nothing". */
const BLANK_CELLS = new Set([
  ...['', '-', '–', '—', '--', '?', '.', '…', 'n/a', '#n/a', '#na', 'n.a.', 'n. a.', 'none'],
  ...[
    'null',
    'nil',
    'nan',
    'undefined',
    'unknown',
    'tbd',
    'tba',
    'not available',
    'not applicable',
  ],
  ...['(none)', '(blank)', '<na>', '#ref!', '#value!'],
])
export const isBlankCell = (text: string) => BLANK_CELLS.has(text.trim().toLowerCase())

/** A company's row, without cells of optional columns that we can't read. @throws RowProblem */
export function readCompany(
  given: unknown,
  unread: Partial<Record<string, string>> = {},
): { company: ImportedCompany; omittedCells: OmittedCell[] } {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { company: checkedCompany(given), omittedCells: [] }
  const row = given as UncheckedCompany
  const taken: UncheckedCompany = { name: row.name }
  const omittedCells: OmittedCell[] = []
  if (unread.name) throw new RowProblem(unread.name)
  const orLeaveOut = (field: ImportField, read: () => void) => {
    try {
      read()
    } catch (error) {
      if (!(error instanceof RowProblem)) throw error
      delete taken[field]
      omittedCells.push({ field: FIELD_NAMES[field], reason: error.message })
    }
  }
  for (const field of OPTIONAL)
    orLeaveOut(field, () => {
      if (unread[field]) throw new RowProblem(unread[field])
      taken[field] = readCell(field, row[field])
    })
  try {
    return { company: checkedCompany(taken), omittedCells }
  } catch (error) {
    if (!(error instanceof RowProblem)) throw error
    // Tries one field at a time, but only here, because most rows have nothing to leave out.
    for (const field of OPTIONAL)
      orLeaveOut(field, () => void checkedCompany({ name: 'Acme', [field]: taken[field] }))
  }
  const [first] = omittedCells
  if (first && Object.values(taken).every((value) => value == null || value === ''))
    throw new RowProblem(first.reason)
  return { company: checkedCompany(taken), omittedCells }
}

const OPTIONAL = IMPORT_FIELDS.filter((field) => field !== 'name')

function readCell(field: ImportField, value: unknown): unknown {
  if (Array.isArray(value)) {
    const texts = value.filter((it) => typeof it === 'string')
    if (field === 'aliases') return texts.join(';')
    if (value.length > 1) throw new RowProblem(`The ${FIELD_NAMES[field]} has several values`)
    return readCell(field, value[0])
  }
  if (typeof value === 'number' && FACT_FIELDS.some((fact) => fact === field)) {
    if (field === 'size') return sizeOf([value], String(value))
    return String(field === 'founded' ? Math.trunc(value) : value)
  }
  if (typeof value !== 'string') return value
  if (isBlankCell(value)) return ''
  if (field === 'country') return readCountry(value)
  if (field === 'size') return readSize(value)
  if (field === 'founded') return String(readYear(value))
  return value
}

const AROUND = /^(?:~|≈|<|>|c\.|ca\.?|circa|about|approx\.?|around|over|more than|up to)\s*/i
const GROUPS = /(?<=\d)[\s'’_\u00a0\u202f](?=\d{3}(?!\d))/g
const TIMES: Record<string, number> = { k: 1e3, m: 1e6, mn: 1e6, mio: 1e6, b: 1e9, bn: 1e9 }

/**
 * "1,234", "1.234,50", "1234.0", "~500", "1.2K". We refuse a point before three digits, because it separates
 * thousands in some countries and decimals in others.
 * @throws RowProblem
 */
export function readNumber(given: string): number {
  const text = given.trim().replace(AROUND, '').replace(GROUPS, '')
  const [, digits = '', unit = ''] = /^([\d.,]+)\s*([a-z]*)$/i.exec(text) ?? []
  const times = unit === '' ? 1 : TIMES[unit.toLowerCase()]
  const [plain, other] = readingsOf(digits)
  if (plain === undefined || times === undefined)
    throw new RowProblem(`“${given.trim()}” isn’t a number`)
  if (other !== undefined && unit === '')
    throw new RowProblem(`“${given.trim()}” could be ${shown(plain)} or ${shown(other)}`)
  return plain * times
}

const shown = (value: number) => value.toLocaleString('en')

/** What the digits mean, and what else they could mean. */
function readingsOf(digits: string): [plain?: number, other?: number] {
  if (/^\d{1,12}$/.test(digits)) return [Number(digits)]
  for (const [grouped, group, point] of [
    [/^\d{1,3}(?:,\d{3})+(?:\.\d{1,6})?$/, ',', '.'],
    [/^\d{1,3}(?:\.\d{3})+(?:,\d{1,6})?$/, '.', ','],
  ] as const) {
    if (!grouped.test(digits)) continue
    const whole = Number(digits.replaceAll(group, '').replace(point, '.'))
    const isOpen = group === '.' && /^[1-9]\d{0,2}\.\d{3}$/.test(digits)
    if (!/^0/.test(digits)) return isOpen ? [Number(digits), whole] : [whole]
  }
  return /^\d{1,12}[.,]\d{1,6}$/.test(digits) ? [Number(digits.replace(',', '.'))] : []
}

/** A number of people, or a range: "11-50", "1,001 – 5,000 employees", "10,001+". @throws RowProblem */
function readSize(given: string): CompanySize {
  const text = given
    .trim()
    .replace(/ ?(?:people|persons|employees|staff|workers|ftes?)\.?$/i, '')
    .replace(AROUND, '')
  const [, from, to] = /^([\d.,]{1,15}) ?(?:-|–|—|to|bis) ?([\d.,]{1,15})$/i.exec(text) ?? []
  const isOpen = /\+$/.test(text) && !from
  const ends = from && to ? [from, to] : [text.replace(/ ?\+$/, '')]
  return sizeOf(
    [...ends.map(readNumber), ...(isOpen ? [Number.POSITIVE_INFINITY] : [])],
    given.trim(),
  )
}

/** The size that covers this range of people. @throws RowProblem */
function sizeOf(numbers: number[], given: string): CompanySize {
  const size = COMPANY_SIZES.find((each) => {
    const [from = 0, to = 0] = each.split(/[-+]/).map(Number)
    return numbers.every((n) => Math.trunc(n) >= from && (to === 0 || Math.trunc(n) <= to))
  })
  if (!size)
    throw new RowProblem(
      `“${given}” doesn’t fit into one of our sizes: ${COMPANY_SIZES.join(', ')}`,
    )
  return size
}

/** "1998", "1998.0", "c. 1998", "1998-05-03", "03/05/1998"; the first year of "2013 (1888)". @throws RowProblem */
export function readYear(given: string): number {
  const text = given.trim()
  const years = [...text.matchAll(/(?<!\d)\d{4}(?!\d)/g)].map(([year]) => Number(year))
  const [first, second] = new Set(years)
  if (first === undefined) throw new RowProblem(`“${text}” isn’t a year, such as 1998`)
  if (second !== undefined && !/^\D*\d{4}\s*\(/.test(text))
    throw new RowProblem(`“${text}” could be ${first} or ${second}`)
  return first
}

/**
 * The day of a date or timestamp: ISO 8601, RFC 822, "20 November 2026", "20.11.2026" or "11/20/2026" where it can be no
 * other day.
 * @returns such as 2026-11-20 @throws RowProblem
 */
export function readDay(given: string): string {
  const text = given.trim()
  const [, iso] = /^(\d{4}-\d\d-\d\d)(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/.exec(text) ?? []
  if (iso) return calendarDay(iso, text)
  const [, a = '', b = '', year = ''] = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/.exec(text) ?? []
  if (year) {
    const [one, other] = [dayIn(year, b, a), dayIn(year, a, b)]
    if (Number(a) <= 12 && Number(b) <= 12 && one !== other)
      throw new RowProblem(`“${text}” could be ${one} or ${other}`)
    return calendarDay(Number(b) <= 12 ? one : other, text)
  }
  const { day, month, inYear } = (DAY_FIRST.exec(text) ?? MONTH_FIRST.exec(text))?.groups ?? {}
  const number = MONTHS.indexOf((month ?? '').slice(0, 3).toLowerCase()) + 1
  if (!day || !number) throw notADay(text)
  return calendarDay(dayIn(inYear, String(number), day), text)
}

const DAY_FIRST =
  /^(?:[a-z]{3,9},? )?(?<day>\d{1,2})(?:st|nd|rd|th)?\.? (?<month>[a-z]{3,9})\.?,? (?<inYear>\d{4})(?: [\d:.]+(?: ?(?:[a-z]{1,4}|[+-]\d{4}))?)?$/i
const MONTH_FIRST = /^(?<month>[a-z]{3,9})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<inYear>\d{4})$/i

const dayIn = (year = '', month = '', day = '') =>
  [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-')

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const notADay = (text: string) => new RowProblem(`“${text}” isn’t a date, such as 2026-03-14`)

function calendarDay(day: string, text: string): string {
  const parsed = Date.parse(day)
  // JavaScript reads 30 February as another day.
  if (Number.isNaN(parsed) || dayOf(new Date(parsed)) !== day) throw notADay(text)
  return day
}

/** Names missing from the package, with several codes if a name could mean several countries. */
const MORE_COUNTRIES: Record<string, string> = {
  'u k': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  britain: 'GB',
  'u s': 'US',
  'united kingdom of great britain and northern ireland': 'GB',
  'republic of ireland': 'IE',
  congo: 'CG',
  'democratic peoples republic of korea': 'KP',
  'state of palestine': 'PS',
  uae: 'AE',
  kosovo: 'XK',
  'dr congo': 'CD',
  drc: 'CD',
  korea: 'KR KP',
  'virgin islands': 'VG VI',
}

const nameKeyOf = (name: string) =>
  foldText(name)
    .replace(/['’]/g, '')
    .replaceAll('&', ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the | the$/g, '')

let codesByName: Map<string, Set<string>> | undefined

/** Countries' names in many languages, as programs, lists and people write them. */
function countryCodes() {
  if (codesByName) return codesByName
  const found = new Map<string, Set<string>>()
  const add = (name: string, code: string) => {
    const key = nameKeyOf(name)
    // Some languages' vowels are marks, and nothing tells the rest apart.
    if (key.length > 1) found.set(key, (found.get(key) ?? new Set()).add(code))
  }
  for (const language of countryNames.getSupportedLanguages())
    for (const [code, names] of Object.entries(countryNames.getNames(language, { select: 'all' })))
      for (const name of names) add(name, code)
  // A code, or a name that our pages show, means one country, even if it's also another's name elsewhere.
  for (const [code, code3] of Object.entries(countryNames.getAlpha2Codes())) {
    found.set(nameKeyOf(code), new Set([code]))
    found.set(nameKeyOf(code3), new Set([code]))
  }
  for (const { code, name } of countries()) found.set(nameKeyOf(name), new Set([code]))
  for (const [name, code] of Object.entries(MORE_COUNTRIES))
    found.set(name, new Set(code.split(' ')))
  codesByName = found
  return found
}

/** @returns ISO 3166-1, two letters @throws RowProblem for an unknown name, or one of several countries */
export function readCountry(given: string): string {
  const text = given.trim()
  if (/^na$/i.test(text)) throw new RowProblem('“NA” could be Namibia or “not available”')
  const key = nameKeyOf(text)
  // "Bolivia, Plurinational State of" and "Korea (Republic of)".
  const [, noun = '', kind = ''] = /^([^,(]+)[,(] ?([^)]+)\)?$/.exec(text) ?? []
  const codes = countryCodes()
  const found =
    codes.get(key) ??
    codes.get(nameKeyOf(`${kind} ${noun}`)) ??
    (kind ? codes.get(nameKeyOf(noun)) : undefined)
  const [first, second] = found ?? []
  if (!first) throw new RowProblem(`We don’t know the country “${text}”`)
  if (second)
    throw new RowProblem(`“${text}” could be ${[...(found ?? [])].map(countryName).join(' or ')}`)
  return first
}
