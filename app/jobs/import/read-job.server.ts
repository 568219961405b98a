/** Reads a row of a file or feed of jobs. No I/O here. */
import { convert } from 'html-to-text'
import {
  isBlankCell,
  readCountry,
  readDay,
  readNumber,
} from '#app/companies/importing/cells.server.ts'
import type { FileTable } from '#app/companies/importing/file-rows.server.ts'
import { RowProblem } from '#app/companies/importing/imported-company.ts'
import { countryCodeOf } from '#app/kit/writing/countries.ts'
import { cutText } from '#app/kit/writing/text.ts'
import { DAY_MS, dayOf } from '#app/platform/days.server.ts'
import {
  EMPLOYMENT_TYPES,
  JOB_DESCRIPTION_MAX,
  JOB_OPEN_DAYS,
  type JobInput,
  REMOTE_POLICIES,
  SALARY_PERIODS,
  SENIORITIES,
} from '../job.ts'
import { readSalary } from './read-salary.server.ts'

const JOB_IMPORT_FIELDS = [
  'company',
  'title',
  'description',
  'city',
  'country',
  'remote_policy',
  'hybrid_days',
  'remote_regions',
  'employment_type',
  'seniority',
  'salary_min',
  'salary_max',
  'salary_currency',
  'salary_period',
  'salary',
  'tags',
  'apply_link',
  'apply_email',
  'posted_date',
  'valid_through',
  'id',
] as const
type JobImportField = (typeof JOB_IMPORT_FIELDS)[number]
type GivenJob = { [Field in JobImportField]?: unknown }

/** What schema.org's JobPosting and other sites' feeds call them. */
const OTHER_NAMES: Partial<Record<JobImportField, string>> = {
  company: 'hiringorganization companyname employer',
  title: 'jobtitle name position',
  description: 'jobdescription body content summary',
  city: 'joblocation location',
  remote_policy: 'joblocationtype remotetype',
  remote_regions: 'applicantlocationrequirements',
  employment_type: 'jobtype contracttype',
  salary: 'basesalary compensation salaryrange',
  apply_link: 'url link applyurl applicationurl',
  apply_email: 'email',
  posted_date: 'dateposted date pubdate published',
  valid_through: 'expirationdate expires',
  id: 'identifier referencenumber reference requisitionid jobid guid',
}

const plainTitle = (title: string) => title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

const FIELD_BY_NAME = new Map<string, JobImportField>([
  ...Object.entries(OTHER_NAMES).flatMap(([field, names]) =>
    names.split(' ').map((name) => [name, field as JobImportField] as const),
  ),
  ...JOB_IMPORT_FIELDS.map((field) => [plainTitle(field), field] as const),
])
/** In any spelling: "Salary Min" is `salary_min`. */
const fieldOf = (title: string) => FIELD_BY_NAME.get(plainTitle(title))

/** Column or key names of a file or feed. */
export const JOB_TABLE: FileTable = {
  fieldOf,
  /** Our own name wins over another one for the same column, and otherwise the first does. */
  fieldsOf(titles: string[]) {
    const fields = titles.map(fieldOf)
    const isOwn = (i: number) => plainTitle(fields[i] ?? '') === plainTitle(titles[i] ?? '')
    return fields.map((field, i) => {
      const same = fields.flatMap((other, n) => (other === field ? [n] : []))
      return i === (same.find(isOwn) ?? same[0]) || isOwn(i) ? field : undefined
    })
  },
  needs: ['title'],
  howToBegin: `The first row must name the columns: ${JOB_IMPORT_FIELDS.join(', ')}`,
  /** Lists of schema.org wrap their items, and can have other things than jobs in them. */
  rowIn(value) {
    const { item, title } = value as { item?: unknown; title?: unknown }
    const row = typeof item === 'object' && item !== null && title === undefined ? item : value
    const types = [(row as { '@type'?: unknown })['@type'] ?? 'JobPosting'].flat()
    return types.some((type) => /JobPosting$/.test(String(type))) ? row : undefined
  },
  // Twice the limit, so a text that's too long gets that rule's message.
  cellMax: 2 * JOB_DESCRIPTION_MAX,
}

export interface ImportedJob {
  /** Name, slug or website, or ''. */
  company: string
  /** The file's or feed's id, or ''. */
  feedId: string
  input: JobInput
  posted: string
  validThrough: string
}

/** What makes two rows without ids the same job to a reader. */
export const contentOf = ({ title, places, remotePolicy, employmentType, apply }: JobInput) =>
  JSON.stringify([title, places, remotePolicy, employmentType, apply])

/** Older postings mean an outdated file. */
const POSTED_DAYS_MAX = 730

