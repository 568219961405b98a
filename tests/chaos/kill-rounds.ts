/**
 * Starts the site, lets people write at full speed, kills it at a random moment, starts it again on the same data, and looks
 * for every acknowledged write. That's one round. The database dies with the site.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { embeddedFolder } from '#app/platform/database/embedded-postgres.server.ts'
import { createSecrets } from '#app/platform/database/secrets.server.ts'
import { newSigningKey } from '../support/auth-site.ts'
import { openInside } from '../support/database.ts'
import { startSite } from '../support/server.ts'
import { answerAll, lookAtLast } from './afterwards.ts'
import { type Book, openBook } from './book.ts'
import { chanceOf } from './chance.ts'
import { KINDS, runClient, type World } from './clients.ts'
import { settlePeople } from './people.ts'
import { createSend } from './sending.ts'
import { lossesIn, untilIdle } from './stored.ts'

const CLIENTS = 8
const PACE = { least: 0, most: 10 }
/** Wait for some writes first, even on a slow machine. After that, any moment will do. */
const WRITES = { least: 20, most: 70 }
const MOMENT_MS = 50
const PATIENCE_MS = 60_000

/** @returns a sentence per violation, and how many writes of each kind were acknowledged */
export async function killRounds(settings: {
  times: number
  seed: number
  tell?: (text: string) => void
}) {
  const { times, seed, tell = () => {} } = settings
  const chance = chanceOf(seed)
  const dataDir = await mkdtemp(join(tmpdir(), 'kettle-kill-'))
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
  }
  const book = openBook()
  async function lookInto() {
    const db = await openInside(dataDir)
    try {
      await untilIdle(db)
      for (const loss of await lossesIn(db, book, createSecrets(secretKey))) book.find(loss)
    } finally {
      await db.close()
    }
  }
  try {
    let site = await startSite({ env })
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
      const enough = written(book) + chance.between(WRITES.least, WRITES.most)
      const hasEnough = () => written(book) >= enough && KINDS.every((kind) => book.counts[kind])
      while (!hasEnough() && book.now() - began < PATIENCE_MS) await pause(5)
      await pause(chance.between(0, MOMENT_MS))
      book.spells.push({ site: 0, what: 'killed', from: book.now(), to: Number.POSITIVE_INFINITY })
      const moment = Math.round(book.now() - began)
      over.abort()
      // Either may go first.
      const deaths = [() => site.kill(), () => killDatabase(dataDir)]
      for (const die of chance.between(0, 1) > 0.5 ? deaths : deaths.reverse()) await die()
      const open = (await Promise.all(writing)).flat()
      await lookInto()
      site = await startSite({ env: { ...env, PORT: new URL(url).port } })
      for (const spell of book.spells) spell.to = Math.min(spell.to, book.now())
      await lookAtLast(world)
      await answerAll(world, open)
      tell(
        `Round ${round} of ${times}: killed after ${moment} ms, ${written(book)} writes ` +
          `acknowledged so far, ${book.findings.size} violations`,
      )
    }
    await site.stop()
    // Check requests that were sent again after the last kill, too.
    await lookInto()
    return { violations: [...book.findings.keys()], counts: countsOf(book) }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function killDatabase(dataDir: string) {
  const [pid] = (await readFile(join(embeddedFolder(dataDir), 'postmaster.pid'), 'utf8')).split(
    '\n',
  )
  process.kill(Number(pid), 'SIGKILL')
}

const countsOf = ({ counts }: Book) =>
  Object.fromEntries(KINDS.map((kind) => [kind, counts[kind] ?? 0]))

const written = (book: Book) => Object.values(countsOf(book)).reduce((all, one) => all + one, 0)
