/** Only reads, and never waits for locks. */
import sql from 'sql-template-tag'
import type { Database } from '../database/database.server.ts'
import { levelOf, ourMigrations, TOO_OLD } from '../database/migrations.server.ts'
import { sessionSettings } from '../database/postgres.server.ts'
import { unreachableSentence } from '../database/postgres-availability.server.ts'
import type { Secrets } from '../database/secrets.server.ts'
import { isUnavailable } from '../http/unavailable.ts'
import { ConfigError } from './config.server.ts'
import { type Finding, findingsAbout } from './doctor.server.ts'

const { ok, warning, problem, skipped } = findingsAbout('database')

const LONG_TRANSACTION_MINUTES = 10
const SKEW_MAX_S = 5

/** An unexpected error's message may quote the setting. */
export const whyUnreachable = (error: Error): Finding =>
  problem(
    error instanceof ConfigError || isUnavailable(error)
      ? error.message
      : unreachableSentence('DATABASE_URL', error),
  )

export async function databaseFindings(
  db: Database,
  { connections, now }: { connections: number; now: () => Date },
): Promise<Finding[]> {
  return [
    ...(await engineFindings(db)),
    ...(await levelFindings(db)),
    await sessionFinding(db),
    ...(await loadFindings(db, connections)),
    await skewFinding(db, now),
  ]
}

async function engineFindings(db: Database): Promise<Finding[]> {
  const [server] = await db.query<{ version: number; text: string; encoding: string }>(sql`
    select current_setting('server_version_num')::integer as version,
           current_setting('server_version') as text,
           current_setting('server_encoding') as encoding`)
  const found: Finding[] = []
  if ((server?.version ?? 0) < 150_000)
    found.push(problem(`PostgreSQL ${server?.text} is too old. Kettle needs 15 or newer.`))
  if (server?.encoding !== 'UTF8')
    found.push(problem(`The database uses the encoding ${server?.encoding}. Create one with UTF8.`))
  const [trigrams] = await db.query<{ isThere: boolean; canBe: boolean }>(sql`
    select exists (select from pg_extension where extname = 'pg_trgm') as "isThere",
           exists (select from pg_available_extensions where name = 'pg_trgm') as "canBe"`)
  if (!trigrams?.canBe)
    found.push(problem('The extension pg_trgm isn’t installed. It’s in postgresql-contrib.'))
  const [schema] = await db.query<{ mayMake: boolean | null }>(
    sql`select has_schema_privilege(current_schema(), 'create') as "mayMake"`,
  )
  if (!schema?.mayMake)
    found.push(
      problem(
        'The database user can’t create tables. Recreate the database: createdb --owner USER.',
      ),
    )
  if (found.length === 0) found.push(ok(`PostgreSQL ${server?.text.split(' ')[0]} answers.`))
  return found
}

async function levelFindings(db: Database): Promise<Finding[]> {
  const known = await ourMigrations()
  const { missing, newer, changed, replaced, isTooOld } = await levelOf(db, known)
  if (isTooOld) return [problem(`The database ${TOO_OLD}.`)]
  const unknown = newer.find(({ isCompatible }) => !isCompatible)
  if (unknown)
    return [
      problem(
        `The database is newer than this version of Kettle (${unknown.name}). Update Kettle.`,
      ),
    ]
  if (changed.length > 0)
    return [
      problem(
        `${changed[0]} in db/migrations was changed after it was applied. Restore the original.`,
      ),
    ]
  const found: Finding[] = []
  if (newer.length > 0)
    found.push(
      warning(
        `The database is newer than this version of Kettle (${newer[0]?.name}), which still works. Update Kettle soon.`,
      ),
    )
  if (missing.length === known.length && replaced.length === 0)
    found.push(ok('The database is empty. The first start creates its tables.'))
  else if (missing.length > 0)
    found.push(
      warning(
        `${missing.length} ${missing.length === 1 ? 'migration is' : 'migrations are'} missing. The next start applies what’s missing. Back up first.`,
      ),
    )
  else found.push(ok(`All ${known.length} migrations have been applied.`))
  return found
}

