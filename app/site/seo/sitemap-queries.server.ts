/** The URLs search engines may list, which is everything visitors may see, oldest first. */
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { threadPath } from '#app/community/discussions/discussion.ts'
import { companyPath } from '#app/companies/company.ts'
import { jobPath } from '#app/jobs/job.ts'
import { isDemoJob, isOpen } from '#app/jobs/job-queries.server.ts'
import { mapRows } from '#app/platform/database/rows.server.ts'
import type { DataContext } from '#app/platform/database/server-context.server.ts'

/** A URL and the day it last changed, if that's known and public. */
export interface ListedAddress {
  path: string
  changedOn?: string
}

/** A row's position in the order, as text. */
type Key = string[]

export type SitemapName = 'companies' | 'pay' | 'threads' | 'jobs'

interface SitemapSource {
  from: Sql
  /** The ordering key, matching an index, and how its text becomes a value again. */
  order: { column: Sql; cast: string }[]
  /** The index's own condition. We measure parts with only this. */
  indexed: Sql
  listed: (ctx: Pick<DataContext, 'now'>) => Sql
  columns: Sql
  addressOf: (row: Row) => ListedAddress
}

interface Row {
  id: string
  slug: string | null
  title: string
  changedOn: string
}

/** The last visible comment. Comment numbers are never reused. */
const lastCommented = sql`(
  select comment.posted_minute from comments comment
   where comment.thread_id = thread.id and comment.hidden is null and not comment.is_deleted
   order by comment.place desc limit 1)`

const SITEMAPS: Record<SitemapName, SitemapSource> = {
  companies: {
    from: sql`companies company`,
    order: [
      { column: sql`company.created_at`, cast: 'timestamptz' },
      { column: sql`company.id`, cast: 'uuid' },
    ],
    indexed: sql`true`,
    // Demo companies ask not to be listed.
    listed: () => sql`not company.demo`,
    columns: sql`company.id, company.slug`,
    addressOf: (company) => ({ path: companyPath(company) }),
  },
  pay: {
    from: sql`
      (select distinct company_id from pay_cells where title is null) paid
      join companies company on company.id = paid.company_id`,
    order: [{ column: sql`company.id`, cast: 'uuid' }],
    indexed: sql`not company.demo`,
    listed: () => sql`true`,
    columns: sql`company.id, company.slug`,
    addressOf: (company) => ({ path: `${companyPath(company)}?tab=pay` }),
  },
  threads: {
    from: sql`threads thread`,
    order: [
      { column: sql`thread.posted_minute`, cast: 'integer' },
      { column: sql`thread.id`, cast: 'uuid' },
    ],
    indexed: sql`thread.hidden is null`,
    listed: () => sql`true`,
    columns: sql`
      thread.id, thread.title,
      to_char(to_timestamp(greatest(thread.posted_minute, ${lastCommented}) * 60.0)
              at time zone 'UTC', 'YYYY-MM-DD') as "changedOn"`,
    addressOf: (thread) => ({ path: encodeURI(threadPath(thread)), changedOn: thread.changedOn }),
  },
  jobs: {
    from: sql`job_postings job`,
    order: [{ column: sql`job.id`, cast: 'uuid' }],
    indexed: sql`true`,
    listed: (ctx) => sql`${isOpen(ctx)} and not ${isDemoJob}`,
    columns: sql`job.id, job.title`,
    addressOf: (job) => ({ path: encodeURI(jobPath(job)) }),
  },
}

const columnsOf = ({ order }: SitemapSource) =>
  join(
    order.map(({ column }) => column),
    ', ',
  )
const keyOf = ({ order }: SitemapSource) =>
  sql`array[${join(
    order.map(({ column }) => sql`${column}::text`),
    ', ',
  )}]`

/** Rows after a key, or up to it. */
function side({ order }: SitemapSource, sign: '>' | '<=', key: Key): Sql {
  const values = order.map(({ cast }, n) => sql`${key[n] ?? ''}::${raw(cast)}`)
  const columns = join(
    order.map(({ column }) => column),
    ', ',
  )
  return sql`(${columns}) ${raw(sign)} (${join(values, ', ')})`
}

/**
 * Where a sitemap's parts end, found in one pass over its index. The last part has no end.
 * Undefined if there's nothing to list. @param size rows per part, some of which may not be listed
 */
export async function partEnds(
  { db }: DataContext,
  name: SitemapName,
  size: number,
): Promise<Key[] | undefined> {
  const sitemap = SITEMAPS[name]
  const beyond = async (after: Key | undefined, skipped: number) => {
    const rows = await db.query<{ key: Key }>(sql`
      select ${keyOf(sitemap)} as key from ${sitemap.from}
       where ${sitemap.indexed} ${after ? sql`and ${side(sitemap, '>', after)}` : sql``}
       order by ${columnsOf(sitemap)} offset ${skipped} limit 2`)
    return rows.map(({ key }) => key)
  }
  if ((await beyond(undefined, 0)).length === 0) return undefined
  const ends: Key[] = []
  for (;;) {
    const [end, next] = await beyond(ends.at(-1), size - 1)
    // If nothing follows an end, it's the end of the last part.
    if (!end || !next) return ends
    ends.push(end)
  }
}

/** Rows read at once. A part needs no more memory than that. */
const BATCH = 1_000

/**
 * The URLs of one part, in batches.
 * @param from the end of the previous part
 */
export async function* sitemapPart(
  ctx: DataContext,
  name: SitemapName,
  { from, to }: { from?: Key; to?: Key },
): AsyncGenerator<ListedAddress[]> {
  const sitemap = SITEMAPS[name]
  const listed = sitemap.listed(ctx)
  let last = from
  for (;;) {
    const rows = await ctx.db.query<Row & { key: Key }>(sql`
      select ${sitemap.columns}, ${keyOf(sitemap)} as key from ${sitemap.from}
       where ${sitemap.indexed} and ${listed}
             ${last ? sql`and ${side(sitemap, '>', last)}` : sql``}
             ${to ? sql`and ${side(sitemap, '<=', to)}` : sql``}
       order by ${columnsOf(sitemap)} limit ${BATCH}`)
    yield mapRows(`sitemap of ${name}`, rows, sitemap.addressOf)
    if (rows.length < BATCH) return
    last = rows.at(-1)?.key
  }
}

/** Categories with companies, titles with numbers about pay, and topics with threads. */
export const listedFilters = async ({ db }: DataContext) => ({
  categories: await db.query<{ name: string }>(
    sql`select name from categories where companies > 0 order by name`,
  ),
  titles: await db.query<{ key: string }>(sql`
    select distinct title as key from pay_cells where title is not null order by key`),
  topics: await db.query<{ slug: string }>(sql`
    select slug from topics
     where exists (select from threads thread
                    where thread.topics @> array[topics.slug]::text[] and thread.hidden is null)
     order by position`),
})
