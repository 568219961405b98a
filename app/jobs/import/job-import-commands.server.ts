/**
 * Adds a feed's jobs to existing companies. Rows added before are skipped, deleted ones too, so a feed can be read every
 * night and resumed after an interruption.
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
import { type ServerContext, transaction } from '#app/platform/database/context.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { todayOf } from '#app/platform/jobs/days.server.ts'
import { jobPath } from '../job.ts'
import { checkedJob } from '../postings/job-check.server.ts'
import { insertJob, lockCompany, requireRoom } from '../postings/job-commands.server.ts'
import { type ImportedJob, readJob } from './job-import.server.ts'

/** As the file reader returns it. */
interface JobFileRow {
  row: number
  given?: unknown
  problem?: string
}

/** Small, so that each is soon committed. */
const BATCH_ROWS = 100

/** For the server's operator: checks no permission. Yields the report after each batch. */
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

/** A failing row leaves nothing, and the rest continue. */
async function importRow(
  ctx: ServerContext,
  { row, given, problem }: JobFileRow,
): Promise<RowOutcome> {
  if (problem !== undefined) return { row, outcome: 'failed', reason: problem }
  try {
    return await transaction(ctx, (ctx) => addRow(ctx, row, readJob(given, todayOf(ctx))))
  } catch (error) {
    const { status = 500, message } = error as { status?: number; message: string }
    if (!(error instanceof RowProblem) && status >= 500) throw error
    return { row, outcome: 'failed', reason: message }
  }
}

async function addRow(ctx: ServerContext, row: number, imported: ImportedJob): Promise<RowOutcome> {
  const job = checkedJob(imported.input, false)
  const company = await lockCompany(ctx.db, await companyIdOf(ctx.db, imported.company))
  const { title } = job
  const mark = markOf(ctx, company.id, imported)
  const [same] = await ctx.db.query<{ id: string; title: string }>(
    sql`select id, title from job_postings where idempotency_key = ${mark}`,
  )
  if (same)
    return {
      row,
      outcome: 'skipped',
      name: title,
      sameAs: { name: same.title, path: jobPath(same) },
    }
  if (await wasDeleted(ctx.db, mark)) return { row, outcome: 'skipped', name: title }
  await requireRoom(ctx, company.id)
  const { posted, validThrough } = imported
  const id = await insertJob(ctx, { company, job, mark, open: { posted, validThrough } })
  return { row, outcome: 'added', company: { name: title, path: jobPath({ id, title }) } }
}

async function wasDeleted(db: Database, mark: string) {
  const [deleted] = await db.query(sql`select from deleted_jobs where idempotency_key = ${mark}`)
  return deleted !== undefined
}

/** The feed's own id; without one, what makes two rows the same job to a reader. */
function markOf({ secrets }: ServerContext, companyId: string, { feedId, input }: ImportedJob) {
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
  // A slug is unique; several companies may share a name or a website.
  if (first.rank > 2 && second)
    throw new RowProblem(
      `Several companies are called "${cutText(text, 120)}". Please give the slug.`,
    )
  return first.id
}
