/** Adds companies batch by batch. All ways of importing use it. */
import { randomUUID } from 'node:crypto'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { logAdminAct } from '#app/identity/accounts/administrators/admin-log.server.ts'
import { type DatabaseError, isUniqueViolation } from '#app/platform/database/database.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/server-context.server.ts'
import { badRequest } from '#app/platform/http/refusal.ts'
import type { TaskKind } from '#app/platform/queue/queue.server.ts'
import { companyPath } from '../company.ts'
import { baseSlug, insertCompanies } from '../company-commands.server.ts'
import { enqueueLogoFetch } from '../logos/logo-commands.server.ts'
import { readCompany } from './cells.server.ts'
import {
  companiesKnownAs,
  companiesLike,
  identitiesOf,
  isNameless,
  type PerhapsCompany,
} from './company-match-queries.server.ts'
import { coreOf } from './company-matching.ts'
import type { FileRow } from './file-rows.server.ts'
import { CompanyGone, fillIn, type GivenFacts, outcomesOf } from './filling.server.ts'
import { allFilled, type CellOutcomes, type FillField, factsOfRow, GivenFields } from './filling.ts'
import { type MadeDecision, rememberDecisions } from './import-decisions.server.ts'
import { batchOf, type DoneBatch, ImportProgress } from './import-progress.ts'
import {
  type Decision,
  emptyReport,
  emptyTrial,
  type FailedRow,
  IMPORT_REFUSALS,
  type ImportReport,
  type ImportTrial,
  importedText,
  type KnownCompany,
  LOGO_ROWS_MAX,
  note,
  noteTried,
  type OmittedCell,
  oneTicker,
  type RowOutcome,
  shown,
  type Verdict,
} from './import-report.ts'
import { createSharedTurn, createTurn, lockImports, retryDeadlocks } from './import-turn.server.ts'
import {
  beginImport,
  endImport,
  rememberAdded,
  requireNotUndone,
} from './imported-companies.server.ts'
import { type ImportedCompany, RowProblem, siteOf } from './imported-company.ts'
import type { ImportedLogo } from './imported-logo-task.server.ts'
import { mapConcurrently } from './map-concurrently.server.ts'
import type { Meanings } from './unclear-cells.ts'

/** Task `{ companyId, url }`: fetches the logo given with a row. S19. */
export const IMPORTED_LOGO_TASK: TaskKind<ImportedLogo> = 'imported-logo'

/** Large enough for one write, and soon done. */
const BATCH_ROWS = 500
const TRIES = 3
/** One more connection holds the import's turn. */
const BATCHES_AT_ONCE = 2
/** With fewer connections, the site would have to wait during an import. */
const CONNECTIONS_LEAST = 6

/** How many batches we may write in parallel. Each uses one backend, and so one CPU. */
export const batchesAtOnceOf = (connections: number) =>
  connections >= CONNECTIONS_LEAST ? BATCHES_AT_ONCE : 1

export interface ImportSettings {
  /** Default: one batch after the other, as on a single connection. */
  batchesAtOnce?: number
  /** Emitted after an administrator's import, complete or not. */
  onImported?: () => void
}

interface AdminImport {
  total: number
  /** The file's name, or another source. */
  source?: string
  /** An import repeated with the same id adds nothing twice. */
  id?: string
  choices?: ImportChoices
}

/**
 * An administrator's import, which is logged and can be undone. Yields the report after each committed batch.
 * @throws Refusal bad-request without rows, conflict if it was undone
 */
export async function* importCompanies(
  ctx: Ctx,
  settings: ImportSettings,
  rows: Iterable<FileRow> | AsyncIterable<FileRow>,
  { total, source, id = randomUUID(), choices }: AdminImport,
): AsyncGenerator<ImportReport> {
  if (total === 0) throw badRequest(IMPORT_REFUSALS.noData)
  const progress = new ImportProgress()
  const { batchesAtOnce } = settings
  const adminName = ctx.actor.account?.username ?? 'An administrator'
  await beginImport(ctx, { id, adminName, source: source ?? 'Sent to the site' })
  const run = { total, progress, batchesAtOnce, choices: { ...choices, importId: id } }
  let filled = 0
  try {
    for await (const report of runImport(ctx, rows, run)) {
      filled = report.filled
      yield report.added + filled > 0 ? { ...report, importId: id } : report
    }
  } finally {
    await endImport(ctx, id, progress.counts)
    const { added } = progress.counts
    if (added + filled > 0) {
      const subject = importedText({ added, filled }, source)
      await logAdminAct(ctx, { action: 'import-companies', subject })
      settings.onImported?.()
    }
  }
}

