/**
 * A streaming standby of our PostgreSQL that can be paused, crash and come back. It has a slot,
 * because the primary discards its log every night, and a standby that was away would miss what it
 * hadn't read yet.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findPostgres, freePort, unprivilegedUser } from './postgres-cluster.ts'

/** Runs commands line by line. Stops and removes everything when its standard input closes. */
const KEEPER = `
bin=$1 folder=$2 primary=$3 port=$4
start() { "$bin/pg_ctl" start -D "$folder/data" -o "-p $port" -l "$folder/log" -w -t 60 >>"$folder/log" 2>&1; }
"$bin/pg_basebackup" -d "$primary" -D "$folder/data" -R -X stream -c fast --no-sync -C -S "standby_$port" >>"$folder/log" 2>&1 && start &&
  echo ready || cat "$folder/log" >&2
while read -r word; do
  case $word in
    crash) "$bin/pg_ctl" stop -D "$folder/data" -m immediate -w >>"$folder/log" 2>&1 ;;
    start) start ;;
  esac
  echo done
done
"$bin/pg_ctl" stop -D "$folder/data" -m immediate -w >/dev/null 2>&1
rm -rf "$folder"
`

export interface Standby {
  url: string
  /** Keeps receiving, but doesn't apply anything until `resume`. */
  pause(): Promise<void>
  resume(): Promise<void>
  crash(): Promise<void>
  startAgain(): Promise<void>
  close(): Promise<void>
}

/** @param primaryUrl a superuser's, as `startPostgres` returns it */
export async function startStandby(primaryUrl: string): Promise<Standby> {
  const owner = process.getuid?.() === 0 ? unprivilegedUser() : undefined
  const folder = await mkdtemp(join(owner ? '/tmp' : tmpdir(), 'kettle-standby-'))
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const port = await freePort()
  const words = [findPostgres() ?? '', folder, primaryUrl, String(port)]
  const keeper = spawn('/bin/sh', ['-c', KEEPER, 'keeper', ...words], {
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...owner,
  })
  const ended = once(keeper, 'exit')
  let complaint = ''
  keeper.stderr.on('data', (text) => {
    complaint += text
  })
  const heard = async () =>
    String((await Promise.race([once(keeper.stdout, 'data'), once(keeper.stderr, 'data')]))[0])
  if ((await heard()).trim() !== 'ready') {
    keeper.stdin.end()
    await ended
    throw new Error(`The standby did not start:\n${complaint}`)
  }
  const told = async (word: 'crash' | 'start') => {
    const done = heard()
    keeper.stdin.write(`${word}\n`)
    await done
  }
  const url = Object.assign(new URL(primaryUrl), { port: String(port) }).href
  const ask = async (statement: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  return {
    url,
    pause: () => ask('select pg_wal_replay_pause()'),
    resume: () => ask('select pg_wal_replay_resume()'),
    crash: () => told('crash'),
    startAgain: () => told('start'),
    async close() {
      keeper.stdin.end()
      await ended
    },
  }
}