/** Poolers may replace our session settings with the role's. */
async function sessionFinding(db: Database): Promise<Finding> {
  const names = Object.keys(sessionSettings)
  const rows = await db.query<{ name: string; setting: string }>(
    sql`select name, setting from pg_settings where name = any(${names}) order by name`,
  )
  const others = rows.filter(({ name, setting }) => sessionSettings[name] !== setting)
  if (others.length === 0) return ok('Connections have the settings the site needs.')
  const lines = others.map(({ name }) => `set ${name} = '${sessionSettings[name]}'`)
  return warning(
    `Connections don’t have the settings the site needs, maybe because of a pooler. Set them for the user: alter role USER ${lines.join('; alter role USER ')}`,
  )
}

async function loadFindings(db: Database, connections: number): Promise<Finding[]> {
  const found: Finding[] = []
  const [slots] = await db.query<{ free: number; ours: number }>(sql`
    select current_setting('max_connections')::integer
             - current_setting('superuser_reserved_connections')::integer
             -- pg_stat_activity hides other users' sessions from all but superusers.
             - (select sum(numbackends) from pg_stat_database)::integer as free,
           (select count(*) from pg_stat_activity
             where application_name in ('kettle', 'kettle live')
               and datname = current_database() and pid <> pg_backend_pid()) as ours`)
  const { free = 0, ours = 0 } = slots ?? {}
  // Plus one for LISTEN. A running site's connections are already open.
  const wanted = Math.max(connections + 1 - ours, 0)
  found.push(
    free < wanted
      ? problem(
          `PostgreSQL has ${free} free connections, but the site may open ${wanted} more. Lower DATABASE_CONNECTIONS or raise max_connections.`,
        )
      : ok(`PostgreSQL has ${free} free connections.`),
  )
  const [long] = await db.query<{ n: number; minutes: number | null }>(sql`
    select count(*) as n,
           floor(max(extract(epoch from now() - xact_start)) / 60)::integer as minutes
      from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and xact_start < now() - make_interval(mins => ${LONG_TRANSACTION_MINUTES})`)
  if (long && long.n > 0)
    found.push(
      warning(
        `${long.n} transactions have been open for up to ${long.minutes} minutes and keep old rows alive. Check pg_stat_activity.`,
      ),
    )
  // Only roles with access to all statistics can see others' transactions.
  const [others] = await db.query<{ n: number }>(sql`
    select count(*) as n from pg_stat_activity
     where datname = current_database() and usename <> current_user
       and not pg_has_role(current_user, 'pg_read_all_stats', 'usage')`)
  if (others && others.n > 0)
    found.push(
      skipped(
        'the database user can’t see them. Grant it pg_read_all_stats.',
        `Transactions on ${others.n} connections by other users`,
      ),
    )
  return found
}

async function skewFinding(db: Database, now: () => Date): Promise<Finding> {
  const before = now().getTime()
  const [row] = await db.query<{ seconds: string }>(
    sql`select extract(epoch from clock_timestamp())::text as seconds`,
  )
  const middle = (before + now().getTime()) / 2
  const skew = Math.abs(Number(row?.seconds) - middle / 1000)
  return skew > SKEW_MAX_S
    ? problem(
        `This machine’s clock and the database’s are ${Math.round(skew)} s apart. Sync both with NTP.`,
      )
    : ok('This machine’s clock matches the database’s.')
}

/** Whether the current key sealed this data. Unlike a start, it writes no mark. */
export async function keyFindings(db: Database, secrets: Secrets): Promise<Finding[]> {
  const keys = findingsAbout('keys')
  const [there] = await db.query<{ is: boolean }>(
    sql`select to_regclass('key_checks') is not null as is`,
  )
  const [known] = there?.is
    ? await db.query<{ mark: string }>(sql`select mark from key_checks where name = 'secret'`)
    : []
  if (!known)
    return [keys.skipped('the site hasn’t been started with this database yet.', 'The secret key')]
  return known.mark === secrets.hash('key check')
    ? [keys.ok('The secret key matches this database.')]
    : [
        keys.problem(
          'This database was made with a different secret key. Set SECRET_KEY to that one, or put its secret.key back into DATA_DIR.',
        ),
      ]
}

