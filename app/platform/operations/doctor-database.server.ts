/** How the database is. Reads only; nothing here waits for others. */
import sql from 'sql-template-tag'
import type { Database } from '../database/database.server.ts'
import { ourMigrations } from '../database/migrations.server.ts'
import { sessionSettings } from '../database/postgres.server.ts'
import { isTooOld, levelOf, TOO_OLD } from '../database/schema-level.server.ts'
import type { Secrets } from '../database/secrets.server.ts'
import { about, type Finding } from './doctor.server.ts'

const { ok, warning, problem, skipped } = about('database')

const LONG_TRANSACTION_MINUTES = 10
const SKEW_MAX_S = 5

/** Why a database cannot be opened, without its address. */
export function whyUnreachable(error: Error): Finding {
  const causes: [RegExp, string][] = [
    [
      /password authentication|no password|role "[^"]*" does not exist|pg_hba/,
      'it refuses the user or the password',
    ],
    [/database "[^"]*" does not exist/, 'it has no database of that name. Create it with createdb'],
    [/ECONNREFUSED|ENOENT/, 'nothing listens there. Start PostgreSQL, or fix the port'],
    [/ENOTFOUND|EAI_AGAIN/, 'the host’s name is unknown'],
    [/timeout/i, 'it doesn’t answer in time. Check the firewall'],
    [/too many|remaining connection slots/, 'it has no connection left'],
  ]
  const cause = causes.find(([pattern]) => pattern.test(error.message))?.[1]
  return problem(
    `The database of DATABASE_URL can’t be reached${cause ? `: ${cause}` : ''}. Check DATABASE_URL.`,
  )
}

/** @param settings.connections how many the site will open */
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
    found.push(problem(`PostgreSQL ${server?.text} is too old. You need 15 or newer.`))
  if (server?.encoding !== 'UTF8')
    found.push(problem(`The database’s encoding is ${server?.encoding}. Make one with UTF8.`))
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
        'Its user can’t create tables. Create the database again with createdb --owner USER.',
      ),
    )
  if (found.length === 0) found.push(ok(`PostgreSQL ${server?.text.split(' ')[0]} answers.`))
  return found
}

async function levelFindings(db: Database): Promise<Finding[]> {
  const known = await ourMigrations()
  const { missing, newer, changed, replaced } = await levelOf(db, known)
  if (isTooOld(known, replaced)) return [problem(`The database ${TOO_OLD}.`)]
  const unknown = newer.find(({ isCompatible }) => !isCompatible)
  if (unknown)
    return [
      problem(`The database is newer than this program (${unknown.name}). Update the program.`),
    ]
  if (changed.length > 0)
    return [
      problem(
        `${changed[0]} in db/migrations was changed after it was applied. Restore that file.`,
      ),
    ]
  const found: Finding[] = []
  if (newer.length > 0)
    found.push(
      warning(
        `The database is newer than this program (${newer[0]?.name}). It still works, but update it soon.`,
      ),
    )
  if (missing.length === known.length && replaced.length === 0)
    found.push(ok('The database is empty. The first start creates its tables.'))
  else if (missing.length > 0)
    found.push(
      warning(
        `${missing.length} migrations are missing. The next start applies them, so back up first.`,
      ),
    )
  else found.push(ok(`All ${known.length} migrations are applied.`))
  return found
}

/** Whether connections are as the site asks for: through a pooler they may be the role's instead. */
async function sessionFinding(db: Database): Promise<Finding> {
  const names = Object.keys(sessionSettings)
  const rows = await db.query<{ name: string; setting: string }>(
    sql`select name, setting from pg_settings where name = any(${names}) order by name`,
  )
  const others = rows.filter(({ name, setting }) => sessionSettings[name] !== setting)
  if (others.length === 0) return ok('Connections have the settings that the site asks for.')
  const lines = others.map(({ name }) => `set ${name} = '${sessionSettings[name]}'`)
  return warning(
    `Connections lack settings that the site asks for, maybe because of a pooler. Set them for the user: alter role USER ${lines.join('; alter role USER ')}`,
  )
}

