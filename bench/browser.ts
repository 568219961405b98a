/** How soon a page responds on a phone or a slow computer, and what Lighthouse says about it. */
import { launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { makeRatingsDueNow } from '../tests/journeys/steps/due-ratings.ts'
import { findChromium, whenAlive } from '../tests/support/chromium.ts'
import { type Figure, figure, type Measurement, measure, median } from './measure.ts'
import { confirmAll, type Program, read, send, signUp } from './site.ts'
import { type Entry, SMALL } from './world.ts'

const TIMES_SLOWER = 4
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const DESKTOP = { viewport: { width: 1280, height: 900 } }
declare global {
  /** What a page records about itself. */
  var noted: { tookMs?: number; shown?: Promise<number>; slowest: number; tasks: number[] }
}
const onSlower = (name: string) => `${name}, ${TIMES_SLOWER} times slower`

export const intent: Entry = {
  name: 'intent',
  says: 'the first touch, a click and a key on a slow processor',
  async run(bench) {
    const site = await bench.site()
    const browser = await bench.browser()
    const thread = await busyThread(site)
    return [
      ...(await onSlow(browser, site, PHONE, (page) => firstTouches(page, thread))),
      ...(await onSlow(browser, site, DESKTOP, clicks)),
      ...(await onSlow(browser, site, DESKTOP, (page) => keys(page, thread))),
    ]
  },
}

/**
 * The time from touching a button to the frame after what the button does, with the files in the browser's cache. The
 * page touches the button itself, because a driver's touch takes as long as the page needs to load its scripts by
 * itself.
 */
async function firstTouches(page: Page, thread: string): Promise<Figure[]> {
  await page.addInitScript(() => {
    const touch = () => {
      const button = document.querySelector<HTMLElement>('[aria-label="Open menu"]')
      const touchedAt = performance.now()
      button?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
      // A finger rests this long on what it taps.
      setTimeout(() => button?.click(), 80)
      // The first script keeps the early press, and replays it. The replay arrives here.
      addEventListener('click', () =>
        requestAnimationFrame(() =>
          setTimeout(() => {
            noted.tookMs ??= performance.now() - touchedAt
          }),
        ),
      )
    }
    // Before the page loads its scripts by itself.
    addEventListener('load', () => setTimeout(touch, 300))
  })
  const touch = (path: string) => ({
    async run() {
      await page.goto(path, { waitUntil: 'load' })
      const took = await page.waitForFunction(() => noted.tookMs)
      await page.getByRole('dialog', { name: 'Menu' }).waitFor()
      return (await took.jsonValue()) as number
    },
  })
  const pages = { home: '/', companies: '/companies', discussions: '/discussions', thread }
  const kinds = Object.entries(pages).map(([name, path]) => [name, touch(path)] as const)
  // The first one loads the files.
  const taken = await measure(Object.fromEntries(kinds), { rounds: 3, warmUp: 1 })
  return Object.entries(taken).map(([name, measured]) =>
    figure(onSlower(`${name}: first touch to what it does`), measured.median, 'ms', { max: 700 }),
  )
}

/** The time from clicking a hovered link to the frame with the next page's heading. */
async function clicks(page: Page): Promise<Figure[]> {
  const click = (path: string, links: string) => ({
    async run(n: number) {
      await page.goto(path)
      await page.mouse.move(0, n)
      await whenAlive(page)
      await page.waitForLoadState('networkidle')
      await page.locator(links).nth(n).hover()
      // People hover for a moment before they click.
      await page.waitForTimeout(250)
      // Listens before the click, because commands that a driver sends together may overtake each other.
      await page.evaluate(() => {
        const heading = () => document.querySelector('main h1')?.textContent
        const before = heading()
        noted.shown = new Promise((resolve) => {
          const wait = ({ timeStamp }: Event) => {
            const look = () => {
              const now = heading()
              if (!now || now === before) return requestAnimationFrame(look)
              setTimeout(() => resolve(performance.now() - timeStamp))
            }
            requestAnimationFrame(look)
          }
          addEventListener('click', wait, { once: true, capture: true })
        })
      })
      await page.mouse.down()
      await page.mouse.up()
      return page.evaluate(() => noted.shown)
    },
  })
  const toThread = click('/discussions', 'main article h2 a, main article h3 a')
  const toCompany = click('/companies', 'main li h2 a, main li h3 a, main article a')
  const taken = await measure({ toThread, toCompany }, { rounds: 5 })
  const shown = (what: string, measured: Measurement) =>
    figure(onSlower(`to a ${what}: click to content`), measured.median, 'ms', { max: 300 })
  return [shown('thread', taken.toThread), shown('company', taken.toCompany)]
}

/** The slowest key in a text box, from the key press to the frame after it. */
async function keys(page: Page, thread: string): Promise<Figure[]> {
  const boxes: [name: string, path: string, box: string, text: string][] = [
    ['search of companies', '/', 'main [role=combobox]', 'lampwright systems'],
    ['search of discussions', '/discussions', 'main input[type=search]', 'pay on fridays'],
    ['a new thread', '/create-thread', 'main textarea', 'What I would have liked to know.'],
    ['a comment', thread, 'main textarea', 'It is not like that here.'],
  ]
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if (entry.name.startsWith('key') || entry.name === 'input')
          noted.slowest = Math.max(noted.slowest, entry.duration)
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  })
  const figures: Figure[] = []
  for (const [name, path, box, text] of boxes) {
    await page.goto(path)
    await page.mouse.move(0, 0)
    await whenAlive(page)
    await page.waitForLoadState('networkidle')
    if (path === thread) await page.getByRole('button', { name: 'Add a comment' }).first().click()
    const field = page.locator(box).first()
    await field.click()
    await page.waitForTimeout(500)
    await page.evaluate('noted.slowest = 0')
    await field.pressSequentially(text, { delay: 80 })
    await page.waitForTimeout(500)
    const slowest = await page.evaluate(() => noted.slowest)
    figures.push(figure(onSlower(`${name}: slowest key`), slowest, 'ms', { max: 100 }))
  }
  return figures
}

