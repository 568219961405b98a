import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { endWithUs } from './programs.ts'

const built = (file: string) => fileURLToPath(new URL(`../../dist/server/${file}`, import.meta.url))

type End = [code: number | null, signal: NodeJS.Signals | null]

export interface Site {
  url: string
  pid: number
  /** Ends the site as a machine would (SIGTERM), and removes its data. Returns its exit code and signal. */
  stop(): Promise<End>
  /** Like `stop`, but with SIGKILL, so the site can't do anything more. */
  kill(): Promise<End>
  pause(): void
  resume(): void
  /** Settles like `stop` when it has ended for any reason. */
  ended: Promise<End>
  /** Whether we ended it. */
  isWanted(): boolean
  /** What it has printed so far. */
  logs(): string
  /** Calls `hear` with every line that it prints from now on. */
  heed(hear: (line: string) => void): void
}

/**
 * Starts the built site as visitors get it: in production, on a free port, with its data in a temporary folder (unless
 * `env.DATA_DIR` names one, which stays). It gets nothing else from this process's environment, least of all a developer's
 * DATABASE_URL. It ends with this process. Resolves when it listens, no matter how long that takes. @throws if it ends
 * before that, with its output
 */
export async function startSite({
  env = {},
  program,
}: {
  env?: Record<string, string>
  /** A different program than the one built here. */
  program?: string
} = {}): Promise<Site> {
  const dataDir = env.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'kettle-site-')))
  const { PATH, HOME, TMPDIR } = process.env
  // Like `npm start` with several processes. Otherwise, it doesn't check how many.
  const script = program ?? built(env.WORKERS ? 'start.js' : 'server.js')
  const child = spawn(process.execPath, [script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...(PATH && { PATH }),
      ...(HOME && { HOME }),
      ...(TMPDIR && { TMPDIR }),
      TZ: 'UTC',
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
      // No test sends requests to companies' sites.
      LOGO_SEARCH: 'off',
      ...env,
    },
  })
  endWithUs(child)
  let log = ''
  let isWanted = false
  const hearers: ((line: string) => void)[] = []
  const ended = (once(child, 'exit') as Promise<End>).then(async (end) => {
    if (!env.DATA_DIR) await rm(dataDir, { recursive: true, force: true })
    return end
  })
  const ready = new Promise<string>((resolve) => {
    for (const pipe of [child.stdout, child.stderr])
      createInterface({ input: pipe }).on('line', (line) => {
        log += `${line}\n`
        for (const hear of hearers) hear(line)
        const url = /Kettle is ready at (https?:\/\/[^\s"\\]+)/.exec(line)?.[1]
        if (url) resolve(url)
      })
  })
  const end = async (signal: NodeJS.Signals) => {
    isWanted = true
    child.kill(signal)
    // A paused process receives no other signal.
    child.kill('SIGCONT')
    return ended
  }
  const news = await Promise.race([ready, ended])
  if (typeof news !== 'string')
    throw new Error(`The site ended (${news[0] ?? news[1]}). It said:\n${log}`)
  return {
    url: news,
    pid: child.pid as number,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    ended,
    isWanted: () => isWanted,
    logs: () => log,
    heed: (hear) => void hearers.push(hear),
  }
}
