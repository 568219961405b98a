/** Adds the companies of a file, a batch at a time. Every way of importing comes by here. */
import { randomUUID } from 'node:crypto'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { logAdminAct } from '#app/identity/accounts/administrators/admin-log.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/context.server.ts'
import {
  type DatabaseError,
  isDeadlock,
  isUniqueViolation,
} from '#app/platform/database/database.server.ts'
import { badRequest } from '#app/platform/http/refusal.ts'
import { companyPath } from '../company.ts'
import { baseSlug, insertCompanies } from '../company-commands.server.ts'
import { enqueueLogoFetch } from '../logos/logo-commands.server.ts'
import {
  companiesKnownAs,
  companiesLike,
  identitiesOf,
  isNameless,
} from './company-match-queries.server.ts'
import { coreOf } from './company-matching.ts'
import type { FileRow } from './file-rows.server.ts'
import { batchOf, type DoneBatch, ImportProgress } from './import-progress.ts'
import {
  emptyReport,
  emptyTrial,
  type FailedRow,
  type ImportReport,
  type ImportTrial,
  LOGO_ROWS_MAX,
  NO_VALID_DATA,
  note,
  noteTried,
  type RowOutcome,
  type SameCompany,
  type Verdict,
} from './import-report.ts'
import { createSharedTurn, createTurn, takeTurn } from './import-turn.server.ts'
import { beginImport, endImport, rememberAdded } from './imported-companies.server.ts'
import { checkedCompany, type ImportedCompany, RowProblem, siteOf } from './imported-company.ts'
import { mapConcurrently } from './map-concurrently.server.ts'
import { importedText } from './past-imports.ts'

/** The job that fetches a logo whose address came with its row: `{ companyId, url }`. S19. */
export const IMPORTED_LOGO = 'imported-logo'

/** As large as is quick to write, and soon done. */
const BATCH_ROWS = 500
const TRIES = 3
/** Beside these, one connection keeps the turn of the import. */
const BATCHES_AT_ONCE = 2
/** Below so many the site would wait for connections while an import uses them. */
const CONNECTIONS_LEAST = 6

/**
 * How many batches a database can write side by side: most of the work is done in its backends, each
 * of which uses one processor.
 */
export const batchesAtOnceOf = (connections: number) =>
  connections >= CONNECTIONS_LEAST ? BATCHES_AT_ONCE : 1

export interface ImportSettings {
  /** One after the other, when absent: as it must be on a single connection. */
  batchesAtOnce?: number
  /** When an administrator's import is over, or was broken off. */
  onImported?: () => void
}

export interface AdminImport {
  total: number
  /** The name of a file, or what else the rows come from. */
  source?: string
  /** Of an import that is sent again: what it added is not added twice. */
  id?: string
  choices?: ImportChoices
}

/**
 * The same for an administrator; answers the report after each batch, which is committed by then. It
 * stands in the log, and can be undone.
 * @throws Refusal bad-request when there is no row, conflict for one that was undone
 */
