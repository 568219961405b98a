/** npm run doctor: says what's wrong around the site, and how to fix it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import sql from 'sql-template-tag'
import { addressHash } from '#app/api/auth/addresses.server.ts'
import { createTokens, readSigningKeys } from '#app/api/auth/tokens.server.ts'
import { createIssuer } from '#app/api/credential/issuer.server.ts'
import { readIssuerKeys } from '#app/identity/credentials/issuer-keys.server.ts'
import { witnessFindings } from '#app/identity/credentials/witnesses.server.ts'
import type { Database, OpenDatabase } from '#app/platform/database/database.server.ts'
import { embeddedFolder } from '#app/platform/database/embedded-postgres.server.ts'
import { levelOf, ourMigrations } from '#app/platform/database/migrations.server.ts'
import { openDatabase, postgresOf } from '#app/platform/database/open-database.server.ts'
import { openPostgres } from '#app/platform/database/postgres.server.ts'
import { readSecrets } from '#app/platform/database/secrets.server.ts'
import { dayOf } from '#app/platform/days.server.ts'
import { projectFolder } from '#app/platform/folders.server.ts'
import { migrationsIn } from '#app/platform/operations/backup.server.ts'
import { type Config, ConfigError, featureConfig } from '#app/platform/operations/config.server.ts'
import {
  type Finding,
  findingLines,
  findingsAbout,
} from '#app/platform/operations/doctor.server.ts'
import {
  databaseFindings,
  keyFindings,
  queueFindings,
  retryGivenUp,
  traceFindings,
  whyUnreachable,
} from '#app/platform/operations/doctor-database.server.ts'
import {
  backupFindings,
  buildFindings,
  diskFindings,
  keyFileFindings,
} from '#app/platform/operations/doctor-disk.server.ts'
import { redisFindings } from '#app/platform/operations/doctor-redis.server.ts'
import {
  mailFindings,
  unknownSettings,
  usableSettings,
} from '#app/platform/operations/doctor-settings.server.ts'
import { lastBackupFindings } from '#app/platform/operations/owner-steps.server.ts'
import { launchFindings } from '#app/site/site-settings/launch-checks.server.ts'
import { counterDrift } from './counting.server.ts'
import { runCommand } from './run-command.server.ts'

const USAGE = `npm run doctor                    says what’s wrong and how to fix it
npm run doctor -- --backup PATH   also checks a backup, or the newest one in a folder
npm run doctor -- --retry         retries jobs we gave up on, mostly emails

For example: npm run doctor -- --backup backups`

/** Recounting this many takes a second. */
const COUNTED_COMPANIES_MAX = 5_000

const now = () => new Date()

/** Checks that need a healthy database. */
const skippedInside = (because: string) => [
  findingsAbout('keys').skipped(because, 'The secret key'),
  findingsAbout('settings').skipped(because, 'The OWNER_EMAIL account'),
  findingsAbout('jobs').skipped(because),
  findingsAbout('pages').skipped(because),
  findingsAbout('database').skipped(because, 'Counters'),
]

type Tell = (found: Finding[]) => void

const hasProblem = (found: Finding[]) => found.some(({ level }) => level === 'problem')

function run(args: string[]) {
  const [word, path] = args
  const isRetry = word === '--retry' && args.length === 1
  if (args.length > 0 && !isRetry && !(word === '--backup' && path && args.length === 2))
    return undefined
  return examine(path, isRetry).catch(({ name, code = '' }: Error & { code?: string }) => {
    // An unexpected error may quote a setting.
    throw new Error(`The doctor couldn’t finish: ${name} ${code}`)
  })
}

/** As the scripts have read it. Without them, in a container, nothing reads it. */
async function namesInFile(): Promise<string[]> {
  const reader = join(projectFolder, 'scripts', 'settings-file.mjs')
  if (!existsSync('.env') || !existsSync(reader)) return []
  const { settingsIn } = await import(/* @vite-ignore */ pathToFileURL(reader).href)
  return Object.keys(settingsIn(readFileSync('.env')).settings)
}

