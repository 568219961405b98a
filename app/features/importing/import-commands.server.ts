/** Adds the companies of a file, a batch at a time. Every way of importing comes by here. */
import sql from 'sql-template-tag'
import type { Ctx } from '../../auth/context.server.ts'
import { may } from '../../auth/permissions.ts'
import { type ServerContext, transaction } from '../../server/context.server.ts'
import type { Database, DatabaseError } from '../../server/database.server.ts'
import { badRequest, Refusal } from '../../server/refusal.ts'
import { companyPath } from '../companies/company.ts'
import { type BaseSlug, companiesKnownAs, identitiesOf } from './company-match-queries.server.ts'
import type { FileRow } from './file-rows.server.ts'
import {
  emptyReport,
  type ImportReport,
  LOGO_ROWS_MAX,
  NO_VALID_DATA,
  note,
  type RowOutcome,
  type SameCompany,
} from './import-report.ts'
import { checkedCompany, type ImportedCompany, RowProblem } from './imported-company.ts'

/** The job that fetches a logo whose address came with its row: `{ companyId, url }`. Decision 19. */
export const IMPORTED_LOGO = 'imported-logo'

/** As large as is quick to write, and soon done: on the embedded database all others wait for it. */
const BATCH_ROWS = 500
/** From here on it is worth the while to gather what the search's index is told. */
const MANY_ROWS = 1_000

/** What companies lend to an import. */
export interface CompanyWrites {
  baseSlug: BaseSlug
  insertCompanies: (
    ctx: ServerContext,
    companies: Pick<ImportedCompany, 'name' | 'category' | 'description' | 'website'>[],
  ) => Promise<{ id: string; slug: string | null }[]>
  /** The kind of job that looks for a logo on a company's own site: `{ companyId }`. */
  logoFetch: string
  /** Around thousands of companies: their entries of the search's index are written together. */
  gatherSearchEntries: (db: Database) => Promise<void>
  settleSearchEntries: (db: Database) => Promise<void>
}

export interface ImportSettings extends CompanyWrites {
  /** When an administrator's import is over, or was broken off. */
  onImported?: (ctx: Ctx, news: { added: number }) => Promise<void>
}

/** @throws Refusal sign-in-required, forbidden. Spec §6, decision 11. */
export function demandImporter(ctx: Ctx) {
  if (!ctx.actor.account) throw new Refusal('sign-in-required', 'Please sign in first')
  if (!may.runAdminTools(ctx.actor))
    throw new Refusal('forbidden', 'Only an administrator can import companies')
}

/**
 * The same for an administrator; answers the report after each batch, which is committed by then.
 * @throws Refusal sign-in-required, forbidden; bad-request when there is no row
 */
export async function* importCompanies(
  ctx: Ctx,
  settings: ImportSettings,
  rows: Iterable<FileRow> | AsyncIterable<FileRow>,
  total: number,
): AsyncGenerator<ImportReport> {
  demandImporter(ctx)
  if (total === 0) throw badRequest(NO_VALID_DATA)
  let added = 0
  try {
    for await (const report of runImport(ctx, settings, rows, { total })) {
      added = report.added
      yield report
    }
  } finally {
    if (added > 0) await settings.onImported?.(ctx, { added })
  }
}

interface RunSettings {
  /** How many rows there are in all. */
  total: number
  /** What an earlier run has done already: so many rows are passed over. */
  before?: ImportReport
  /** Runs in the transaction of each batch. */
  remember?: (ctx: ServerContext, report: ImportReport) => Promise<void>
}

/** For whoever runs the server; nobody's permission is asked. */
export async function* runImport(
  ctx: ServerContext,
  writes: CompanyWrites,
  rows: Iterable<FileRow> | AsyncIterable<FileRow>,
  { total, before = emptyReport(total), remember }: RunSettings,
): AsyncGenerator<ImportReport> {
  let report = before
  let passed = 0
  const isLarge = total - before.rows > MANY_ROWS
  if (isLarge) await writes.gatherSearchEntries(ctx.db)
  try {
    for await (const batch of batchesOf(rows)) {
      const fresh = batch.slice(Math.max(0, before.rows - passed))
      passed += batch.length
      if (fresh.length === 0) continue
      report = await transaction(ctx, async (ctx) => {
        const after = structuredClone(report)
        for (const outcome of await importBatch(ctx, writes, fresh, total <= LOGO_ROWS_MAX))
          note(after, outcome)
        await remember?.(ctx, after)
        return after
      })
      yield report
    }
  } finally {
    if (isLarge) await writes.settleSearchEntries(ctx.db)
  }
}