/**
 * @param today such as 2026-03-14 @param isListed the feed is read every day, so a job without a last day is open for as
 * long as it's in there @throws RowProblem
 */
export function readJob(given: unknown, today: string, isListed = false): ImportedJob {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new RowProblem('This row isn’t a job')
  const row = flatJob(given as GivenJob)
  const text = (field: JobImportField) => textIn(row, field)
  if (JOB_IMPORT_FIELDS.every((field) => text(field) === ''))
    throw new RowProblem('This row is empty')
  const places = locationsIn(text('city'), text('country'))
  const period = oneOf(SALARY_PERIODS, row, 'salary_period', 'year', PERIODS)
  const hasAmounts = text('salary_min') !== '' || text('salary_max') !== ''
  const link = text('apply_link') || null
  return {
    company: decoded(text('company')),
    feedId: text('id'),
    input: {
      title: decoded(text('title')),
      description: markdownOf(text('description')),
      places,
      remotePolicy: oneOf(REMOTE_POLICIES, row, 'remote_policy', 'on-site', POLICIES),
      hybridDays: text('hybrid_days') === '' ? null : Number(text('hybrid_days')),
      remoteRegions: listIn(text('remote_regions')).map(regionOf),
      employmentType: oneOf(EMPLOYMENT_TYPES, row, 'employment_type', 'full-time', TYPES),
      seniority: text('seniority') === '' ? null : oneOf(SENIORITIES, row, 'seniority', 'mid'),
      salary:
        !hasAmounts && text('salary') !== ''
          ? readSalary(text('salary'), {
              currency: text('salary_currency'),
              country: places[0]?.country,
              period: text('salary_period') === '' ? undefined : period,
            })
          : {
              minimum: amountIn(row, 'salary_min'),
              maximum: amountIn(row, 'salary_max'),
              currency: text('salary_currency').slice(0, 10),
              period,
            },
      tags: listIn(text('tags')),
      // Feeds give an address for questions next to the page.
      apply: { link, email: link ? null : text('apply_email') || null },
    },
    ...daysIn(text('posted_date'), text('valid_through'), today, isListed),
  }
}

/** What names the job in its feed, even if we can't read the rest: its id and link, or ''. */
export function jobNamesIn(given: unknown) {
  const nameIn = (field: 'id' | 'apply_link') => {
    try {
      return textIn(flatJob(given as GivenJob), field)
    } catch {
      return ''
    }
  }
  return { feedId: nameIn('id'), link: nameIn('apply_link') }
}

/** What schema.org's JobPosting nests. */
function flatJob(row: GivenJob): GivenJob {
  const part = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => part(each, key))
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)[key]
      : undefined
  }
  const inside = (value: unknown, key: string): unknown =>
    Array.isArray(value) ? value.map((each) => inside(each, key)) : (part(value, key) ?? value)
  const address = part(row.city, 'address')
  const pay = row.salary
  const amount = part(pay, 'value') ?? pay
  const isNested = typeof pay === 'object' && pay !== null
  const single = isNested ? inside(amount, 'value') : undefined
  return {
    ...row,
    company: inside(row.company, 'name'),
    id: inside(row.id, 'value'),
    city:
      part(address, 'addressLocality') ??
      (typeof address === 'string' ? address : inside(row.city, 'name')),
    country: inside(part(address, 'addressCountry'), 'name') ?? row.country,
    remote_regions: inside(row.remote_regions, 'name'),
    salary: isNested ? undefined : pay,
    salary_min: part(amount, 'minValue') ?? single ?? row.salary_min,
    salary_max: part(amount, 'maxValue') ?? single ?? row.salary_max,
    salary_currency: part(pay, 'currency') ?? row.salary_currency,
    salary_period: part(amount, 'unitText') ?? part(amount, 'unitCode') ?? row.salary_period,
  }
}

const HTML = /<\/?(?:p|br|ul|ol|li|div|span|b|strong|i|em|h[1-6]|a|table)(?:\s[^<>]*)?\/?>/i
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/i
/** Deeper markup is an attack. */
const HTML_DEPTH_MAX = 100

/** Feeds write HTML, some of them escaped. We keep its paragraphs and lists, and drop its scripts and links. */
function markdownOf(text: string): string {
  const isEscaped = !HTML.test(text) && HTML.test(unescaped(text))
  return htmlText(isEscaped ? unescaped(text) : text)
}

const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

/** "R&amp;D" is R&D. */
const decoded = (line: string) => (ENTITY.test(line) ? htmlText(line) : line)

