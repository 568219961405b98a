/** Imports a file on the server: reads it to the end first, then adds its companies. */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import sql from 'sql-template-tag'
import {
  logOperatorAct,
  OPERATOR_NAME,
} from '#app/identity/accounts/administrators/admin-log.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/context.server.ts'
import { badRequest } from '#app/platform/http/refusal.ts'
import { type FileRow, type FileTable, rowsIn, rowsOfFile } from './file-rows.server.ts'
import { runImport } from './import-commands.server.ts'
import { choicesOf } from './import-plan.server.ts'
import { type DoneBatch, ImportProgress, type RowCounts } from './import-progress.ts'
import { type ImportFormat, type ImportReport, NO_VALID_DATA } from './import-report.ts'
import { beginImport, endImport } from './imported-companies.server.ts'
import { importedText } from './past-imports.ts'

/** Reads everything, so that a broken file adds nothing. @throws Refusal bad-request with the row, or without rows */
export async function countRows(rows: AsyncIterable<FileRow>): Promise<number> {
  let count = 0
  for await (const _row of rows) count++
  if (count === 0) throw badRequest(NO_VALID_DATA)
  return count
}

/** @returns the hash of its content, and its number of rows */
export async function surveyFile(path: string, format: ImportFormat, table?: FileTable) {
  const hash = createHash('sha256')
  async function* bytes() {
    for await (const chunk of createReadStream(path)) {
      hash.update(chunk)
      yield chunk as Buffer
    }
  }
  const rows = await countRows(rowsIn(bytes(), format, table))
  return { hash: hash.digest('hex'), rows }
}

/** What `imports` stores about a file. */
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
  /** Possible duplicates are other companies. */
  areNew?: boolean
}

/**
 * For the server's operator. Resumes an interrupted import, as each batch stores the progress in its transaction. Logged,
 * and undoable by an administrator.
 * @param settings.isAgain starts from the first row
 * @param settings.batchesAtOnce default: one after the other
 */
export async function* importFile(
  ctx: ServerContext,
  file: { path: string; format: ImportFormat; hash: string; rows: number },
  { isAgain = false, batchesAtOnce = 1, areNew = false }: FileSettings = {},
): AsyncGenerator<ImportReport> {
  const { path, format, hash, rows: total } = file
  if (isAgain) await forgetImport(ctx, hash, total)
  const known = await storedImport(ctx, hash)
  if (known?.isFinished) return
  const progress = known?.progress ?? new ImportProgress()
  const before = progress.counts
  const importId = randomUUID()
  const choices = await choicesOf(ctx, {})
  const source = basename(path)
  await beginImport(ctx, { id: importId, adminName: OPERATOR_NAME, source })
  try {
    yield* runImport(ctx, rowsOfFile(path, format), {
      total,
      progress,
      batchesAtOnce,
      choices: { ...choices, importId, ...(areNew && { isNew: () => true }) },
      remember: (ctx, batch, after) =>
        after.mark.rows > batch.from
          ? rememberMark(ctx, hash, after, total)
          : rememberAhead(ctx, hash, batch),
    })
  } finally {
    const { added, skipped, failed } = progress.counts
    await endImport(ctx, importId, {
      skipped: skipped - before.skipped,
      failed: failed - before.failed,
    })
    if (added > before.added)
      await logOperatorAct(ctx, {
        action: 'import-companies',
        subject: importedText(added - before.added, source),
      })
  }
  // With parallel batches, the last to commit may not have known it was the last.
  if (progress.mark.rows >= total)
    await transaction(ctx, (ctx) => rememberMark(ctx, hash, progress, total))
}

/** Batches ahead of the mark have their own rows: hash+500 is the one after 500 rows. */
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

/** Everything before the mark is done, so rows ahead of it are merged in. */
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

/** Keeps those behind the mark, as one may just have been committed. */
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