/** Makes tasks we gave up on due again. The running site does them, or the next one that starts. */
export async function retryGivenUp(db: Database): Promise<Finding> {
  const rows = await db.query(sql`
    update job_queue set due_at = now(), attempts = 0, given_up = null, given_up_on = null
     where due_at is null returning id`)
  return findingsAbout('jobs').ok(`${rows.length} jobs will be retried while the site runs.`)
}

export async function queueFindings(db: Database): Promise<Finding[]> {
  const jobs = findingsAbout('jobs')
  const [there] = await db.query<{ is: boolean }>(
    sql`select to_regclass('job_queue') is not null as is`,
  )
  if (!there?.is) return [jobs.skipped('there’s no queue yet.')]
  const rows = await db.query<{ kind: string; givenUp: number; late: number; failing: number }>(sql`
    select kind, count(*) filter (where due_at is null) as "givenUp",
           count(*) filter (where due_at < now() - interval '1 hour') as late,
           count(*) filter (where attempts > 5 and due_at is not null) as failing
      from job_queue group by kind order by kind`)
  const found: Finding[] = []
  for (const { kind, givenUp, late, failing } of rows) {
    if (givenUp > 0)
      found.push(
        jobs.problem(
          `Jobs given up, or on hold since a restore: ${givenUp} ${kind}. Run npm run doctor -- --retry to retry them.`,
        ),
      )
    if (failing > 0)
      found.push(jobs.warning(`Jobs that keep failing: ${failing} ${kind}. Check the log.`))
    if (late > 0)
      found.push(
        jobs.warning(`Jobs waiting for over an hour: ${late} ${kind}. Is the site running?`),
      )
  }
  return found.length > 0 ? found : [jobs.ok('No jobs are stuck.')]
}

const NIGHTS_MISSED_MAX = 2

/** Traces outside of PostgreSQL's tables that show who wrote when. */
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
        'The database user can’t create schemas, so we can’t rewrite tables at night. Run grant create on database NAME to USER.',
      ),
    )
  if (it.stamps)
    found.push(
      problem(
        'track_commit_timestamp is on, so each row shows when it was written, to the microsecond. Turn it off.',
      ),
    )
  if (it.recycles)
    found.push(
      warning(
        'PostgreSQL reuses write-ahead log files without clearing them. Run alter system set wal_recycle = off, then restart PostgreSQL.',
      ),
    )
  if (!it.mayClear)
    found.push(
      warning(
        'The database user can’t drop the day’s write-ahead log. Run grant pg_checkpoint to USER, and in its database run grant execute on function pg_switch_wal() to USER.',
      ),
    )
  if (it.archives || it.keeps)
    found.push(
      warning(
        `${it.archives ? 'archive_mode' : 'wal_keep_size'} keeps the write-ahead log, which shows when everything was written. Keep it for days, not months (docs/operations.md, 10).`,
      ),
    )
  if (it.slots > 0)
    found.push(
      warning(
        `${it.slots === 1 ? 'An unused replication slot keeps' : `${it.slots} unused replication slots keep`} the whole write-ahead log, so the disk fills up. Drop ${it.slots === 1 ? 'it' : 'them'}.`,
      ),
    )
  if ((it.nightsMissed ?? 0) > NIGHTS_MISSED_MAX)
    found.push(
      problem(
        `The last nightly run was ${it.nightsMissed} days ago. Search the log for “A step of the nightly run failed”.`,
      ),
    )
  return found.length > 0
    ? found
    : [ok('Nothing outside the tables shows when something was written.')]
}