interface RunSettings {
  total: number
  /** What earlier runs have done, which we skip. Updated with each commit. */
  progress?: ImportProgress
  /** Runs in each batch's transaction, with the progress after it. */
  remember?: (ctx: ServerContext, batch: DoneBatch, progress: ImportProgress) => Promise<void>
  /** Default: one batch after the other. */
  batchesAtOnce?: number
  choices?: ImportChoices
}

/** Decisions made before the import. */
export interface ImportChoices {
  /** Whether a possible duplicate is another company. By default, it's what was decided for an earlier list. */
  isNew?: (row: number) => boolean
  /** The id of the company that a row is about, if it's a possible duplicate. By default, as decided earlier. */
  idOf?: (row: number) => string | undefined
  /** Whether possible duplicates that no one has decided on are other companies. By default, we leave them out. */
  areNew?: boolean
  /** Asks about what was decided earlier, too, so people can change it. */
  isTrial?: boolean
  /** Default: as in the rows. */
  categoryOf?: (given: string) => string
  /** Fields in which rows replace existing values. By default, rows only fill in what's empty. */
  replaces?: readonly FillField[]
  /** What cells mean that can be read in two ways. By default, we leave them out. */
  meanings?: Meanings
  /** No company was founded later. */
  thisYear?: number
  /** The import to which we link companies. */
  importId?: string
}

const yearOf = ({ now }: Pick<ServerContext, 'now'>) => now().getUTCFullYear()

/** Doesn't check permissions, because the server's operator runs it. */
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
  const given = new GivenFields()
  const areSeveral = batchesAtOnce > 1
  const inTurn = areSeveral ? createSharedTurn(ctx.db) : createTurn(ctx.db)
  const batches = batchesOf(rows, progress, { ...choices, thisYear: yearOf(ctx) })
  const done = mapConcurrently(batches, (batch) => inTurn(() => writeBatch(batch)), {
    atOnce: batchesAtOnce,
    mayOverlap: haveNothingInCommon,
  })
  for await (const outcomes of done) {
    for (const outcome of outcomes) note(report, outcome)
    yield structuredClone(report)
  }

  function writeBatch(batch: Batch): Promise<RowOutcome[]> {
    return retryDeadlocks(async () => {
      const givenHere = new GivenFields(given)
      const outcomes = await transaction(ctx, async (ctx) => {
        if (!areSeveral) await lockImports(ctx.db)
        const added = await addRows(ctx, batch.checked, {
          ...choices,
          given: givenHere,
          asksForLogos: total <= LOGO_ROWS_MAX,
        })
        const outcomes = [...batch.failed, ...added].sort((a, b) => a.row - b.row)
        const done = batchOf(batch.from, outcomes)
        await remember?.(ctx, done, progress.with(done))
        return outcomes
      })
      progress.add(batchOf(batch.from, outcomes))
      given.keep(givenHere)
      return outcomes
    })
  }
}

interface CheckedRow {
  row: number
  company: ImportedCompany
  omittedCells: OmittedCell[]
  identities: string[]
  /** The result of `coreOf`. Null without a name. */
  core: string | null
}

/** Consecutive rows, checked but not written. */
interface Batch {
  /** How many rows of the file come before the batch. */
  from: number
  checked: CheckedRow[]
  failed: FailedRow[]
  /** The identities and slugs that the batch's rows may need. */
  claims: Set<string>
}

/** We write batches that could contain the same company or slug one after the other. */
const haveNothingInCommon = ({ claims }: Batch, other: Batch) =>
  [...claims].every((claim) => !other.claims.has(claim))

/** Skips rows that are done. */
async function* batchesOf(
  rows: Iterable<FileRow> | AsyncIterable<FileRow>,
  progress: ImportProgress,
  choices: ImportChoices,
): AsyncGenerator<Batch> {
  let batch: FileRow[] = []
  let at = 0
  for await (const row of rows) {
    const isDone = progress.isDone(at)
    if (isDone && batch.length > 0) yield checkBatch(batch, at - batch.length, choices)
    if (isDone) batch = []
    else batch.push(row)
    at++
    if (batch.length < BATCH_ROWS) continue
    yield checkBatch(batch, at - batch.length, choices)
    batch = []
  }
  if (batch.length > 0) yield checkBatch(batch, at - batch.length, choices)
}

