/** How journeys use the built site, with a browser window for each person. */
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { DEMO_PASSWORD } from '#app/identity/accounts/demo-people.server.ts'
import { complaintsOn, whenAlive } from './chromium.ts'
import type { Site } from './server.ts'
import { answeredAt } from './site-in-browser.ts'

export { whenAlive }

/** Only something that never happens takes this long. It's shorter locally, where someone's waiting. */
const WAIT_MS = process.env.CI ? 540_000 : 60_000

type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>
type Browsing = ContextOptions & {
  /** Complaints from the browser that the test expects, such as those about a refusal. */
  expected?: RegExp
}

/**
 * Gives `work` a window of someone who's never been here. Anything that the browser complains about, except `expected`,
 * fails the test. By default it's a desktop in the light theme without animations, and the cookie banner is already answered
 * so that it's not in the way: a journey about the banner passes `storageState: undefined`.
 */
export const browsingOn =
  (running: { site: Site; browser: Browser }, usually: Browsing = {}) =>
  async (work: (page: Page) => Promise<void>, options: Browsing = {}) => {
    const { expected, ...settings } = { ...usually, ...options }
    const baseURL = settings.baseURL ?? running.site.url
    const { page, close } = await openWindow(running.browser, {
      viewport: { width: 1280, height: 900 },
      baseURL,
      storageState: answeredAt(baseURL),
      colorScheme: 'light',
      reducedMotion: 'reduce',
      ...settings,
    })
    let isFine = false
    const complaints = complaintsOn(page)
    const unexpected = () => complaints.filter((text) => !expected?.test(text))
    try {
      await work(page)
      expect(unexpected()).toEqual([])
      isFine = true
    } catch (error) {
      // If a test waits for something that never happens, the page's own complaints often say why.
      if (error instanceof Error)
        error.message += unexpected()
          .map((text) => `\n${text}`)
          .join('')
      throw error
    } finally {
      await close(isFine)
    }
  }

interface Window {
  page: Page
  /** Whether something happened to the window that we can't undo. */
  isMarked(): boolean
}

/** Windows that aren't in use, by the settings they were opened with. They close with their browser. */
const idle = new WeakMap<Browser, Map<string, Window[]>>()

/**
 * A used window opens the site with a quarter of the work, because its process has already compiled the scripts. So we
 * empty and reuse it, unless something happened to it that we can't undo.
 */
async function openWindow(browser: Browser, settings: ContextOptions) {
  const { viewport, colorScheme, reducedMotion, storageState, ...kind } = settings
  const key = JSON.stringify(kind)
  const byKind = idle.get(browser) ?? new Map<string, Window[]>()
  idle.set(browser, byKind)
  const alike = byKind.get(key) ?? []
  byKind.set(key, alike)
  const window = (await usedWindow(alike.pop(), settings)) ?? (await newWindow(browser, settings))
  const { page, isMarked } = window
  return {
    page,
    async close(isFine: boolean) {
      if (isFine && !isMarked() && (await empty(page, settings.baseURL))) alike.push(window)
      else await page.context().close()
    },
  }
}

async function usedWindow(window: Window | undefined, settings: ContextOptions) {
  if (!window) return undefined
  const { page } = window
  const { viewport, colorScheme = null, reducedMotion = null, storageState } = settings
  if (viewport) await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme, reducedMotion, forcedColors: null, media: null })
  const items = typeof storageState === 'object' ? storageState.origins[0]?.localStorage : []
  await page.evaluate((items) => {
    for (const { name, value } of items) localStorage.setItem(name, value)
  }, items ?? [])
  return window
}

/**
 * Stays on the same origin, because leaving it would end the process.
 * @returns whether nothing is left in it
 */
async function empty(page: Page, baseURL = '') {
  try {
    page.removeAllListeners()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    for (const other of page.context().pages()) if (other !== page) await other.close()
    await page.goto(`${baseURL}/robots.txt`)
    await page.context().clearCookies()
    await page.evaluate(async () => {
      localStorage.clear()
      sessionStorage.clear()
      for (const { name = '' } of await indexedDB.databases()) indexedDB.deleteDatabase(name)
      for (const name of await caches.keys()) await caches.delete(name)
    })
    return true
  } catch {
    // The window is closed, or its site is gone.
    return false
  }
}

