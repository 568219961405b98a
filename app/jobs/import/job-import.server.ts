/**
 * Adds a feed's jobs to existing companies. Skips rows it added before, even if the job was deleted, so you can import a
 * feed every night and resume after an interruption.
 */
import { domainToUnicode } from 'node:url'
import { convert } from 'html-to-text'
import sql from 'sql-template-tag'
import {
  isBlankCell,
  readCountry,
  readDay,
  readNumber,
} from '#app/companies/importing/cells.server.ts'
import {
  emptyReport,
  type ImportReport,
  note,
  type RowOutcome,
} from '#app/companies/importing/import-report.ts'
import { RowProblem, siteOf } from '#app/companies/importing/imported-company.ts'
import { tidyWebsite } from '#app/companies/web-address.ts'
import { countryCodeOf } from '#app/kit/writing/countries.ts'
import { cutText, foldText, slugOf } from '#app/kit/writing/text.ts'
import { type ServerContext, transaction } from '#app/platform/database/context.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { DAY_MS, dayOf, todayOf } from '#app/platform/days.server.ts'
import { isRefusal } from '#app/platform/http/refusal.ts'
import {
  EMPLOYMENT_TYPES,
  JOB_DESCRIPTION_MAX,
  JOB_OPEN_DAYS,
  type JobInput,
  jobPath,
  REMOTE_POLICIES,
  SALARY_PERIODS,
  SENIORITIES,
} from '../job.ts'
import { checkedJob } from '../postings/job-check.server.ts'
import { insertJob } from '../postings/job-commands.server.ts'
import { lockHiringCompany, requireJobCapacity } from '../postings/job-rules.server.ts'

/** A row as the file reader returns it. */
interface JobFileRow {
  row: number
  given?: unknown
  problem?: string
}

/** Small batches, so each commits soon. */
const BATCH_ROWS = 100

/** For the server's operator, so it doesn't check permissions. Yields the report after each batch. */
export async function* importJobs(
  ctx: ServerContext,
  rows: Iterable<JobFileRow> | AsyncIterable<JobFileRow>,
  total: number,
): AsyncGenerator<ImportReport> {
  let report = emptyReport(total)
  for await (const batch of batchesOf(rows)) {
    report = await transaction(ctx, async (ctx) => {
      const after = structuredClone(report)
      for (const row of batch) note(after, await importRow(ctx, row))
      return after
    })
    yield report
  }
}

