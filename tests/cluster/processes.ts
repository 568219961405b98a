/** Our processes, in one temporary folder. All of them end with us, even after kill -9. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unprivilegedUser } from '../support/postgres-cluster.ts'

/**
 * Waits until our end of its standard input closes, no matter how. Then ends everything in `pids`, each with its group, and
 * each node's PostgreSQL, which isn't in any of our groups. Twice, because a Patroni may be starting one at that moment.
 */
const KEEPER = `
folder=$1
read -r closed
for turn in 1 2; do
  for file in "$folder"/pids/*; do
    [ -e "$file" ] && kill -9 "-\${file##*/}" 2>/dev/null
  done
  for file in "$folder"/*/data/postmaster.pid; do
    [ -e "$file" ] && kill -9 "$(head -n 1 "$file")" 2>/dev/null
  done
  sleep 0.3
done
rm -rf "$folder" || { sleep 1; rm -rf "$folder"; }
`

export interface Running {
  pid: number
  /** Sends the signal to the whole group. */
  signal(signal: NodeJS.Signals): void
  /** Sends SIGKILL. Resolves when it's gone. */
  kill(): Promise<void>
  log(): string
}

interface StartOptions {
  env?: Record<string, string>
  isSite?: boolean
}

export interface Processes {
  folder: string
  /** Creates a folder in the temporary one that the processes own. */
  folderOf(name: string): string
  write(path: string, text: string): void
  /** @param isSite runs as our own user, because another may not be able to read this project */
  start(name: string, command: string[], options?: StartOptions): Running
  stop(): Promise<void>
}

/** Root's processes run as another user, because PostgreSQL and PgBouncer refuse to run as root. */
export async function createProcesses(): Promise<Processes> {
  const owner = process.getuid?.() === 0 ? unprivilegedUser() : undefined
  const folder = await mkdtemp(join(owner ? '/tmp' : tmpdir(), 'kettle-cluster-'))
  const own = (path: string) => owner && chownSync(path, owner.uid, owner.gid)
  own(folder)
  const folderOf = (name: string) => {
    const path = join(folder, name)
    mkdirSync(path, { mode: 0o700, recursive: true })
    own(path)
    return path
  }
  const pids = folderOf('pids')
  const keeper = spawn('/bin/sh', ['-c', KEEPER, 'keeper', folder], {
    cwd: '/',
    // Runs in its own session, so Ctrl-C doesn't reach it before we've ended the processes.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const ended = once(keeper, 'exit')

  return {
    folder,
    folderOf,
    write(path, text) {
      writeFileSync(join(folder, path), text, { mode: 0o600 })
      own(join(folder, path))
    },
    start(name, [program = '', ...words], { env = {}, isSite = false } = {}) {
      const log = join(folder, `${name}.log`)
      const output = openSync(log, 'a')
      const child: ChildProcess = spawn(program, words, {
        cwd: folder,
        // Runs in its own group, so everything it starts ends with it.
        detached: true,
        stdio: ['ignore', output, output],
        env: {
          PATH: `${process.env.PATH}:/usr/sbin:/usr/bin`,
          HOME: folder,
          LC_ALL: 'C.UTF-8',
          TZ: 'UTC',
          ...env,
        },
        ...(!isSite && owner),
      })
      closeSync(output)
      child.on('error', () => {})
      const { pid } = child
      if (!pid) throw new Error(`${program} cannot be started`)
      const mark = join(pids, String(pid))
      writeFileSync(mark, '')
      const gone = once(child, 'exit').then(() => rmSync(mark, { force: true }))
      const signal = (signal: NodeJS.Signals) => {
        try {
          process.kill(-pid, signal)
        } catch {
          // The process is gone.
        }
      }
      return {
        pid,
        signal,
        async kill() {
          signal('SIGKILL')
          await gone
        },
        log: () => readFileSync(log, 'utf8'),
      }
    },
    async stop() {
      keeper.stdin.end()
      await ended
    },
  }
}