function htmlText(text: string): string {
  const isHtml = HTML.test(text)
  if (!isHtml && !ENTITY.test(text)) return text
  return convert(text, {
    wordwrap: false,
    preserveNewlines: !isHtml,
    limits: { maxDepth: HTML_DEPTH_MAX },
    selectors: [
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'img', format: 'skip' },
      { selector: 'ul', options: { itemPrefix: '- ' } },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
    ],
  })
}

function textIn(row: GivenJob, field: JobImportField): string {
  const value = row[field] ?? ''
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.join(';')
  if (typeof value !== 'string') throw new RowProblem(`The ${field} must be text`)
  return isBlankCell(value) ? '' : value.trim()
}

const listIn = (text: string) =>
  text
    .split(/[;|,]/)
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** "Berlin;Paris" with "DE;FR", or with one country for all; "Berlin, Germany". The rules refuse unknown ones. */
function locationsIn(cities: string, countries: string) {
  const parts = (text: string) => (text === '' ? [] : text.split(/[;|]/).map((part) => part.trim()))
  const names = parts(cities)
  const codes = parts(countries).map(codeOf)
  if (codes.length > 1 && codes.length !== names.length)
    throw new RowProblem('Each city needs its country')
  // A country alone isn't a location. Only a remote job may have none.
  return names.map((name, i) => {
    const [, city = '', words = ''] = /^(.+), *([^,]+)$/.exec(name) ?? []
    return codes.length === 0 && city !== ''
      ? { city, country: readCountry(words) }
      : { city: name, country: codes[i] ?? codes[0] ?? '' }
  })
}

const codeOf = (words: string) => (words === '' ? '' : readCountry(words))
/** A continent, too. */
const regionOf = (words: string) => countryCodeOf(words) ?? cutText(words, 40)

/** Other words for them, schema.org's among them. */
const TYPES: Record<string, (typeof EMPLOYMENT_TYPES)[number]> = {
  // Says nothing about the hours, like an empty cell.
  permanent: 'full-time',
  contractor: 'contract',
  freelance: 'contract',
  perdiem: 'temporary',
  temp: 'temporary',
  seasonal: 'temporary',
  intern: 'internship',
}
const PERIODS: Record<string, (typeof SALARY_PERIODS)[number]> = {
  ...{ annual: 'year', annually: 'year', yearly: 'year', peryear: 'year', pa: 'year' },
  ...{ monthly: 'month', permonth: 'month', weekly: 'week', perweek: 'week' },
  ...{ daily: 'day', perday: 'day', hourly: 'hour', perhour: 'hour' },
  // Codes of the UN, which schema.org allows.
  ...{ ann: 'year', mon: 'month', wee: 'week', hur: 'hour' },
}
const POLICIES: Record<string, (typeof REMOTE_POLICIES)[number]> = {
  telecommute: 'remote',
  fullyremote: 'remote',
  hybridremote: 'hybrid',
}

/** "Full Time" and "FULL_TIME" are full-time. The first of several counts. */
function oneOf<Known extends string>(
  known: readonly Known[],
  row: GivenJob,
  field: JobImportField,
  defaultValue: Known,
  others: Record<string, Known> = {},
): Known {
  const text = textIn(row, field)
  if (text === '') return defaultValue
  const plain = plainTitle(text.split(/[;|,]/)[0] ?? '')
  const found = known.find((each) => plainTitle(each) === plain) ?? others[plain]
  if (!found) throw new RowProblem(`The ${field} must be one of ${known.join(', ')}`)
  return found
}

function amountIn(row: GivenJob, field: 'salary_min' | 'salary_max'): number | null {
  const value = row[field]
  if (typeof value === 'number') return value
  const text = textIn(row, field)
  return text === '' ? null : readNumber(text)
}

/** A job whose last day has passed. */
export class ExpiredJob extends RowProblem {}

function daysIn(posted: string, validThrough: string, today: string, isListed: boolean) {
  const first = posted === '' ? today : readDay(posted)
  if (first > today) throw new RowProblem(`The posted_date ${first} is in the future`)
  if (first < daysAfter(today, -POSTED_DAYS_MAX))
    throw new RowProblem(`The posted_date ${first} is too old`)
  const defaultDay = daysAfter(isListed ? today : first, JOB_OPEN_DAYS)
  const last = validThrough === '' ? defaultDay : readDay(validThrough)
  if (last < today) throw new ExpiredJob(`This job expired on ${last}`)
  const latest = daysAfter(today, JOB_OPEN_DAYS)
  const [soonest = last] = [last, latest].sort()
  return { posted: first, validThrough: soonest }
}

export const daysAfter = (day: string, days: number) =>
  dayOf(new Date(Date.parse(day) + days * DAY_MS))
