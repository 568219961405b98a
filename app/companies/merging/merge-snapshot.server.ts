/** What a merge would lose, stored for a day so people can undo it. Contains nothing personal. */
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Database } from '#app/platform/database/database.server.ts'
import { logoPath } from '../company.ts'
import type { KeyedCompany } from '../search/key-commands.server.ts'

type Rows = Record<string, unknown>[]

export interface MergeSnapshot {
  /** The merged company's row. Only these columns are typed. */
  company: KeyedCompany & { slug: string | null }
  /** Companies merged into it before. */
  former: string[]
  views: number
  slugs: { slug: string; merged_from: string | null }[]
  logo: { hash: string; bytes: string } | null
  /** All its rows. They now belong to the other company, if that had none. */
  policies: Rows
  /** For each company: its months with a surge, and the day each month's ratings began to count less. */
  surges: { from: Record<string, string>; into: Record<string, string> }
  /** Spans of the dashboard. */
  spans: Rows
  counts: Rows
  imported: Rows
  /** Counts of its jobs at the merge. */
  seen: { views: number; applies: number }
}

/** Stores the snapshot, and gives the other company what it lacks. Call this in a transaction that holds both. */
export async function takeSnapshot(db: Database, { from, into }: Joining): Promise<MergeSnapshot> {
  const rowsOf = (table: Sql) => sql`
    coalesce((select jsonb_agg(to_jsonb(its)) from ${table} its where company_id = ${from}), '[]')`
  const surgesOf = (id: string) => sql`
    coalesce((select jsonb_object_agg(month, surge_since) from rating_months
               where company_id = ${id} and surge_since is not null), '{}')`
  const [snapshot] = await db.query<MergeSnapshot>(sql`
    select to_jsonb(company) as company,
           array(select id from company_merges where company_id = ${from}) as former,
           (select views::float8 from company_stats where company_id = ${from}) as views,
           coalesce((select jsonb_agg(jsonb_build_object('slug', slug, 'merged_from', merged_from))
                       from company_old_slugs where company_id = ${from}), '[]') as slugs,
           (select jsonb_build_object('hash', hash, 'bytes', encode(bytes, 'base64'))
              from company_logos where company_id = ${from}) as logo,
           ${rowsOf(sql`company_policies`)} as policies,
           jsonb_build_object('from', ${surgesOf(from)}, 'into', ${surgesOf(into)}) as surges,
           ${rowsOf(sql`dashboard_spans`)} as spans, ${rowsOf(sql`dashboard_counts`)} as counts,
           ${rowsOf(sql`imported_companies`)} as imported,
           (select jsonb_build_object('views', coalesce(sum(views), 0), 'applies', coalesce(sum(applies), 0))
              from job_postings where company_id = ${from}) as seen
      from companies company where id = ${from}`)
  if (!snapshot) throw new Error('The row is locked, but its snapshot is missing')
  await giveWhatIsMissing(db, { from, into }, snapshot)
  return snapshot
}

async function giveWhatIsMissing(db: Database, { from, into }: Joining, snapshot: MergeSnapshot) {
  await db.query(sql`
    update company_old_slugs set company_id = ${into}, merged_from = coalesce(merged_from, ${from}::uuid)
     where company_id = ${from}`)
  await db.query(sql`
    update company_policies set company_id = ${into}, merged_from = coalesce(merged_from, ${from}::uuid)
     where company_id = ${from}
       and not exists (select from company_policies where company_id = ${into})`)
  // Clears told_score, so followers don't get an alert for a change that no rating caused.
  await db.query(sql`
    update company_stats set views = views + ${snapshot.views}::bigint, announced_score = null
     where company_id = ${into}`)
  await db.query(sql`
    insert into rating_months as month (company_id, month, surge_since)
    select ${into}, month, surge_since from rating_months
     where company_id = ${from} and surge_since is not null
    on conflict (company_id, month) do update
      set surge_since = greatest(month.surge_since, excluded.surge_since)`)
  await addToBasis(db, into, snapshot.seen, 1)
  if (snapshot.logo)
    await db.query(sql`
      with given as (
        update companies set logo_url = ${logoPath(into, snapshot.logo.hash)}
         where id = ${into} and logo_url is null returning id)
      insert into company_logos (company_id, hash, bytes)
      select given.id, hash, bytes from given, company_logos where company_id = ${from}
      on conflict (company_id) do nothing`)
}

