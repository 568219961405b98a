/** The jobs in a feed's rows: which is which, for which company, and what we'd post. */
import { setImmediate } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { FileRow } from '#app/companies/importing/file-rows.server.ts'
import { RowProblem } from '#app/companies/importing/imported-company.ts'
import { SENT_HASH_BYTES } from '#app/platform/database/idempotency.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { isRefusal } from '#app/platform/http/refusal.ts'
import { companyIdOf } from '../import/job-import.server.ts'
import {
  contentOf,
  ExpiredJob,
  type ImportedJob,
  jobNamesIn,
  readJob,
} from '../import/read-job.server.ts'
import { FEED_REFUSALS, OMITTED_ROWS_SHOWN } from './job-feed.ts'

/** Rows that we read before other work gets a turn. */
const TURN_ROWS = 50

export interface ListedJob {
  row: number
  /** The idempotency key of its posting. */
  key: string
  /** What it says, in 16 bytes. */
  hash: Buffer
  job: ImportedJob
}

export interface ListedJobs {
  jobs: ListedJob[]
  /** Keys of all jobs that are in the feed, even if we can't read the rest of their rows. */
  listed: Set<string>
  /** Rows that could be any job. */
  unread: number
  omittedRows: OmittedRows
}

export interface OmittedRows {
  count: number
  /** The first of them. */
  rows: { row: number; reason: string }[]
}

export function omitRow(omittedRows: OmittedRows, row: number, reason: string) {
  omittedRows.count++
  if (omittedRows.rows.length < OMITTED_ROWS_SHOWN) omittedRows.rows.push({ row, reason })
}

export const inOrder = ({ rows }: OmittedRows) => rows.toSorted((a, b) => a.row - b.row)

/** The sentence for a row that we leave out. Rethrows bugs. */
export function rowProblem(error: unknown): string {
  if (error instanceof RowProblem || isRefusal(error)) return error.message
  throw error
}

/** @param scope whose ids these are */
export async function listedJobs(
  ctx: Pick<ServerContext, 'now' | 'secrets'>,
  scope: string,
  rows: FileRow[],
): Promise<ListedJobs> {
  const { secrets } = ctx
  const found: ListedJobs = {
    jobs: [],
    listed: new Set(),
    unread: 0,
    omittedRows: { count: 0, rows: [] },
  }
  const names = rows.map(({ given }) => jobNamesIn(given))
  const links = new Map<string, number>()
  for (const { feedId, link } of names)
    if (feedId === '') links.set(link, (links.get(link) ?? 0) + 1)
  const keyOf = (how: string, known: string) => secrets.hash('feed job', scope, how, known)
  const today = todayOf(ctx)

  for (const [i, { row, given, problem, unread }] of rows.entries()) {
    if (i % TURN_ROWS === 0) await setImmediate()
    const { feedId, link } = names[i] ?? { feedId: '', link: '' }
    // Several jobs may share a page to apply on, and then it names none of them.
    const isNamedByLink = link !== '' && links.get(link) === 1
    let key = feedId !== '' ? keyOf('id', feedId) : isNamedByLink ? keyOf('link', link) : undefined
    try {
      if (problem !== undefined) throw new RowProblem(problem)
      const [cut] = Object.values(unread ?? {})
      if (cut) throw new RowProblem(cut)
      const job = readJob(given, today, true)
      key ??= keyOf('content', contentOf(job.input))
      if (found.listed.has(key)) throw new RowProblem(FEED_REFUSALS.twice)
      const said = secrets.hash('feed job says', JSON.stringify([job.company, job.input]))
      const hash = Buffer.from(said, 'base64url').subarray(0, SENT_HASH_BYTES)
      found.jobs.push({ row, key, hash, job })
    } catch (error) {
      omitRow(found.omittedRows, row, rowProblem(error))
      // Its last day has passed, so it's as good as gone.
      if (error instanceof ExpiredJob) continue
      if (key === undefined) found.unread++
    }
    if (key !== undefined) found.listed.add(key)
  }
  return found
}

interface Owner {
  /** The only company that the feed can post for. */
  companyId: string | null
}

/** Finds each job's company, once per name. @returns a function that throws RowProblem */
export function companyFinder({ db }: Pick<ServerContext, 'db'>, { companyId }: Owner) {
  const known = new Map<string, Promise<string>>()
  async function find(named: string) {
    if (companyId !== null && named === '') return companyId
    const id = await companyIdOf(db, named)
    if (companyId === null || id === companyId) return id
    const [own] = await db.query<{ name: string }>(
      sql`select name from companies where id = ${companyId}`,
    )
    throw new RowProblem(FEED_REFUSALS.otherCompany(named, own?.name ?? 'one company'))
  }
  return (named: string) => {
    const found = known.get(named) ?? find(named)
    known.set(named, found)
    return found
  }
}
