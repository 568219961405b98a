/** How people go about the built site: each with a browser of their own. For journeys. */
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { DEMO_PASSWORD } from '#app/identity/accounts/demo-people.server.ts'
import { complaintsOn, whenAlive } from './chromium.ts'
import type { Site } from './server.ts'
import { answeredAt } from './site-in-browser.ts'

export { whenAlive }

/** Only what never comes ends there; who waits at a keyboard hears of it sooner. */
const WAIT_MS = process.env.CI ? 540_000 : 60_000

type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>
type Browsing = ContextOptions & {
  /** Complaints of the browser that are meant, such as those about a refusal. */
  expected?: RegExp
}

/**
 * Gives `work` a window of somebody who was never here; what the browser complains about, but for what is `expected`,
 * fails the test. On a desktop, in the light theme and without animations, unless told otherwise; and they have answered
 * about cookies, so that no banner lies over what they came for: a journey about that says `storageState: undefined`.
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
      // What a test waited for in vain often hangs on what the page says of itself.
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
  /** Whether something was done to it that stays with it. */
  isMarked(): boolean
}

/** Windows that nobody uses now, by how they were opened. They close with their browser. */
const idle = new WeakMap<Browser, Map<string, Window[]>>()

/**
 * A window that was used opens the site with a quarter of the work: its process is there, and has compiled the scripts.
 * So it is emptied and used once more, unless somebody did to it what can't be undone.
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
 * On the same origin: to leave it would end the process.
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
    // It is closed, or its site is gone.
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

/** Opens a page, and moves the pointer a little, as people do: its scripts come then. Waits until they have taken over. */
export async function open(page: Page, path: string) {
  await page.goto(path)
  await page.mouse.move(0, 0)
  await page.mouse.move(1, 1)
  await whenAlive(page)
}

/** The same with the page's clock standing still, until a test moves it. */
export async function openAtRest(page: Page, path: string) {
  await page.clock.install({ time: '2026-03-14T09:00:00Z' })
  await page.clock.pauseAt('2026-03-14T09:00:01Z')
  // What went by between these two calls stands in it otherwise: on a loaded machine the page seems older than it is.
  await page.addInitScript((pausedAt) => {
    performance.now = () => Date.now() - pausedAt
  }, Date.parse('2026-03-14T09:00:01Z'))
  await open(page, path)
}

/** What this address gives comes once the answer is called: what happens before is early, however fast the machine. */
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

/** From the next page on, how far what stands moves by itself; `shiftsOf` and `movesOf` tell. */
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
/** The sum of all that moved so far. */
export const shiftsOf = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { shifts: number }).shifts)
/** What moved so far, from where and to where. */
export const movesOf = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { moves: string[] }).moves)

/** Fills in the dialog that is open, and waits until somebody is here. */
export async function enter(page: Page, email: string, password = DEMO_PASSWORD) {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await userButton(page).waitFor()
  await dialog.waitFor({ state: 'detached' })
}

/** By the header of whatever page is open; `who` is one of the demo people, or an address. */
export async function signIn(page: Page, who: string, password?: string) {
  await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
  await enter(page, who.includes('@') ? who : `${who}@kettle.example`, password)
}

export const userButton = (page: Page) =>
  page.locator('header [aria-haspopup="menu"]:not(header nav *)')

/** A toast with this title, and this text under it. */
export const toast = (page: Page, title: string, text = '') =>
  page
    .getByRole('region', { name: 'Notifications' })
    .getByRole('listitem')
    .filter({ hasText: title })
    .filter({ hasText: text })
    .first()

/** The fonts are there, what moves has arrived, and what the scripts changed is drawn. */
export const settled = (page: Page) =>
  page.evaluate(async () => {
    await document.fonts.ready
    const moving = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    await Promise.allSettled(moving.map(({ finished }) => finished))
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
  })

/** What is being written is kept in the browser, these words last. */
export const draftIsKept = (page: Page, words: string) =>
  page.waitForFunction((words) => Object.values(localStorage).join().includes(words), words)

/** Spec §9: a button takes no second press before this has passed. */
export const afterClickGuard = (page: Page) => page.waitForTimeout(350)
