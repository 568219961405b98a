/**
 * Reads what people write into tables: numbers, years, days, countries. We never guess what's ambiguous. The message
 * names both meanings, and someone can say which one counts.
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
  LAST_YEAR,
  RowProblem,
  type UncheckedCompany,
} from './imported-company.ts'
import { type Meanings, meant, UnclearProblem } from './unclear-cells.ts'

/** How tables and programs write "nothing", in small letters, without spaces, quotes, brackets and points. */
const BLANK_CELLS = new Set([
  ...['n/a', '#n/a', '#na', 'na', 'n/d', 's/o', 'none', 'null', 'nil', 'nan', '\\n', 'undefined'],
  ...['unknown', 'unspecified', 'undisclosed', 'tbd', 'tba', 'missing', 'blank', 'empty', 'nodata'],
  ...['notavailable', 'notapplicable', 'notspecified', 'notdisclosed', 'notknown', 'notprovided'],
  ...['notfound', 'keineangabe', '#ref!', '#value!', '#div/0!', '#name?', '#null!', '#num!'],
])
const BRACKETS_AND_SPACE = /[\s\p{Cf}<>()[\]{}"'.]/gu
const ONLY_SIGNS = /^[\s\p{P}\p{S}\p{Cf}]*$/u

/** "NA" alone can also be Namibia, or a ticker. */
export const isBlankCell = (text: string) =>
  ONLY_SIGNS.test(text) ||
  (!IS_NA.test(text) && BLANK_CELLS.has(text.toLowerCase().replace(BRACKETS_AND_SPACE, '')))
const IS_NA = /^\s*na\s*$/i

/** Others, such as "Unknown" and "!!!", can be names. */
const NO_NAME =
  /^(?:#?n\/a|null|none|nan|undefined|#(?:ref|value|name|null|num|div\/0)[!?]|[-–—.?…]*)$/i
const isBlankName = (name: unknown) => typeof name === 'string' && NO_NAME.test(name.trim())

/** Lists on the web have them behind a word: "Acme[1]". */
const FOOTNOTES = /(?<=\S)(?:\[(?:\d{1,3}|[a-z]|(?:note|nb) \d{1,3})\])+\s*$/i
const withoutFootnotes = (cell: unknown) =>
  typeof cell === 'string' ? cell.replace(FOOTNOTES, '') : cell

/** How to read cells. */
export interface CellSettings {
  /** Why we couldn't read a field's cell. */
  unread?: Partial<Record<string, string>>
  /** What cells mean that can be read in two ways. */
  meanings?: Meanings
  thisYear?: number
}

/** A company's row, without cells of optional columns that we can't read. @throws RowProblem */
export function readCompany(
  given: unknown,
  { unread = {}, meanings = {}, thisYear }: CellSettings = {},
): { company: ImportedCompany; omittedCells: OmittedCell[] } {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { company: checkedCompany(given, thisYear), omittedCells: [] }
  const row = given as UncheckedCompany
  const name = withoutFootnotes(row.name)
  const taken: UncheckedCompany = { name: isBlankName(name) ? '' : name }
  const omittedCells: OmittedCell[] = []
  if (unread.name) throw new RowProblem(unread.name)
  const orLeaveOut = (field: ImportField, read: () => void) => {
    try {
      read()
    } catch (error) {
      if (!(error instanceof RowProblem)) throw error
      delete taken[field]
      const unclear = error instanceof UnclearProblem ? { field, ...error.unclear } : undefined
      omittedCells.push({ field: FIELD_NAMES[field], reason: error.message, unclear })
    }
  }
  for (const field of OPTIONAL)
    orLeaveOut(field, () => {
      if (unread[field]) throw new RowProblem(unread[field])
      taken[field] = readCell(field, withoutFootnotes(row[field]), { meanings, thisYear })
    })
  try {
    return { company: checkedCompany(taken, thisYear), omittedCells }
  } catch (error) {
    if (!(error instanceof RowProblem)) throw error
    // Tries one field at a time, but only here, because most rows have nothing to leave out.
    for (const field of OPTIONAL)
      orLeaveOut(
        field,
        () => void checkedCompany({ name: 'Acme', [field]: taken[field] }, thisYear),
      )
  }
  const [first] = omittedCells
  if (first && Object.values(taken).every((value) => value == null || value === ''))
    throw new RowProblem(first.reason)
  return { company: checkedCompany(taken, thisYear), omittedCells }
}

const OPTIONAL = IMPORT_FIELDS.filter((field) => field !== 'name')

type Said = Omit<CellSettings, 'unread'>

function readCell(field: ImportField, value: unknown, said: Said): unknown {
  const { meanings = {} } = said
  if (Array.isArray(value)) return readList(field, value, said)
  if (typeof value === 'number' && FACT_FIELDS.some((fact) => fact === field)) {
    if (field === 'size') return sizeOf([value], String(value))
    return String(field === 'founded' ? Math.trunc(value) : value)
  }
  if (typeof value !== 'string') return value
  if (isBlankCell(value)) return ''
  if (IS_NA.test(value) && field === 'ticker')
    return meant('ticker', meanings, value.trim(), {
      ticker: { value, shown: 'a ticker' },
      nothing: NOT_AVAILABLE,
    })
  if (IS_NA.test(value) && field !== 'country') return ''
  const list = listIn(value)
  if (list) return readList(field, list, said)
  if (field === 'aliases') return value.replace(/[|\n]/g, ';')
  if (field === 'country') return readCountry(value, meanings)
  if (field === 'size') return readSize(value, meanings)
  if (field === 'founded') return String(readYear(value, said))
  return value
}

const NOT_AVAILABLE = { value: '', shown: '“not available”' }

function readList(field: ImportField, values: unknown[], said: Said): unknown {
  const given = values.filter((value) => value != null && value !== '')
  if (given.some((value) => typeof value === 'object'))
    throw new RowProblem(`The ${FIELD_NAMES[field]} must be text`)
  if (field === 'aliases') return given.join(';')
  if (given.length > 1) throw new RowProblem(`The ${FIELD_NAMES[field]} has several values`)
  return given.length === 0 ? '' : readCell(field, given[0], said)
}

/** A list in a cell, as programs write it: `["A", "B"]` or `['A', 'B']`. */
function listIn(cell: string): string[] | undefined {
  const [, inner] = /^\s*\[\s*(["'].*["'])\s*\]\s*$/s.exec(cell) ?? []
  return inner
    ?.slice(1, -1)
    .split(/["']\s*,\s*["']/)
    .map((text) => text.replace(/\\(["'\\])/g, '$1'))
}

const AROUND = /^(?:~|≈|<|>|c\.|ca\.?|circa|about|approx\.?|around|over|more than|up to)\s*/i
const GROUPS = /(?<=\d)[\s'’_\u00a0\u202f](?=\d{3}(?!\d))/g
const TIMES: Record<string, number> = { k: 1e3, m: 1e6, mn: 1e6, mio: 1e6, b: 1e9, bn: 1e9 }

/**
 * "1,234", "1.234,50", "1234.0", "~500", "1.2K". A point before three digits is unclear, because it separates
 * thousands in some countries and decimals in others.
 * @throws RowProblem
 */
export function readNumber(given: string, meanings: Meanings = {}): number {
  const text = given.normalize('NFKC').trim().replace(AROUND, '').replace(GROUPS, '')
  const [, digits = '', unit = ''] = /^([\d.,]+)\s*([a-z]*)$/i.exec(text) ?? []
  const times = unit === '' ? 1 : TIMES[unit.toLowerCase()]
  const [plain, other] = readingsOf(digits)
  if (plain === undefined || times === undefined)
    throw new RowProblem(`“${given.trim()}” isn’t a number`)
  if (other !== undefined && unit === '')
    return meant('point', meanings, given.trim(), {
      decimals: { value: plain, shown: plain.toLocaleString('en') },
      thousands: { value: other, shown: other.toLocaleString('en') },
    })
  return plain * times
}

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

const PEOPLE =
  / ?(?:full[- ]time )?(?:people|persons|employees?|staff|workers?|ftes?|headcount|mitarbeiter(?:innen)?|mitarbeitende|beschäftigte|employés|salariés|empleados|empregados|dipendenti|medewerkers)\.?$/i
const MORE_THAN = /^(?:>(?!=)|over|more than|above|über|mehr als|plus de|más de)\s*/i
const AT_LEAST = /^(?:≥|>=|at least|min(?:\.|imum)?|from|mindestens|ab)\s+|^(?:≥|>=)/i
const OR_MORE = / ?(?:\+|plus|or more|and (?:more|over|above|up)|oder mehr|und mehr)$/i
const LESS_THAN =
  /^(?:<(?!=)|under|below|less than|fewer than|unter|weniger als|moins de|menos de)\s*/i
const UP_TO = /^(?:≤|<=|up to|max(?:\.|imum)?|bis zu|jusqu['’]à)\s*/i
const RANGE = /^(\d[\d.,'’\s]{0,20}[km]?) ?(?:[-–—−]|\.{2,3}|to|bis|à) ?(\d[\d.,'’\s]{0,20}[km]?)$/i

/** A number of people, or a range: "11-50", "1K – 5K employees", "10,001+", "under 50". @throws RowProblem */
function readSize(given: string, meanings: Meanings): CompanySize {
  const text = given
    .normalize('NFKC')
    .trim()
    .replace(/ ?\((?:in |as of )?(?:19|20)\d\d\)$/i, '')
    .replace(PEOPLE, '')
  if (/^self[- ]employed$/i.test(text)) return sizeOf([1], text)
  const number = (pattern: RegExp) => readNumber(text.replace(pattern, ''), meanings)
  const [, from, to] = RANGE.exec(text) ?? []
  const people = given.trim()
  if (from && to) {
    if (/\d[km]$/i.test(to) && !/[km]$/i.test(from))
      throw new RowProblem(`“${people}” could begin at ${from} or at ${from}${to.at(-1)}`)
    const ends = [readNumber(from, meanings), readNumber(to, meanings)]
    return sizeOf(ends[0] === 0 ? [1, ...ends.slice(1)] : ends, people)
  }
  const more = Number.POSITIVE_INFINITY
  if (MORE_THAN.test(text)) return sizeOf([number(MORE_THAN) + 1, more], people)
  if (AT_LEAST.test(text)) return sizeOf([number(AT_LEAST), more], people)
  if (OR_MORE.test(text)) return sizeOf([number(OR_MORE), more], people)
  if (LESS_THAN.test(text)) return sizeOf([1, number(LESS_THAN) - 1], people)
  if (UP_TO.test(text)) return sizeOf([1, number(UP_TO)], people)
  return sizeOf([readNumber(text, meanings)], people)
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

/** Words that make it another year, or none. */
const NOT_IN =
  /^\W*[<>≤≥]|\b(?:before|after|until|pre|post|vor|nach|avant|après)\b|\d\s*b\.?\s?c\b/i

/** "’98", "98-12-31", "31.12.98", "12/31/05". In "03/04/05", any part could be the year. */
const SHORT_YEAR =
  /^(?:['’](\d\d)|(3[2-9]|[4-9]\d)[./-]\d{1,2}[./-]\d{1,2}|\d{1,2}[./-]\d{1,2}[./-](3[2-9]|[4-9]\d)|\d{1,2}\/(?:1[3-9]|2\d|3[01])\/(\d\d))$/

/**
 * "1998", "1998.0", "c. 1998", "1998-05-03", "03/05/1998"; the first year of "2013 (1888)". @throws RowProblem
 */
export function readYear(
  given: string,
  { meanings = {}, thisYear = LAST_YEAR }: Said = {},
): number {
  const text = given.trim()
  const plain = text.normalize('NFKC')
  const yearOf = (value: number) => ({ value, shown: String(value) })
  const short = SHORT_YEAR.exec(plain)?.slice(1).find(Boolean)
  if (short) {
    const later = thisYear - ((thisYear - Number(short)) % 100)
    return meant('century', meanings, text, { earlier: yearOf(later - 100), later: yearOf(later) })
  }
  const [outside = ''] = plain.split('(')
  const years = yearsIn(outside).length > 0 ? yearsIn(outside) : yearsIn(plain)
  const [first] = years
  if (first === undefined || NOT_IN.test(plain))
    throw new RowProblem(`“${text}” isn’t a year, such as 1998`)
  const [, decade] = /(\d{3}0)['’]?s\b/.exec(plain) ?? []
  const [, century = '', end = ''] = /(\d\d)\d\d[-–/](\d\d)(?![\d/-])/.exec(plain) ?? []
  const last = decade ? first + 9 : Number(end) > 12 ? Number(century + end) : years.at(-1)
  if (last === undefined || last === first) return first
  return meant('years', meanings, text, { first: yearOf(first), last: yearOf(last) })
}

const yearsIn = (text: string) =>
  [...text.matchAll(/(?<!\d)\d{4}(?!\d)/g)].map(([year]) => Number(year))

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

/** Names missing from the lists, with several codes if a name could mean several countries. */
const MORE_COUNTRIES: Record<string, string> = {
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  britain: 'GB',
  'us of a': 'US',
  'united kingdom of great britain and northern ireland': 'GB',
  'republic of ireland': 'IE',
  congo: 'CG',
  'congo republic': 'CG',
  'democratic peoples republic of korea': 'KP',
  'north korea': 'KP',
  'n korea': 'KP',
  'korea north': 'KP',
  dprk: 'KP',
  's korea': 'KR',
  'korea south': 'KR',
  rok: 'KR',
  한국: 'KR',
  'state of palestine': 'PS',
  'palestinian territory': 'PS',
  'occupied palestinian territory': 'PS',
  'west bank and gaza': 'PS',
  uae: 'AE',
  emirates: 'AE',
  ksa: 'SA',
  saudi: 'SA',
  kosovo: 'XK',
  'dr congo': 'CD',
  drc: 'CD',
  zaire: 'CD',
  prc: 'CN',
  'pr china': 'CN',
  'mainland china': 'CN',
  'republic of china': 'TW',
  'chinese taipei': 'TW',
  臺灣: 'TW',
  'hong kong sar': 'HK',
  'macao sar': 'MO',
  'macau sar': 'MO',
  roc: 'TW',
  fyrom: 'MK',
  'the former yugoslav republic of macedonia': 'MK',
  'swiss confederation': 'CH',
  'libyan arab jamahiriya': 'LY',
  'east timor': 'TL',
  vatican: 'VA',
  'saint kitts': 'KN',
  'saint vincent': 'VC',
  antigua: 'AG',
  trinidad: 'TT',
  bosnia: 'BA',
  'slovak republic': 'SK',
  'kyrgyz republic': 'KG',
  'hellenic republic': 'GR',
  'french republic': 'FR',
  'saint maarten': 'SX',
  'us virgin islands': 'VI',
  'virgin islands us': 'VI',
  usvi: 'VI',
  bvi: 'VG',
  falklands: 'FK',
  'lao pdr': 'LA',
  rsa: 'ZA',
  faroes: 'FO',
  caymans: 'KY',
  bharat: 'IN',
  aotearoa: 'NZ',
  burkina: 'BF',
  'sao tome': 'ST',
  'turks and caicos': 'TC',
  'cocos islands': 'CC',
  'saint barts': 'BL',
  svalbard: 'SJ',
  oesterreich: 'AT',
  korea: 'KR KP',
  'virgin islands': 'VG VI',
}

const ABBREVIATIONS: Record<string, string> = {
  st: 'saint',
  rep: 'republic',
  dem: 'democratic',
  fed: 'federation',
}
const SMALL_WORDS = new Set(['of', 'the', 'and'])

/** "Korea, Rep." and "Republic of Korea" have the same words. */
function nameKeyOf(name: string) {
  const words = foldText(name)
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    // "u s a" was "U.S.A."
    .replace(/(?<!\p{L})(\p{L}) (?=\p{L}(?!\p{L}))/gu, '$1')
    .split(' ')
  if (words.length === 1) return words.join(' ')
  return words
    .filter((word) => !SMALL_WORDS.has(word))
    .map((word) => (Object.hasOwn(ABBREVIATIONS, word) ? ABBREVIATIONS[word] : word))
    .join(' ')
}

/** In these languages, ICU has short names as well, such as "Bosnia". */
const LANGUAGES = 'en de fr es it pt nl sv da nb fi pl cs tr ru ja ko zh zh-Hant'.split(' ')

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
  for (const language of LANGUAGES)
    for (const style of ['long', 'short'] as const) {
      const names = new Intl.DisplayNames(language, { type: 'region', style })
      for (const { code } of countries()) {
        const name = names.of(code) ?? ''
        // Some are abbreviations, such as "É.-U." for the United States.
        if (!/^[a-z]{1,3}$/.test(nameKeyOf(name))) add(name, code)
      }
    }
  // A code, or a name that our pages show, means one country, even if it's also another's name elsewhere.
  for (const [code, code3] of Object.entries(countryNames.getAlpha2Codes())) {
    found.set(nameKeyOf(code), new Set([code]))
    found.set(nameKeyOf(code3), new Set([code]))
  }
  for (const { code, name } of countries()) found.set(nameKeyOf(name), new Set([code]))
  for (const [name, code] of Object.entries(MORE_COUNTRIES))
    found.set(nameKeyOf(name), new Set(code.split(' ')))
  codesByName = found
  return found
}

/** What may stand behind a country's name: "Venezuela, RB", "Egypt, Arab Republic of". */
const KIND =
  /^(?:(?:rb|rep|republic|kingdom|state|states|sts|federation|federated|federal|islamic|arab|plurinational|bolivarian|united|province|china|sar) ?)+$/
/** "Kingdom of Denmark". Those with a namesake are in the lists. */
const FORMAL =
  /^(?:\p{L}+ )*(?:republic|kingdom|state|commonwealth|principality|sultanate|duchy|federation) (?!(?:china|korea|congo)$|(?<=state )georgia$)(.+)$/u
/** Parts of China with their own code, as in "Hong Kong, China". */
const IN_CHINA = new Set(['HK', 'MO', 'TW'])

function codesOf(text: string): Set<string> | undefined {
  const codes = countryCodes()
  const key = nameKeyOf(text)
  // "Bolivia, Plurinational State of" and "Korea (Republic of)".
  const [, noun = '', kind = ''] = /^([^,(]+)[,(] ?([^)]+)\)?$/.exec(text) ?? []
  const known = codes.get(key) ?? codes.get(nameKeyOf(`${kind} ${noun}`))
  if (known) return known
  const parts = text.split(/[,(/|)]|\s[-–]\s/).flatMap((part) => part.trim() || [])
  const named = parts.length > 1 ? parts.map((part) => codes.get(nameKeyOf(part))) : []
  if (named.length > 0 && parts.every((part, i) => named[i] || KIND.test(nameKeyOf(part)))) {
    const all = new Set(named.flatMap((some) => [...(some ?? [])]))
    if ([...all].some((code) => IN_CHINA.has(code))) all.delete('CN')
    if (all.size > 0) return all
  }
  return codes.get(FORMAL.exec(key)?.[1] ?? '')
}

/** @returns ISO 3166-1, two letters @throws RowProblem for an unknown name, or one of several countries */
export function readCountry(given: string, meanings: Meanings = {}): string {
  const text = given.trim()
  if (IS_NA.test(text))
    return meant('country', meanings, text, {
      Namibia: { value: 'NA', shown: 'Namibia' },
      nothing: NOT_AVAILABLE,
    })
  const found = codesOf(text)
  const [first, second] = found ?? []
  if (!first) throw new RowProblem(`We don’t know the country “${text}”`)
  if (second)
    throw new RowProblem(`“${text}” could be ${[...(found ?? [])].map(countryName).join(' or ')}`)
  return first
}
