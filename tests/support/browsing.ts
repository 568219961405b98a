/** How people go about the built site: each with a browser of their own. For journeys. */
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { DEMO_PASSWORD } from '../../app/features/accounts/demo-people.server.ts'
import { complaintsOn, whenAlive } from './chromium.ts'
import type { Site } from './server.ts'

export { whenAlive }

type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>
type Browsing = ContextOptions & {
  /** Complaints of the browser that are meant, such as those about a refusal. */
  expected?: RegExp
}

/**
 * Opens a browser for whoever `work` is about; what it complains about, but for what is `expected`,
 * fails the test. On a desktop, in the light theme and without animations, unless told otherwise.
 */
export const browsingOn =
  (running: { site: Site; browser: Browser }, usually: Browsing = {}) =>
  async (work: (page: Page) => Promise<void>, options: Browsing = {}) => {
    const { expected, ...settings } = { ...usually, ...options }
    const context = await running.browser.newContext({
      viewport: { width: 1280, height: 900 },
      baseURL: running.site.url,
      colorScheme: 'light',
      reducedMotion: 'reduce',
      ...settings,
    })
    try {
      const page = await context.newPage()
      const complaints = complaintsOn(page)
      await work(page)
      expect(complaints.filter((text) => !expected?.test(text))).toEqual([])
    } finally {
      await context.close()
    }
  }

/** Opens a page, and moves the pointer a little, as people do: its scripts come then. Waits until they have taken over. */
export async function open(page: Page, path: string) {
  await page.goto(path)
  await page.mouse.move(0, 0)
  await page.mouse.move(1, 1)
  await whenAlive(page)
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

/** Spec §9: a button takes no second press before this has passed. */
export const afterClickGuard = (page: Page) => page.waitForTimeout(350)
