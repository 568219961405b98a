/** The built site and what we compare it with, as separate programs, and functions that send them requests. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import type pg from 'pg'
import { SECRET_KEY } from './data/fill.ts'

export interface Program {
  url: string
  pid: number
  /** The time from spawning to listening. */
  startedInMs: number
  stop(): Promise<void>
}

const READY_WITHIN_MS = 90_000
const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url))

const SETTINGS = {
  HOST: '127.0.0.1',
  PORT: '0',
  LOGO_SEARCH: 'off',
  LOG_LEVEL: 'info',
  PGAPPNAME: 'kettle',
  // The same as in deploy/kettle.service.
  MALLOC_ARENA_MAX: '1',
  // A single caller sends more than any network may, and doesn't wait before writing.
  RATE_LIMITS: 'off',
  PROOF_OF_WORK: '0',
  SECRET_KEY,
}

/** The built site, on a free port. Its data is in a temporary folder, unless `DATA_DIR` names one. */
export async function startSite(env: Record<string, string>): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'kettle-bench-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const site = pathOf('../dist/server/server.js')
    const program = await startProgram(site, { ...SETTINGS, DATA_DIR: folder, ...env })
    return { ...program, stop: () => program.stop().finally(remove) }
  } catch (error) {
    await remove()
    throw error
  }
}

/** The minimum that the same work can cost. bare.mjs lists its routes. */
export const startBare = (env: Record<string, string>) =>
  startProgram(pathOf('./bare.mjs'), { ...env, PGAPPNAME: 'bare' })

/** Starts `node file`, and waits until it prints an address after "ready at". */
async function startProgram(file: string, env: Record<string, string>): Promise<Program> {
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
    const fail = () => reject(new Error(`${file} is not ready:\n${log}`))
    const timer = setTimeout(fail, READY_WITHIN_MS)
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => {
        log = (log + text).slice(-10_000)
        const found = /ready at (https?:\/\/[^\s"\\]+)/.exec(log)?.[1]
        if (!found) return
        clearTimeout(timer)
        resolve(found)
      })
    child.once('exit', fail)
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

/** A single caller, who keeps the connection open. */
export const oneCaller = () => new Agent({ keepAlive: true, maxSockets: 1 })

/** Fetches a response as it's sent, compressed. */
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

export const headersOf = (token?: string): Record<string, string> => ({
  'content-type': 'application/json',
  ...(token ? { authorization: `Bearer ${token}` } : {}),
})

/**
 * Sends and receives JSON.
 * @throws unless it succeeded
 */
export async function send<Answer>(
  url: string,
  asked: { method?: string; token?: string; body?: object; headers?: Record<string, string> },
): Promise<Answer> {
  const { method = 'POST', token, body, headers } = asked
  const answer = await fetch(url, {
    method,
    headers: { ...headersOf(token), ...headers },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${url} answered ${answer.status}: ${text}`)
  return (text === '' ? {} : JSON.parse(text)) as Answer
}

export const read = <Answer>(url: string, token?: string) =>
  send<Answer>(url, { method: 'GET', token })

export const PASSWORD = 'correct horse 9'
/** New people at each call, because benchmarks share a database. */
let signedUp = 0

/** The session of a new member, as a browser stores it. */
export const signUp = (
  site: { url: string },
  email = `bench-${process.pid}-${signedUp++}@kettle.example`,
) =>
  send<{ access_token: string }>(`${site.url}/auth/v1/signup`, {
    body: { email, password: PASSWORD },
  })

/** Tokens of this many new members. A benchmark has no mailbox for the confirmation link. */
export async function signUpAll(site: Program, client: pg.Client, count: number) {
  const tokens: string[] = []
  for (let n = 0; n < count; n++) tokens.push((await signUp(site)).access_token)
  await confirmAll(client)
  return tokens
}

export const confirmAll = (client: pg.Client) =>
  client.query('update accounts set is_email_confirmed = true where not is_email_confirmed')

export interface Sent {
  method?: 'GET' | 'POST' | 'PUT'
  path?: string
  headers: Record<string, string>
  body?: string
}

/**
 * Requests from many callers at once, for a duration or up to an amount.
 * @throws if more than this share of them fails
 */
export async function load(
  { url }: Program,
  next: () => Sent,
  limit: { duration: number } | { amount: number },
  failedMost = 0,
) {
  const result = await autocannon({
    url,
    connections: 16,
    ...limit,
    requests: [{ method: 'GET', setupRequest: (request) => ({ ...request, ...next() }) }],
  })
  const { errors, non2xx, requests } = result
  if (errors + non2xx > requests.total * failedMost)
    throw new Error(`${url}: ${errors} errors and ${non2xx} not 2xx, of ${requests.total}`)
  return result
}

export const perSecond = async (program: Program, next: () => Sent, duration: number) =>
  (await load(program, next, { duration })).requests.average

/** Waits for the work that follows posts, so it doesn't slow the next measurement. */
export async function untilIdle(client: pg.Client) {
  for (;;) {
    const { rows } = await client.query(`select from job_queue where kind = 'post-added' limit 1`)
    if (rows.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

export const pick = <Item>(items: readonly Item[]) =>
  items[Math.floor(Math.random() * items.length)] as Item