/** Moves the basis, too, so earlier counts of moved jobs don't count as new. */
const addToBasis = (
  db: Database,
  id: string,
  { views, applies }: MergeSnapshot['seen'],
  sign: 1 | -1,
) =>
  db.query(sql`
    update dashboard_counts
       set view_basis = greatest(0, view_basis + ${sign * views}::bigint),
           apply_basis = greatest(0, apply_basis + ${sign * applies}::bigint)
     where company_id = ${id} and jobs_since is not null`)

const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`

/** @param slug the restored company's */
export async function putBack(
  db: Database,
  { from, into }: Joining,
  snapshot: MergeSnapshot,
  slug: string | null,
) {
  await db.query(sql`
    insert into companies
    select * from jsonb_populate_record(null::companies, ${json({ ...snapshot.company, slug })})`)
  await db.query(sql`
    insert into company_old_slugs (slug, company_id, merged_from)
    select slug, ${from}, merged_from
      from jsonb_to_recordset(${json(snapshot.slugs)}) as its(slug text, merged_from uuid)
    on conflict do nothing`)
  await db.query(sql`
    update company_stats set views = ${snapshot.views}::bigint where company_id = ${from}`)
  await db.query(sql`
    update company_stats set views = greatest(0, views - ${snapshot.views}::bigint), announced_score = null
     where company_id = ${into}`)
  await policiesBack(db, { from, into }, snapshot)
  await surgesBack(db, { from, into }, snapshot)
  await db.query(sql`
    insert into dashboard_spans
    select * from jsonb_populate_recordset(null::dashboard_spans, ${json(snapshot.spans)})`)
  await db.query(sql`
    insert into dashboard_counts
    select * from jsonb_populate_recordset(null::dashboard_counts, ${json(snapshot.counts)})`)
  await db.query(sql`
    insert into imported_companies (company_id, import_id)
    select ${from}, id from company_imports
     where id in (select import_id from jsonb_populate_recordset(null::imported_companies,
                                                                  ${json(snapshot.imported)}))`)
  await addToBasis(db, into, snapshot.seen, -1)
  if (snapshot.logo) await logoBack(db, { from, into }, snapshot.logo)
}

/** Moves back what the other company took over, and rewrites what it didn't. */
async function policiesBack(db: Database, { from, into }: Joining, snapshot: MergeSnapshot) {
  await db.query(sql`
    update company_policies set company_id = ${from}, merged_from = nullif(merged_from, ${from}::uuid)
     where company_id = ${into} and merged_from = any (${[from, ...snapshot.former]}::uuid[])`)
  await db.query(sql`
    insert into company_policies overriding system value
    select * from jsonb_populate_recordset(null::company_policies, ${json(snapshot.policies)})
    on conflict do nothing`)
}

async function surgesBack(db: Database, { from, into }: Joining, { surges }: MergeSnapshot) {
  const days = (of: Record<string, string>) => sql`
    jsonb_each_text(${json(of)}) as its(month, day)`
  await db.query(sql`
    insert into rating_months (company_id, month, surge_since)
    select ${from}, month::date, day::date from ${days(surges.from)}`)
  await db.query(sql`
    update rating_months snapshot
       set surge_since = (${json(surges.into)} ->> its.month)::date
      from ${days(surges.from)}
     where snapshot.company_id = ${into} and snapshot.month = its.month::date
       and snapshot.surge_since = greatest(its.day, ${json(surges.into)} ->> its.month)::date`)
}

async function logoBack(
  db: Database,
  { from, into }: Joining,
  { hash, bytes }: NonNullable<MergeSnapshot['logo']>,
) {
  await db.query(sql`
    insert into company_logos (company_id, hash, bytes)
    values (${from}, ${hash}, decode(${bytes}, 'base64'))`)
  await db.query(sql`
    with given as (
      update companies set logo_url = null
       where id = ${into} and logo_url = ${logoPath(into, hash)} returning id)
    delete from company_logos where company_id in (select id from given)`)
}

/** Tables whose rows move unchanged. A test checks that no table of a company is missing. */
export const MOVED = [
  'threads',
  'job_postings',
  'deleted_jobs',
  'job_feeds',
  'company_replies',
  'company_requests',
  'company_edits',
  'company_interactions',
  'follows',
  'job_alerts',
  'notifications',
  'employer_claims',
  'seat_invitations',
  'ratings',
  'pay_entries',
  'interviews',
  'benefit_entries',
] as const

/** Other columns that depend on the company. @param id a uuid */
const ALSO: { [Table in (typeof MOVED)[number]]?: (id: string) => Sql } = {
  job_postings: (id) => sql`, company_name = (select name from companies where id = ${id})`,
  // Such an alert has only this key, and new jobs find it by that.
  job_alerts: (id) => sql`, keys = array[${`j:${id}`}]`,
}

/** What's public of rows that move, without a "merged_from" of its own. */
const PUBLIC = [
  { shown: sql`public_ratings`, given: sql`ratings` },
  { shown: sql`public_interviews`, given: sql`interviews` },
]

export interface Joining {
  from: string
  into: string
}

/** Call it in a transaction that holds both companies. */
export async function moveRows(db: Database, { from, into }: Joining) {
  await lockThreads(db, sql`company_id = ${from}`)
  await lockStats(db, [from, into])
  // Someone whom both invited keeps one invitation.
  await db.query(sql`
    delete from seat_invitations
     where company_id = ${from}
       and address_hash in (select address_hash from seat_invitations where company_id = ${into})`)
  for (const table of MOVED)
    await db.query(sql`
      update ${raw(table)}
         set company_id = ${into}, merged_from = coalesce(merged_from, ${from}::uuid)
             ${ALSO[table]?.(into) ?? empty}
       where company_id = ${from}`)
  for (const { shown } of PUBLIC)
    await db.query(sql`update ${shown} set company_id = ${into} where company_id = ${from}`)
}

/** @param origins the company, and those merged into it before */
export async function moveRowsBack(db: Database, { from, into }: Joining, origins: string[]) {
  await lockThreads(db, sql`company_id = ${into} and merged_from = any (${origins}::uuid[])`)
  await lockStats(db, [from, into])
  for (const table of MOVED)
    await db.query(sql`
      update ${raw(table)}
         set company_id = ${from}, merged_from = nullif(merged_from, ${from}::uuid)
             ${ALSO[table]?.(from) ?? empty}
       where company_id = ${into} and merged_from = any (${origins}::uuid[])`)
  for (const { shown, given } of PUBLIC)
    await db.query(sql`
      update ${shown} set company_id = ${from}
       where company_id = ${into} and id in (select id from ${given} where company_id = ${from})`)
}

/** Locks in id order, like everything that locks several companies. */
const lockThreads = (db: Database, which: Sql) =>
  db.query(sql`select from threads where ${which} order by id for update`)

/** Blocks counters, so a recount is exact. */
const lockStats = (db: Database, companies: string[]) =>
  db.query(sql`
    select from company_stats where company_id = any (${companies}::uuid[])
     order by company_id for no key update`)

/** Clicks per day, for days already counted. The hourly task counts the others. */
export async function recountClicks(db: Database, companies: string[]) {
  const counted = await db.query<{ day: string }>(sql`
    delete from daily_clicks where company_id = any (${companies}::uuid[]) returning day::text`)
  const days = [...new Set(counted.map(({ day }) => day))]
  await db.query(sql`
    insert into daily_clicks (company_id, day, n)
    select company_id, (created_at at time zone 'UTC')::date as day, count(*)
      from company_interactions
     where company_id = any (${companies}::uuid[])
       and (created_at at time zone 'UTC')::date = any (${days}::date[])
     group by 1, 2`)
}
