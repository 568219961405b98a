/**
 * Two processes, faults and clients from one seed, for some time. Then all faults end, requests without a response are sent
 * again until they have one, and what's stored and what was seen is compared with the book.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { openPostgres } from '#app/platform/database/postgres.server.ts'
import { answerAll, lookAtLast } from './afterwards.ts'
import { type Book, openBook, storyOf } from './book.ts'
import { chanceOf } from './chance.ts'
import { KINDS, type Pace, runClient, type World } from './clients.ts'
import { DATABASE_FAULTS, type Fault, PROCESS_FAULTS, strikeAll } from './faults.ts'
import { missingMails } from './mails.ts'
import { createSend } from './sending.ts'
import { shownAfterDeletion } from './shown-after-deletion.ts'
import { type Stage, setStage } from './stage.ts'
import { lossesIn, untilIdle } from './stored.ts'

export interface Outcome {
  /** One sentence per violation, with a count. Empty if all is well. */
  violations: string[]
  /** How often each thing was done and acknowledged. */
  counts: Record<string, number>
  story: string
}

const CLIENTS = 12
const PACE: Pace = { least: 40, most: 300 }
const CALM_WITHIN_MS = 60_000
const PROBE_EVERY_MS = 250
/** If a probe is slower, the machine has no time for the process. */
const PROMPT_MS = 300

export async function runChaos(settings: {
  seed: number
  seconds: number
  lanes?: Fault[][]
  /** Puts something between the clients and the sites, such as a proxy that lies. */
  between?: (url: string) => Promise<string>
  tell?: (text: string) => void
}): Promise<Outcome> {
  const { seed, seconds, lanes = [DATABASE_FAULTS, PROCESS_FAULTS], tell = () => {} } = settings
  const chance = chanceOf(seed)
  const book = openBook()
  const stage = await setStage(book)
  try {
    const { between = async (url) => url } = settings
    const addresses = await Promise.all(stage.sites.map(({ url }) => between(url)))
    const { companies, raters, moderator } = stage.people
    const world: World = {
      book,
      send: createSend(book, addresses),
      sites: stage.sites.length,
      companies,
      raters,
      moderator: moderator.token,
    }
    const over = new AbortController()
    const stopProbes = probe(stage, book)
    const clients = Array.from({ length: CLIENTS }, (_, n) => {
      const name = `client ${n}`
      return runClient(world, { name, chance: chance.fork(name), pace: PACE, over: over.signal })
    })
    await someWrites(book)
    const striking = lanes.map((faults, lane) =>
      strikeAll(faults, { stage, book, chance: chance.fork(`lane ${lane}`), over: over.signal }),
    )
    for (let left = seconds; left > 0; left -= 10) {
      await pause(Math.min(left, 10) * 1000)
      tell(`${Math.round(book.now() / 1000)} s: ${JSON.stringify(book.counts)}`)
    }
    over.abort()
    await Promise.all(striking)
    const open = (await Promise.all(clients)).flat()
    await calmDown(stage, book)
    await answerAll(world, open)
    await lookAtLast(world)
    await stopProbes()
    await look(stage, book)
    await stopAll(stage, book)
  } finally {
    await stage.close()
  }
  const violations = [...book.findings.values()].map(({ sentence, count }) =>
    count > 1 ? `${sentence} (${count} times)` : sentence,
  )
  return { violations, counts: book.counts, story: storyOf(book) }
}

/** So the first fault hits something, even on a slow machine. */
async function someWrites({ counts, now }: Book) {
  const began = now()
  while (KINDS.some((kind) => !counts[kind]) && now() - began < CALM_WITHIN_MS) await pause(20)
}

/** Measures how fast each process answers a health check, because nothing is fast on a busy machine. */
function probe({ sites }: Stage, book: Book) {
  let isOver = false
  const probes = sites.map(async ({ url }, site) => {
    while (!isOver) {
      const from = book.now()
      await fetch(`${url}/healthz`).then(
        (answer) => answer.text(),
        () => {},
      )
      const to = book.now()
      if (to - from > PROMPT_MS) book.spells.push({ site, what: 'slow', from, to })
      await pause(PROBE_EVERY_MS)
    }
  })
  return async () => {
    isOver = true
    await Promise.all(probes)
  }
}

/** Waits until both processes are ready after all faults. */
async function calmDown({ sites }: Stage, book: Book) {
  book.note('FAULT none any more')
  for (const [n, { url, link }] of sites.entries()) {
    link.thaw()
    const began = book.now()
    let last = ''
    const isReady = async () => {
      const answer = await fetch(`${url}/readyz`).catch((error: Error) => error)
      if (answer instanceof Error) {
        last = answer.message
        return false
      }
      last = await answer.text()
      return answer.ok
    }
    while (!(await isReady())) {
      if (book.now() - began > CALM_WITHIN_MS) {
        book.find(`Process ${'AB'[n]} was not ready after all faults were over: ${last}`)
        break
      }
      await pause(200)
    }
  }
}

async function look(stage: Stage, book: Book) {
  for (const { sentence, mark, at } of shownAfterDeletion(book)) {
    book.find(sentence, mark)
    const finding = book.findings.get(sentence)
    if (finding?.count === 1) finding.at = at
  }
  const db = await openPostgres({ url: stage.databaseUrl, connections: 2 })
  try {
    await untilIdle(db)
    for (const loss of await lossesIn(db, book, stage.secrets)) book.find(loss, markIn(loss))
    for (const sentence of await missingMails(db, book, stage)) book.find(sentence)
  } finally {
    await db.close()
  }
}

const markIn = (sentence: string) => /[tc]m[0-9a-f]{12}z/.exec(sentence)?.[0]

async function stopAll({ sites }: Stage, book: Book) {
  for (const site of sites) {
    const [how] = await site.process().stop()
    if (how !== 0) book.find(`An orderly stop ended with ${how}`)
  }
}