/** A new browser with the cookie banner answered. Its processor is slow from the beginning. */
async function onSlow<Result>(
  browser: Browser,
  { url }: Program,
  options: BrowserContextOptions,
  work: (page: Page) => Promise<Result>,
  keeps: Record<string, string> = {},
) {
  const kept = Object.entries({ cookieConsent: 'rejected', ...keeps })
  const localStorage = kept.map(([name, value]) => ({ name, value }))
  const storageState = { cookies: [], origins: [{ origin: url, localStorage }] }
  const context = await browser.newContext({ baseURL: url, storageState, ...options })
  try {
    const page = await context.newPage()
    // tsx wraps named functions in this, including those that run in the page.
    await page.addInitScript('globalThis.__name = (it) => it; noted = { slowest: 0, tasks: [] }')
    const chromium = await context.newCDPSession(page)
    await chromium.send('Emulation.setCPUThrottlingRate', { rate: TIMES_SLOWER })
    return await work(page)
  } finally {
    await context.close()
  }
}

/** The path of the most discussed thread that isn't about a made-up company. */
async function busyThread({ url }: Program): Promise<string> {
  const { threads } = await read<{
    threads: { path: string; comments: number; company: object | null }[]
  }>(`${url}/api/v1/threads?sort=top&period=all`)
  const [first] = threads
    .filter(({ company }) => company === null)
    .toSorted((a, b) => b.comments - a.comments)
  if (!first) throw new Error('The demo world has no threads')
  return encodeURI(first.path)
}

const PEOPLE = 7
/** A signed-in person's page always listens, so the network is never idle. */
const SETTLE_MS = 2_000