async function newWindow(browser: Browser, settings: ContextOptions): Promise<Window> {
  const context = await browser.newContext(settings)
  context.setDefaultTimeout(WAIT_MS)
  const page = await context.newPage()
  let isMarked = false
  const mark = (owner: object, names: string[]) => {
    const methods = owner as Record<string, (...given: unknown[]) => unknown>
    for (const name of names) {
      const method = methods[name]?.bind(owner)
      methods[name] = (...given) => {
        isMarked = true
        return method?.(...given)
      }
    }
  }
  const scripts = ['addInitScript', 'exposeFunction', 'exposeBinding']
  mark(page, scripts)
  mark(page.clock, ['install', 'pauseAt', 'setFixedTime', 'setSystemTime'])
  mark(context, [...scripts, 'route', 'newCDPSession', 'grantPermissions', 'setOffline'])
  return { page, isMarked: () => isMarked }
}

/**
 * Opens a page, and moves the pointer a little, as people do, because that loads its scripts. Waits until they've taken
 * over.
 */
export async function open(page: Page, path: string) {
  await page.goto(path)
  await page.mouse.move(0, 0)
  await page.mouse.move(1, 1)
  await whenAlive(page)
}

/** Does the same, with the page's clock stopped until a test moves it. */
export async function openAtRest(page: Page, path: string) {
  await page.clock.install({ time: '2026-03-14T09:00:00Z' })
  await page.clock.pauseAt('2026-03-14T09:00:01Z')
  // Otherwise, the clock includes the time between these two calls, and on a busy machine, the page seems older than it
  // is.
  await page.addInitScript((pausedAt) => {
    performance.now = () => Date.now() - pausedAt
  }, Date.parse('2026-03-14T09:00:01Z'))
  await open(page, path)
}

/** Holds back responses from this address until you call the result, so what happens before is early on any machine. */
export async function holdBack(page: Page, address: string | RegExp) {
  let arrive = () => {}
  const isTime = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await page.route(address, async (route) => {
    await isTime
    await route.continue()
  })
  return () => arrive()
}

interface Shift {
  value: number
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
}

/** Counts layout shifts from the next page on. Read them with `shiftsOf` and `movesOf`. */
export const countShifts = (page: Page) =>
  page.addInitScript(() => {
    const counted = globalThis as unknown as { shifts: number; moves: string[] }
    counted.shifts = 0
    counted.moves = []
    const placeOf = ({ x, y, width, height }: DOMRect) =>
      [x, y, width, height].map(Math.round).join(' ')
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as unknown as Shift[]) {
        counted.shifts += value
        for (const { node, previousRect, currentRect } of sources) {
          const what = `${node?.nodeName} “${node?.textContent?.slice(0, 40)}”`
          counted.moves.push(`${what} ${placeOf(previousRect)} → ${placeOf(currentRect)}`)
        }
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
/** The sum of all layout shifts so far. */
export const shiftsOf = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { shifts: number }).shifts)
/** What has moved so far, and from where to where. */
export const movesOf = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { moves: string[] }).moves)

/** Fills in the open dialog, and waits until the person is signed in. */
export async function enter(page: Page, email: string, password = DEMO_PASSWORD) {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await userButton(page).waitFor()
  await dialog.waitFor({ state: 'detached' })
}

/** Signs in through the header of any page. `who` is one of the demo people or an address. */
export async function signIn(page: Page, who: string, password?: string) {
  await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
  await enter(page, who.includes('@') ? who : `${who}@kettle.example`, password)
}

export const userButton = (page: Page) =>
  page.locator('header [aria-haspopup="menu"]:not(header nav *)')

/** A toast with this title and text. */
export const toast = (page: Page, title: string, text = '') =>
  page
    .getByRole('region', { name: 'Notifications' })
    .getByRole('listitem')
    .filter({ hasText: title })
    .filter({ hasText: text })
    .first()

/** Fonts are loaded, animations have finished, and what the scripts changed is painted. */
export const settled = (page: Page) =>
  page.evaluate(async () => {
    await document.fonts.ready
    const moving = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    await Promise.allSettled(moving.map(({ finished }) => finished))
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
  })

/** The browser has saved the draft, up to these words. */
export const draftIsKept = (page: Page, words: string) =>
  page.waitForFunction((words) => Object.values(localStorage).join().includes(words), words)

/** Spec §9: a button ignores a second press before this has passed. */
export const afterClickGuard = (page: Page) => page.waitForTimeout(350)