export async function* importCompanies(
  ctx: Ctx,
  settings: ImportSettings,
  rows: Iterable<FileRow> | AsyncIterable<FileRow>,
  { total, source, id = randomUUID(), choices }: AdminImport,
): AsyncGenerator<ImportReport> {
  if (total === 0) throw badRequest(NO_VALID_DATA)
  const progress = new ImportProgress()
  const { batchesAtOnce } = settings
  const adminName = ctx.actor.account?.username ?? 'An administrator'
  await beginImport(ctx, { id, adminName, source: source ?? 'Sent to the site' })
  const run = { total, progress, batchesAtOnce, choices: { ...choices, importId: id } }
  try {
    for await (const report of runImport(ctx, rows, run))
      yield report.added > 0 ? { ...report, importId: id } : report
  } finally {
    await endImport(ctx, id, progress.counts)
    const { added } = progress.counts
    if (added > 0) {
      const subject = importedText(added, source)
      await logAdminAct(ctx, { action: 'import-companies', subject })
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
  choices?: ImportChoices
}

/** What was said beforehand about the rows. */
export interface ImportChoices {
  /** Whether one that is perhaps a company that is here is another one. None is, when absent. */
  isNew?: (row: number) => boolean
  /** As the rows have it, when absent. */
  categoryOf?: (given: string) => string
  /** The import that companies are remembered to be of. */
  importId?: string
}

/** For whoever runs the server; nobody's permission is asked. */
export async function* runImport(
  ctx: ServerContext,
  rows: Iterable<FileRow> | AsyncIterable<FileRow>,
  {
    total,
    progress = new ImportProgress(),
    remember,
    batchesAtOnce = 1,
    choices = {},
  }: RunSettings,
): AsyncGenerator<ImportReport> {
  const report = { ...emptyReport(total), ...progress.counts }
  const areSeveral = batchesAtOnce > 1
  const inTurn = areSeveral ? createSharedTurn(ctx.db) : createTurn(ctx.db)
  const batches = batchesOf(rows, progress, choices)
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
        const added = await addRows(ctx, batch.checked, {
          ...choices,
          asksForLogos: total <= LOGO_ROWS_MAX,
        })
        const outcomes = [...batch.failed, ...added].sort((a, b) => a.row - b.row)
        const done = batchOf(batch.from, outcomes)
        await remember?.(ctx, done, progress.with(done))
        return outcomes
      })
      progress.add(batchOf(batch.from, outcomes))
      return outcomes
    } catch (error) {
      if (tries > 1 && isDeadlock(error)) return writeBatch(batch, tries - 1)
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
  /** Its name without what does not matter; null for one without a name. */
  core: string | null
}

/** Rows that stand together in the file, looked at but not yet written. */
interface Batch {
  /** How many rows of the file are before it. */
  from: number
  checked: CheckedRow[]
  failed: FailedRow[]
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
  choices: ImportChoices,
): AsyncGenerator<Batch> {
  let batch: FileRow[] = []
  let at = 0
  for await (const row of rows) {
    const isDone = progress.isDone(at)
    if (isDone && batch.length > 0) yield lookAt(batch, at - batch.length, choices)
    if (isDone) batch = []
    else batch.push(row)
    at++
    if (batch.length < BATCH_ROWS) continue
    yield lookAt(batch, at - batch.length, choices)
    batch = []
  }
  if (batch.length > 0) yield lookAt(batch, at - batch.length, choices)
}

function lookAt(rows: FileRow[], from: number, { categoryOf }: ImportChoices): Batch {
  const batch: Batch = { from, checked: [], failed: [], claims: new Set() }
  for (const { row, given, problem } of rows)
    try {
      if (problem) throw new RowProblem(problem)
      const company = checkedCompany(given)
      if (categoryOf) company.category = categoryOf(company.category)
      const identities = identitiesOf(company)
      const core = isNameless(company) ? null : coreOf(company.name)
      batch.checked.push({ row, company, identities, core })
      for (const identity of identities) batch.claims.add(identity)
      if (core !== null) batch.claims.add(`core ${core}`)
      const slug = baseSlug(company.name)
      if (slug !== null) batch.claims.add(`slug ${slug}`)
    } catch (error) {
      if (!(error instanceof RowProblem)) throw error
      batch.failed.push({ row, outcome: 'failed', reason: error.message })
    }
  return batch
}

type AddSettings = ImportChoices & { asksForLogos: boolean }

/** What the database did not take is tried in halves, until the row is alone that fails. */
async function addRows(
  ctx: ServerContext,
  rows: CheckedRow[],
  settings: AddSettings,
  tries = TRIES,
): Promise<RowOutcome[]> {
  if (rows.length === 0) return []
  try {
    return await transaction(ctx, (ctx) => addTogether(ctx, rows, settings))
  } catch (error) {
    if (!isAboutData(error)) throw error
    // Somebody else took a slug meanwhile: by now it can be seen.
    if (isUniqueViolation(error) && tries > 1) return addRows(ctx, rows, settings, tries - 1)
    const [only] = rows
    if (only && rows.length === 1)
      return [{ row: only.row, outcome: 'failed', reason: 'The database did not take this row' }]
    const half = Math.ceil(rows.length / 2)
    return [
      ...(await addRows(ctx, rows.slice(0, half), settings)),
      ...(await addRows(ctx, rows.slice(half), settings)),
    ]
  }
}

/** Values that do not fit (class 22), constraints (23) and limits (54); not a database that is away. */
const isAboutData = (error: unknown) =>
  error instanceof Error && /^(22|23|54)/.test(String((error as Partial<DatabaseError>).code))