async function loadFindings(db: Database, connections: number): Promise<Finding[]> {
  const found: Finding[] = []
  const [slots] = await db.query<{ free: number; ours: number }>(sql`
    select current_setting('max_connections')::integer
             - current_setting('superuser_reserved_connections')::integer
             -- Of other users pg_stat_activity says too little to everybody but superusers.
             - (select sum(numbackends) from pg_stat_database)::integer as free,
           (select count(*) from pg_stat_activity
             where application_name in ('kettle', 'kettle live')
               and datname = current_database() and pid <> pg_backend_pid()) as ours`)
  const { free = 0, ours = 0 } = slots ?? {}
  // One more hears of news. What a running site has open already, it need not open again.
  const wanted = Math.max(connections + 1 - ours, 0)
  found.push(
    free < wanted
      ? problem(
          `PostgreSQL has ${free} connections free, the site may open ${wanted} more: lower DATABASE_CONNECTIONS or raise max_connections.`,
        )
      : ok(`${free} connections are free.`),
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
  // What others do here is told to those alone who may read all statistics.
  const [others] = await db.query<{ n: number }>(sql`
    select count(*) as n from pg_stat_activity
     where datname = current_database() and usename <> current_user
       and not pg_has_role(current_user, 'pg_read_all_stats', 'usage')`)
  if (others && others.n > 0)
    found.push(
      skipped(
        'its user may not see them: grant pg_read_all_stats to it.',
        `Transactions of ${others.n} connections of other users`,
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
        `The clocks of this machine and of the database are ${Math.round(skew)} s apart. Set both by NTP.`,
      )
    : ok('The clocks of this machine and of the database agree.')
}

/** Whether the key in use is the one that sealed what is in here. Writes no mark, as a start would. */
export async function keyFindings(db: Database, secrets: Secrets): Promise<Finding[]> {
  const keys = about('keys')
  const [there] = await db.query<{ is: boolean }>(
    sql`select to_regclass('key_checks') is not null as is`,
  )
  const [known] = there?.is
    ? await db.query<{ mark: string }>(sql`select mark from key_checks where name = 'secret'`)
    : []
  if (!known)
    return [keys.skipped('no start of the site has marked this database yet.', 'The secret key')]
  return known.mark === secrets.hash('key check')
    ? [keys.ok('The secret key is the one that this database was made with.')]
    : [
        keys.problem(
          'This database was made with another secret key. Set SECRET_KEY to that one, or put its secret.key back into DATA_DIR.',
        ),
      ]
}

/** Has the work that was given up done again, by the site that runs or is started next. */
export async function retryGivenUp(db: Database): Promise<Finding> {
  const rows = await db.query(sql`
    update job_queue set due_at = now(), attempts = 0, given_up = null, given_up_on = null
     where due_at is null returning id`)
  return about('jobs').ok(`${rows.length} given-up jobs are tried again when the site runs.`)
}

/** Work that nobody does. */
export async function queueFindings(db: Database): Promise<Finding[]> {
  const jobs = about('jobs')
  const [there] = await db.query<{ is: boolean }>(
    sql`select to_regclass('job_queue') is not null as is`,
  )
  if (!there?.is) return [jobs.skipped('there is no queue yet.')]
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
          `${givenUp} of ${kind} were given up, or are held back since a restore. npm run doctor -- --retry tries them again.`,
        ),
      )
    if (failing > 0)
      found.push(jobs.warning(`${failing} of ${kind} keep failing. The log says why.`))
    if (late > 0)
      found.push(
        jobs.warning(`${late} of ${kind} have waited for over an hour. Is the site running?`),
      )
  }
  return found.length > 0 ? found : [jobs.ok('No work is stuck.')]
}
