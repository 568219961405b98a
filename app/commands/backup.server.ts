/** npm run backup, npm run restore. */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import sql, { raw } from 'sql-template-tag'
import { MAIL_TASKS } from '#app/main.features.server.ts'
import type { Database, OpenDatabase } from '#app/platform/database/database.server.ts'
import { embeddedFolder } from '#app/platform/database/embedded-postgres.server.ts'
import { openDatabase } from '#app/platform/database/open-database.server.ts'
import { readSecrets } from '#app/platform/database/secrets.server.ts'
import { quoted, tablesOf, withSnapshot } from '#app/platform/operations/backup.server.ts'
import {
  BackupError,
  type BackupHead,
  type FeedRows,
  readBackup,
  writeBackup,
} from '#app/platform/operations/backup-file.server.ts'
import {
  type BackupStore,
  backupName,
  keepNewest,
  localFiles,
  newestIn,
} from '#app/platform/operations/backup-folder.server.ts'
import { restoreInto, tidyUp } from '#app/platform/operations/backup-restore.server.ts'
import { type Config, ConfigError, readConfig } from '#app/platform/operations/config.server.ts'
import { findingLines, findingsAbout } from '#app/platform/operations/doctor.server.ts'
import { keyFindings } from '#app/platform/operations/doctor-database.server.ts'
import { withDrillDatabase } from '#app/platform/operations/drill-database.server.ts'
import { markBackup } from '#app/platform/operations/owner-steps.server.ts'
import { sizeText } from '#app/platform/size-text.ts'
import { counterDrift } from './counting.server.ts'
import { runCommand } from './run-command.server.ts'

const USAGE = {
  backup: `npm run backup                  copies the whole database into a file in BACKUP_TO
npm run backup -- TARGET        into this file, this folder, or s3://BUCKET/FOLDER/
npm run backup -- --keep N      then deletes all but the newest N in the folder

It reads each backup back before it gets its name.

For example: npm run backup -- --keep 14`,
  restore: `npm run restore -- FILE         fills an empty database from a backup, a file or s3://BUCKET/KEY
npm run restore -- --drill [FILE]
                                restores it (the newest in BACKUP_TO by default) into a database that’s only for this,
                                checks and counts it, and deletes that database again

For example: npm run restore -- --drill`,
}

function run(command: 'backup' | 'restore', args: string[]) {
  const asked = optionsIn(args)
  if (!asked) return undefined
  const { target, keep, drill } = asked
  if (command === 'backup' ? drill : keep !== undefined || !(target || drill)) return undefined
  const config = readConfig(process.env)
  const work = command === 'backup' ? backUp(config, target, keep) : restore(config, target, drill)
  return work.finally(() => process.stderr.isTTY && process.stderr.write('\r\x1b[K'))
}

/** Undefined if we don't understand them. */
function optionsIn(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { keep: { type: 'string' }, drill: { type: 'boolean', default: false } },
    })
    const keep = values.keep === undefined ? undefined : Number(values.keep)
    if (positionals.length > 1 || (keep !== undefined && !(Number.isSafeInteger(keep) && keep > 0)))
      return undefined
    return { target: positionals[0], keep, drill: values.drill }
  } catch {
    return undefined
  }
}

async function backUp(config: Config, target: string | undefined, keep: number | undefined) {
  const { path, folder, store } = await placeOf(config, target, keep !== undefined)
  const db = await openExisting(config)
  return closing(db, () =>
    oneAtATime(db, async () => {
      if (folder) await store.prepare(folder)
      const { head, saved } = await withSnapshot(db, async ({ head, feed }) => {
        const readBack = (path: string) =>
          watched('Checked', head, (take) => readBackup(path, take, store).then(() => {}))(discard)
        return {
          head,
          ...(await writeBackup(path, head, watched('Written', head, feed), { store, readBack })),
        }
      })
      const bytes = await saved
      // This fails on a standby or an old database, which can't store it. The backup is complete anyway.
      await markBackup({ db, now: () => new Date() }, bytes).catch(() => {})
      const gone = folder && keep ? await keepNewest(store, folder, basename(path), keep) : 0
      return [
        `Done: ${rowsIn(head)} in ${path} (${sizeText(bytes)}), read back and compared.`,
        ...(gone > 0 ? [`Deleted ${gone} older ${gone === 1 ? 'backup' : 'backups'}.`] : []),
        'Keep the secret key somewhere else. Without it, no one can read the email addresses in this file.',
      ].join(' ')
    }),
  )
}