function checkBatch(rows: FileRow[], from: number, choices: ImportChoices): Batch {
  const { categoryOf, meanings, thisYear } = choices
  const batch: Batch = { from, checked: [], failed: [], claims: new Set() }
  for (const { row, given, unread, problem } of rows)
    try {
      if (problem) throw new RowProblem(problem)
      const { company, omittedCells } = readCompany(given, { unread, meanings, thisYear })
      if (categoryOf) company.category = categoryOf(company.category)
      const identities = identitiesOf(company)
      const core = isNameless(company) ? null : coreOf(company.name)
      batch.checked.push({ row, company, omittedCells, identities, core })
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

type AddSettings = ImportChoices & { given: GivenFields; asksForLogos: boolean }

/** If the database refuses a batch, we split it until only the bad row fails. */
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
    // Someone else took a slug or merged a company meanwhile, which a retry sees.
    if ((isUniqueViolation(error) || error instanceof CompanyGone) && tries > 1)
      return addRows(ctx, rows, settings, tries - 1)
    if (!isAboutData(error)) throw error
    const [only] = rows
    if (only && rows.length === 1)
      return [{ row: only.row, outcome: 'failed', reason: 'The database rejected this row' }]
    const half = Math.ceil(rows.length / 2)
    return [
      ...(await addRows(ctx, rows.slice(0, half), settings)),
      ...(await addRows(ctx, rows.slice(half), settings)),
    ]
  }
}

/** Covers invalid values (class 22), constraints (23) and limits (54), but not a lost connection. */
const isAboutData = (error: unknown) =>
  error instanceof Error && /^(22|23|54)/.test(String((error as Partial<DatabaseError>).code))

/** Earlier rows' companies, by identity and by core, and what someone decided on them for this import. */
interface Judged {
  known: Map<string, KnownCompany>
  cores: Map<string, { company: KnownCompany; site: string | null }>
  decisions: MadeDecision[]
}
const nothingJudged = (): Judged => ({ known: new Map(), cores: new Map(), decisions: [] })

/** What someone decided on a row for this import. */
function decidedHere(row: number, { company }: PerhapsCompany, { isNew, idOf }: ImportChoices) {
  if (idOf?.(row) === company.id) return 'same'
  return isNew?.(row) ? 'new' : undefined
}

function decisionOn(row: number, like: PerhapsCompany, choices: ImportChoices) {
  const { areNew, isTrial } = choices
  const earlier: Decision | undefined = isTrial ? undefined : like.decided
  return decidedHere(row, like, choices) ?? earlier ?? (areNew ? 'new' : undefined)
}

/** Another company is none of those that it looks like, although we ask about only one. */
function madeDecision(
  row: ImportedCompany,
  { company, alike }: PerhapsCompany,
  decision: Decision,
) {
  return decision === 'same'
    ? { row, same: company.id, others: [] }
    : { row, others: [...new Set(alike)] }
}

/**
 * What each row is, compared with existing companies and earlier rows. @param judged gets the new companies,
 * which have no `path` until they exist
 */
async function judge(
  ctx: ServerContext,
  rows: CheckedRow[],
  judged: Judged,
  choices: ImportChoices,
): Promise<Verdict[]> {
  const { known, cores, decisions } = judged
  const wanted = new Set(rows.flatMap((row) => row.identities))
  for (const [identity, company] of await companiesKnownAs(ctx, wanted))
    if (!known.has(identity)) known.set(identity, company)
  const sameIn = ({ identities }: CheckedRow) =>
    identities.map((identity) => known.get(identity)).find(Boolean)
  const unknown = rows.filter((row) => !sameIn(row))
  const found = await companiesLike(
    ctx,
    unknown.map(({ company }) => company),
    choices.importId,
  )
  const likes = new Map(unknown.map((row, i) => [row, found[i]]))
  return rows.map((row): Verdict => {
    const site = siteOf(row.company.website)
    const like = likes.get(row)
    const twin = row.core === null ? undefined : cores.get(row.core)
    const isTwin = twin && (twin.site === null || site === null || twin.site === site)
    const perhaps = like?.is === 'perhaps' ? like : undefined
    const decision = perhaps && decisionOn(row.row, perhaps, choices)
    const isLike = like && (like.is === 'same' || decision === 'same')
    const same = sameIn(row) ?? (isLike ? like.company : isTwin && twin.company)
    const made = perhaps && decidedHere(row.row, perhaps, choices)
    if (made) decisions.push(madeDecision(row.company, perhaps, made))
    if (!same && perhaps && decision !== 'new') return perhaps
    const company = same || { id: randomUUID(), name: row.company.name, path: '' }
    for (const identity of row.identities) if (!known.has(identity)) known.set(identity, company)
    if (same) return { is: 'same', company: same }
    if (row.core !== null && !twin) cores.set(row.core, { company, site })
    return { is: 'new', company }
  })
}

interface JudgedRow extends GivenFacts {
  row: CheckedRow
  verdict: Verdict
  cellOutcomes: CellOutcomes
}

