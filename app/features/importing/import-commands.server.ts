/** Adds the companies of a file, a batch at a time. Every way of importing comes by here. */
import type { Ctx } from '../../auth/context.server.ts'
import { type ServerContext, transaction } from '../../server/context.server.ts'
import {
  type Database,
  type DatabaseError,
  isDatabaseError,
  isUniqueViolation,
} from '../../server/database.server.ts'
import { badRequest } from '../../server/refusal.ts'
import { logAdminAct } from '../accounts/administrators/admin-log.server.ts'
import { companyPath } from '../companies/company.ts'
import { baseSlug, insertCompanies } from '../companies/company-commands.server.ts'
import { enqueueLogoFetch } from '../companies/logos/logo-commands.server.ts'
import { companiesKnownAs, identitiesOf } from './company-match-queries.server.ts'
import type { FileRow } from './file-rows.server.ts'
import { batchOf, type DoneBatch, ImportProgress } from './import-progress.ts'
import {
  emptyReport,
  type ImportReport,
  LOGO_ROWS_MAX,
  NO_VALID_DATA,
  note,
  type RowOutcome,
  type SameCompany,
} from './import-report.ts'
import { createSharedTurn, createTurn, takeTurn } from './import-turn.server.ts'
import { checkedCompany, type ImportedCompany, RowProblem } from './imported-company.ts'
import { mapConcurrently } from './map-concurrently.server.ts'

/** The job that fetches a logo whose address came with its row: `{ companyId, url }`. Decision 19. */
export const IMPORTED_LOGO = 'imported-logo'

/** As large as is quick to write, and soon done: on the embedded database all others wait for it. */
const BATCH_ROWS = 500
/** What a transaction is begun again for: it and another waited for each other. */
const DEADLOCK = '40P01'
const TRIES = 3
/** Beside these, one connection keeps the turn of the import. */
const BATCHES_AT_ONCE = 2
/** Below so many the site would wait for connections while an import uses them. */
const CONNECTIONS_LEAST = 6

/**
 * How many batches a database can write side by side: most of the work is done in its backends, each
 * of which uses one processor.
 */
export const batchesAtOnceOf = (engine: Database['engine'], connections: number) =>
  engine === 'postgres' && connections >= CONNECTIONS_LEAST ? BATCHES_AT_ONCE : 1

export interface ImportSettings {
  /** One after the other, when absent: as it must be on a single connection. */
  batchesAtOnce?: number
  /** When an administrator's import is over, or was broken off. */
  onImported?: () => void
}

/**
 * The same for an administrator; answers the report after each batch, which is committed by then.
 * @throws Refusal bad-request when there is no row
 */
export async function* importCompanies(
  ctx: Ctx,
  settings: ImportSettings,
  rows: Iterable<FileRow> | AsyncIterable<FileRow>,
  total: number,
): AsyncGenerator<ImportReport> {
  if (total === 0) throw badRequest(NO_VALID_DATA)
  const progress = new ImportProgress()
  const { batchesAtOnce } = settings
  try {
    yield* runImport(ctx, rows, { total, progress, batchesAtOnce })
  } finally {
    const { added } = progress.counts
    if (added > 0) {
      await logAdminAct(ctx, { action: 'import-companies', subject: `${added} companies` })
      settings.onImported?.()
    }
  }
}

interface RunSettings {
  /** How many rows there are in all. */
  total: number
  /** What an earlier run has done already is passed over; what is committed is added here. */
  progress?: ImportProgress
  /** Runs in the transaction of each batch, with what will be done when it is committed. */
  remember?: (ctx: ServerContext, batch: DoneBatch, progress: ImportProgress) => Promise<void>
  /** One after the other, when absent. */
  batchesAtOnce?: number
}

/** For whoever runs the server; nobody's permission is asked. */
export async function* runImport(
  ctx: ServerContext,
  rows: Iterable<FileRow> | AsyncIterable<FileRow>,
  { total, progress = new ImportProgress(), remember, batchesAtOnce = 1 }: RunSettings,
): AsyncGenerator<ImportReport> {
  const report = { ...emptyReport(total), ...progress.counts }
  const areSeveral = batchesAtOnce > 1
  const inTurn = areSeveral ? createSharedTurn(ctx.db) : createTurn(ctx.db)
  const batches = batchesOf(rows, progress)
  const done = mapConcurrently(batches, (batch) => inTurn(() => writeBatch(batch)), {
    atOnce: batchesAtOnce,
    isApart: haveNothingInCommon,
  })
  for await (const outcomes of done) {
    for (const outcome of outcomes) note(report, outcome)
    yield structuredClone(report)
  }

  /** What it is refused for together with another, it may be taken for after it. */
  async function writeBatch(batch: Batch, tries = TRIES): Promise<RowOutcome[]> {
    try {
      const outcomes = await transaction(ctx, async (ctx) => {
        if (!areSeveral) await takeTurn(ctx.db)
        const added = await addRows(ctx, batch.checked, total <= LOGO_ROWS_MAX)
        const outcomes = [...batch.failed, ...added].sort((a, b) => a.row - b.row)
        const done = batchOf(batch.from, outcomes)
        await remember?.(ctx, done, progress.with(done))
        return outcomes
      })
      progress.add(batchOf(batch.from, outcomes))
      return outcomes
    } catch (error) {
      if (tries > 1 && isDatabaseError(error, DEADLOCK)) return writeBatch(batch, tries - 1)
      throw error
    }
  }
}

