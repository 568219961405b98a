import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const built = (file: string) => fileURLToPath(new URL(`../../dist/server/${file}`, import.meta.url))

const READY_WITHIN_MS = 90_000
const STOPPED_WITHIN_MS = 20_000

export interface Site {
  url: string
  pid: number
  /** Ends it as a machine would (SIGTERM), and removes its data. Answers its exit code and signal. */
  stop(): Promise<[code: number | null, signal: NodeJS.Signals | null]>
  /** Settles as `stop` does when it ended, whoever wanted that. */
  ended: ReturnType<Site['stop']>
  /** What it has printed so far. */
  logs(): string
}

/**
 * Starts the built site as a visitor meets it: production, a free port, data of its own in a
 * temporary folder (unless `env.DATA_DIR` says where; then that stays). Nothing else of this
 * process's environment reaches it, a developer's DATABASE_URL least of all.
 */
export async function startSite({
  env = {},
  program,
}: {
  env?: Record<string, string>
  /** Another one than the one that is built here. */
  program?: string
} = {}): Promise<Site> {
  const dataDir = env.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'kettle-site-')))
  const { PATH, HOME, TMPDIR } = process.env
  // As `npm start`, where it is about several processes; else without the look at how many.
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
      // No test asks the sites of companies.
      LOGO_SEARCH: 'off',
      ...env,
    },
  })
  let log = ''
  const ended = once(child, 'exit') as ReturnType<Site['stop']>
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)

  async function cleanUp() {
    process.off('exit', kill)
    if (!env.DATA_DIR) await rm(dataDir, { recursive: true, force: true })
  }

  async function stop() {
    let late = false
    const timer = setTimeout(() => {
      late = true
      kill()
    }, STOPPED_WITHIN_MS)
    child.kill('SIGTERM')
    const end = await ended
    clearTimeout(timer)
    await cleanUp()
    if (late) throw new Error(`The site did not stop within ${STOPPED_WITHIN_MS} ms:\n${log}`)
    return end
  }

  const ready = new Promise<string>((resolve) => {
    const listen = (text: Buffer) => {
      log += text
      const url = /Kettle is ready at (https?:\/\/[^\s"\\]+)/.exec(log)?.[1]
      if (url) resolve(url)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
  })
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), READY_WITHIN_MS)
  })
  const news = await Promise.race([ready, ended, tooLate])
  clearTimeout(timer)
  const pid = child.pid as number
  if (typeof news === 'string' && news !== 'late')
    return { url: news, pid, stop, ended, logs: () => log }

  kill()
  await ended
  await cleanUp()
  const what =
    news === 'late' ? `was not ready within ${READY_WITHIN_MS} ms` : `ended (${news[0] ?? news[1]})`
  throw new Error(`The site ${what}. It said:\n${log}`)
}
