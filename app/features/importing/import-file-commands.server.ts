/** Imports a file that lies on this machine: looks through it first, then adds its companies. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import sql from 'sql-template-tag'
import type { ServerContext } from '../../server/context.server.ts'
import { badRequest } from '../../server/refusal.ts'
import { type FileTable, rowsIn, rowsOfFile } from './file-rows.server.ts'
import { type CompanyWrites, runImport } from './import-commands.server.ts'
import {
  emptyReport,
  type ImportFormat,
  type ImportReport,
  NO_VALID_DATA,
} from './import-report.ts'

/**
 * Reads the file to its end and writes nothing, so that one that breaks in the middle leaves nothing.
 * @returns what its content is known by, and how many rows it has
 * @throws Refusal bad-request when it cannot be read, with the row, or has no rows
 */
export async function surveyFile(path: string, format: ImportFormat, table?: FileTable) {
  const hash = createHash('sha256')
  async function* bytes() {
    for await (const chunk of createReadStream(path)) {
      hash.update(chunk)
      yield chunk as Buffer
    }
  }
  let rows = 0
  for await (const _row of rowsIn(bytes(), format, table)) rows++
  if (rows === 0) throw badRequest(NO_VALID_DATA)
  return { hash: hash.digest('hex'), rows }
}

/** What `imports` remembers of a file. */
export interface KnownImport {
  rows: number
  added: number
  skipped: number
  failed: number
  isFinished: boolean
}

export async function importOf({ db }: Pick<ServerContext, 'db'>, hash: string) {
  const [known] = await db.query<KnownImport>(sql`
    select rows_done as rows, added, skipped, failed, is_finished as "isFinished"
      from imports where hash = ${hash}`)
  return known
}

/**
 * For whoever runs the server. One that was interrupted goes on where it was: each batch is
 * remembered in its own transaction.
 * @param isAgain from the first row, whatever is remembered
 */
export async function* importFile(
  ctx: ServerContext,
  writes: CompanyWrites,
  file: { path: string; format: ImportFormat; hash: string; rows: number },
  { isAgain = false } = {},
): AsyncGenerator<ImportReport> {
  const { path, format, hash, rows: total } = file
  const known = isAgain ? undefined : await importOf(ctx, hash)
  if (known?.isFinished) return
  yield* runImport(ctx, writes, rowsOfFile(path, format), {
    total,
    before: { ...emptyReport(total), ...(known && countsOf(known)) },
    remember: (ctx, report) => rememberImport(ctx, hash, report),
  })
}

const countsOf = ({ rows, added, skipped, failed }: KnownImport) => ({
  rows,
  added,
  skipped,
  failed,
})

async function rememberImport({ db }: ServerContext, hash: string, report: ImportReport) {
  const { rows, added, skipped, failed, total } = report
  await db.query(sql`
    insert into imports (hash, rows_done, added, skipped, failed, is_finished)
    values (${hash}, ${rows}, ${added}, ${skipped}, ${failed}, ${rows >= total})
    on conflict (hash) do update
      set rows_done = excluded.rows_done, added = excluded.added, skipped = excluded.skipped,
          failed = excluded.failed, is_finished = excluded.is_finished`)
}
