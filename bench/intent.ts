/** How soon a page answers to somebody, on a processor four times as slow: the first touch, a click, a key. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { launchChromium, whenAlive } from '../tests/support/chromium.ts'
import { busyThread } from './lighthouse.ts'
import { type Bench, type Figure, median } from './measure.ts'
import { type Program, startBuiltSite } from './program.ts'

export const TIMES_SLOWER = 4
const TOUCHES = 3
/** Before the page comes alive by itself. */
const TOUCH_AFTER_MS = 300
/** A finger rests so long on what it taps. */
const TAP_MS = 80
const CLICKS = 5
/** A pointer that means a link rests there for a moment. */
const HOVER_MS = 250
const KEY_EVERY_MS = 80

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const DESKTOP = { viewport: { width: 1280, height: 900 } }

export const intent: Bench = {
  name: 'intent',
  async run() {
    const site = await startBuiltSite({ STARTER: 'demo', ENABLE_JOBS: 'true', RATE_LIMITS: 'off' })
    const browser = await launchChromium()
    try {
      const thread = await busyThread(site.url)
      return [
        ...(await firstTouches({ browser, site, thread })),
        ...(await clicks({ browser, site, thread })),
        ...(await keys({ browser, site, thread })),
      ]
    } finally {
      await browser.close()
      await site.stop()
    }
  },
}

interface Place {
  browser: Browser
  site: Program
  thread: string
}

/**
 * From the finger on a button to the frame after what the button does; the files are in the browser's cache. The
 * page touches itself: a driver's finger takes as long as the page needs to come alive unasked.
 */
async function firstTouches({ browser, site, thread }: Place): Promise<Figure[]> {
  const paths = { home: '/', companies: '/companies', discussions: '/discussions', thread }
  return onSlow(browser, site, PHONE, async (page) => {
    await page.addInitScript(
      ({ afterMs, tapMs }) => {
        const noted = globalThis as unknown as { tookMs?: number }
        const touch = () => {
          const button = document.querySelector<HTMLElement>('[aria-label="Open menu"]')
          const touchedAt = performance.now()
          button?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
          setTimeout(() => button?.click(), tapMs)
          // The first script keeps the early press; what arrives here is that press done again.
          addEventListener('click', () =>
            requestAnimationFrame(() =>
              setTimeout(() => {
                noted.tookMs ??= performance.now() - touchedAt
              }),
            ),
          )
        }
        addEventListener('load', () => setTimeout(touch, afterMs))
      },
      { afterMs: TOUCH_AFTER_MS, tapMs: TAP_MS },
    )
    const figures: Figure[] = []
    for (const [name, path] of Object.entries(paths)) {
      const times: number[] = []
      for (let touch = 0; touch <= TOUCHES; touch++) {
        await page.goto(path, { waitUntil: 'load' })
        const took = await page.waitForFunction(
          () => (globalThis as unknown as { tookMs?: number }).tookMs,
        )
        await page.getByRole('dialog', { name: 'Menu' }).waitFor()
        // The first brings the files.
        if (touch > 0) times.push((await took.jsonValue()) as number)
      }
      figures.push({
        name: `${name}: first touch to what it does, ${TIMES_SLOWER} times slower`,
        measured: median(times),
        unit: 'ms',
        budget: { most: 700 },
      })
    }
    return figures
  })
}

/** From the click on a link that the pointer rests on to the frame with the other page's heading. */
async function clicks({ browser, site }: Place): Promise<Figure[]> {
  const ways = {
    'to a thread': { path: '/discussions', links: 'main article h2 a, main article h3 a' },
    'to a company': { path: '/companies', links: 'main li h2 a, main li h3 a, main article a' },
  }
  return onSlow(browser, site, DESKTOP, async (page) => {
    const figures: Figure[] = []
    for (const [name, { path, links }] of Object.entries(ways)) {
      const times: number[] = []
      for (let click = 0; click < CLICKS; click++) {
        await page.goto(path)
        await page.mouse.move(0, click)
        await whenAlive(page)
        await page.waitForLoadState('networkidle')
        const link = page.locator(links).nth(click)
        await link.hover()
        await page.waitForTimeout(HOVER_MS)
        // Listening before the click: what the driver sends at once may overtake each other.
        await page.evaluate(() => {
          const noted = globalThis as unknown as { shown: Promise<number> }
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
        times.push(
          await page.evaluate(() => (globalThis as unknown as { shown: Promise<number> }).shown),
        )
      }
      figures.push({
        name: `${name}: click to content, ${TIMES_SLOWER} times slower`,
        measured: median(times),
        unit: 'ms',
        budget: { most: 300 },
      })
    }
    return figures
  })
}

/** The slowest key in a box, from the key to the frame after it. */
async function keys({ browser, site, thread }: Place): Promise<Figure[]> {
  const boxes: Record<string, { path: string; open?: string; box: string; text: string }> = {
    'search of companies': { path: '/', box: 'main [role=combobox]', text: 'lampwright systems' },
    'search of discussions': {
      path: '/discussions',
      box: 'main input[name=search], main input[type=search]',
      text: 'pay on fridays',
    },
    'a new thread': {
      path: '/create-thread',
      box: 'main textarea',
      text: 'What I would have liked to know.',
    },
    'a comment': {
      path: thread,
      open: 'Add a comment',
      box: 'main textarea',
      text: 'It is not like that here.',
    },
  }
  return onSlow(browser, site, DESKTOP, async (page) => {
    await page.addInitScript(() => {
      const noted = globalThis as unknown as { slowest: number }
      noted.slowest = 0
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          if (entry.name.startsWith('key') || entry.name === 'input')
            noted.slowest = Math.max(noted.slowest, entry.duration)
      }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
    })
    const figures: Figure[] = []
    for (const [name, { path, open, box, text }] of Object.entries(boxes)) {
      await page.goto(path)
      await page.mouse.move(0, 0)
      await whenAlive(page)
      await page.waitForLoadState('networkidle')
      if (open) await page.getByRole('button', { name: open }).first().click()
      const field = page.locator(box).first()
      await field.click()
      await page.waitForTimeout(500)
      await page.evaluate(() => {
        ;(globalThis as unknown as { slowest: number }).slowest = 0
      })
      await field.pressSequentially(text, { delay: KEY_EVERY_MS })
      await page.waitForTimeout(500)
      figures.push({
        name: `${name}: slowest key, ${TIMES_SLOWER} times slower`,
        measured: await page.evaluate(() => (globalThis as unknown as { slowest: number }).slowest),
        unit: 'ms',
        budget: { most: 100 },
      })
    }
    return figures
  })
}

/** A browser of its own that has answered about cookies; its processor is slow from the beginning. */
export async function onSlow<Result>(
  browser: Browser,
  site: Program,
  options: BrowserContextOptions,
  work: (page: Page) => Promise<Result>,
) {
  const localStorage = [{ name: 'cookieConsent', value: 'rejected' }]
  const context = await browser.newContext({
    baseURL: site.url,
    storageState: { cookies: [], origins: [{ origin: site.url, localStorage }] },
    ...options,
  })
  try {
    const page = await context.newPage()
    // What tsx puts around functions that have a name, in the page's own code, too.
    await page.addInitScript('globalThis.__name = (it) => it')
    const chromium = await context.newCDPSession(page)
    await chromium.send('Emulation.setCPUThrottlingRate', { rate: TIMES_SLOWER })
    return await work(page)
  } finally {
    await context.close()
  }
}
