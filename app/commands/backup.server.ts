/** npm run backup -- FILE, npm run restore -- FILE, npm run move -- --to DATABASE_URL. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MAIL_JOBS } from '../main.jobs.server.ts'
import { withSnapshot } from '../server/backup.server.ts'
import {
  BackupError,
  type BackupHead,
  type FeedRows,
  readBackup,
  writeBackup,
} from '../server/backup-file.server.ts'
import { restoreInto, tidyUp } from '../server/backup-restore.server.ts'
import { type Config, ConfigError, readConfig } from '../server/config.server.ts'
import type { OpenDatabase } from '../server/database.server.ts'
import { openBesideSite } from '../server/open-database.server.ts'
import { markBackup } from '../server/owner-steps.server.ts'
import { openPglite } from '../server/pglite.server.ts'
import { openPostgres } from '../server/postgres.server.ts'
import { readSecrets } from '../server/secrets.server.ts'

const USAGE: Record<string, string> = {
  backup: 'npm run backup -- FILE    copies all that the database holds into one file',
  restore: 'npm run restore -- FILE    fills an empty database from such a file',
  move: 'npm run move -- --to postgresql://USER@HOST/DATABASE    copies the embedded database into an empty PostgreSQL',
}

async function run([command = '', ...words]: string[]) {
  const config = readConfig(process.env)
  const [word = '', to = ''] = words
  const isFile = words.length === 1 && word !== '' && !word.startsWith('-')
  if (command === 'backup' && isFile) return backUp(config, word)
  if (command === 'restore' && isFile) return restore(config, word)
  if (command === 'move' && words.length === 2 && word === '--to' && /^postgres(ql)?:\/\//.test(to))
    return move(config, to)
  process.exitCode = 1
  return USAGE[command] ?? Object.values(USAGE).join('\n')
}

async function backUp(config: Config, path: string) {
  const db = await openThere(config, openBesideSite)
  return closing(db, async () => {
    const said = await withSnapshot(db, async ({ head, feed }) => {
      const size = await writeBackup(path, head, watched('Written', head, feed))
      return (
        `Done: ${rowsIn(head)} in ${path} (${megabytes(size)}). Keep the secret key apart from it: ` +
        'without the key nobody can read the addresses in it.'
      )
    })
    // A standby takes no mark, and a database of before has no place for it: the backup is there all the same.
    await markBackup({ db, now: () => new Date() }).catch(() => {})
    return said
  })
}

async function restore(config: Config, path: string) {
  const head = await readBackup(path)
  await mustHaveKeyOf(config, head)
  const feed: FeedRows = async (take) => {
    const now = await readBackup(path, take)
    if (JSON.stringify(now) !== JSON.stringify(head))
      throw new BackupError(`${path} was changed while it was read. Nothing was kept.`)
  }
  const db = await (config.databaseUrl ? openPostgresOf(config) : openPglite(config))
  return closing(db, async () => {
    const held = await restoreInto(db, head, watched('Restored', head, feed), { held: MAIL_JOBS })
    await tidyUp(db)
    return [
      `Done: ${rowsIn(head)} restored, read back and found the same. The site can be started now.`,
      ...(held > 0 ? [toldOfHeld(held)] : []),
    ].join('\n')
  })
}

async function move(config: Config, to: string) {
  // Of a site that runs, what people write meanwhile would stay behind.
  const from = await openThere({ ...config, databaseUrl: undefined }, openPglite)
  return closing(from, async () => {
    const target = await openPostgresFor(to)
    return closing(target, () =>
      withSnapshot(from, async ({ head, feed }) => {
        await mustHaveKeyOf(config, head)
        await restoreInto(target, head, watched('Moved', head, feed))
        await tidyUp(target)
        return `Done: ${rowsIn(head)} moved, read back and found the same.
Now set DATABASE_URL to that address, for example in .env, and start the site.
Keep ${config.dataDir}: its key files are needed further on. The old database in it was not
changed; once the site runs well, the folder ${join(config.dataDir, 'pg')} can go.`
      }),
    )
  })
}

/** Opens what is there; makes no new database. */
async function openThere(
  config: Config,
  openEmbedded: (config: Config) => Promise<OpenDatabase>,
): Promise<OpenDatabase> {
  if (config.databaseUrl) return openPostgresOf(config)
  if (!existsSync(join(config.dataDir, 'pg')))
    throw new ConfigError(
      `There is no database in ${config.dataDir}. DATA_DIR says where it is, or DATABASE_URL.`,
    )
  return openEmbedded(config)
}

/** One connection, so that what is set for it holds for all that is asked. */
const openPostgresFor = (url: string) => openPostgres({ url, connections: 1 })

/** Without a pooler in transaction mode between, where there is one. */
const openPostgresOf = ({ databaseUrl, databaseListenUrl }: Config) =>
  openPostgresFor((databaseListenUrl ?? databaseUrl) as string)

async function closing<Result>(db: OpenDatabase, work: () => Promise<Result>) {
  try {
    return await work()
  } finally {
    await db.close()
  }
}

/** Makes no key: a new one would be the wrong one. */
async function mustHaveKeyOf(config: Config, { keyMark }: BackupHead) {
  const file = join(config.dataDir, 'secret.key')
  if (keyMark === null) return
  const hasKey = config.secretKey !== undefined || existsSync(file)
  if (hasKey && (await readSecrets(config)).hash('key check') === keyMark) return
  throw new BackupError(
    `The rows were sealed with ${hasKey ? 'another secret key than the one that is set' : 'a secret key that is not here'}. ` +
      `Nothing was changed: set SECRET_KEY to that key, or put its file to ${file}.`,
  )
}

const rowsIn = ({ tables }: BackupHead) =>
  `${tables.reduce((sum, { rows }) => sum + rows, 0)} rows of ${tables.length} tables`

const toldOfHeld = (mails: number) =>
  `${mails} ${mails === 1 ? 'mail was' : 'mails were'} waiting when the backup was made, and may have gone out since: ` +
  'held back. npm run doctor -- --retry sends them all the same.'

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 0)} MB`

/** Ctrl-C ends it after some rows, so that nothing half is left; a second one at once. */
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    isStopping = true
  })

const TELL_EVERY_MS = process.stderr.isTTY ? 200 : 10_000

/** Tells on standard error how far it is; standard output has the end alone. */
function watched(verb: string, { tables }: BackupHead, feed: FeedRows): FeedRows {
  const total = tables.reduce((sum, { rows }) => sum + rows, 0)
  return async (take) => {
    let done = 0
    let told = Date.now()
    await feed(async (table, rows) => {
      if (isStopping) throw new BackupError('Stopped. Nothing was kept.')
      await take(table, rows)
      done += rows.length
      if (Date.now() - told < TELL_EVERY_MS) return
      told = Date.now()
      const text = `${verb} ${done} of ${total} rows, now ${table.name}`
      process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${text}` : `${text}\n`)
    })
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  }
}

run(process.argv.slice(2)).then(console.log, (error: Error) => {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  console.error(error.message)
  process.exitCode = 1
})