const discard = async () => {}

/** @param isFolder whether the target must be one. Otherwise, we look */
async function placeOf(config: Config, target = config.backupTo, isFolder: boolean) {
  const store = await storeOf(config, target)
  const looksLikeOne =
    store === localFiles
      ? await stat(target).then(
          (it) => it.isDirectory(),
          () => false,
        )
      : /^s3:\/\/[^/]+$|\/$/.test(target)
  if (!isFolder && !looksLikeOne && target !== config.backupTo) return { path: target, store }
  return { path: store.inside(target, backupName(new Date())), folder: target, store }
}

async function storeOf({ s3 }: Config, path: string): Promise<BackupStore> {
  if (!path.startsWith('s3://')) return localFiles
  const { bucketFiles } = await import('#app/platform/operations/backup-bucket.server.ts')
  return bucketFiles(s3)
}

const BACKUP_LOCK = 1_801_810_037

/** A second backup would only slow down the first, and delete what it keeps. */
const oneAtATime = <Result>(db: OpenDatabase, work: () => Promise<Result>) =>
  db.dedicated(async (db) => {
    const [lock] = await db.query<{ isOurs: boolean }>(
      sql`select pg_try_advisory_lock(${BACKUP_LOCK}::bigint) as "isOurs"`,
    )
    if (!lock?.isOurs)
      throw new BackupError('Another backup of this database is running. Nothing was written.')
    return work()
  })

async function restore(config: Config, target: string | undefined, isDrill: boolean) {
  const store = await storeOf(config, target ?? config.backupTo)
  const path = target ?? (await newestIn(store, config.backupTo))
  if (!path)
    throw new BackupError(`There’s no backup in ${config.backupTo}. Make one with npm run backup.`)
  const head = await readBackup(path, undefined, store)
  await mustHaveKeyOf(config, head)
  const feed: FeedRows = async (take) => {
    const reread = await readBackup(path, take, store)
    if (JSON.stringify(reread) !== JSON.stringify(head))
      throw new BackupError(`${path} changed while we were reading it. Nothing was saved.`)
  }
  const load = async (db: OpenDatabase) => {
    const paused = await restoreInto(db, head, watched('Restored', head, feed), {
      paused: MAIL_TASKS,
    })
    await tidyUp(db)
    return paused
  }
  if (isDrill) return drill(config, { path, head, load })
  const db = await openToCopy(config)
  return closing(db, async () => {
    const paused = await load(db)
    return [
      `Done: ${rowsIn(head)} restored, read back and compared. You can start the site now.`,
      ...(paused > 0 ? [pausedMailsNotice(paused)] : []),
    ].join('\n')
  })
}

function drill(
  config: Config,
  {
    path,
    head,
    load,
  }: { path: string; head: BackupHead; load: (db: OpenDatabase) => Promise<unknown> },
) {
  const began = performance.now()
  return withDrillDatabase(config, async (db) => {
    await load(db)
    const seconds = Math.round((performance.now() - began) / 1000)
    const counts = await rowCounts(db)
    const findings = await findingsAfterRestore(db, config, head)
    if (findings.some(({ level }) => level === 'problem')) process.exitCode = 1
    return [
      ...counts.map(({ name, rows }) => `${String(rows).padStart(10)}  ${name}`),
      '',
      ...findingLines(findings),
      '',
      `Done: ${rowsIn(head)} of ${head.madeOn} from ${path}, restored and compared in ${seconds} s. ` +
        'The database for this is deleted, and nothing else was touched.',
    ].join('\n')
  })
}

