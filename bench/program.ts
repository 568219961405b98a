/** Starts programs whose time and memory are measured, which needs their process id. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type Agent, get, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Program {
  url: string
  pid: number
  /** From spawning to listening. */
  startedInMs: number
  stop(): Promise<void>
}

const READY_WITHIN_MS = 90_000

/** Starts `node file`, and waits until it prints an address after "ready at". */
export async function startProgram(file: string, env: Record<string, string>): Promise<Program> {
  const began = performance.now()
  const { PATH, HOME, TMPDIR } = process.env
  const inherited = Object.entries({ PATH, HOME, TMPDIR }).filter(([, value]) => value)
  const child = spawn(process.execPath, [file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...Object.fromEntries(inherited), NODE_ENV: 'production', TZ: 'UTC', ...env },
  })
  const ended = once(child, 'exit')
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)

  let log = ''
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`${file} was not ready:\n${log}`)),
      READY_WITHIN_MS,
    )
    const listen = (text: Buffer) => {
      log = (log + text).slice(-10_000)
      const found = /ready at (https?:\/\/[^\s"\\]+)/.exec(log)?.[1]
      if (!found) return
      clearTimeout(timer)
      resolve(found)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`${file} ended (${code}):\n${log}`))
    })
  }).catch((error) => {
    kill()
    throw error
  })
  return {
    url,
    pid: child.pid as number,
    startedInMs: performance.now() - began,
    async stop() {
      child.kill('SIGTERM')
      await ended
      process.off('exit', kill)
    },
  }
}

const site = fileURLToPath(new URL('../dist/server/server.js', import.meta.url))

/** The built site, on a free port; its data in a folder that goes with it, unless `DATA_DIR` says where. */
export async function startBuiltSite(env: Record<string, string>): Promise<Program> {
  if (env.DATA_DIR) return startProgram(site, { ...DEFAULTS, ...env })
  const folder = await mkdtemp(join(tmpdir(), 'kettle-bench-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const program = await startProgram(site, { ...DEFAULTS, ...env, DATA_DIR: folder })
    return { ...program, stop: () => program.stop().finally(remove) }
  } catch (error) {
    await remove()
    throw error
  }
}

const DEFAULTS = {
  HOST: '127.0.0.1',
  PORT: '0',
  LOGO_SEARCH: 'off',
  LOG_LEVEL: 'info',
  // As in deploy/kettle.service.
  MALLOC_ARENA_MAX: '1',
  // One caller asks more than any network may.
  RATE_LIMITS: 'off',
  // A database knows its key: one that is used again must find the same.
  SECRET_KEY: 'of no importance, but always the same',
}

/** As it comes over the wire: compressed. */
export const fetchRaw = (url: string, agent: Agent, sent: Record<string, string> = {}) =>
  new Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    get(url, { agent, headers: { ...sent, 'accept-encoding': 'br' } }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece) => pieces.push(piece))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, body: Buffer.concat(pieces) })
      })
    }).on('error', reject)
  })
