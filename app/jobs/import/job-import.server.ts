/**
 * Adds a feed's jobs to existing companies. Skips rows it added before, even if the job was deleted, so you can import a
 * feed every night and resume after an interruption.
 */
import { domainToUnicode } from 'node:url'
import sql from 'sql-template-tag'
import {
  emptyReport,
  type ImportReport,
  note,
  type RowOutcome,
} from '#app/companies/importing/import-report.ts'
import { RowProblem, siteOf } from '#app/companies/importing/imported-company.ts'
import { tidyWebsite } from '#app/companies/web-address.ts'
import { cutText, foldText, slugOf } from '#app/kit/writing/text.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { isRefusal } from '#app/platform/http/refusal.ts'
import { jobPath } from '../job.ts'
import { checkedJob } from '../postings/job-check.server.ts'
import { insertJob } from '../postings/job-commands.server.ts'
import { lockHiringCompany, requireJobCapacity } from '../postings/job-rules.server.ts'
import { contentOf, type ImportedJob, readJob } from './read-job.server.ts'

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
  const idempotencyKey = fileKeyOf(ctx, company.id, imported)
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

export async function wasDeleted(db: Database, ...idempotencyKeys: string[]) {
  const [deleted] = await db.query(
    sql`select from deleted_jobs where idempotency_key = any (${idempotencyKeys}::text[])`,
  )
  return deleted !== undefined
}

/** The file's own id, or else what makes two rows the same job to a reader. */
export function fileKeyOf(
  { secrets }: ServerContext,
  companyId: string,
  { feedId, input }: ImportedJob,
) {
  const [how, known] = feedId === '' ? ['content', contentOf(input)] : ['id', feedId]
  return secrets.hash('job feed', companyId, how, known)
}

/** @throws RowProblem for no match or several */
export async function companyIdOf(db: Database, named: string): Promise<string> {
  if (named === '') throw new RowProblem('This row doesn’t name a company')
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