export const credentials: Entry = {
  name: 'credentials',
  says: 'rating anonymously on a slow phone: the first rating, the next one, the proofs',
  async run(bench) {
    const world = await bench.world(['companies'], SMALL)
    const site = await bench.site(world)
    const browser = await bench.browser()
    const { rows } = await world.client.query<{ slug: string }>(
      'select slug from companies where slug is not null order by id limit 2',
    )
    const [one, other] = rows.map(({ slug }) => slug) as [string, string]
    const taken = { firsts: [] as number[], nexts: [] as number[], sendings: [] as Sending[] }
    for (let n = 0; n < PEOPLE; n++) {
      const session = await signUp(site)
      await confirmAll(world.client)
      const rateTwice = async (page: Page) => {
        taken.firsts.push(await rate(page, one))
        taken.nexts.push(await rate(page, other))
        taken.sendings.push(await sendProofs(page))
      }
      await onSlow(browser, site, PHONE, rateTwice, { 'kettle-auth': JSON.stringify(session) })
    }
    const { firsts, nexts, sendings } = taken
    const next = median(nexts)
    // Each sending has two proofs.
    const busy = median(sendings.map(({ busy }) => busy)) / 2
    const longest = median(sendings.map(({ longest }) => longest))
    const first = "a person's first, with its credential: more until the thanks"
    return [
      figure(onSlower('a rating: tap to thanks'), next, 'ms'),
      figure(onSlower('its proof, later'), busy, 'ms', { max: 400 }),
      figure(onSlower('proofs: longest time in which the page does not answer'), longest, 'ms'),
      figure(onSlower(first), median(firsts) - next, 'ms', { max: 400 }),
    ]
  },
}

/** The time from tapping the button to the frame with the thanks. */
async function rate(page: Page, slug: string): Promise<number> {
  await page.goto(`/${slug}?tab=ratings&rate=yes`)
  await whenAlive(page)
  const culture = page.getByRole('group', { name: /Culture/ })
  await culture.waitFor()
  await page.waitForTimeout(SETTLE_MS)
  await culture.getByRole('radio').first().check({ force: true })
  return page.getByRole('button', { name: 'Rate', exact: true }).evaluate(
    (button: HTMLElement) =>
      new Promise<number>((resolve) => {
        const began = performance.now()
        const look = () =>
          document.body.textContent.includes('Thank you for rating')
            ? resolve(performance.now() - began)
            : requestAnimationFrame(look)
        button.click()
        look()
      }),
  )
}

interface Sending {
  /** The sum of all tasks that are long enough to be noticed. */
  busy: number
  longest: number
}

/** Makes two minutes pass for ratings waiting in this browser. */
async function sendProofs(page: Page): Promise<Sending> {
  await page.waitForTimeout(SETTLE_MS)
  await page.evaluate(() => {
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) noted.tasks.push(duration)
    }).observe({ type: 'longtask' })
  })
  const isSent = (answer: { url(): string; ok(): boolean }) =>
    answer.url().endsWith('/presented-rating') && answer.ok()
  const sent = page.waitForResponse(isSent).then(() => page.waitForResponse(isSent))
  await makeRatingsDueNow(page)
  await sent
  await page.waitForTimeout(1_000)
  const tasks = await page.evaluate(() => noted.tasks)
  return { busy: tasks.reduce((sum, one) => sum + one, 0), longest: Math.max(...tasks) }
}

/** 100 is the best. */
const LEAST = { performance: 97, accessibility: 100, 'best-practices': 100, seo: 100 }
const CATEGORIES = Object.keys(LEAST) as (keyof typeof LEAST)[]
const RUNS = 5
/** A real company, because we tell search engines to ignore made-up ones, which costs points. */
const COMPANY = 'nestle'

