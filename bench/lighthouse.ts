/** What Lighthouse thinks of the pages that visitors come to, on a throttled phone. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse, { type Flags } from 'lighthouse'
import { findChromium } from '../tests/support/chromium.ts'
import { type Bench, type Figure, median } from './measure.ts'
import { startBuiltSite } from './program.ts'

const RUNS = 5
const ATTEMPTS = 5

/** Each is a hundred at best. */
const LEAST = { performance: 97, accessibility: 100, 'best-practices': 100, seo: 100 }
type Category = keyof typeof LEAST
const CATEGORIES = Object.keys(LEAST) as Category[]

/** A real one: search engines are told to leave the made-up ones alone, which costs points. */
export const COMPANY = 'nestle'
const THREADS = 12

export const lighthouseScores: Bench = {
  name: 'lighthouse',
  async run() {
    const site = await startBuiltSite({
      STARTER: 'demo',
      RATE_LIMITS: 'off',
      PROOF_OF_WORK: '0',
    })
    const browser = await openBrowser()
    try {
      await talkAbout(COMPANY, site.url)
      const pages = {
        home: '/',
        companies: '/companies',
        company: `/${COMPANY}`,
        discussions: '/discussions',
        thread: await busyThread(site.url),
      }
      const figures: Figure[] = []
      for (const [name, path] of Object.entries(pages))
        figures.push(...(await scoresOf(name, site.url + path, browser.port)))
      return figures
    } finally {
      await browser.close()
      await site.stop()
    }
  },
}

async function scoresOf(name: string, url: string, port: number): Promise<Figure[]> {
  // Nobody waits for a page that was never asked for: it is measured from the cache, as most see it.
  await (await fetch(url)).text()
  const runs: Run[] = []
  for (let run = 0; run < RUNS; run++) runs.push(await runAtLast(url, port))
  for (const complaint of new Set(runs.flatMap(({ complaints }) => complaints)))
    console.error(`  ${name}: ${complaint}`)
  const middle = (of: (run: Run) => number) => median(runs.map(of))
  return [
    ...CATEGORIES.map((category) => ({
      name: `${name}: ${category}`,
      measured: middle(({ scores }) => scores[category]),
      unit: '',
      budget: { least: LEAST[category] },
    })),
    {
      name: `${name}: layout shift`,
      measured: middle(({ shift }) => shift),
      unit: '',
      budget: { most: 0.001 },
    },
    {
      name: `${name}: largest paint`,
      measured: middle(({ paintMs }) => paintMs),
      unit: 'ms',
      budget: { most: 1_300 },
    },
    // A part of the performance, without a budget of its own.
    { name: `${name}: blocked`, measured: middle(({ blockedMs }) => blockedMs), unit: 'ms' },
  ]
}

interface Run {
  scores: Record<Category, number>
  shift: number
  paintMs: number
  blockedMs: number
  /** Audits that cost points. */
  complaints: string[]
}

/** On a busy machine the browser's trace sometimes lacks its beginning; "please run again" it says then. */
async function runAtLast(url: string, port: number): Promise<Run> {
  for (let attempt = 1; ; attempt++)
    try {
      return await runOnce(url, port)
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
    }
}

