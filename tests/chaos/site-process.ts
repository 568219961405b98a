/** The built site as a process that can be killed, paused, and started again at the same address. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../dist/server/server.js', import.meta.url))
const READY_WITHIN_MS = 90_000
/** Of what it prints: the end tells why it ended. */
const LOG_KEPT = 20_000

export interface SiteProcess {
  url: string
  /** SIGKILL: it has no moment left for anything. */
  kill(): Promise<void>
  /** SIGTERM. Answers how it ended: its code, or the signal. */
  stop(): Promise<number | NodeJS.Signals>
  pause(): void
  resume(): void
  /** Settles when it ended, whoever wanted that; with whether we did. */
  ended: Promise<{ isWanted: boolean; how: number | NodeJS.Signals }>
  /** What it has printed so far. */
  log(): string
  /** Calls `hear` with every line that it prints. */
  heed(hear: (line: string) => void): void
}

/**
 * Resolves when it listens.
 * @param env with PORT it listens there, else on a free one
 */
export async function startSiteProcess(env: Record<string, string>): Promise<SiteProcess> {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, HOME, TZ: 'UTC', NODE_ENV: 'production', HOST: '127.0.0.1', PORT: '0', ...env },
  })
  let isWanted = false
  let log = ''
  const lines: ((line: string) => void)[] = []
  for (const pipe of [child.stdout, child.stderr])
    createInterface({ input: pipe }).on('line', (line) => {
      log = `${log.slice(-LOG_KEPT)}${line}\n`
      for (const hear of lines) hear(line)
    })
  const killAtEnd = () => child.kill('SIGKILL')
  process.once('exit', killAtEnd)
  const ended = once(child, 'exit').then(([code, signal]) => {
    process.off('exit', killAtEnd)
    return { isWanted, how: (code ?? signal) as number | NodeJS.Signals }
  })
  const end = async (signal: NodeJS.Signals) => {
    isWanted = true
    child.kill(signal)
    // A paused one hears of nothing else.
    child.kill('SIGCONT')
    return (await ended).how
  }
  try {
    return {
      url: await ready(
        ended,
        () => log,
        (hear) => void lines.push(hear),
      ),
      kill: async () => void (await end('SIGKILL')),
      stop: () => end('SIGTERM'),
      pause: () => void child.kill('SIGSTOP'),
      resume: () => void child.kill('SIGCONT'),
      ended,
      log: () => log,
      heed: (hear) => void lines.push(hear),
    }
  } catch (error) {
    await end('SIGKILL')
    throw error
  }
}

function ready(
  ended: Promise<unknown>,
  log: () => string,
  heed: SiteProcess['heed'],
): Promise<string> {
  return new Promise((resolve, reject) => {
    const giveUp = (what: string) => reject(new Error(`The site ${what}. It said:\n${log()}`))
    const timer = setTimeout(() => giveUp('was not ready in time'), READY_WITHIN_MS)
    ended.then(() => giveUp('ended before it was ready'))
    const look = () => {
      const url = /is ready at (https?:\/\/[^\s"\\]+)/.exec(log())?.[1]
      if (!url) return
      clearTimeout(timer)
      resolve(url)
    }
    heed(look)
  })
}
