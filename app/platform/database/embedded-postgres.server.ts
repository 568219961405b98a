/**
 * The embedded PostgreSQL. Its programs come from npm, its data is in DATA_DIR, and only its own user
 * can open its socket. The first process starts it, and the last one to leave stops it.
 */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { privateFolder, syncFolder } from '../folders.server.ts'
import { Unavailable } from '../http/unavailable.ts'
import { ConfigError } from '../operations/config.server.ts'
import { MAJOR, type Programs, postgresPrograms } from './embedded-programs.server.ts'

/** PostgreSQL mustn't write outside its tables who did what, or when (docs/anonymity.md). */
const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  shared_buffers: '32MB',
  max_connections: '100',
  max_wal_size: '128MB',
  min_wal_size: '32MB',
  wal_recycle: 'off',
  // Errors can quote what people wrote.
  log_min_messages: 'fatal',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_connections: 'off',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: '-1',
  log_line_prefix: '',
}

/** The site isn't a superuser, but may do what nightly-run.server.ts needs. One statement per line. */
const FIRST_STATEMENTS = `create role kettle login
grant pg_checkpoint to kettle
grant execute on function pg_switch_wal() to kettle
alter database postgres owner to kettle
alter schema public owner to kettle
`

/** The longest socket path on macOS. Linux allows four bytes more. */
const SOCKET_PATH_BYTES = 103
const SOCKET = '.s.PGSQL.5432'
const POLL_MS = 20
/** A recovery takes seconds. After this time, the start reports it and tries again. */
const ANSWERS_WITHIN_MS = 60_000
const STOPS_WITHIN_MS = 8_000
/** How long to wait after PostgreSQL crashed. */
const RETRY_MS = 500
const SIGNALS = ['SIGINT', 'SIGTERM'] as const
/** The shared lock that every process using the database holds. */
const IN_USE = 1_801_810_036

interface EmbeddedPostgres {
  /** Written like DATABASE_URL. */
  url: string
  /** Stops the database unless another process uses it. Close your own connections first. */
  leave(): Promise<void>
}

export const embeddedFolder = (dataDir: string) => join(dataDir, 'postgres')

