/** The built site as a process that can be killed, and started again on the same data. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../dist/server/server.js', import.meta.url))
const READY_WITHIN_MS = 90_000

export interface Victim {
  url: string
  /** SIGKILL: it has no moment left for anything. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export async function startVictim(env: Record<string, string>): Promise<Victim> {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, HOME, TZ: 'UTC', NODE_ENV: 'production', HOST: '127.0.0.1', PORT: '0', ...env },
  })
  const killAtEnd = () => child.kill('SIGKILL')
  process.once('exit', killAtEnd)
  const ended = once(child, 'exit').then(() => process.off('exit', killAtEnd))
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  try {
    const url = await ready(child, ended)
    return { url, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') }
  } catch (error) {
    await end('SIGKILL')
    throw error
  }
}

function ready(child: ChildProcess, ended: Promise<unknown>): Promise<string> {
  let log = ''
  return new Promise((resolve, reject) => {
    const giveUp = (what: string) => reject(new Error(`The site ${what}. It said:\n${log}`))
    const timer = setTimeout(() => giveUp('was not ready in time'), READY_WITHIN_MS)
    ended.then(() => giveUp('ended before it was ready'))
    const listen = (text: Buffer) => {
      log += text
      const url = /is ready at (https?:\/\/[^\s"\\]+)/.exec(log)?.[1]
      if (!url) return
      clearTimeout(timer)
      resolve(url)
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
  })
}
