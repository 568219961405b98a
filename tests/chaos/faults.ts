/** What can go wrong. Two lanes run at once, each with one fault at a time in random order. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Book, Spell } from './book.ts'
import type { Chance } from './chance.ts'
import type { Stage, StagedSite } from './stage.ts'

export interface Fault {
  name: string
  /** Causes the fault and repairs it. `over` ends a wait early. */
  strike(scene: Scene): Promise<unknown>
}

export interface Scene {
  stage: Stage
  book: Book
  chance: Chance
  /** Waits at most this long. Ends early when the run is over. */
  last(least: number, most: number): Promise<void>
  /** Schedules a repair for later. */
  later(ms: number, mend: () => void): void
}

/** The connections on which a process listens for others' changes. */
const isListening = ({ name }: { name: string | undefined }) => Boolean(name?.includes('live'))
const FROZEN_FOR_MS = 22_000
const BURST = 200
const READERS = 150

function aSite({ stage, chance }: Scene): [StagedSite, number] {
  const n = chance.between(0, stage.sites.length)
  return [stage.sites[n] as StagedSite, n]
}

/** Records how long something was wrong with a process. */
async function during<Result>(
  { book }: Scene,
  site: number,
  what: Spell['what'],
  work: () => Promise<Result>,
): Promise<Result> {
  const spell: Spell = { site, what, from: book.now(), to: Number.POSITIVE_INFINITY }
  book.spells.push(spell)
  try {
    return await work()
  } finally {
    spell.to = book.now()
  }
}

function freeze(scene: Scene, which?: (link: { name: string | undefined }) => boolean) {
  const [{ link }, site] = aSite(scene)
  const from = scene.book.now()
  scene.book.spells.push({ site, what: 'frozen', from, to: from + FROZEN_FOR_MS })
  link.freeze(which)
  scene.later(FROZEN_FOR_MS, link.thaw)
}

/** Faults in PostgreSQL and the connections to it. */
export const DATABASE_FAULTS: Fault[] = [
  {
    name: 'some connections are ended by PostgreSQL',
    strike: ({ stage, chance }) => stage.power.terminate(chance.between(1, 12)),
  },
  { name: 'a backend is killed', strike: ({ stage }) => stage.power.killBackend() },
  {
    name: 'PostgreSQL crashes',
    async strike({ stage, last }) {
      await stage.power.crash()
      await last(0, 3_000)
      await stage.power.start()
    },
  },
  {
    name: 'the connections of a process are cut',
    strike: async (scene) => aSite(scene)[0].link.cut(),
  },
  {
    name: 'a process cannot reach PostgreSQL',
    async strike(scene) {
      const [{ link }] = aSite(scene)
      // Silent, as in a broken network. A refusal would come from the database's own host.
      link.silence(true)
      link.cut()
      await scene.last(1_000, 4_000)
      link.silence(false)
      link.thaw()
    },
  },
  {
    name: 'the connections of a process freeze',
    strike: async (scene) => freeze(scene),
  },
  {
    name: 'what a process hears of others is cut',
    strike: async (scene) => aSite(scene)[0].link.cut(isListening),
  },
  {
    name: 'what a process hears of others freezes',
    strike: async (scene) => freeze(scene, isListening),
  },
  {
    name: 'the line of a process is slow',
    async strike(scene) {
      const [{ link }, site] = aSite(scene)
      await during(scene, site, 'delayed', async () => {
        link.delay(scene.chance.between(20, 200))
        await scene.last(1_000, 4_000)
        link.delay(0)
      })
    },
  },
]