/** @throws ConfigError with a sentence if it can't run here, Unavailable if it takes too long */
export async function openEmbedded(dataDir: string): Promise<EmbeddedPostgres> {
  // PostgreSQL trusts everyone who reaches its socket, so this folder protects it.
  await privateFolder(dataDir)
  await chmod(dataDir, 0o700).catch(() => {})
  const data = embeddedFolder(dataDir)
  const owner = await stat(data).catch(() => undefined)
  const programs = await postgresPrograms(dataDir, owner?.uid)
  await makeData(data, programs)
  await mustBeOurs(data, programs)

  const engine = { dataDir, data, programs }
  let hold = await takeHold(engine)
  let isLeaving = false
  const { socket } = hold
  let renewing: Promise<void> | undefined
  const leave = async () => {
    isLeaving = true
    // Wait for the renewal, because anything it starts meanwhile would keep running.
    await Promise.race([renewing, wait(STOPS_WITHIN_MS, undefined, { ref: false })])
    await letGo(engine, hold.client).catch(() => {})
    await hold.client.end().catch(() => {})
    for (const signal of SIGNALS) process.off(signal, stop)
  }
  // Processes with their own signal handlers leave by themselves. An interrupted start and most commands
  // don't have any.
  const stop = (signal: NodeJS.Signals) => {
    if (process.listenerCount(signal) > 1) return
    if (isLeaving) process.exit(1)
    leave().finally(() => process.exit(1))
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  // Restarts PostgreSQL if it ends while we use it, for example when memory runs out.
  const renew = async () => {
    while (!isLeaving)
      try {
        hold = await takeHold(engine, socket)
        return follow()
      } catch {
        await wait(RETRY_MS)
      }
  }
  const follow = () =>
    void hold.client.once('end', () => {
      renewing = renew()
    })
  follow()
  return { url: connectionUrl(socket), leave }
}

interface Engine {
  dataDir: string
  data: string
  programs: Programs
}

const connectionUrl = (socket: string) =>
  `postgresql://kettle@localhost:5432/postgres?host=${encodeURIComponent(socket)}&sslmode=disable`

/** Creates the database elsewhere and moves it here, so a crash leaves nothing half done. */
async function makeData(data: string, programs: Programs) {
  if (existsSync(data)) return
  const draft = await mkdtemp(`${data}.new-${process.pid}-`)
  if (programs.user) await chown(draft, programs.user.uid, programs.user.gid)
  try {
    const words = ['-U', 'postgres', '-E', 'UTF8', '--auth=trust', '--no-instructions']
    const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
    await finished(programs, 'initdb', [...words, ...locale, '-D', draft])
    await finished(programs, 'postgres', ['--single', '-D', draft, 'postgres'], FIRST_STATEMENTS)
    await rename(draft, data).catch((error) => {
      // Another process was faster.
      if (!existsSync(data)) throw error
    })
    await syncFolder(dirname(data))
  } finally {
    await rm(draft, { recursive: true, force: true })
    await sweep(data)
  }
}

/** Removes the remains of a start that was killed. */
async function sweep(data: string) {
  const prefix = `${basename(data)}.new-`
  for (const name of await readdir(dirname(data)))
    if (name.startsWith(prefix) && !isAlive(Number.parseInt(name.slice(prefix.length), 10)))
      await rm(join(dirname(data), name), { recursive: true, force: true })
}

async function finished(
  programs: Programs,
  name: 'initdb' | 'postgres',
  words: string[],
  input = '',
) {
  const child = programs.run(name, words, { stdio: ['pipe', 'ignore', 'pipe'], cwd: '/' })
  let output = ''
  child.stderr?.on('data', (text) => {
    output += text
  })
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  const [code] = await once(child, 'close').catch((error) => [error])
  if (code !== 0) throw whyNotStarted(code instanceof Error ? code.message : output)
}

/** @throws ConfigError if the data belongs to another user or PostgreSQL version */
async function mustBeOurs(data: string, { user }: Programs) {
  const { uid } = await stat(data)
  const me = user?.uid ?? process.getuid?.()
  if (me !== undefined && uid !== me)
    throw new ConfigError(
      `The database in ${data} belongs to user ${uid}, but the site is starting as user ${me}. ` +
        `Start it as user ${uid}, or run chown -R ${me} ${dirname(data)}.`,
    )
  const version = (await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (version !== MAJOR)
    throw new ConfigError(
      `The database in ${data} needs PostgreSQL ${version || 'of an unknown version'}, but this version of Kettle comes with ${MAJOR}. ` +
        'Run npm run backup -- FILE in the older version, then npm run restore -- FILE into a new DATA_DIR.',
    )
}

interface Hold {
  client: pg.Client
  socket: string
}

/** Connects and takes the shared lock. @param socket the previous folder */
async function takeHold(engine: Engine, socket?: string): Promise<Hold> {
  for (const end = Date.now() + ANSWERS_WITHIN_MS; Date.now() < end; await wait(POLL_MS)) {
    const running = await runningOn(engine.data)
    if (running?.isReady) {
      const client = await connected(running.socket).catch(() => undefined)
      if (client) return { client, socket: running.socket }
    }
    if (!running) await start(engine, socket)
  }
  throw Object.assign(new Unavailable(), { message: 'The embedded database isn’t ready yet.' })
}

async function connected(socket: string) {
  const client = new pg.Client({
    connectionString: connectionUrl(socket),
    application_name: 'kettle hold',
  })
  client.on('error', () => {})
  await client.connect()
  await client.query('select pg_advisory_lock_shared($1)', [IN_USE])
  return client
}

/** If a process connects during the stop, it waits for our lock, gets cut off and starts PostgreSQL again. */
async function letGo({ data }: Engine, client: pg.Client) {
  await client.query('select pg_advisory_unlock_shared($1)', [IN_USE])
  const { rows } = await client.query('select pg_try_advisory_lock($1) as "isLast"', [IN_USE])
  const running = await runningOn(data)
  if (!rows[0]?.isLast || !running) return
  // SIGINT is a fast shutdown, which doesn't wait for clients. There are none.
  process.kill(running.pid, 'SIGINT')
  for (const end = Date.now() + STOPS_WITHIN_MS; Date.now() < end; await wait(POLL_MS))
    if (!(await runningOn(data))) break
  // With a long DATA_DIR, the socket is in the temporary folder, which no one else cleans up.
  await rmdir(running.socket).catch(() => {})
}

/** Returns when PostgreSQL is ready, or another process has started it. */
async function start({ dataDir, data, programs }: Engine, former?: string) {
  const socket = former ?? (await socketFolder(dataDir))
  const all = { ...SETTINGS, unix_socket_directories: `"${socket.replaceAll('"', '""')}"` }
  const words = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const path = join(dataDir, 'postgres.log')
  const log = await open(path, 'w', 0o600)
  const child = programs.run('postgres', ['-D', data, ...words], {
    // PostgreSQL gets its own session, so Ctrl-C only reaches the site.
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    cwd: '/',
  })
  const ended = once(child, 'exit').catch((error: Error) => [error.message])
  child.unref()
  await log.close()
  for (;;) {
    const running = await runningOn(data)
    if (running?.pid === child.pid && running?.isReady) return
    const end = await Promise.race([ended, wait(POLL_MS)])
    if (!end) continue
    const output = await readFile(path, 'utf8')
    // Another process was faster, or a killed server's backends are still running.
    if (/lock file "[^"]+" already exists|pre-existing shared memory block/.test(output)) return
    throw whyNotStarted(output || String(end[0]))
  }
}

/** A folder in DATA_DIR, unless its path is too long for a socket. */
async function socketFolder(dataDir: string) {
  const isShort = (folder: string) => Buffer.byteLength(join(folder, SOCKET)) <= SOCKET_PATH_BYTES
  const inside = join(dataDir, 'run')
  let folder = inside
  if (isShort(inside)) await mkdir(inside, { recursive: true, mode: 0o700 })
  else
    folder = await mkdtemp(join(tmpdir(), 'kettle-')).catch(({ message }: Error) => {
      throw new ConfigError(
        `The path of DATA_DIR is too long for a socket, and we couldn’t make one elsewhere (${message}). ` +
          'Move DATA_DIR or set TMPDIR.',
      )
    })
  if (!isShort(folder))
    throw new ConfigError('The paths of DATA_DIR and TMPDIR are too long for a socket. Move one.')
  return folder
}

/** Reads `postmaster.pid`, unless its process is dead, because a killed server leaves the file behind. */
async function runningOn(data: string) {
  const path = join(data, 'postmaster.pid')
  const lines = (await readFile(path, 'utf8').catch(() => '')).split('\n')
  const [pid, socket = '', status = ''] = [Number(lines[0]), lines[4], lines[7]]
  if (!pid || !isAlive(pid)) return undefined
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
  if (folder !== undefined && folder !== (await realpath(data))) {
    // Process ids are reused, especially in containers. PostgreSQL would think it's still running.
    await rm(path, { force: true })
    await rm(join(socket, `${SOCKET}.lock`), { force: true })
    return undefined
  }
  return { pid, socket, isReady: status.trim() === 'ready' }
}

export function isAlive(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    // Another user's process isn't ours.
    return false
  }
}

/** The reason in PostgreSQL's own words, unless we have better ones. At startup, its words name no people. */
function whyNotStarted(output: string) {
  const line =
    /(?:FATAL|PANIC|error|setpriv):\s*(.*)/.exec(output)?.[1] ?? output.trim().split('\n').at(-1)
  if (/No space left|could not extend|disk quota/i.test(output))
    return new ConfigError('The disk is full. The embedded database needs space in DATA_DIR.')
  if (/Permission denied/i.test(output))
    return new ConfigError(
      `The embedded database can’t read or write its files in DATA_DIR (${line}).`,
    )
  if (/ENOENT|EACCES|cannot execute|Exec format/.test(output))
    return new ConfigError(
      'The PostgreSQL programs from npm don’t run on this system. It may have a different C library. ' +
        'Install PostgreSQL 15 or newer and set DATABASE_URL.',
    )
  return new ConfigError(`The embedded database didn’t start: ${line}`)
}