/** A row that passed the checks. */
interface CheckedRow {
  row: number
  company: ImportedCompany
  /** What it is known by. */
  identities: string[]
}

/** Rows that stand together in the file, looked at but not yet written. */
interface Batch {
  /** How many rows of the file are before it. */
  from: number
  checked: CheckedRow[]
  failed: RowOutcome[]
  /** What its rows are known by, and the slugs that they would like to have. */
  claims: Set<string>
}

/** Whose rows could be the same company, or want the same slug, are written one after the other. */
const haveNothingInCommon = ({ claims }: Batch, other: Batch) =>
  [...claims].every((claim) => !other.claims.has(claim))

/** Those that are not done yet. */
async function* batchesOf(
  rows: Iterable<FileRow> | AsyncIterable<FileRow>,
  progress: ImportProgress,
): AsyncGenerator<Batch> {
  let batch: FileRow[] = []
  let at = 0
  for await (const row of rows) {
    const isDone = progress.isDone(at)
    if (isDone && batch.length > 0) yield lookAt(batch, at - batch.length)
    if (isDone) batch = []
    else batch.push(row)
    at++
    if (batch.length < BATCH_ROWS) continue
    yield lookAt(batch, at - batch.length)
    batch = []
  }
  if (batch.length > 0) yield lookAt(batch, at - batch.length)
}

function lookAt(rows: FileRow[], from: number): Batch {
  const batch: Batch = { from, checked: [], failed: [], claims: new Set() }
  for (const { row, given, problem } of rows)
    try {
      if (problem) throw new RowProblem(problem)
      const company = checkedCompany(given)
      const identities = identitiesOf(company)
      batch.checked.push({ row, company, identities })
      for (const identity of identities) batch.claims.add(identity)
      const slug = baseSlug(company.name)
      if (slug !== null) batch.claims.add(`slug ${slug}`)
    } catch (error) {
      if (!(error instanceof RowProblem)) throw error
      batch.failed.push({ row, outcome: 'failed', reason: error.message })
    }
  return batch
}

/** What the database did not take is tried in halves, until the row is alone that fails. */
async function addRows(
  ctx: ServerContext,
  rows: CheckedRow[],
  asksForLogos: boolean,
  tries = TRIES,
): Promise<RowOutcome[]> {
  if (rows.length === 0) return []
  try {
    return await transaction(ctx, (ctx) => addTogether(ctx, rows, asksForLogos))
  } catch (error) {
    if (!isAboutData(error)) throw error
    // Somebody else took a slug meanwhile: by now it can be seen.
    if (isUniqueViolation(error) && tries > 1) return addRows(ctx, rows, asksForLogos, tries - 1)
    const [only] = rows
    if (only && rows.length === 1)
      return [{ row: only.row, outcome: 'failed', reason: 'The database did not take this row' }]
    const half = Math.ceil(rows.length / 2)
    return [
      ...(await addRows(ctx, rows.slice(0, half), asksForLogos)),
      ...(await addRows(ctx, rows.slice(half), asksForLogos)),
    ]
  }
}

/** Values that do not fit (class 22), constraints (23) and limits (54); not a database that is away. */
const isAboutData = (error: unknown) =>
  error instanceof Error && /^(22|23|54)/.test(String((error as Partial<DatabaseError>).code))

async function addTogether(
  ctx: ServerContext,
  rows: CheckedRow[],
  asksForLogos: boolean,
): Promise<RowOutcome[]> {
  const known = await companiesKnownAs(ctx, new Set(rows.flatMap((row) => row.identities)))
  /** Where a new company will live is known when it is there. */
  const fresh: (CheckedRow & { place: SameCompany })[] = []
  const outcomes = rows.map(({ row, company, identities }): RowOutcome => {
    const same = identities.map((identity) => known.get(identity)).find(Boolean)
    const place = same ?? { name: company.name, path: '' }
    for (const identity of identities) if (!known.has(identity)) known.set(identity, place)
    if (same) return { row, outcome: 'skipped', name: company.name, sameAs: same }
    fresh.push({ row, company, identities, place })
    return { row, outcome: 'added', company: place }
  })
  if (fresh.length === 0) return outcomes
  const added = await insertCompanies(
    ctx,
    fresh.map(({ company }) => company),
  )
  for (const [i, { place, company }] of fresh.entries()) {
    const { id, slug } = added[i] as { id: string; slug: string | null }
    place.path = companyPath({ id, slug })
    if (asksForLogos) await askForLogo(ctx, id, company)
  }
  return outcomes
}

/** Spec §5: a logo fetch is tried. It follows the commit. */
export async function askForLogo(
  ctx: ServerContext,
  companyId: string,
  { logoUrl, website }: Pick<ImportedCompany, 'logoUrl' | 'website'>,
) {
  if (logoUrl) await ctx.jobs.enqueue(ctx.db, IMPORTED_LOGO, { companyId, url: logoUrl })
  else if (website) await enqueueLogoFetch(ctx, companyId)
}
