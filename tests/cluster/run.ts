/** npm run cluster: see cluster.ts. Exits with 1 if a figure is missed. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Cluster, type Node, startCluster } from './cluster.ts'
import { type FaultFigures, figuresOf, LIMITS, lossesIn, readsBy } from './figures.ts'
import { requirePackages } from './packages.ts'
import { newcomer, startWriting, type Writing } from './writers.ts'

const given: { kills: number; freezes: number; keep?: boolean } = JSON.parse(process.argv[2] ?? '')
/** Longer than Patroni's ttl, so it loses its role meanwhile. */
const FREEZE_MS = 18_000
/** Lets everyone write before the next fault. */
const CALM_MS = 4_000
const THREADS = 12
const PAGES = ['/', '/about', '/privacy', '/terms', '/companies']

async function run(): Promise<boolean> {
  requirePackages()
  const began = Date.now()
  const cluster = await startCluster((text) => console.log(`  ${text}`))
  // A second signal kills us immediately. The keeper then stops the rest.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => cluster.stop().then(() => process.exit(130)))
  try {
    console.log(
      `It stands after ${seconds(began)} at ${cluster.url}, all of it in ${cluster.folder}`,
    )
    const isWell = await measure(cluster)
    if (given.keep) {
      console.log('Ctrl-C ends it.')
      await new Promise(() => setInterval(() => {}, 60_000))
    }
    return isWell
  } finally {
    await cluster.stop()
  }
}

async function measure(cluster: Cluster): Promise<boolean> {
  const threads = await Promise.all(Array.from({ length: THREADS }, () => startThread(cluster.url)))
  for (const { url } of cluster.sites)
    for (const page of PAGES) await fetch(url + page).then((response) => response.arrayBuffer())
  const writing = startWriting(cluster.url, threads, PAGES)
  const faults: (FaultFigures & { fault: string })[] = []
  const fault = async (name: string, strike: (node: Node) => Promise<void>) => {
    await cluster.settled()
    await pause(CALM_MS)
    const node = await cluster.primary()
    if (!node) throw new Error('There is no primary')
    const from = Date.now()
    await strike(node)
    await writesAgain(writing, Date.now())
    const to = Date.now()
    if (name === 'killed') node.startAgain()
    await cluster.settled()
    faults.push({ fault: `${node.name} ${name}`, ...figuresOf(writing.kept, from, to) })
    console.log(`  ${describe(faults.at(-1) as FaultFigures & { fault: string })}`)
  }
  for (let n = 0; n < given.kills; n++) await fault('killed', (node) => node.kill())
  for (let n = 0; n < given.freezes; n++) await fault('frozen', (node) => node.freeze(FREEZE_MS))
  await pause(CALM_MS)
  await writing.finish()
  return report(cluster, writing, faults, threads)
}

async function startThread(url: string): Promise<string> {
  const title = `Thread ${randomUUID()}`
  const response = await fetch(`${url}/api/v1/threads`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...newcomer() },
    body: JSON.stringify({
      title,
      body: 'What is said here must stay.',
      idempotencyKey: randomUUID(),
    }),
  })
  if (response.status !== 201) throw new Error(`No thread: ${await response.text()}`)
  return ((await response.json()) as { id: string }).id
}

/** Waits until some write sent after that moment is acknowledged. */
async function writesAgain({ kept }: Writing, moment: number) {
  const giveUpAt = Date.now() + 120_000
  const isYes = () =>
    kept.answers.filter(({ sentAt, status }) => sentAt > moment && status >= 200 && status < 300)
  while (isYes().length < 20) {
    if (Date.now() > giveUpAt) return
    await pause(100)
  }
}

function describe(it: FaultFigures & { fault: string }) {
  const refused = Object.entries(it.refused).map(([status, count]) => `${count} × ${status}`)
  return (
    `${it.fault}: writes go on after ${it.secondsAway.toFixed(1)} s; refused ${refused.join(', ')}, ` +
    `the slowest after ${it.slowest.toFixed(2)} s; ${it.pages - it.pagesFailed} of ${it.pages} pages served`
  )
}

async function report(
  cluster: Cluster,
  { kept }: Writing,
  faults: FaultFigures[],
  threads: string[],
): Promise<boolean> {
  const { lost, doubled, notServed } = await lossesIn(cluster, kept, threads)
  const sum = (figure: (it: FaultFigures) => number) =>
    faults.reduce((total, it) => total + figure(it), 0)
  const votes = [...kept.votes.values()].reduce((total, count) => total + count, 0)
  const not503 = sum(({ refused }) =>
    Object.entries(refused).reduce((n, [status, count]) => n + (status === '503' ? 0 : count), 0),
  )
  const pages = sum((it) => it.pages)
  const lines: [string, number | string, boolean][] = [
    ['acknowledged', `${kept.comments.length} comments, ${votes} votes`, votes > 0],
    ['sent again with the same id', kept.sentAgain, true],
    ['acknowledged and lost', lost, lost === 0],
    ['doubled', doubled, doubled === 0],
    ['stored and not served', notServed, notServed === 0],
    ['not seen by its author right after', kept.unseen, kept.unseen === 0],
    [
      `seconds until writes go on (≤ ${LIMITS.secondsAway})`,
      faults.map((it) => it.secondsAway.toFixed(1)).join(', '),
      faults.every((it) => it.secondsAway <= LIMITS.secondsAway),
    ],
    ['refused while away, with 503', sum((it) => it.refused[503] ?? 0), true],
    ['refused with anything else', not503, not503 === 0],
    [
      `refused later than ${LIMITS.answerSeconds} s`,
      sum((it) => it.tooSlow),
      faults.every((it) => it.tooSlow === 0),
    ],
    [
      '503 without Retry-After',
      sum((it) => it.withoutRetryAfter),
      faults.every((it) => it.withoutRetryAfter === 0),
    ],
    [
      'kept pages while away',
      `${pages - sum((it) => it.pagesFailed)} of ${pages}`,
      sum((it) => it.pagesFailed) === 0,
    ],
    [
      'lists for strangers while away',
      `${sum((it) => it.lists - it.listsFailed)} of ${sum((it) => it.lists)}`,
      true,
    ],
  ]
  for (const { name, running, url } of cluster.sites) {
    const isAlive = isRunning(running.pid)
    const reads = await readsBy(url).catch(() => ({ standby: 0, primary: 0 }))
    lines.push([
      `strangers' reads of ${name}`,
      `${reads.standby} by a standby, ${reads.primary} by the primary`,
      reads.standby > 0,
    ])
    lines.push([`${name} never ended`, isAlive ? 'yes' : 'no', isAlive])
  }
  console.log()
  for (const [what, figure, isWell] of lines)
    console.log(`${what.padEnd(42)}${figure}${isWell ? '' : '   MISSED'}`)
  return lines.every(([, , isWell]) => isWell)
}

function isRunning(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const seconds = (began: number) => `${((Date.now() - began) / 1000).toFixed(1)} s`

run().then(
  (isWell) => process.exit(isWell ? 0 : 1),
  (error) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  },
)