/** Faults in the processes, their email and their visitors. */
export const PROCESS_FAULTS: Fault[] = [
  {
    name: 'a process is killed',
    strike: (scene) => restart(scene, (site) => site.process().kill()),
  },
  {
    name: 'a process is stopped',
    strike: (scene) =>
      restart(scene, async (site) => {
        const [how] = await site.process().stop()
        if (how !== 0) scene.book.find(`An orderly stop ended with ${how}`)
      }),
  },
  {
    name: 'a process sleeps',
    async strike(scene) {
      const [site, n] = aSite(scene)
      await during(scene, n, 'paused', async () => {
        site.process().pause()
        await scene.last(1_000, 5_000)
        site.process().resume()
      })
    },
  },
  {
    name: 'the mail server refuses',
    async strike({ stage, last }) {
      stage.mailLink.refuse(true)
      stage.mailLink.cut()
      await last(2_000, 4_000)
      stage.mailLink.refuse(false)
    },
  },
  {
    name: 'the mail server falls silent',
    async strike({ stage, last }) {
      stage.mailLink.freeze()
      await last(1_000, 3_000)
      stage.mailLink.thaw()
    },
  },
  {
    name: 'the mail server goes away after the words',
    async strike({ stage, last }) {
      stage.mailLink.cutAfter(/\r\n\.\r\n$/)
      await last(2_000, 4_000)
      stage.mailLink.cutAfter(undefined)
    },
  },
  {
    name: 'Redis is away',
    async strike({ stage: { redisLink }, last }) {
      redisLink?.refuse(true)
      redisLink?.cut()
      await last(1_000, 3_000)
      redisLink?.refuse(false)
    },
  },
  {
    name: 'Redis falls silent',
    async strike({ stage: { redisLink }, last }) {
      redisLink?.freeze()
      await last(1_000, 3_000)
      redisLink?.thaw()
    },
  },
  {
    name: 'many ask at once',
    async strike(scene) {
      const [, site] = aSite(scene)
      await during(scene, site, 'slow', () =>
        Promise.all(
          Array.from({ length: BURST }, (_, n) =>
            ask(scene, site, `/api/v1/threads?sort=top&search=word${n}`, n),
          ),
        ),
      )
    },
  },
  {
    name: 'all live readers come back at once',
    async strike(scene) {
      const [, site] = aSite(scene)
      const thread = scene.book.posts.findLast(({ kind, id }) => kind === 'thread' && id)
      if (!thread) return
      for (let times = 0; times < 2; times++) {
        const gone = new AbortController()
        const path = `/api/v1/threads/${thread.id}/live`
        await Promise.all(
          Array.from({ length: READERS }, (_, n) => ask(scene, site, path, n, gone.signal)),
        )
        gone.abort()
      }
    },
  },
]

async function restart(scene: Scene, end: (site: StagedSite) => Promise<unknown>) {
  const [site, n] = aSite(scene)
  await during(scene, n, 'killed', async () => {
    await end(site)
    await scene.last(0, 2_000)
    await site.start()
  })
}

/** One request of many. Any response that makes sense is fine. A stream counts as open when it begins. */
async function ask(scene: Scene, site: number, path: string, n: number, gone?: AbortSignal) {
  const { stage, book } = scene
  const patience = AbortSignal.timeout(15_000)
  try {
    const answer = await fetch(stage.sites[site]?.url + path, {
      headers: { 'x-forwarded-for': `10.9.${n % 250}.${n % 200}` },
      signal: gone ? AbortSignal.any([gone, patience]) : patience,
    })
    const { status } = answer
    const isStream = gone !== undefined && status === 200
    if (isStream) answer.text().catch(() => {})
    else await answer.text()
    book.count(`of many at once: ${status}`)
    const makesSense = status < 500 || (status === 503 && answer.headers.has('retry-after'))
    if (!makesSense) book.find(`One of many at once was answered with ${status}`)
  } catch {
    book.count('of many at once: no answer')
  }
}

const BETWEEN_MS = [500, 2_500] as const

/** Causes faults until `over`: each once in random order, then again in another order. */
export async function strikeAll(
  faults: Fault[],
  settings: { stage: Stage; book: Book; chance: Chance; over: AbortSignal },
) {
  const { book, chance, over } = settings
  const mends = new Set<() => void>()
  const later = (ms: number, mend: () => void) => {
    const once = () => {
      clearTimeout(timer)
      if (mends.delete(once)) mend()
    }
    const timer = setTimeout(once, ms)
    mends.add(once)
  }
  const wait = (least: number, most: number) =>
    pause(chance.between(least, most), undefined, { signal: over }).catch(() => {})
  let left: Fault[] = []
  while (!over.aborted) {
    if (left.length === 0) left = chance.shuffled(faults)
    const fault = left.shift() as Fault
    book.note(`FAULT ${fault.name}`)
    book.count(fault.name)
    const scene = {
      ...settings,
      last: wait,
      later,
      chance: chance.fork(`${fault.name} ${book.counts[fault.name]}`),
    }
    await fault.strike(scene).catch((error: Error) => {
      // PostgreSQL may be down just now because of the other lane.
      book.note(`FAULT ${fault.name}: ${error.message}`)
    })
    book.note(`FAULT over: ${fault.name}`)
    await wait(...BETWEEN_MS)
  }
  for (const mend of mends) mend()
}