async function* batchesOf(rows: Iterable<JobFileRow> | AsyncIterable<JobFileRow>) {
  let batch: JobFileRow[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < BATCH_ROWS) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** A failing row leaves nothing behind, and the rest continue. */
async function importRow(
  ctx: ServerContext,
  { row, given, problem }: JobFileRow,
): Promise<RowOutcome> {
  if (problem !== undefined) return { row, outcome: 'failed', reason: problem }
  try {
    return await transaction(ctx, (ctx) => addRow(ctx, row, readJob(given, todayOf(ctx))))
  } catch (error) {
    if (!(error instanceof RowProblem) && !isRefusal(error)) throw error
    return { row, outcome: 'failed', reason: error.message }
  }
}

async function addRow(ctx: ServerContext, row: number, imported: ImportedJob): Promise<RowOutcome> {
  const job = checkedJob(imported.input, false)
  const company = await lockHiringCompany(ctx.db, await companyIdOf(ctx.db, imported.company))
  const { title } = job
  const idempotencyKey = feedKeyOf(ctx, company.id, imported)
  const [same] = await ctx.db.query<{ id: string; title: string }>(
    sql`select id, title from job_postings where idempotency_key = ${idempotencyKey}`,
  )
  if (same)
    return {
      row,
      outcome: 'skipped',
      name: title,
      sameAs: { name: same.title, path: jobPath(same) },
    }
  if (await wasDeleted(ctx.db, idempotencyKey)) return { row, outcome: 'skipped', name: title }
  await requireJobCapacity(ctx, company.id)
  const { posted, validThrough } = imported
  const id = await insertJob(ctx, { company, job, idempotencyKey, open: { posted, validThrough } })
  return { row, outcome: 'added', company: { name: title, path: jobPath({ id, title }) } }
}

async function wasDeleted(db: Database, idempotencyKey: string) {
  const [deleted] = await db.query(
    sql`select from deleted_jobs where idempotency_key = ${idempotencyKey}`,
  )
  return deleted !== undefined
}

/** The feed's own id, or else what makes two rows the same job to a reader. */
function feedKeyOf({ secrets }: ServerContext, companyId: string, { feedId, input }: ImportedJob) {
  const { title, places, remotePolicy, employmentType, apply } = input
  const known = feedId || JSON.stringify([title, places, remotePolicy, employmentType, apply])
  return secrets.hash('job feed', companyId, feedId === '' ? 'content' : 'id', known)
}

/** @throws RowProblem for no match or several */
async function companyIdOf(db: Database, named: string): Promise<string> {
  const isSite = /^(?=\S+$)\S[^.]*\.\S/.test(named)
  const site = isSite ? siteOf(tidyWebsite(named)) : null
  const sites = site === null ? [] : [...new Set([site, domainToUnicode(site)])]
  const text = named.replaceAll('\0', '')
  // Older slugs were made with accents removed.
  const slugs = [slugOf(text), slugOf(foldText(text))]
  const found = await db.query<{ id: string; rank: number }>(sql`
    select id, min(rank)::integer as rank from (
      select id, 1 as rank from companies where slug = any (${slugs}::text[])
      union all select company_id, 2 from company_old_slugs where slug = any (${slugs}::text[])
      union all select id, 3 from companies where name_key = ${foldText(text).trim()}
      union all (
        select id, 4 from companies
         where website is not null
           and company_site(website) collate "C" = any (${sites}::text[]) limit 3)) found
     group by id order by rank limit 3`)
  const [first, second] = found
  if (!first) throw new RowProblem(`We don’t know the company "${cutText(text, 120)}"`)
  // A slug is unique, but several companies may share a name or a website.
  if (first.rank > 2 && second)
    throw new RowProblem(
      `Several companies are called "${cutText(text, 120)}". Please give the slug.`,
    )
  return first.id
}

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
  'tags',
  'apply_link',
  'apply_email',
  'posted_date',
  'valid_through',
  'id',
] as const
type JobImportField = (typeof JOB_IMPORT_FIELDS)[number]
type GivenJob = { [Field in JobImportField]?: unknown }

/** Names of schema.org's JobPosting that differ from ours. */
const SCHEMA_ORG = new Map<string, JobImportField>([
  ['hiringorganization', 'company'],
  ['joblocation', 'city'],
  ['basesalary', 'salary_min'],
  ['dateposted', 'posted_date'],
  ['identifier', 'id'],
  ['url', 'apply_link'],
])

/** Column or key names in any spelling: "Salary Min" is `salary_min`. */
export const JOB_TABLE = {
  fieldOf: (title: string) => {
    const plain = plainTitle(title)
    return JOB_IMPORT_FIELDS.find((field) => plainTitle(field) === plain) ?? SCHEMA_ORG.get(plain)
  },
  needs: ['title'],
  howToBegin: `The first row must name the columns: ${JOB_IMPORT_FIELDS.join(', ')}`,
  // Twice the limit, so a text that's too long gets that rule's message.
  cellMax: 2 * JOB_DESCRIPTION_MAX,
}

const plainTitle = (title: string) => title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

interface ImportedJob {
  /** Name, slug or website. */
  company: string
  /** The feed's id, or ''. */
  feedId: string
  input: JobInput
  posted: string
  validThrough: string
}

/** Older postings mean an outdated file. */
const POSTED_DAYS_MAX = 730

