/** A file on the server: its columns, its rows, and its import, which reads the whole file before it adds companies. */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import sql from 'sql-template-tag'
import {
  logOperatorAct,
  OPERATOR_NAME,
} from '#app/identity/accounts/administrators/admin-log.server.ts'
import { cutText } from '#app/kit/writing/text.ts'
import { type ServerContext, transaction } from '#app/platform/database/server-context.server.ts'
import { badRequest } from '#app/platform/http/refusal.ts'
import { CATEGORY_MAX } from '../edits/company-edit.ts'
import {
  categoryFor,
  categoryKeyOf,
  guessColumns,
  SAMPLE_ROWS,
  SAMPLES_SHOWN,
} from './column-mapping.ts'
import type { Reading } from './file-reading.ts'
import {
  chosenTable,
  type FileFormat,
  type FileRow,
  type FileTable,
  fileAt,
  orderedTable,
  requireReading,
  rowsAs,
  rowsIn,
  rowsOfFile,
} from './file-rows.server.ts'
import type { FillField } from './filling.ts'
import { type ImportChoices, runImport } from './import-commands.server.ts'
import { type DoneBatch, ImportProgress, type RowCounts } from './import-progress.ts'
import {
  IMPORT_REFUSALS,
  type ImportFormat,
  type ImportReport,
  importedText,
} from './import-report.ts'
import { beginImport, endImport } from './imported-companies.server.ts'
import type { ImportField } from './imported-company.ts'
import type { FileColumns, ImportPlan, SurveyedColumn } from './imports.contract.ts'

/**
 * Reads everything, so a broken file adds nothing. @throws Refusal bad-request, naming the row, or for a file without
 * rows
 */
export async function countRows(rows: AsyncIterable<FileRow>): Promise<number> {
  let count = 0
  for await (const _row of rows) count++
  if (count === 0) throw badRequest(IMPORT_REFUSALS.noData)
  return count
}

/** How the operator wants a file read. */
export interface FileChoices {
  reading?: Reading
  /** The columns' fields, in their order. Default: by title. */
  columns?: (ImportField | undefined)[]
}

/** @returns the hash of its content and of the choices, because they decide what its rows are, and its number of rows */
export async function surveyFile(
  path: string,
  format: FileFormat,
  table?: FileTable,
  choices?: FileChoices,
) {
  const hash = createHash('sha256')
  async function* bytes() {
    for await (const chunk of createReadStream(path)) {
      hash.update(chunk)
      yield chunk as Buffer
    }
  }
  const read = table ?? orderedOf(choices)
  const rows = await countRows(
    format === 'xml'
      ? rowsIn(bytes(), format, read)
      : rowsAs(bytes(), await requireReading(fileAt(path, format), choices?.reading, read), read),
  )
  if (choices) hash.update(JSON.stringify(choices))
  return { hash: hash.digest('hex'), rows }
}

const orderedOf = (choices?: FileChoices) => choices?.columns && orderedTable(choices.columns)

/** An earlier import of the file, as recorded in `imports`. */
export interface KnownImport extends RowCounts {
  isFinished: boolean
}

/** Undefined for a new file. */
export async function importOf(ctx: Pick<ServerContext, 'db'>, hash: string) {
  const known = await storedImport(ctx, hash)
  return known && { ...known.progress.counts, isFinished: known.isFinished }
}

interface FileSettings {
  isAgain?: boolean
  batchesAtOnce?: number
  /** Treats possible duplicates that no one has decided on as other companies. */
  areNew?: boolean
  replaces?: readonly FillField[]
}

/**
 * For the server's operator. Resumes an interrupted import, because each batch stores the progress in its transaction.
 * The import is logged, and an administrator can undo it. @param settings.isAgain starts from the first row @param
 * settings.batchesAtOnce default: one batch after the other
 */
