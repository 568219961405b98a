import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { accessSync, chownSync, constants, readdirSync, realpathSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { postgresPrograms } from '#app/platform/database/embedded-programs.server.ts'

/** The folder of the machine's own PostgreSQL: the one in PATH, or else Debian's newest, or else null. */
export function findPostgres(): string | null {
  const inPath = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const debian = '/usr/lib/postgresql'
  const versions = list(debian).sort((a, b) => Number(b) - Number(a))
  for (const folder of [...inPath, ...versions.map((version) => join(debian, version, 'bin'))])
    try {
      // Debian only puts a link to pg_ctl in PATH. The other programs are where it points.
      const programs = dirname(realpathSync(join(folder, 'pg_ctl')))
      for (const name of ['pg_ctl', 'initdb', 'postgres'])
        accessSync(join(programs, name), constants.X_OK)
      return programs
    } catch {
      // Not in this folder, so try the next one.
    }
  return null
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Fast and forgetful, for tests. A benchmark overrides it with `settings`. */
const FOR_TESTS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  timezone: 'UTC',
  log_timezone: 'UTC',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
}

/**
 * Creates the cluster and says "ready". Stops and removes it when its standard input closes: at stop(), or when the process
 * at the other end dies for any reason.
 */
const KEEPER = `
bin=$1 folder=$2
make() {
  rm -rf "$folder/data"
  "$bin/initdb" --pgdata="$folder/data" --username=kettle --pwfile="$folder/password" \\
    --auth=scram-sha-256 --encoding=UTF8 --locale="$1" --no-sync >>"$folder/log" 2>&1
}
if { make C.UTF-8 || make C; } &&
  cat "$folder/settings" >>"$folder/data/postgresql.conf" &&
  "$bin/pg_ctl" start -D "$folder/data" -l "$folder/log" -w -t 60 >>"$folder/log" 2>&1
then
  echo ready
  read -r closed
  "$bin/pg_ctl" stop -D "$folder/data" -m fast -w -t 30 >/dev/null 2>&1 ||
    "$bin/pg_ctl" stop -D "$folder/data" -m immediate -w >/dev/null 2>&1
else
  cat "$folder/log" >&2
fi
rm -rf "$folder"
`

export interface Cluster {
  /** Connects as the superuser to the database `postgres`. */
  url: string
  stop(): Promise<void>
}

/**
 * Starts a PostgreSQL of our own in a temporary folder, on a free loopback port, with its own password. PostgreSQL refuses
 * to run as root, so for root it runs as `postgres` or `nobody`. `settings` are lines of postgresql.conf. `programs` is the
 * folder of another version than the one that comes with the site. `stop` ends it and removes its folder.
 */
export async function startPostgres({
  settings = {},
  programs,
}: {
  settings?: Record<string, string | number>
  programs?: string | null
} = {}): Promise<Cluster> {
  programs ??= (await postgresPrograms(tmpdir())).bin
  const owner = process.getuid?.() === 0 ? unprivilegedUser() : undefined
  // Other users may have no access to root's own temporary folder.
  const folder = await mkdtemp(join(owner ? '/tmp' : tmpdir(), 'kettle-postgres-'))
  const port = await freePort()
  const password = randomBytes(12).toString('hex')
  const lines = Object.entries({ ...FOR_TESTS, ...settings, port }).map(
    ([name, value]) => `${name} = '${String(value).replaceAll("'", "''")}'\n`,
  )
  await writeFile(join(folder, 'settings'), lines.join(''))
  await writeFile(join(folder, 'password'), password)
  if (owner) chownSync(folder, owner.uid, owner.gid)

  const keeper = spawn('/bin/sh', ['-c', KEEPER, 'keeper', programs, folder], {
    cwd: folder,
    // In its own session, so Ctrl-C doesn't reach it before we've closed our connections.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...owner,
  })
  const ended = once(keeper, 'exit')
  let complaint = ''
  keeper.stderr.on('data', (text) => {
    complaint += text
  })
  const [news] = await Promise.race([once(keeper.stdout, 'data'), ended])
  if (String(news).trim() !== 'ready') {
    await rm(folder, { recursive: true, force: true })
    throw new Error(`PostgreSQL (${programs}) did not start:\n${complaint}`)
  }

  // A test that forgets to stop it mustn't wait for it.
  keeper.unref()
  for (const pipe of [keeper.stdin, keeper.stdout, keeper.stderr]) (pipe as Socket).unref()

  return {
    url: `postgresql://kettle:${password}@127.0.0.1:${port}/postgres`,
    async stop() {
      keeper.ref()
      keeper.stdin.end()
      await ended
    },
  }
}

/** The address of another database on the same server. */
export const databaseAt = (url: string, name: string) =>
  Object.assign(new URL(url), { pathname: name }).href

/** The user that PostgreSQL runs as when we're root. */
export function unprivilegedUser(): { uid: number; gid: number } {
  for (const name of ['postgres', 'nobody'])
    try {
      const ask = (what: string) =>
        Number(execFileSync('id', [what, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid: ask('-u'), gid: ask('-g') }
    } catch {
      // There's no such user, so try the next one.
    }
  throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody')
}

/** A port that was free a moment ago. Nothing guarantees that it still is. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