/** What rows before were, and what they are known by. */
interface Judged {
  known: Map<string, SameCompany>
  cores: Map<string, { place: SameCompany; site: string | null }>
}
const nothingJudged = (): Judged => ({ known: new Map(), cores: new Map() })

/**
 * What each row is, also beside those before it: the one matcher of all ways to import.
 * @param judged is told of the new ones, which live where their `place` will say
 */
async function judge(
  ctx: ServerContext,
  rows: CheckedRow[],
  judged: Judged,
  { isNew, importId }: ImportChoices,
): Promise<Verdict[]> {
  const { known, cores } = judged
  const wanted = new Set(rows.flatMap((row) => row.identities))
  for (const [identity, company] of await companiesKnownAs(ctx, wanted))
    if (!known.has(identity)) known.set(identity, company)
  const sameIn = ({ identities }: CheckedRow) =>
    identities.map((identity) => known.get(identity)).find(Boolean)
  const unknown = rows.filter((row) => !sameIn(row))
  const found = await companiesLike(
    ctx,
    unknown.map(({ company }) => company),
    importId,
  )
  const likes = new Map(unknown.map((row, i) => [row, found[i]]))
  return rows.map((row): Verdict => {
    const site = siteOf(row.company.website)
    const like = likes.get(row)
    const twin = row.core === null ? undefined : cores.get(row.core)
    const isTwin = twin && (twin.site === null || site === null || twin.site === site)
    const same = sameIn(row) ?? (like?.is === 'same' ? like.company : isTwin && twin.place)
    if (!same && like?.is === 'perhaps' && !isNew?.(row.row)) return like
    const place = same || { name: row.company.name, path: '' }
    for (const identity of row.identities) if (!known.has(identity)) known.set(identity, place)
    if (same) return { is: 'same', company: same }
    if (row.core !== null && !twin) cores.set(row.core, { place, site })
    return { is: 'new', place }
  })
}

async function addTogether(
  ctx: ServerContext,
  rows: CheckedRow[],
  settings: AddSettings,
): Promise<RowOutcome[]> {
  const { asksForLogos, importId } = settings
  const verdicts = await judge(ctx, rows, nothingJudged(), settings)
  /** Where a new company will live is known when it is there. */
  const fresh: { company: ImportedCompany; place: SameCompany }[] = []
  const outcomes = rows.map(({ row, company }, i): RowOutcome => {
    const verdict = verdicts[i] as Verdict
    if (verdict.is !== 'new') return skipped(row, company.name, verdict)
    fresh.push({ company, place: verdict.place })
    return { row, outcome: 'added', company: verdict.place }
  })
  if (fresh.length === 0) return outcomes
  const added = await insertCompanies(
    ctx,
    fresh.map(({ company }) => company),
  )
  if (importId !== undefined) await rememberAdded(ctx, importId, added)
  for (const [i, { place, company }] of fresh.entries()) {
    const { id, slug } = added[i] as { id: string; slug: string | null }
    place.path = companyPath({ id, slug })
    if (asksForLogos) await askForLogo(ctx, id, company)
  }
  return outcomes
}

const skipped = (
  row: number,
  name: string,
  verdict: Exclude<Verdict, { is: 'new' }>,
): RowOutcome => ({
  row,
  outcome: 'skipped',
  name,
  sameAs: verdict.company,
  ...(verdict.is === 'perhaps' && { because: verdict.because }),
})

/** What an import of these rows would do; writes nothing. */
export async function tryImport(
  ctx: ServerContext,
  rows: Iterable<FileRow> | AsyncIterable<FileRow>,
  choices: ImportChoices,
): Promise<ImportTrial> {
  const trial = emptyTrial()
  const judged = nothingJudged()
  for await (const { checked, failed } of batchesOf(rows, new ImportProgress(), choices)) {
    const verdicts = await judge(ctx, checked, judged, choices)
    for (const { row, reason } of failed) noteTried(trial, { row, is: 'failed', reason })
    for (const [i, { row, company }] of checked.entries())
      noteTried(trial, {
        row,
        name: company.name,
        category: company.category,
        ...(verdicts[i] as Verdict),
      })
  }
  return trial
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