async function examine(path: string | undefined, isRetry: boolean) {
  let lastBackup: Finding[] = []
  const { config, findings } = usableSettings(process.env)
  const all: Finding[] = []
  const tell = (found: Finding[]) => {
    all.push(...found)
    for (const line of findingLines(found)) console.log(line)
  }
  tell(findings)
  tell(unknownSettings(await namesInFile()))
  tell(await buildFindings())
  if (!config)
    tell([
      findingsAbout('settings').skipped(
        'a setting is invalid.',
        'Keys, database, jobs, mail, limits, disk, backup',
      ),
    ])
  else {
    const hasEmbedded = existsSync(embeddedFolder(config.dataDir))
    const disk = await diskFindings(config)
    tell(disk)
    const opened = await openExisting(config, { hasEmbedded, isDiskWell: !hasProblem(disk) })
    if (!('db' in opened)) {
      tell(await keyFileFindings(config, config.databaseUrl ? undefined : hasEmbedded))
      tell(opened.findings)
      if (config.databaseUrl || hasEmbedded) tell(skippedInside('the database didn’t open.'))
    } else
      try {
        const isUsed = (await migrationsIn(opened.db)).length > 0
        tell(await keyFileFindings(config, isUsed))
        lastBackup = await findingsIn(opened.db, config, { isUsed, isRetry, tell })
      } catch (error) {
        tell([lookFailed(error as Error)])
      } finally {
        await opened.db.close()
      }
    tell(await signingFindings(config))
    tell(await mailFindings(config))
    tell(await redisFindings(config))
    const named = path !== undefined || lastBackup.length === 0
    tell(named ? await backupFindings(path, now()) : lastBackup)
  }
  const count = (level: Finding['level']) => all.filter((it) => it.level === level).length
  if (count('problem') > 0) process.exitCode = 1
  return `\nProblems: ${count('problem')}, warnings: ${count('warning')}, not checked: ${count('skipped')}`
}

/** Doesn't create a database or key, and doesn't disturb a running site. */
async function openExisting(
  config: Config,
  { hasEmbedded, isDiskWell }: { hasEmbedded: boolean; isDiskWell: boolean },
): Promise<{ db: OpenDatabase } | { findings: Finding[] }> {
  const { ok, problem, skipped } = findingsAbout('database')
  if (config.databaseUrl)
    return openPostgres({ ...postgresOf(config, config.databaseUrl), connections: 1 }).then(
      (db) => ({ db }),
      (error: Error) => ({ findings: [whyUnreachable(error)] }),
    )
  if (!hasEmbedded)
    return { findings: [ok('There’s no database yet. The first start creates one in DATA_DIR.')] }
  // Opening the database writes to it. If that's impossible, it may wait forever.
  if (!isDiskWell)
    return { findings: [skipped('DATA_DIR needs fixing first.', 'The embedded database')] }
  return openDatabase(config, { connections: 1 }).then(
    (db) => ({ db }),
    (error: Error) => ({
      findings: [
        problem(
          error instanceof ConfigError
            ? error.message
            : `The embedded database won’t open. Restore a backup into a new DATA_DIR (${error.name}).`,
        ),
      ],
    }),
  )
}