export const lighthouseScores: Entry = {
  name: 'lighthouse',
  says: 'Lighthouse scores of five pages on a phone with a slow network, and the size of their JavaScript',
  async run(bench) {
    const site = await bench.site()
    await talkAbout(COMPANY, site)
    const chromePath = findChromium({ isWhole: true }) ?? findChromium() ?? undefined
    const chromeFlags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic']
    // This doesn't use a driver like the others, because it would get in the way of the trace.
    const chrome = await launch({ chromePath, chromeFlags })
    const pages = {
      home: '/',
      companies: '/companies',
      company: `/${COMPANY}`,
      discussions: '/discussions',
      thread: await busyThread(site),
    }
    try {
      const figures: Figure[] = []
      for (const [name, path] of Object.entries(pages))
        figures.push(...(await scoresOf(name, site.url + path, chrome.port)))
      return figures
    } finally {
      chrome.kill()
    }
  },
}

async function scoresOf(name: string, url: string, port: number): Promise<Figure[]> {
  // Few people get a page's first rendering, so we measure it from the cache, as most people get it.
  await (await fetch(url)).text()
  const runs: Awaited<ReturnType<typeof runOnce>>[] = []
  for (let attempt = 1; runs.length < RUNS; attempt++)
    try {
      runs.push(await runOnce(url, port))
    } catch (error) {
      // On a busy machine, the browser's trace sometimes lacks its beginning, and Lighthouse says "please run again".
      if (attempt === 2 * RUNS) throw error
    }
  for (const lost of new Set(runs.flatMap(({ lost }) => lost))) console.error(`  ${name}: ${lost}`)
  const of = (key: string) => median(runs.map(({ values }) => values[key] ?? Number.NaN))
  return [
    ...CATEGORIES.map((key) => figure(`${name}: ${key}`, of(key), '', { min: LEAST[key] })),
    figure(`${name}: layout shift`, of('cumulative-layout-shift'), '', { max: 0.001 }),
    figure(`${name}: largest paint`, of('largest-contentful-paint'), 'ms', { max: 1_300 }),
    // Part of the performance, without its own budget.
    figure(`${name}: blocked`, of('total-blocking-time'), 'ms'),
    figure(`${name}: JavaScript`, of('script'), 'kB', { max: 140 }),
  ]
}

/** Lighthouse's default phone: a slow network and a processor four times as slow, both simulated. */
async function runOnce(url: string, port: number) {
  const result = await lighthouse(url, {
    port,
    logLevel: 'error',
    output: 'json',
    onlyCategories: CATEGORIES,
    formFactor: 'mobile',
    throttlingMethod: 'simulate',
  })
  if (!result || result.lhr.runtimeError)
    throw new Error(`${url}: ${result?.lhr.runtimeError?.message ?? 'Lighthouse says nothing'}`)
  const { audits, categories } = result.lhr
  const values: Record<string, number> = {}
  for (const [id, { numericValue }] of Object.entries(audits)) values[id] = numericValue ?? 0
  for (const name of CATEGORIES) values[name] = Math.round(100 * (categories[name]?.score ?? 0))
  const requests = audits['network-requests']?.details?.items ?? []
  const scripts = requests.filter(({ resourceType }) => resourceType === 'Script')
  values.script = scripts.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1000
  /** Audits that cost points. */
  const lost = CATEGORIES.filter((name) => name !== 'performance').flatMap((name) =>
    (categories[name]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => `${name} loses by ${id}: ${JSON.stringify(audits[id]).slice(0, 2_000)}`),
  )
  return { values, lost }
}

/** Makes its page as long as a popular one. */
async function talkAbout(slug: string, { url }: Program) {
  const { id: companyId } = await read<{ id: string }>(`${url}/api/v1/companies/by-slug/${slug}`)
  for (let thread = 1; thread <= 12; thread++)
    await send(`${url}/api/v1/threads`, {
      headers: { 'x-anonymous-id': `anon-${'7e4a'.repeat(8)}` },
      body: {
        title: `What do you measure here, part ${thread}?`,
        body: 'This is about a page, not a company, and says nothing about anyone. '.repeat(4),
        companyId,
        idempotencyKey: crypto.randomUUID(),
      },
    })
}
