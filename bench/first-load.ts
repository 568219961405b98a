/** What a first visit loads: to the home page in a real browser, then to every other screen. */

import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { complaintsOn, launchChromium, whenAlive } from '../tests/support/chromium.ts'
import type { Bench, Figure } from './measure.ts'
import { startBuiltSite } from './program.ts'
import { screenWeights } from './screen-weights.ts'

/** Long enough for what the page fetches once it has come alive. */
const SETTLE_MS = 2_000

export const firstLoad: Bench = {
  name: 'first-load',
  async run({ databaseUrl }) {
    const site = await startBuiltSite({
      DATABASE_URL: await databaseUrl(),
      STARTER: 'none',
    })
    const browser = await launchChromium()
    try {
      const html = await (await fetch(`${site.url}/`)).text()
      const { scripts, kilobytes, early, complaints } = await visit(browser, `${site.url}/`)

      const withoutScripts = await browser.newPage({ javaScriptEnabled: false })
      await withoutScripts.goto(`${site.url}/`)
      const companies = await withoutScripts.locator('main a[href]').count()

      const exactly = (number: number) => ({ least: number, most: number })
      return [
        {
          name: 'home: JavaScript before the page is painted and loaded, gzip',
          measured: early,
          unit: 'kB',
          budget: { most: EARLY_KB_MAX },
        },
        {
          name: 'home: JavaScript, gzip',
          measured: kilobytes,
          unit: 'kB',
          budget: { most: 120 },
        },
        { name: 'home: script files', measured: scripts, unit: '' },
        { name: 'home: HTML, gzip', measured: gzipSync(html).length / 1000, unit: 'kB' },
        {
          name: 'home: inline scripts that run',
          measured: inlineScripts(html).length,
          unit: '',
          budget: exactly(1),
        },
        {
          name: 'home: style attributes',
          measured: (html.match(/<[^>]+\sstyle\s*=/gi) ?? []).length,
          unit: '',
          budget: exactly(0),
        },
        {
          name: 'home: links in its main part without scripts',
          measured: companies,
          unit: '',
          budget: { least: 1 },
        },
        {
          name: 'home: complaints of the browser',
          measured: complaints.length,
          unit: '',
          budget: exactly(0),
        },
        ...screensAtOnce(),
        ...(await screensInBrowser(browser)),
      ]
    } finally {
      await browser.close()
      await site.stop()
    }
  },
}

/** Of any screen. */
const SCREEN_KB_MAX = 140
/** Of any screen, before anything else of it is there. */
const EARLY_KB_MAX = 5

/** What each screen's page asks for once somebody means something: those of members and administrators too. */
const screensAtOnce = (): Figure[] =>
  screenWeights().map(({ screen, bytes }) => ({
    name: `${screen}: JavaScript at once, gzip`,
    measured: bytes / 1000,
    unit: 'kB',
    budget: { most: SCREEN_KB_MAX },
  }))

/** What visitors can open; with what comes on demand while they look at it. */
async function screensInBrowser(browser: Browser): Promise<Figure[]> {
  const site = await startBuiltSite({ STARTER: 'demo', ENABLE_JOBS: 'true', RATE_LIMITS: 'off' })
  try {
    const thread = await firstThread(site.url)
    const figures: Figure[] = []
    for (const path of [...VISITED, thread]) {
      const { kilobytes, early, complaints } = await visit(browser, site.url + path)
      if (complaints.length > 0) throw new Error(`At ${path} the browser says: ${complaints}`)
      const name = path === thread ? 'a thread' : path
      // Where the server knows nothing of what somebody sees, the scripts come at once.
      if (!FRAMES.has(path))
        figures.push({
          name: `${name}: JavaScript before the page is painted and loaded, gzip`,
          measured: early,
          unit: 'kB',
          budget: { most: EARLY_KB_MAX },
        })
      figures.push({
        name: `${name}: JavaScript within ${SETTLE_MS / 1000} s, gzip`,
        measured: kilobytes,
        unit: 'kB',
        budget: { most: SCREEN_KB_MAX },
      })
    }
    return figures
  } finally {
    await site.stop()
  }
}

const FRAMES = new Set([
  '/create-thread',
  '/my-discussions',
  '/notifications',
  '/alerts',
  '/delete-post',
])
const COMPANY = '/lampwright-systems'
/** Without `/reset-password`: who has no link from a mail is led home from it. */
const VISITED = [
  '/companies',
  COMPANY,
  `${COMPANY}?tab=ratings`,
  `${COMPANY}?tab=about`,
  '/edit-company/lampwright-systems',
  '/discussions',
  '/create-thread',
  '/my-discussions',
  '/jobs',
  '/notifications',
  '/alerts',
  '/about',
  '/privacy',
  '/terms',
  '/delete-post',
]

async function firstThread(url: string) {
  const answer = await fetch(`${url}/api/v1/threads?sort=top&period=all`)
  const { threads } = (await answer.json()) as { threads: { path: string }[] }
  if (!threads[0]) throw new Error('The demo world has no threads')
  return encodeURI(threads[0].path)
}

/** As somebody who was never here. */
async function visit(browser: Browser, url: string) {
  const page = await browser.newPage()
  try {
    const complaints = complaintsOn(page)
    const scripts = new Map<string, number>()
    page.on('response', async (response) => {
      if (!/javascript/.test(response.headers()['content-type'] ?? '')) return
      scripts.set(response.url(), gzipSync(await response.body()).length)
    })
    const answer = await page.goto(url, { waitUntil: 'load' })
    // Nobody touches it: what is due comes by itself.
    await whenAlive(page)
    await page.waitForTimeout(SETTLE_MS)
    const asked = await page.evaluate(() => {
      const [loading] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
      return performance
        .getEntriesByType('resource')
        .filter(({ startTime }) => startTime <= (loading?.loadEventEnd ?? 0))
        .map(({ name }) => name)
    })
    const inline = inlineScripts((await answer?.text()) ?? '')
    const early = [
      ...inline.map((text) => gzipSync(text).length),
      ...asked.map((address) => scripts.get(address) ?? 0),
    ]
    return {
      scripts: scripts.size,
      kilobytes: sum([...scripts.values()]) / 1000,
      early: sum(early) / 1000,
      complaints,
    }
  } finally {
    await page.close()
  }
}

const sum = (sizes: number[]) => sizes.reduce((all, size) => all + size, 0)

/** The texts of scripts without a `src` that are not data, and of handlers in attributes. */
function inlineScripts(html: string) {
  const scripts = [...html.matchAll(/<script\b([^>]*)>(.*?)<\/script>/gis)]
  const running = scripts.filter(
    ([, attributes = '']) =>
      !/\ssrc\s*=/.test(attributes) &&
      !/\stype\s*=\s*["']?application\/(ld\+)?json/.test(attributes),
  )
  const handlers = html.match(/<[^>]+\son[a-z]+\s*=/gi) ?? []
  return [...running.map(([, , text = '']) => text), ...handlers]
}