async function* batchesOf(rows: Iterable<FileRow> | AsyncIterable<FileRow>) {
  let batch: FileRow[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < BATCH_ROWS) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** A row that passed the checks. */
interface CheckedRow {
  row: number
  company: ImportedCompany
}

async function importBatch(
  ctx: ServerContext,
  writes: CompanyWrites,
  rows: FileRow[],
  asksForLogos: boolean,
): Promise<RowOutcome[]> {
  const checked: CheckedRow[] = []
  const failed: RowOutcome[] = []
  for (const row of rows) {
    const reason = problemOf(row, checked)
    if (reason) failed.push({ row: row.row, outcome: 'failed', reason })
  }
  // Two imports at once would not see each other's companies: the second waits.
  await ctx.db.query(sql`select pg_advisory_xact_lock(hashtext('import of companies'))`)
  const done = await addRows(ctx, writes, checked, asksForLogos)
  return [...failed, ...done].sort((a, b) => a.row - b.row)
}

/** Adds it to `checked`, or says what is wrong with it. */
function problemOf({ row, given, problem }: FileRow, checked: CheckedRow[]): string | undefined {
  if (problem) return problem
  try {
    checked.push({ row, company: checkedCompany(given) })
    return undefined
  } catch (error) {
    if (error instanceof RowProblem) return error.message
    throw error
  }
}

/** What the database did not take is tried in halves, until the row is alone that fails. */
async function addRows(
  ctx: ServerContext,
  writes: CompanyWrites,
  rows: CheckedRow[],
  asksForLogos: boolean,
): Promise<RowOutcome[]> {
  if (rows.length === 0) return []
  try {
    return await transaction(ctx, (ctx) => addTogether(ctx, writes, rows, asksForLogos))
  } catch (error) {
    if (!isAboutData(error)) throw error
    const [only] = rows
    if (only && rows.length === 1)
      return [{ row: only.row, outcome: 'failed', reason: 'The database did not take this row' }]
    const half = Math.ceil(rows.length / 2)
    return [
      ...(await addRows(ctx, writes, rows.slice(0, half), asksForLogos)),
      ...(await addRows(ctx, writes, rows.slice(half), asksForLogos)),
    ]
  }
}

/** Values that do not fit (class 22), constraints (23) and limits (54); not a database that is away. */
const isAboutData = (error: unknown) =>
  error instanceof Error && /^(22|23|54)/.test(String((error as Partial<DatabaseError>).code))

async function addTogether(
  ctx: ServerContext,
  writes: CompanyWrites,
  rows: CheckedRow[],
  asksForLogos: boolean,
): Promise<RowOutcome[]> {
  const { baseSlug } = writes
  const known = await companiesKnownAs(
    ctx,
    rows.map(({ company }) => company),
    baseSlug,
  )
  /** Where a new company will live is known when it is there. */
  const fresh: (CheckedRow & { place: SameCompany })[] = []
  const outcomes = rows.map(({ row, company }): RowOutcome => {
    const identities = identitiesOf(company, baseSlug)
    const same = identities.map((identity) => known.get(identity)).find(Boolean)
    const place = same ?? { name: company.name, path: '' }
    for (const identity of identities) if (!known.has(identity)) known.set(identity, place)
    if (same) return { row, outcome: 'skipped', name: company.name, sameAs: same }
    fresh.push({ row, company, place })
    return { row, outcome: 'added', company: place }
  })
  if (fresh.length === 0) return outcomes
  const added = await writes.insertCompanies(
    ctx,
    fresh.map(({ company }) => company),
  )
  for (const [i, { place, company }] of fresh.entries()) {
    const { id, slug } = added[i] as { id: string; slug: string | null }
    place.path = companyPath({ id, slug })
    if (asksForLogos) await askForLogo(ctx, writes, id, company)
  }
  return outcomes
}

/** Spec §5: a logo fetch is tried. It follows the commit. */
async function askForLogo(
  { db, jobs }: ServerContext,
  { logoFetch }: CompanyWrites,
  companyId: string,
  { logoUrl, website }: ImportedCompany,
) {
  if (logoUrl) await jobs.enqueue(db, IMPORTED_LOGO, { companyId, url: logoUrl })
  else if (website) await jobs.enqueue(db, logoFetch, { companyId })
}
