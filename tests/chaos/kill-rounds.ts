/**
 * Starts the site, lets people write at full speed, kills it at a moment of chance, starts it again on
 * the same data, and looks for what was acknowledged: a round, and another one. On either engine.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openPglite } from '../../app/server/pglite.server.ts'
import { openPostgres } from '../../app/server/postgres.server.ts'
import { createSecrets } from '../../app/server/secrets.server.ts'
import type { Ext4 } from '../power-cut/ext4.ts'
import { newSigningKey } from '../support/auth-site.ts'
import { startPostgres } from '../support/postgres-cluster.ts'
import { answerAll, lookAtLast } from './afterwards.ts'
import { type Book, openBook } from './book.ts'
import { chanceOf } from './chance.ts'
import { KINDS, runClient, type World } from './clients.ts'
import { settlePeople } from './people.ts'
import { createSend } from './sending.ts'
import { startSiteProcess } from './site-process.ts'
import { lossesIn, untilIdle } from './stored.ts'

export type Engine = 'pglite' | 'postgres'

const CLIENTS = 8
const PACE = { least: 0, most: 10 }
/** Some writes first, however slow the machine is today; then any moment. */
const WRITES = { least: 20, most: 70 }
/** Some seconds of them, of which the disk has kept only a part by itself. */
const WRITES_ON_DISK = { least: 200, most: 600 }
const MOMENT_MS = 50
const PATIENCE_MS = 60_000

/**
 * @param disk where the embedded database lies; its power is cut before the server is killed
 * @returns a sentence per violation, and how many writes of each kind were acknowledged
 */
export async function killRounds(settings: {
  engine: Engine
  times: number
  seed: number
  disk?: Ext4
  tell?: (text: string) => void
}) {
  const { engine, times, seed, disk, tell = () => {} } = settings
  const { least, most } = disk ? WRITES_ON_DISK : WRITES
  const chance = chanceOf(seed)
  const dataDir = await mkdtemp(join(disk?.folder ?? tmpdir(), 'kettle-kill-'))
  // What was committed is on the disk when PostgreSQL says so, as in earnest.
  const cluster =
    engine === 'postgres'
      ? await startPostgres({ settings: { synchronous_commit: 'on', fsync: 'on' } })
      : undefined
  const key = await newSigningKey()
  const secretKey = randomBytes(32).toString('hex')
  const env = {
    DATA_DIR: dataDir,
    SECRET_KEY: secretKey,
    AUTH_SIGNING_KEYS: JSON.stringify([key]),
    RATE_LIMITS: 'off',
    PROOF_OF_WORK: '0',
    STARTER: 'companies',
    LOGO_SEARCH: 'off',
    LOG_LEVEL: 'silent',
    ...(cluster && { DATABASE_URL: cluster.url }),
  }
  const book = openBook()
  async function lookInto() {
    const db = cluster
      ? await openPostgres({ url: cluster.url, connections: 2 })
      : await openPglite({ dataDir })
    try {
      await untilIdle(db)
      for (const loss of await lossesIn(db, book, createSecrets(secretKey))) book.find(loss)
    } finally {
      await db.close()
    }
  }
  try {
    let site = await startSiteProcess(env)
    const { url } = site
    const { companies, raters } = await settlePeople(url, key)
    const world: World = { book, send: createSend(book, [url]), sites: 1, companies, raters }
    for (let round = 1; round <= times && book.findings.size === 0; round++) {
      const over = new AbortController()
      const began = book.now()
      const writing = Array.from({ length: CLIENTS }, (_, n) => {
        const name = `client ${n} of round ${round}`
        return runClient(world, { name, chance: chance.fork(name), pace: PACE, over: over.signal })
      })
      const enough = written(book) + chance.between(least, most)
      const hasEnough = () => written(book) >= enough && KINDS.every((kind) => book.counts[kind])
      while (!hasEnough() && book.now() - began < PATIENCE_MS) await pause(5)
      await pause(chance.between(0, MOMENT_MS))
      book.spells.push({ site: 0, what: 'killed', from: book.now(), to: Number.POSITIVE_INFINITY })
      const moment = Math.round(book.now() - began)
      if (disk) {
        await disk.shutDown()
        // From now on nothing may be acknowledged.
        await pause(chance.between(0, MOMENT_MS))
      }
      over.abort()
      await site.kill()
      await disk?.mountAnew()
      const open = (await Promise.all(writing)).flat()
      await lookInto()
      site = await startSiteProcess({ ...env, PORT: new URL(url).port })
      for (const spell of book.spells) spell.to = Math.min(spell.to, book.now())
      await lookAtLast(world)
      await answerAll(world, open)
      tell(
        `Round ${round} of ${times}: ${disk ? 'shut down' : 'killed'} after ${moment} ms, ${written(book)} writes ` +
          `acknowledged so far, ${book.findings.size} violations`,
      )
    }
    await site.stop()
    // What was sent again after the last kill, too.
    await lookInto()
    return { violations: [...book.findings.keys()], counts: countsOf(book) }
  } finally {
    await cluster?.stop()
    // A disk goes with all that is on it, and may be shut down still.
    if (!disk) await rm(dataDir, { recursive: true, force: true })
  }
}

const countsOf = ({ counts }: Book) =>
  Object.fromEntries(KINDS.map((kind) => [kind, counts[kind] ?? 0]))

const written = (book: Book) => Object.values(countsOf(book)).reduce((all, one) => all + one, 0)