/** Its usual phone: a slow network and a processor four times as slow, both simulated. */
async function runOnce(url: string, port: number): Promise<Run> {
  const flags: Flags = {
    port,
    logLevel: 'error',
    output: 'json',
    onlyCategories: CATEGORIES,
    formFactor: 'mobile',
    throttlingMethod: 'simulate',
  }
  const result = await lighthouse(url, flags)
  if (!result || result.lhr.runtimeError)
    throw new Error(`${url}: ${result?.lhr.runtimeError?.message ?? 'Lighthouse says nothing'}`)
  const { audits, categories } = result.lhr
  const value = (audit: string) => audits[audit]?.numericValue ?? Number.NaN
  const complaints = CATEGORIES.filter((name) => name !== 'performance').flatMap((name) =>
    (categories[name]?.auditRefs ?? []).flatMap(({ id, weight }) => {
      const { score = 1, title = id, details } = audits[id] ?? {}
      if (weight === 0 || score === null || score === 1) return []
      return `${name} loses by ${id} (${title}) ${JSON.stringify(details).slice(0, 2_000)}`
    }),
  )
  // Which parts moved, if any did.
  const moved = audits['layout-shifts']?.details
  if (value('cumulative-layout-shift') > 0)
    complaints.push(`the layout shifts: ${JSON.stringify(moved).slice(0, 2_000)}`)
  const score = (name: Category) => Math.round(100 * (categories[name]?.score ?? 0))
  return {
    scores: Object.fromEntries(CATEGORIES.map((name) => [name, score(name)])) as Run['scores'],
    shift: value('cumulative-layout-shift'),
    paintMs: value('largest-contentful-paint'),
    blockedMs: value('total-blocking-time'),
    complaints,
  }
}

/** So that its page is as long as one that is visited. */
export async function talkAbout(slug: string, url: string) {
  const { id } = (await (await fetch(`${url}/api/v1/companies/by-slug/${slug}`)).json()) as {
    id: string
  }
  for (let thread = 1; thread <= THREADS; thread++) {
    const answer = await fetch(`${url}/api/v1/threads`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-anonymous-id': `anon-${'7e4a'.repeat(8)}` },
      body: JSON.stringify({
        title: `What do you measure here, part ${thread}?`,
        body: 'This is about a page and not about a company: it says nothing of anybody. '.repeat(
          4,
        ),
        companyId: id,
        sending: crypto.randomUUID(),
      }),
    })
    if (!answer.ok) throw new Error(`No thread about ${slug}: ${await answer.text()}`)
  }
}

/** The path of the thread that is talked about most, of those about no made-up company. */
export async function busyThread(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/threads?sort=top&period=all`)
  const { threads } = (await answer.json()) as {
    threads: { path: string; comments: number; company: object | null }[]
  }
  const [first] = threads
    .filter(({ company }) => company === null)
    .toSorted((a, b) => b.comments - a.comments)
  if (!first) throw new Error('The demo world has no threads')
  return encodeURI(first.path)
}

const BROWSER_WITHIN_MS = 30_000
/** They reach no other group, so this process ends the browser's. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Not as other benches do: who drives it meanwhile is in the way of the trace. */
export async function openBrowser() {
  const program = findChromium({ isWhole: true }) ?? findChromium()
  if (!program) throw new Error('No Chromium here')
  const folder = await mkdtemp(join(tmpdir(), 'kettle-lighthouse-'))
  const child = spawn(program, [...FLAGS, `--user-data-dir=${folder}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own: where the program is a script around the browser, both end, and with them the pipe.
    detached: true,
  })
  const ended = once(child, 'exit')
  function kill() {
    try {
      process.kill(-(child.pid as number), 'SIGKILL')
    } catch {
      // It is gone.
    }
  }
  const leave = () => process.exit(1)
  process.once('exit', kill)
  for (const signal of SIGNALS) process.once(signal, leave)
  async function close() {
    kill()
    await ended
    process.off('exit', kill)
    for (const signal of SIGNALS) process.off(signal, leave)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const port = await new Promise<number>((resolve, reject) => {
      let log = ''
      const timer = setTimeout(() => reject(new Error(`No browser:\n${log}`)), BROWSER_WITHIN_MS)
      child.stderr.on('data', (text: Buffer) => {
        log = (log + text).slice(-10_000)
        const found = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(log)?.[1]
        if (!found) return
        clearTimeout(timer)
        resolve(Number(found))
      })
    })
    return { port, close }
  } catch (error) {
    await close()
    throw error
  }
}

const FLAGS = [
  '--headless=new',
  '--remote-debugging-port=0',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-extensions',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