/** Reports its findings. @returns what we know about the last backup */
async function findingsIn(
  db: Database,
  config: Config,
  { isUsed, isRetry, tell }: { isUsed: boolean; isRetry: boolean; tell: Tell },
): Promise<Finding[]> {
  const found = [
    ...(await databaseFindings(db, { connections: config.databaseConnections, now })),
    ...(await traceFindings(db)),
  ]
  tell(found)
  if (hasProblem(found)) {
    tell(skippedInside('of the database problem above.'))
    return []
  }
  // The database is empty.
  if (!isUsed) return []
  const hasKey = config.secretKey !== undefined || existsSync(join(config.dataDir, 'secret.key'))
  const secrets = hasKey ? await readSecrets(config) : undefined
  const keys = secrets ? await keyFindings(db, secrets) : []
  tell(keys)
  // An older database doesn't have the tables that the checks below read.
  if ((await levelOf(db, await ourMigrations())).missing.length > 0) {
    tell(skippedInside('migrations are missing.').slice(1))
    return []
  }
  if (secrets && !hasProblem(keys)) {
    const issuer = createIssuer(
      () => readIssuerKeys({ db, secrets }),
      () => dayOf(now()),
    )
    tell(await witnessFindings(issuer, config.issuerWitnesses))
  }
  // With the wrong key, we'd find no one.
  const { ownerEmail } = config.auth
  if (ownerEmail && (!secrets || hasProblem(keys)))
    tell([
      findingsAbout('settings').skipped(
        'we can’t find it without the right secret key.',
        'The OWNER_EMAIL account',
      ),
    ])
  else if (ownerEmail && secrets)
    tell([await ownerFinding(db, addressHash(secrets, ownerEmail), config.auth)])
  if (isRetry) tell([await retryGivenUp(db)])
  tell(await queueFindings(db))
  tell(await launchFindings(db, featureConfig(config)))
  tell(await counterFindings(db, config))
  return lastBackupFindings({ db, now })
}

/** The message may quote private data. */
const lookFailed = (error: Error & { code?: string }) =>
  findingsAbout('database').problem(
    `Couldn’t read the database (${error.code ?? error.name}). Check that its user can read every table, and that no table is damaged.`,
  )

/** S2: the owner is an account that the operator made an administrator. */
async function ownerFinding(
  db: Database,
  emailHash: string,
  { adminSecondFactor }: Config['auth'],
): Promise<Finding> {
  const { ok, warning, problem } = findingsAbout('settings')
  const [row] = await db.query<{ isAdmin: boolean; hasSecondFactor: boolean }>(sql`
    select exists (select from admin_users where id = account.id) as "isAdmin",
           exists (select from second_factors
                    where account_id = account.id and is_verified) as "hasSecondFactor"
      from accounts account where email_hash = ${emailHash}`)
  if (!row)
    return warning(
      'No one has signed up with OWNER_EMAIL yet. Sign up, then run npm run admin -- grant EMAIL.',
    )
  if (row.isAdmin && !row.hasSecondFactor && adminSecondFactor === 'required')
    return warning(
      'The OWNER_EMAIL account has no second factor, and no rights until it does. Log in to add one.',
    )
  return row.isAdmin
    ? ok('The OWNER_EMAIL account is an administrator.')
    : problem('The OWNER_EMAIL account isn’t an administrator. Run npm run admin -- grant EMAIL.')
}

async function counterFindings(db: Database, config: Config): Promise<Finding[]> {
  const { ok, problem, skipped } = findingsAbout('database')
  const [row] = await db.query<{ n: number }>(
    sql`select count(*) as n from (select from companies limit ${COUNTED_COMPANIES_MAX + 1}) counted`,
  )
  if ((row?.n ?? 0) > COUNTED_COMPANIES_MAX)
    return [
      skipped('checking this many companies takes a while. Run npm run counters.', 'Counters'),
    ]
  const today = dayOf(now())
  const drift = await counterDrift(db, { today, minShown: config.minShown })
  return drift.length === 0
    ? [ok('All counters are correct.')]
    : [problem(`${drift.length} counters are wrong. Run npm run counters -- --mend`)]
}

/** Whether we can sign tokens. The next start creates a missing file, but we don't. */
async function signingFindings(config: Config): Promise<Finding[]> {
  const { problem } = findingsAbout('keys')
  const isThere = config.signingKeys || existsSync(join(config.dataDir, 'auth-signing-keys.json'))
  if (!isThere) return []
  try {
    createTokens({ keys: await readSigningKeys(config), issuer: '', lifetime: 1 })
    return []
  } catch {
    return [
      problem(
        'The keys that sign tokens can’t be read. Set AUTH_SIGNING_KEYS correctly, or put auth-signing-keys.json back.',
      ),
    ]
  }
}

await runCommand(USAGE, run)