/** Adds what no earlier row has said about each company. */
async function judgeFacts(
  ctx: ServerContext,
  rows: CheckedRow[],
  { judged, given, choices }: { judged: Judged; given: GivenFields; choices: ImportChoices },
): Promise<JudgedRow[]> {
  const verdicts = await judge(ctx, rows, judged, choices)
  return rows.map((row, i) => {
    const verdict = verdicts[i] as Verdict
    const { id } = verdict.company
    const all = factsOfRow(row.company, verdict.company)
    const facts = given.notGiven(id, all)
    if (verdict.is === 'perhaps') return { id, facts, row, verdict, cellOutcomes: {} }
    const omittedCells = [...row.omittedCells, ...otherTicker(all.ticker, given.tickerOf(id))]
    given.add(id, facts)
    return { id, facts, row: { ...row, omittedCells }, verdict, cellOutcomes: {} }
  })
}

/** Each share class has its own row in a list, but a company has one ticker. */
const otherTicker = (ticker: string | null | undefined, earlier?: string): OmittedCell[] =>
  ticker && earlier && ticker !== earlier
    ? [{ field: 'ticker', reason: oneTicker(ticker, earlier) }]
    : []

async function addTogether(
  ctx: ServerContext,
  rows: CheckedRow[],
  settings: AddSettings,
): Promise<RowOutcome[]> {
  const { asksForLogos, importId = null, replaces = [] } = settings
  if (importId !== null) await requireNotUndone(ctx, importId)
  const given = new GivenFields(settings.given)
  const about = nothingJudged()
  const judged = await judgeFacts(ctx, rows, { judged: about, given, choices: settings })
  await rememberDecisions(ctx, about.decisions)
  const newRows = judged.filter(({ verdict }) => verdict.is === 'new')
  const newIds = new Set(newRows.map(({ id }) => id))
  const fill = async (areFresh: boolean) => {
    const same = judged.filter(
      ({ id, verdict }) => verdict.is === 'same' && newIds.has(id) === areFresh,
    )
    const cellOutcomes = await fillIn(ctx, same, { replaces, importId })
    for (const [i, row] of same.entries()) row.cellOutcomes = cellOutcomes[i] ?? {}
  }
  // Companies first, then the categories' counts, because editors lock them in this order.
  await fill(false)
  if (newRows.length > 0) {
    const added = await insertCompanies(
      ctx,
      newRows.map(({ id, row }) => ({ ...row.company, id })),
    )
    if (importId !== null) await rememberAdded(ctx, importId, added)
    for (const [i, { id, row, verdict }] of newRows.entries()) {
      verdict.company.path = companyPath({ id, slug: added[i]?.slug ?? null })
      if (asksForLogos) await askForLogo(ctx, id, row.company)
    }
    await fill(true)
  }
  settings.given.keep(given)
  return judged.map(outcomeOf)
}

function outcomeOf({
  row: { row, company, omittedCells },
  verdict,
  cellOutcomes,
}: JudgedRow): RowOutcome {
  const sameAs = shown(verdict.company)
  if (verdict.is === 'new') return { row, outcome: 'added', company: sameAs, omittedCells }
  const skipped = { row, outcome: 'skipped', name: company.name, sameAs } as const
  return verdict.is === 'same'
    ? { ...skipped, cellOutcomes, omittedCells }
    : { ...skipped, because: verdict.because }
}

/** Writes nothing. */
export async function tryImport(
  ctx: ServerContext,
  rows: Iterable<FileRow> | AsyncIterable<FileRow>,
  choices: ImportChoices,
): Promise<ImportTrial> {
  const trial = emptyTrial()
  const about = {
    judged: nothingJudged(),
    given: new GivenFields(),
    choices: { ...choices, isTrial: true },
  }
  for await (const { checked, failed } of batchesOf(rows, new ImportProgress(), {
    ...choices,
    thisYear: yearOf(ctx),
  })) {
    const judged = await judgeFacts(ctx, checked, about)
    const existingRows = judged.filter(({ verdict }) => verdict.company.path !== '')
    const cellOutcomes = await outcomesOf(ctx, existingRows, choices.replaces ?? [])
    for (const [i, row] of existingRows.entries()) row.cellOutcomes = cellOutcomes[i] ?? {}
    for (const { row, reason } of failed) noteTried(trial, { row, is: 'failed', reason })
    for (const { row, facts, verdict, cellOutcomes } of judged)
      noteTried(trial, {
        row: row.row,
        omittedCells: row.omittedCells,
        name: row.company.name,
        category: row.company.category,
        cellOutcomes: verdict.company.path === '' ? allFilled(facts) : cellOutcomes,
        ...verdict,
      })
  }
  return trial
}

/** Tries to get a logo after the commit. Spec §5. */
export async function askForLogo(
  ctx: ServerContext,
  companyId: string,
  { logoUrl, website }: Pick<ImportedCompany, 'logoUrl' | 'website'>,
) {
  if (logoUrl) await ctx.queue.enqueue(ctx.db, IMPORTED_LOGO_TASK, { companyId, url: logoUrl })
  else if (website) await enqueueLogoFetch(ctx, companyId)
}
