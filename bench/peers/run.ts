/**
 * What reading and writing costs a forum, whichever it is, with the same content in each:
 *
 *   npx tsx bench/peers/run.ts --forum kettle --url http://127.0.0.1:3000 --pids 4711,4712
 *   npx tsx bench/peers/run.ts --forum nodebb --url http://127.0.0.1:4567 --user admin --password … --pids …
 *
 * The forum runs already, on this machine (Linux), empty and without limits; `--pids` are the processes whose
 * time and memory count, each with all its children: the forum's and its database's. One caller asks, one after the
 * other, so the figures are processor time and not speed under load. Another forum needs a file beside
 * nodebb.ts that says how one signs up, writes and votes there.
 */
import { readdirSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { parseArgs } from 'node:util'
import { createRandom } from '../data/random.ts'
import { TALKED_WORDS, talk } from '../data/thread-words.ts'
import { memoryMbOf, processOf } from '../measure.ts'
import type { Forum, Person } from './forum.ts'
import { kettle } from './kettle.ts'
import { nodebb } from './nodebb.ts'

const THREADS = 150
const REPLIES = 20
const WORDS_OF_A_REPLY = 40
/** Asked before anything counts, so that what runs is compiled and what is prepared is prepared. */
const WARM_UP = 0.3
const AGAIN = 10
const VOTERS = 12

const { values } = parseArgs({
  options: {
    forum: { type: 'string', default: 'kettle' },
    url: { type: 'string', default: 'http://127.0.0.1:3000' },
    pids: { type: 'string', default: '' },
    user: { type: 'string', default: '' },
    password: { type: 'string', default: '' },
  },
})
const url = values.url.replace(/\/$/, '')
const roots = values.pids.split(',').filter(Boolean).map(Number)
if (roots.length === 0) throw new Error('--pids names the processes to be measured')

const FORUMS: Record<string, () => Promise<Forum>> = {
  kettle: () => kettle(url),
  nodebb: () => nodebb(url, { user: values.user, password: values.password }),
}
const forum = await FORUMS[values.forum]?.()
if (!forum) throw new Error(`--forum is one of ${Object.keys(FORUMS).join(', ')}`)

const random = createRandom(1, 'peers')
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

console.error(`Writing ${THREADS} threads with ${REPLIES} replies each …`)
const writers = createWriters(forum)
const written: string[] = []
for (let n = 0; n < THREADS; n++) {
  const title = `${talk(random, 6).replaceAll('.', '')} ${n}`
  const id = await forum.startThread(await writers.next(), { title, body: talk(random, 80) })
  for (let reply = 0; reply < REPLIES; reply++)
    await forum.reply(await writers.next(), id, talk(random, WORDS_OF_A_REPLY))
  written.push(id)
}
const threads = await Promise.all(written.map((id) => forum.thread(id)))
const pages = threads.map(({ page }) => page)
const member = await writers.next()

await figure('thread, first visit', pages)
await figure('thread, again', Array.from({ length: AGAIN }, () => pages).flat())
await figure(
  'list, again',
  Array.from({ length: 300 }, () => forum.pages.list),
)
await figure(
  'home, again',
  Array.from({ length: 300 }, () => forum.pages.home),
)
await figure(
  'thread for a member, with what its page asks for',
  threads.map(({ page, personal }) => [page, ...personal]),
  member,
)
await figure(
  'thread and comments as JSON',
  threads.map(({ json }) => json),
)
await figure(
  'search for a word',
  TALKED_WORDS.slice(5, 205).map((word) => forum.pages.search(word)),
  member,
)
await writing('reply', 150, async (n) =>
  forum.reply(await writers.next(), written[n % THREADS] as string, talk(random, WORDS_OF_A_REPLY)),
)
const voters: Person[] = []
for (let n = 1; n <= VOTERS; n++) voters.push(await forum.signUp(100_000 + n))
await writing('vote', THREADS * VOTERS, (n) =>
  forum.vote(voters[Math.floor(n / THREADS)] as Person, written[n % THREADS] as string),
)
// Of the first that was named, the forum; what databases share is counted in each of theirs.
const memoryMb = memoryMbOf(roots[0] as number)
console.log(`${'memory after this'.padEnd(52)}${memoryMb.toFixed(0).padStart(8)} MB`)
agent.destroy()

/** As many people as it needs, each for a few posts. */
function createWriters({ signUp, postsEach }: Forum) {
  let current: Person | undefined
  let people = 0
  let left = 0
  return {
    async next(): Promise<Person> {
      if (!current || left === 0) {
        current = await signUp(people++)
        left = postsEach
      }
      left -= 1
      return current
    },
  }
}

/** @param items addresses; several of one item are asked one after the other */
async function figure(name: string, items: (string | string[])[], by?: Person) {
  const ask = (item: string | string[]) => eachOf([item].flat(), (path) => read(path, by))
  const warmUp = Math.floor(items.length * WARM_UP)
  await eachOf(items.slice(0, warmUp), ask)
  const rest = items.slice(warmUp)
  const began = cpuMs()
  await eachOf(rest, ask)
  tell(name, (cpuMs() - began) / rest.length)
}

async function writing(name: string, count: number, write: (n: number) => Promise<void>) {
  const warmUp = Math.floor(count * WARM_UP)
  for (let n = 0; n < warmUp; n++) await write(n)
  const began = cpuMs()
  for (let n = warmUp; n < count; n++) await write(n)
  tell(name, (cpuMs() - began) / (count - warmUp))
}

function tell(name: string, ms: number) {
  console.log(`${name.padEnd(52)}${ms.toFixed(2).padStart(8)} CPU-ms`)
}

async function eachOf<Item>(items: Item[], work: (item: Item) => Promise<void>) {
  for (const item of items) await work(item)
}

function read(path: string, by: Person = {}) {
  const headers = { ...by, 'accept-encoding': 'gzip, deflate, br' }
  return new Promise<void>((resolve, reject) => {
    get(url + path, { agent, headers }, (response) => {
      response.resume()
      response.on('error', reject)
      response.on('end', () =>
        response.statusCode === 200
          ? resolve()
          : reject(new Error(`${path} answered ${response.statusCode}`)),
      )
    }).on('error', reject)
  })
}

/** The processes that were named, and all below them. */
function measured() {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return { pid: Number(name), ...processOf(Number(name)) }
      } catch {
        // It has ended meanwhile.
        return []
      }
    })
  const mine = new Set(roots)
  for (let before = 0; before !== mine.size; ) {
    before = mine.size
    for (const { pid, parent } of all) if (mine.has(parent)) mine.add(pid)
  }
  return all.filter(({ pid }) => mine.has(pid))
}

function cpuMs() {
  return measured().reduce((sum, { cpuMs, endedCpuMs }) => sum + cpuMs + endedCpuMs, 0)
}
