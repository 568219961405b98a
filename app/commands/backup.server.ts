/** npm run backup -- FILE, npm run restore -- FILE. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MAIL_TASKS } from '#app/main.features.server.ts'
import type { OpenDatabase } from '#app/platform/database/database.server.ts'
import { embeddedFolder } from '#app/platform/database/embedded-postgres.server.ts'
import { openDatabase } from '#app/platform/database/open-database.server.ts'
import { readSecrets } from '#app/platform/database/secrets.server.ts'
import { withSnapshot } from '#app/platform/operations/backup.server.ts'
import {
  BackupError,
  type BackupHead,
  type FeedRows,
  readBackup,
  writeBackup,
} from '#app/platform/operations/backup-file.server.ts'
import { restoreInto, tidyUp } from '#app/platform/operations/backup-restore.server.ts'
import { type Config, ConfigError, readConfig } from '#app/platform/operations/config.server.ts'
import { markBackup } from '#app/platform/operations/owner-steps.server.ts'
import { runCommand } from './run-command.server.ts'

const USAGE = {
  backup: `npm run backup -- FILE    copies the whole database into one file

For example: npm run backup -- kettle.backup`,
  restore: `npm run restore -- FILE    fills an empty database from that file

For example: npm run restore -- kettle.backup`,
}

function run(command: string, words: string[]) {
  const [word = ''] = words
  if (words.length !== 1 || word === '' || word.startsWith('-')) return undefined
  const config = readConfig(process.env)
  const working = command === 'restore' ? restore(config, word) : backUp(config, word)
  return working.finally(() => process.stderr.isTTY && process.stderr.write('\r\x1b[K'))
}

async function backUp(config: Config, path: string) {
  const db = await openThere(config)
  return closing(db, async () => {
    const summary = await withSnapshot(db, async ({ head, feed }) => {
      const size = await writeBackup(path, head, watched('Written', head, feed))
      return (
        `Done: ${rowsIn(head)} in ${path} (${megabytes(size)}). Keep the secret key somewhere else. ` +
        'Without it, no one can read the email addresses in this file.'
      )
    })
    // This fails on a standby or an old database, which can't store it. The backup is complete anyway.
    await markBackup({ db, now: () => new Date() }).catch(() => {})
    return summary
  })
}

async function restore(config: Config, path: string) {
  const head = await readBackup(path)
  await mustHaveKeyOf(config, head)
  const feed: FeedRows = async (take) => {
    const reread = await readBackup(path, take)
    if (JSON.stringify(reread) !== JSON.stringify(head))
      throw new BackupError(`${path} changed while we were reading it. Nothing was saved.`)
  }
  const db = await openToCopy(config)
  return closing(db, async () => {
    const paused = await restoreInto(db, head, watched('Restored', head, feed), {
      paused: MAIL_TASKS,
    })
    await tidyUp(db)
    return [
      `Done: ${rowsIn(head)} restored, read back and compared. You can start the site now.`,
      ...(paused > 0 ? [pausedMailsNotice(paused)] : []),
    ].join('\n')
  })
}

/** Opens an existing database, but never creates one. */
async function openThere(config: Config): Promise<OpenDatabase> {
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

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 0)} MB`

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

const [command = 'backup', ...words] = process.argv.slice(2)
await runCommand(
  USAGE[command === 'restore' ? 'restore' : 'backup'],
  (words) => run(command, words),
  words,
)
