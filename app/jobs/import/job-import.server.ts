/** Columns of a job feed, and how a row is read. */

import { RowProblem } from '#app/companies/importing/imported-company.ts'
import { countryCodeOf } from '#app/kit/writing/countries.ts'
import { cutText } from '#app/kit/writing/text.ts'
import { DAY_MS, dayOf } from '#app/platform/jobs/days.server.ts'
import {
  EMPLOYMENT_TYPES,
  JOB_DESCRIPTION_MAX,
  JOB_OPEN_DAYS,
  type JobInput,
  REMOTE_POLICIES,
  SALARY_PERIODS,
  SENIORITIES,
} from '../job.ts'

export const JOB_IMPORT_FIELDS = [
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
  'tags',
  'apply_link',
  'apply_email',
  'posted_date',
  'valid_through',
  'id',
] as const
type JobImportField = (typeof JOB_IMPORT_FIELDS)[number]
type GivenJob = { [Field in JobImportField]?: unknown }

/** Column or key names in any spelling: "Salary Min" is `salary_min`. */
export const JOB_TABLE = {
  fieldOf: (title: string) => {
    const plain = plainTitle(title)
    return JOB_IMPORT_FIELDS.find((field) => plainTitle(field) === plain)
  },
  needs: ['title'],
  howToBegin: `The first row must name the columns: ${JOB_IMPORT_FIELDS.join(', ')}`,
  // Twice the limit, so that a text that is too long gets that rule's message.
  cellMax: 2 * JOB_DESCRIPTION_MAX,
}

const plainTitle = (title: string) => title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

export interface ImportedJob {
  /** Name, slug or website. */
  company: string
  /** The feed's id; '' without one. */
  feedId: string
  input: JobInput
  posted: string
  validThrough: string
}

/** Older postings mean an outdated file. */
const POSTED_DAYS_MAX = 730

/** @param today such as 2026-03-14 @throws RowProblem */
export function readJob(given: unknown, today: string): ImportedJob {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new RowProblem('This row isn’t a job')
  const row = given as GivenJob
  const text = (field: JobImportField) => textIn(row, field)
  if (JOB_IMPORT_FIELDS.every((field) => text(field) === ''))
    throw new RowProblem('This row is empty')
  if (text('company') === '') throw new RowProblem('This row names no company')
  return {
    company: text('company'),
    feedId: text('id'),
    input: {
      title: text('title'),
      description: text('description'),
      places: locationsIn(text('city'), text('country')),
      remotePolicy: oneOf(REMOTE_POLICIES, row, 'remote_policy', 'on-site'),
      hybridDays: text('hybrid_days') === '' ? null : Number(text('hybrid_days')),
      remoteRegions: listIn(text('remote_regions')).map(codeOf),
      employmentType: oneOf(EMPLOYMENT_TYPES, row, 'employment_type', 'full-time'),
      seniority: text('seniority') === '' ? null : oneOf(SENIORITIES, row, 'seniority', 'mid'),
      salary: {
        minimum: amountIn(row, 'salary_min'),
        maximum: amountIn(row, 'salary_max'),
        currency: text('salary_currency').slice(0, 10),
        period: oneOf(SALARY_PERIODS, row, 'salary_period', 'year'),
      },
      tags: listIn(text('tags')),
      apply: { link: text('apply_link') || null, email: text('apply_email') || null },
    },
    ...daysIn(text('posted_date'), text('valid_through'), today),
  }
}

function textIn(row: GivenJob, field: JobImportField): string {
  const value = row[field] ?? ''
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.join(';')
  if (typeof value !== 'string') throw new RowProblem(`The ${field} must be text`)
  return value.trim()
}

const listIn = (text: string) =>
  text
    .split(/[;|,]/)
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** "Berlin;Paris" with "DE;FR", or with one country for all. Unknown ones are refused by the rules. */
function locationsIn(cities: string, countries: string) {
  const parts = (text: string) => (text === '' ? [] : text.split(/[;|]/).map((part) => part.trim()))
  const names = parts(cities)
  const codes = parts(countries).map(codeOf)
  if (codes.length > 1 && codes.length !== names.length)
    throw new RowProblem('Each city needs its country')
  // A country alone is no location; only a remote job may have none.
  return names.map((city, i) => ({ city, country: codes[i] ?? codes[0] ?? '' }))
}

const codeOf = (words: string) => countryCodeOf(words) ?? cutText(words, 40)

/** "Full Time" and "FULL_TIME" are full-time. */
function oneOf<Known extends string>(
  known: readonly Known[],
  row: GivenJob,
  field: JobImportField,
  usual: Known,
): Known {
  const text = textIn(row, field)
  if (text === '') return usual
  const plain = plainTitle(text)
  const found = known.find((each) => plainTitle(each) === plain)
  if (!found) throw new RowProblem(`The ${field} must be one of ${known.join(', ')}`)
  return found
}

function amountIn(row: GivenJob, field: 'salary_min' | 'salary_max'): number | null {
  const text = textIn(row, field)
  if (text === '') return null
  const amount = text.replace(/[\s,'’_](?=\d{3}(?!\d))/g, '')
  if (!/^\d{1,12}(\.\d{1,6})?$/.test(amount)) throw new RowProblem(`The ${field} must be a number`)
  return Number(amount)
}

function daysIn(posted: string, validThrough: string, today: string) {
  const first = posted === '' ? today : dayIn(posted, 'posted_date')
  if (first > today) throw new RowProblem(`The posted_date ${first} is in the future`)
  if (first < daysAfter(today, -POSTED_DAYS_MAX))
    throw new RowProblem(`The posted_date ${first} is too long ago`)
  const last =
    validThrough === '' ? daysAfter(first, JOB_OPEN_DAYS) : dayIn(validThrough, 'valid_through')
  if (last < today) throw new RowProblem(`This job expired on ${last}`)
  const latest = daysAfter(today, JOB_OPEN_DAYS)
  const [soonest = last] = [last, latest].sort()
  return { posted: first, validThrough: soonest }
}

const daysAfter = (day: string, days: number) => dayOf(new Date(Date.parse(day) + days * DAY_MS))

/** The day of a date, or of an ISO 8601 timestamp. */
function dayIn(text: string, field: JobImportField): string {
  const [, day] = /^(\d{4}-\d\d-\d\d)(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/.exec(text) ?? []
  const parsed = day === undefined ? Number.NaN : Date.parse(day)
  // JavaScript reads 30 February as another day.
  if (Number.isNaN(parsed) || dayOf(new Date(parsed)) !== day)
    throw new RowProblem(`The ${field} must be a date such as 2026-03-14`)
  return day as string
}
