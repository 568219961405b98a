/** Traces in PostgreSQL, beside the tables, of who wrote when. Read-only. */
import sql from 'sql-template-tag'
import type { Database } from '../database/database.server.ts'
import { about, type Finding } from './doctor.server.ts'

const { ok, warning, problem } = about('database')

const NIGHTS_MISSED_MAX = 2

interface Traces {
  recycles: boolean
  archives: boolean
  keeps: boolean
  stamps: boolean
  slots: number
  mayClear: boolean
  mayCopy: boolean
  nightsMissed: number | null
}

/** The embedded database is started with the right settings. */
export async function traceFindings(db: Database): Promise<Finding[]> {
  const [there] = await db.query<{ is: boolean }>(
    sql`select to_regclass('nightly_run') is not null as is`,
  )
  if (!there?.is) return []
  const [it] = await db.query<Traces>(sql`
    select current_setting('wal_recycle')::boolean as recycles,
           current_setting('archive_mode') <> 'off' as archives,
           (select setting::bigint > 0 from pg_settings where name = 'wal_keep_size') as keeps,
           current_setting('track_commit_timestamp')::boolean as stamps,
           (select count(*) from pg_replication_slots where not active)::integer as slots,
           pg_has_role(current_user, 'pg_checkpoint', 'usage')
             and has_function_privilege('pg_switch_wal()', 'execute') as "mayClear",
           has_database_privilege(current_database(), 'create') as "mayCopy",
           (select current_date - done_until from nightly_run) as "nightsMissed"`)
  if (!it) return []
  const found: Finding[] = []
  if (!it.mayCopy)
    found.push(
      problem(
        'The user can’t create a schema in it, so tables can’t be rewritten at night: grant create on database NAME to USER.',
      ),
    )
  if (it.stamps)
    found.push(
      problem(
        'track_commit_timestamp is on, so each row tells to the microsecond when it was written. Turn it off.',
      ),
    )
  if (it.recycles)
    found.push(
      warning(
        'Files of the write-ahead log are recycled with their content: alter system set wal_recycle = off, then restart PostgreSQL.',
      ),
    )
  if (!it.mayClear)
    found.push(
      warning(
        'The user can’t drop the day’s write-ahead log: grant pg_checkpoint to USER, and in its database grant execute on function pg_switch_wal() to USER.',
      ),
    )
  if (it.archives || it.keeps)
    found.push(
      warning(
        `${it.archives ? 'archive_mode' : 'wal_keep_size'} keeps the write-ahead log, which tells when everything was written. Keep it for days, not months (docs/operations.md, 10).`,
      ),
    )
  if (it.slots > 0)
    found.push(
      warning(`${it.slots} unused replication slots keep the whole write-ahead log. Drop them.`),
    )
  if ((it.nightsMissed ?? 0) > NIGHTS_MISSED_MAX)
    found.push(
      problem(
        `The nightly run was last done ${it.nightsMissed} days ago. Search the log for “A step of the nightly run failed”.`,
      ),
    )
  return found.length > 0
    ? found
    : [ok('Nothing beside the tables tells when something was written.')]
}