async function rowCounts(db: Database) {
  const counts: { name: string; rows: number }[] = []
  for (const { name } of await tablesOf(db)) {
    const [count] = await db.query<{ rows: number }>(
      raw(`select count(*) as rows from ${quoted(name)}`),
    )
    counts.push({ name, rows: count?.rows ?? 0 })
  }
  return counts
}

async function findingsAfterRestore(
  db: Database,
  config: Config,
  { keyMark, madeOn: today }: BackupHead,
) {
  const { ok, problem } = findingsAbout('database')
  const keys = keyMark === null ? [] : await keyFindings(db, await readSecrets(config))
  const drift = await counterDrift(db, { today, minShown: config.minShown })
  return [
    ...keys,
    drift.length === 0
      ? ok('All counters are correct.')
      : problem(
          `${drift.length} counters are wrong. After a restore, run npm run counters -- --mend`,
        ),
  ]
}

/** Opens an existing database, but never creates one. */
async function openExisting(config: Config): Promise<OpenDatabase> {
  if (!config.databaseUrl && !existsSync(embeddedFolder(config.dataDir)))
    throw new ConfigError(
      `There’s no database in ${config.dataDir}. Point DATA_DIR or DATABASE_URL to it.`,
    )
  return openToCopy(config)
}

/** One connection, so its settings apply to every statement. Not through a pooler in transaction mode. */
const openToCopy = (config: Config) =>
  openDatabase(
    {
      ...config,
      databaseUrl: config.databaseUrl && (config.databaseListenUrl ?? config.databaseUrl),
    },
    { connections: 1 },
  )

async function closing<Result>(db: OpenDatabase, work: () => Promise<Result>) {
  try {
    return await work()
  } finally {
    await db.close()
  }
}

/** Never creates a key, because it would be the wrong one. */
async function mustHaveKeyOf(config: Config, { keyMark }: BackupHead) {
  const file = join(config.dataDir, 'secret.key')
  if (keyMark === null) return
  const hasKey = config.secretKey !== undefined || existsSync(file)
  if (hasKey && (await readSecrets(config)).hash('key check') === keyMark) return
  throw new BackupError(
    `This backup needs ${hasKey ? 'a different secret key from the one you’ve set' : 'its secret key, which isn’t here'}. ` +
      `Nothing was changed. Set SECRET_KEY to the right one, or copy its file to ${file}.`,
  )
}

const rowsIn = ({ tables }: BackupHead) =>
  `${tables.reduce((sum, { rows }) => sum + rows, 0)} rows from ${tables.length} tables`

const pausedMailsNotice = (mails: number) =>
  `${mails} ${mails === 1 ? 'email was' : 'emails were'} waiting when the backup was made, and may have gone out since. ` +
  'So we’re holding them back. Run npm run doctor -- --retry to send them anyway.'

/** Ctrl-C stops the command cleanly after some rows. A second Ctrl-C kills it immediately. */
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    isStopping = true
  })

const TELL_EVERY_MS = process.stderr.isTTY ? 200 : 10_000

/** Shows progress on standard error. Standard output gets only the result. */
function watched(verb: string, { tables }: BackupHead, feed: FeedRows): FeedRows {
  const total = tables.reduce((sum, { rows }) => sum + rows, 0)
  return async (take) => {
    let done = 0
    let shownAt = Date.now()
    await feed(async (table, rows) => {
      if (isStopping) throw new BackupError('Stopped. Nothing was saved.')
      await take(table, rows)
      done += rows.length
      if (Date.now() - shownAt < TELL_EVERY_MS) return
      shownAt = Date.now()
      const text = `${verb} ${done} of ${total} rows, now ${table.name}`
      process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${text}` : `${text}\n`)
    })
  }
}

const [command = 'backup', ...args] = process.argv.slice(2)
await runCommand(
  USAGE[command === 'restore' ? 'restore' : 'backup'],
  (args) => run(command === 'restore' ? 'restore' : 'backup', args),
  args,
)