/** @param today such as 2026-03-14 @throws RowProblem */
function readJob(given: unknown, today: string): ImportedJob {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new RowProblem('This row isn’t a job')
  const row = flatJob(given as GivenJob)
  const text = (field: JobImportField) => textIn(row, field)
  if (JOB_IMPORT_FIELDS.every((field) => text(field) === ''))
    throw new RowProblem('This row is empty')
  if (text('company') === '') throw new RowProblem('This row doesn’t name a company')
  return {
    company: text('company'),
    feedId: text('id'),
    input: {
      title: text('title'),
      description: markdownOf(text('description')),
      places: locationsIn(text('city'), text('country')),
      remotePolicy: oneOf(REMOTE_POLICIES, row, 'remote_policy', 'on-site'),
      hybridDays: text('hybrid_days') === '' ? null : Number(text('hybrid_days')),
      remoteRegions: listIn(text('remote_regions')).map(regionOf),
      employmentType: oneOf(EMPLOYMENT_TYPES, row, 'employment_type', 'full-time', TYPES),
      seniority: text('seniority') === '' ? null : oneOf(SENIORITIES, row, 'seniority', 'mid'),
      salary: {
        minimum: amountIn(row, 'salary_min'),
        maximum: amountIn(row, 'salary_max'),
        currency: text('salary_currency').slice(0, 10),
        period: oneOf(SALARY_PERIODS, row, 'salary_period', 'year', PERIODS),
      },
      tags: listIn(text('tags')),
      apply: { link: text('apply_link') || null, email: text('apply_email') || null },
    },
    ...daysIn(text('posted_date'), text('valid_through'), today),
  }
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
  const amount = part(row.salary_min, 'value')
  return {
    ...row,
    company: inside(row.company, 'name'),
    id: inside(row.id, 'value'),
    city: part(address, 'addressLocality') ?? row.city,
    country: inside(part(address, 'addressCountry'), 'name') ?? row.country,
    salary_min: part(amount, 'minValue') ?? inside(row.salary_min, 'value'),
    salary_max: part(amount, 'maxValue') ?? row.salary_max ?? amount,
    salary_currency: part(row.salary_min, 'currency') ?? row.salary_currency,
    salary_period: part(amount, 'unitText') ?? row.salary_period,
  }
}

const HTML = /<\/?(?:p|br|ul|ol|li|div|span|b|strong|i|em|h[1-6]|a|table)(?:\s[^<>]*)?\/?>/i

/** Feeds write HTML. We keep its paragraphs and lists, and drop its scripts and links. */
function markdownOf(text: string): string {
  if (!HTML.test(text)) return text
  return convert(text, {
    wordwrap: false,
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

/** "Berlin;Paris" with "DE;FR", or with one country for all. The rules refuse unknown ones. */
function locationsIn(cities: string, countries: string) {
  const parts = (text: string) => (text === '' ? [] : text.split(/[;|]/).map((part) => part.trim()))
  const names = parts(cities)
  const codes = parts(countries).map(codeOf)
  if (codes.length > 1 && codes.length !== names.length)
    throw new RowProblem('Each city needs its country')
  // A country alone isn't a location. Only a remote job may have none.
  return names.map((city, i) => ({ city, country: codes[i] ?? codes[0] ?? '' }))
}

const codeOf = (words: string) => (words === '' ? '' : readCountry(words))
/** A continent, too. */
const regionOf = (words: string) => countryCodeOf(words) ?? cutText(words, 40)

/** Other words for them, schema.org's among them. */
const TYPES: Record<string, (typeof EMPLOYMENT_TYPES)[number]> = {
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
}

/** "Full Time" and "FULL_TIME" are full-time. */
function oneOf<Known extends string>(
  known: readonly Known[],
  row: GivenJob,
  field: JobImportField,
  usual: Known,
  others: Record<string, Known> = {},
): Known {
  const text = textIn(row, field)
  if (text === '') return usual
  const plain = plainTitle(text)
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

function daysIn(posted: string, validThrough: string, today: string) {
  const first = posted === '' ? today : readDay(posted)
  if (first > today) throw new RowProblem(`The posted_date ${first} is in the future`)
  if (first < daysAfter(today, -POSTED_DAYS_MAX))
    throw new RowProblem(`The posted_date ${first} is too old`)
  const last = validThrough === '' ? daysAfter(first, JOB_OPEN_DAYS) : readDay(validThrough)
  if (last < today) throw new RowProblem(`This job expired on ${last}`)
  const latest = daysAfter(today, JOB_OPEN_DAYS)
  const [soonest = last] = [last, latest].sort()
  return { posted: first, validThrough: soonest }
}

const daysAfter = (day: string, days: number) => dayOf(new Date(Date.parse(day) + days * DAY_MS))