export async function* importFile(
  ctx: ServerContext,
  file: { path: string; format: ImportFormat; hash: string; rows: number; choices?: FileChoices },
  { isAgain = false, batchesAtOnce = 1, areNew = false, replaces }: FileSettings = {},
): AsyncGenerator<ImportReport> {
  const { path, format, hash, rows: total, choices: read } = file
  if (isAgain) await forgetImport(ctx, hash, total)
  const known = await storedImport(ctx, hash)
  if (known?.isFinished) return
  const progress = known?.progress ?? new ImportProgress()
  const before = progress.counts
  const importId = randomUUID()
  const choices = await choicesOf(ctx, {})
  const source = basename(path)
  await beginImport(ctx, { id: importId, adminName: OPERATOR_NAME, source })
  let filled = 0
  try {
    for await (const report of runImport(
      ctx,
      rowsOfFile(path, format, orderedOf(read), read?.reading),
      {
        total,
        progress,
        batchesAtOnce,
        choices: { ...choices, importId, replaces, areNew },
        remember: (ctx, batch, after) =>
          after.mark.rows > batch.from
            ? rememberMark(ctx, hash, after, total)
            : rememberAhead(ctx, hash, batch),
      },
    )) {
      filled = report.filled
      yield report
    }
  } finally {
    const { added, skipped, failed } = progress.counts
    await endImport(ctx, importId, {
      skipped: skipped - before.skipped,
      failed: failed - before.failed,
    })
    if (added - before.added + filled > 0)
      await logOperatorAct(ctx, {
        action: 'import-companies',
        subject: importedText({ added: added - before.added, filled }, source),
      })
  }
  // With parallel batches, the last one to commit may not have known that it was the last.
  if (progress.mark.rows >= total)
    await transaction(ctx, (ctx) => rememberMark(ctx, hash, progress, total))
}

/** Each batch ahead of the mark has its own row: hash+500 is the one after 500 rows. */
const aheadKey = (hash: string, from: number) => `${hash}+${from}`

async function storedImport({ db }: Pick<ServerContext, 'db'>, hash: string) {
  const rows = await db.query<KnownImport & { hash: string }>(sql`
    select hash, rows_done as rows, added, skipped, failed, is_finished as "isFinished"
      from imports where hash = ${hash} or (hash > ${`${hash}+`} and hash < ${`${hash}+:`})`)
  if (rows.length === 0) return undefined
  const mark = rows.find((row) => row.hash === hash)
  const ahead = rows
    .filter((row) => row !== mark)
    .map(({ hash: key, ...counts }) => ({ ...counts, from: Number(key.slice(hash.length + 1)) }))
  return { progress: new ImportProgress(mark, ahead), isFinished: mark?.isFinished === true }
}

/** Starts over, even if this run is interrupted. */
const forgetImport = (ctx: ServerContext, hash: string, total: number) =>
  transaction(ctx, async (ctx) => {
    await forgetAhead(ctx, hash, total)
    await rememberMark(ctx, hash, new ImportProgress(), total)
  })

/** Everything before the mark is done, so merge the batches that follow it. */
async function rememberMark(
  { db }: Pick<ServerContext, 'db'>,
  hash: string,
  { mark }: ImportProgress,
  total: number,
) {
  const { rows, added, skipped, failed } = mark
  await db.query(sql`
    insert into imports (hash, rows_done, added, skipped, failed, is_finished)
    values (${hash}, ${rows}, ${added}, ${skipped}, ${failed}, ${rows >= total})
    on conflict (hash) do update
      set rows_done = excluded.rows_done, added = excluded.added, skipped = excluded.skipped,
          failed = excluded.failed, is_finished = excluded.is_finished`)
  await forgetAhead({ db }, hash, rows)
}

/** Keep those after the mark, because one may just have been committed. */
const forgetAhead = ({ db }: Pick<ServerContext, 'db'>, hash: string, mark: number) =>
  db.query(sql`
    delete from imports
     where hash > ${`${hash}+`} and hash < ${`${hash}+:`}
       and split_part(hash, '+', 2)::integer < ${mark}`)

async function rememberAhead({ db }: ServerContext, hash: string, batch: DoneBatch) {
  const { from, rows, added, skipped, failed } = batch
  await db.query(sql`
    insert into imports (hash, rows_done, added, skipped, failed)
    values (${aheadKey(hash, from)}, ${rows}, ${added}, ${skipped}, ${failed})
    on conflict (hash) do update
      set rows_done = excluded.rows_done, added = excluded.added, skipped = excluded.skipped,
          failed = excluded.failed`)
}

