/**
 * Starts the site, lets people write at full speed, kills it at a moment of chance, starts it again on
 * the same data, and looks for what was acknowledged: a round, and another one.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { createTokens } from '../../app/auth/tokens.server.ts'
import type { OpenDatabase } from '../../app/server/database.server.ts'
import { openPglite } from '../../app/server/pglite.server.ts'
import { openPostgres } from '../../app/server/postgres.server.ts'
import { newSigningKey } from '../support/auth-site.ts'
import { startPostgres } from '../support/postgres-cluster.ts'
import { lossesIn } from './checks.ts'
import { startVictim } from './victim.ts'
import {
  call,
  type Kept,
  nothingYet,
  PASSWORD,
  sendAgain,
  type World,
  writeUntilKilled,
} from './writers.ts'

export type Engine = 'pglite' | 'postgres'

export interface Outcome {
  losses: string[]
  /** How many writes were acknowledged, by kind. */
  acknowledged: Record<string, number>
}

const RATERS = 6
/** Some writes first, however slow the machine is today; then any moment. */
const WRITES_MIN = 20
const WRITES_MORE = 50
const MOMENT_MS = 50
const PATIENCE_MS = 20_000

export async function killRounds(settings: {
  engine: Engine
  times: number
  seed: number
  tell?: (text: string) => void
}): Promise<Outcome> {
  const { engine, times, seed, tell = () => {} } = settings
  const random = chance(seed)
  const dataDir = await mkdtemp(join(tmpdir(), 'kettle-kill-'))
  // What was committed is on the disk when PostgreSQL says so, as in earnest.
  const cluster =
    engine === 'postgres'
      ? await startPostgres({ settings: { synchronous_commit: 'on', fsync: 'on' } })
      : undefined
  const key = await newSigningKey()
  const env = {
    DATA_DIR: dataDir,
    SECRET_KEY: randomBytes(32).toString('hex'),
    AUTH_SIGNING_KEYS: JSON.stringify([key]),
    RATE_LIMITS: 'off',
    PROOF_OF_WORK: '0',
    STARTER: 'companies',
    LOG_LEVEL: 'silent',
    ...(cluster && { DATABASE_URL: cluster.url }),
  }
  const openData = () =>
    cluster ? openPostgres({ url: cluster.url, connections: 2 }) : openPglite({ dataDir })
  const kept = nothingYet()
  const losses: string[] = []
  try {
    let victim = await startVictim(env)
    const world: World = { url: victim.url, random, ...(await peopleAndCompanies(victim.url, key)) }
    for (let round = 1; round <= times && losses.length === 0; round++) {
      world.url = victim.url
      const over = new AbortController()
      const writing = writeUntilKilled(world, kept, over.signal)
      const enough = sum(countsOf(kept)) + WRITES_MIN + random() * WRITES_MORE
      const began = Date.now()
      while (sum(countsOf(kept)) < enough && Date.now() - began < PATIENCE_MS) await pause(5)
      await pause(random() * MOMENT_MS)
      const moment = Date.now() - began
      await victim.kill()
      over.abort()
      const failures = await writing
      if (failures > 0) losses.push(`${failures} answers were 5xx while all was well`)
      const found = await lookInto(openData, kept)
      losses.push(...found.map((loss) => `Round ${round}: ${loss}`))
      victim = await startVictim(env)
      losses.push(...(await notServed(victim.url, kept)))
      await sendAgain(victim.url, kept)
      tell(
        `Round ${round} of ${times}: killed after ${moment} ms, ` +
          `${sum(countsOf(kept))} writes acknowledged so far, ${losses.length} losses`,
      )
    }
    await victim.stop()
    if (losses.length > 0) return { losses, acknowledged: countsOf(kept) }
    // What was sent again after the last kill, too.
    losses.push(...(await lookInto(openData, kept)))
    return { losses, acknowledged: countsOf(kept) }
  } finally {
    await cluster?.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function lookInto(openData: () => Promise<OpenDatabase>, kept: Kept) {
  const db = await openData()
  try {
    // PostgreSQL may still be doing the last thing that a dead process has asked for.
    if (db.engine === 'postgres')
      for (let others = 1; others > 0; ) {
        const [row] = await db.query<{ n: number }>(sql`
          select count(*) as n from pg_stat_activity
           where application_name = 'kettle' and pid <> pg_backend_pid() and state <> 'idle'`)
        others = row?.n ?? 0
      }
    return await lossesIn(db, kept)
  } finally {
    await db.close()
  }
}

/** Members who may rate, and what there is to rate. */
async function peopleAndCompanies(
  url: string,
  key: Awaited<ReturnType<typeof newSigningKey>>,
): Promise<Pick<World, 'companies' | 'raters'>> {
  const service = createTokens({ keys: [key], issuer: `${url}/auth/v1`, lifetime: 3600 })
  const authorization = `Bearer ${service.signForService(3600)}`
  const page = await call(url, 'GET', '/api/v1/companies')
  const companies = (page.json.companies as { id: string }[]).map(({ id }) => id)
  const raters = await Promise.all(
    Array.from({ length: RATERS }, async (_, n) => {
      const email = `rater-${n}@people.example`
      const account = { email, password: PASSWORD, email_confirm: true }
      await call(url, 'POST', '/auth/v1/admin/users', account, { authorization })
      const path = '/auth/v1/token?grant_type=password'
      const session = await call(url, 'POST', path, { email, password: PASSWORD })
      return { token: session.json.access_token as string, left: [...companies] }
    }),
  )
  return { companies, raters }
}

/** The last ones, as people see them: the thread opens, and whoever signed up signs in. */
async function notServed(url: string, kept: Kept) {
  const thread = kept.threads.at(-1)
  const person = kept.signUps.at(-1)
  const losses: string[] = []
  if (thread) {
    const { status } = await call(url, 'GET', `/api/v1/threads/${thread.id}`)
    if (status !== 200) losses.push(`The thread ${thread.id} is answered with ${status}`)
  }
  if (person) {
    const path = '/auth/v1/token?grant_type=password'
    const { status } = await call(url, 'POST', path, { email: person.email, password: PASSWORD })
    if (status !== 200) losses.push(`Signing in as ${person.id} is answered with ${status}`)
  }
  return losses
}

const countsOf = (kept: Kept) => ({
  signUps: kept.signUps.length,
  threads: kept.threads.length,
  comments: kept.comments.length,
  votes: kept.votes.size,
  ratings: kept.ratings.length,
  requests: kept.requests.length,
  messages: kept.messages.length,
})

const sum = (counts: Record<string, number>) =>
  Object.values(counts).reduce((all, one) => all + one, 0)

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function chance(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