/** A column with more distinct values than this isn't one of categories. */
const VALUES_MAX = 100
const SHOWN_MAX = 80

type Stored = Pick<ServerContext, 'db'>

/** Guesses the columns if none are chosen. */
export const tableOf = ({ columns }: Pick<ImportPlan, 'columns'>) => columns && chosenTable(columns)

/**
 * A file's columns, guesses, and samples.
 * @param titled rows read with `AS_TITLED`
 * @throws Refusal bad-request if we can't read it or it has no rows
 */
export async function surveyColumns(
  ctx: Stored,
  titled: AsyncIterable<FileRow>,
): Promise<Omit<FileColumns, 'reading'>> {
  const columns = new Map<string, { samples: string[]; values: Map<string, number> | null }>()
  let rows = 0
  for await (const { given } of titled) {
    rows++
    if (typeof given !== 'object' || given === null) continue
    for (const [title, value] of Object.entries(given)) {
      const column = columns.get(title) ?? { samples: [], values: new Map<string, number>() }
      columns.set(title, column)
      const cell = typeof value === 'string' ? value.trim() : value == null ? '' : String(value)
      if (cell === '') continue
      if (column.samples.length < SAMPLE_ROWS) column.samples.push(cutText(cell, SHOWN_MAX))
      if (cell.length > CATEGORY_MAX) continue
      column.values?.set(cell, (column.values.get(cell) ?? 0) + 1)
      if ((column.values?.size ?? 0) > VALUES_MAX) column.values = null
    }
  }
  if (rows === 0) throw badRequest(IMPORT_REFUSALS.noData)
  // Empty columns at a table's end have no titles.
  const list = [...columns.entries()]
    .map(([title, column]) => ({ title, ...column }))
    .filter(({ title, samples }) => samples.length > 0 || !/^Column \d+$/.test(title))
  if (list.every(({ samples }) => samples.length === 0)) throw badRequest(IMPORT_REFUSALS.noData)
  const fields = guessColumns(list)
  const { here, chosen } = await storedCategories(ctx)
  return {
    rows,
    columns: list.map(
      ({ title, samples, values }, i): SurveyedColumn => ({
        title,
        field: fields[i] ?? null,
        samples: samples.slice(0, SAMPLES_SHOWN),
        values: values && [...values].map(([value, count]) => ({ value, count })),
      }),
    ),
    categories: [...here.values()],
    chosen: Object.fromEntries(chosen),
  }
}

/** Categories without a choice become the proposed ones. */
export async function choicesOf(
  ctx: Stored,
  {
    categories = {},
    isNew = [],
    isSame = [],
    replace = [],
    meanings,
  }: Pick<Partial<ImportPlan>, 'categories' | 'isNew' | 'isSame' | 'replace' | 'meanings'>,
): Promise<ImportChoices> {
  const { here, chosen } = await storedCategories(ctx)
  for (const [given, category] of Object.entries(categories))
    chosen.set(categoryKeyOf(given), category)
  const decided = new Set(isNew)
  const same = new Map(isSame.map(({ row, companyId }) => [row, companyId]))
  return {
    isNew: (row) => decided.has(row),
    idOf: (row) => same.get(row),
    replaces: replace,
    meanings,
    categoryOf: (given) => categoryFor(given, { chosen, here }),
  }
}

async function storedCategories({ db }: Stored) {
  const here = await db.query<{ name: string }>(sql`select name from categories order by name`)
  const chosen = await db.query<{ given: string; category: string }>(
    sql`select given, category from import_categories`,
  )
  return {
    here: new Map(here.map(({ name }) => [categoryKeyOf(name), name])),
    chosen: new Map(chosen.map(({ given, category }) => [given, category])),
  }
}

/** We propose these choices again for the next list. */
export async function rememberCategories({ db }: Stored, categories: Record<string, string>) {
  const byKey = new Map(
    Object.entries(categories).map(([given, category]) => [categoryKeyOf(given), category]),
  )
  byKey.delete('')
  if (byKey.size === 0) return
  await db.query(sql`
    insert into import_categories (given, category)
    select * from unnest(${[...byKey.keys()]}::text[], ${[...byKey.values()]}::text[])
    on conflict (given) do update set category = excluded.category`)
}
