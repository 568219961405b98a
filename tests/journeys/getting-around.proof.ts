/** Dead ends help you on, and the site's own pages are always within reach. */
import { expect, test } from 'vitest'
import {
  afterClickGuard,
  browsingOn,
  holdBack,
  open,
  settled,
  whenAlive,
} from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const running = withSiteInBrowser(async () => ({ RATE_LIMITS: 'off' }))
const browsing = browsingOn(running)

const PHONE = { width: 360, height: 740 }
const SCRIPTS = '**/assets/*.js'

test('a wrong address asks whether vera meant another company', () =>
  browsing(
    async (page) => {
      await open(page, '/company/lampwrigt-systems')
      const meant = page.getByRole('status').filter({ hasText: 'Did you mean' })
      await meant.waitFor()
      await looksFine(page, 'not-found')
      await meant.getByRole('link', { name: 'Lampwright Systems' }).click()
      await page.getByRole('heading', { level: 1, name: 'Lampwright Systems' }).waitFor()
    },
    { expected: /404/ },
  ))

test('vera sees while typing that the company she requests exists', () =>
  browsing(async (page) => {
    await open(page, '/')
    await page.getByRole('button', { name: /Request it here/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Request a Company' })
    await dialog.getByLabel('Company Name').fill('lampwright')
    await dialog.getByText('Already here: Lampwright Systems.').waitFor()
    await looksFine(page, 'request')
    await dialog.getByRole('link', { name: 'Lampwright Systems' }).click()
    await page.getByRole('heading', { level: 1, name: 'Lampwright Systems' }).waitFor()
    await dialog.waitFor({ state: 'detached' })
  }))

test('the rules and the contact dialog are two clicks from a thread, on a desktop and a phone', () =>
  browsing(async (page) => {
    await open(page, '/discussions')
    await page.getByRole('main').getByRole('article').getByRole('link').first().click()
    await page.getByRole('button', { name: 'About', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Contact Us' }).click()
    const contact = page.getByRole('dialog', { name: 'Contact Us' })
    await contact.getByRole('button', { name: 'Close' }).click()
    await contact.waitFor({ state: 'detached' })
    await page.setViewportSize(PHONE)
    const menu = page.getByRole('button', { name: 'Open menu' })
    await menu.click()
    await page
      .getByRole('dialog', { name: 'Menu' })
      .getByRole('button', { name: 'Contact' })
      .click()
    await contact.getByRole('button', { name: 'Close' }).click()
    await contact.waitFor({ state: 'detached' })
    await afterClickGuard(page)
    await menu.click()
    await page.getByRole('link', { name: 'Moderation', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'How moderation decides' }).waitFor()
    await page.getByText('What moderators removed').click()
    await page
      .getByText(/Nothing has been removed|Month/)
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'Community rules' }).click()
    await page.getByRole('heading', { level: 1, name: 'Community rules' }).waitFor()
  }))

test('a link to the first comment shows the heading above it on a phone', () =>
  browsing(async (page) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open(page, '/discussions')
    const thread = await page
      .getByRole('main')
      .getByRole('article')
      .getByRole('link')
      .nth(1)
      .getAttribute('href')
    await open(page, thread ?? '')
    const id = await page.locator('.comment').first().getAttribute('id')
    await open(page, '/about')
    await open(page, `${thread}#${id}`)
    await page.locator(`[id="${id}"][aria-current]`).waitFor()
    const top = async () => (await page.locator('#comments').boundingBox())?.y ?? 0
    await expect.poll(top).toBeLessThan(200)
    expect(await top()).toBeGreaterThan(64)
  }))

test('a printed thread or company has people’s words, black on white, and nothing to press', () =>
  browsing(async (page) => {
    await open(page, '/discussions')
    const href = await page
      .getByRole('main')
      .getByRole('article')
      .getByRole('link')
      .nth(1)
      .getAttribute('href')
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    for (const path of [href ?? '', '/lampwright-systems?tab=ratings']) {
      await open(page, path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const printed = await page.evaluate(() => ({
        pressable: [...document.querySelectorAll('button, form, footer, nav')]
          .filter((it) => it.checkVisibility())
          .map((it) => it.outerHTML),
        paper: getComputedStyle(document.documentElement).backgroundColor,
      }))
      expect(printed.pressable).toEqual([])
      expect(printed.paper).toBe('rgb(255, 255, 255)')
      await page
        .getByText(/^Score \d|What people should know/)
        .first()
        .waitFor()
    }
  }))

test('a long printed text begins on the first sheet, spells out links, and has whole code and tables', () =>
  browsing(async (page) => {
    await open(page, '/create-thread')
    await page.getByLabel('Title').fill('All that was said about the wages')
    const cells = Array.from({ length: 12 }, (_, n) => `A rather wide column ${n}`).join('|')
    const link = (place: string) => `[the ${place} link](https://${place}.example)\n\n`
    const lines = Array.from({ length: 60 }, (_, n) => `Line ${n} of what was said.`).join('\n\n')
    await page
      .getByLabel('Text', { exact: true })
      .fill(
        `${link('first')}${lines}\n\n${link('last')}    ${'x'.repeat(300)}\n\n|${cells}|\n|${'-|'.repeat(12)}\n|${cells}|`,
      )
    await page.getByRole('button', { name: 'Post thread' }).click()
    await page.waitForURL('**/thread/*')
    await page.getByText('Line 59 of what was said.').waitFor()
    await page.emulateMedia({ media: 'print' })
    const first = await page.pdf({ format: 'A4', pageRanges: '1' })
    const links = first.toString('latin1').match(/https:\/\/\w+\.example/g)
    expect([...new Set(links)]).toEqual(['https://first.example'])
    expect(
      await page
        .getByRole('link', { name: 'the last link' })
        .evaluate((it) => getComputedStyle(it, '::after').content),
    ).toContain('https://last.example')
    // A sheet of A4 within its margins.
    const sheet = { width: 718, height: 1_047 }
    await page.setViewportSize(sheet)
    const wrong = await page.evaluate(
      ({ width, height }) =>
        [...document.querySelectorAll<HTMLElement>('main *')]
          .filter((it) => {
            const { breakInside } = getComputedStyle(it)
            const box = it.getBoundingClientRect()
            return (
              (box.height > height / 2 && breakInside === 'avoid') ||
              (box.width > 0 && box.right > width) ||
              (it.matches('pre, table') && it.scrollWidth > it.clientWidth + 1)
            )
          })
          .map((it) => it.outerHTML.slice(0, 80)),
      sheet,
    )
    expect(wrong).toEqual([])
  }))

test('a slow processor keeps what’s typed and clicked before the scripts are there', () =>
  browsing(async (page) => {
    const chromium = await page.context().newCDPSession(page)
    await chromium.send('Emulation.setCPUThrottlingRate', { rate: 6 })
    const arrive = await holdBack(page, SCRIPTS)
    await page.goto('/', { waitUntil: 'commit' })
    const box = page.getByRole('main').getByRole('combobox', { name: 'Search companies' })
    await box.pressSequentially('lampw')
    arrive()
    await page.getByRole('option', { name: /Lampwright Systems/ }).waitFor()
    expect(await box.inputValue()).toBe('lampw')

    await page.unrouteAll()
    const arriveLater = await holdBack(page, SCRIPTS)
    await page.goto('/discussions', { waitUntil: 'commit' })
    await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
    arriveLater()
    await page.getByRole('dialog', { name: 'Welcome back' }).waitFor()
  }))

test('each click before the scripts are there counts, not just the last', () =>
  browsing(async (page) => {
    const arrive = await holdBack(page, SCRIPTS)
    await page.goto('/companies', { waitUntil: 'commit' })
    const toggles = page.getByRole('main').getByRole('button', { name: /^Compare / })
    for (const place of [0, 1]) await toggles.nth(place).click()
    arrive()
    await page.getByRole('status').filter({ hasText: '2 of 4 selected' }).waitFor()
  }))

test('only the page and its styles come before it’s loaded, and the rest comes without a touch', () =>
  browsing(
    async (page) => {
      await page.goto('/')
      await page.getByText('Join the conversation!').waitFor()
      await page.getByRole('region', { name: 'Cookie consent' }).waitFor()
      const { loadedAt, scripts } = await page.evaluate(() => {
        const loading = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
        const files = performance.getEntriesByType('resource')
        return {
          loadedAt: loading[0]?.loadEventStart ?? Number.NaN,
          scripts: files.flatMap(({ name, startTime }) =>
            name.endsWith('.js') ? [startTime] : [],
          ),
        }
      })
      expect(scripts.length).toBeGreaterThan(0)
      expect(Math.min(...scripts)).toBeGreaterThan(loadedAt)
    },
    { storageState: undefined },
  ))

test('vera switches to dark before the scripts are there', () =>
  browsing(async (page) => {
    const arrive = await holdBack(page, SCRIPTS)
    await page.goto('/about', { waitUntil: 'commit' })
    await page.getByRole('button', { name: 'Switch to dark mode' }).click()
    arrive()
    await page.locator('html.dark').waitFor()
    await page.getByRole('button', { name: 'Switch to light mode' }).waitFor()
  }))

test('a phone’s menu opens before the scripts are there, and the drawer once they are', () =>
  browsing(async (page) => {
    await page.setViewportSize({ width: 390, height: 844 })
    const arrive = await holdBack(page, SCRIPTS)
    await page.goto('/about', { waitUntil: 'commit' })
    const open = page.getByRole('button', { name: 'Open menu' })
    const menu = page.getByRole('navigation', { name: 'Quick menu' })
    await open.click()
    await menu.getByRole('link', { name: 'Companies' }).waitFor()
    arrive()
    await whenAlive(page)
    await open.click()
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Home' }).waitFor()
    expect(await menu.isVisible()).toBe(false)
  }))

test('a link and a search before the scripts are there lead where they should', () =>
  browsing(async (page) => {
    const arrive = await holdBack(page, SCRIPTS)
    await page.goto('/', { waitUntil: 'commit' })
    await page.getByRole('main').getByRole('link', { name: 'Browse all companies' }).click()
    await page.getByRole('heading', { level: 1, name: 'Companies' }).waitFor()
    const box = page.getByRole('main').getByRole('combobox', { name: 'Search companies' })
    await box.fill('lampwright')
    await box.press('Enter')
    await page.waitForURL(/search=lampwright/)
    arrive()
  }))

test('a vote counts even before the page knows who’s voting', () =>
  browsing(async (page) => {
    const arrive = await holdBack(page, SCRIPTS)
    await page.goto('/discussions', { waitUntil: 'commit' })
    const up = page
      .getByRole('main')
      .getByRole('button', { name: /^Upvote/ })
      .first()
    // It says that it can't be pressed yet, and people press it anyway.
    await up.click({ force: true })
    expect(await up.getAttribute('data-waits')).toBe('')
    const isStored = page.waitForResponse((answer) => /vote$/.test(answer.url()) && answer.ok())
    arrive()
    await isStored
    await expect.poll(() => up.getAttribute('aria-pressed')).toBe('true')
    expect(await up.getAttribute('data-waits')).toBeNull()
  }))

test('a thread sent before the scripts are there keeps everything typed', () =>
  browsing(async (page) => {
    const arrive = await holdBack(page, SCRIPTS)
    await page.goto('/create-thread', { waitUntil: 'commit' })
    await page.getByLabel('Title').fill('Does anybody else wait for the page?')
    await page.getByLabel('Text', { exact: true }).fill('I wrote this before anything was there.')
    await page.getByRole('button', { name: 'Post thread' }).click()
    arrive()
    await page
      .getByRole('heading', { level: 1, name: 'Does anybody else wait for the page?' })
      .waitFor()
    await page.getByText('I wrote this before anything was there.').waitFor()
  }))

test('the finder opens for a key pressed before the scripts are there', () =>
  browsing(async (page) => {
    const arrive = await holdBack(page, SCRIPTS)
    await page.goto('/about', { waitUntil: 'commit' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('/')
    arrive()
    await page.getByRole('dialog').getByRole('combobox').waitFor()
  }))

test('vera reads that her click is kept while she waits, and if the scripts don’t come', () =>
  browsing(
    async (page) => {
      const arrive = await holdBack(page, SCRIPTS)
      await page.goto('/discussions', { waitUntil: 'commit' })
      await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
      const news = page.getByRole('alert')
      await news.getByText('This is taking longer than usual. Your click still counts.').waitFor()
      arrive()
      await page.getByRole('dialog', { name: 'Welcome back' }).waitFor()
      expect(await news.count()).toBe(0)

      await page.unrouteAll()
      await page.route('**/assets/*.js', (route) => route.abort())
      await page.goto('/companies')
      await page.mouse.move(3, 3)
      await news.getByText('This page didn’t load completely.').waitFor()
    },
    { expected: /ERR_FAILED/ },
  ))

test('a form that comes late leaves the focus in the open dialog', () =>
  browsing(async (page) => {
    const arrive = await holdBack(page, '**/assets/rating-form*.js')
    await open(page, '/lampwright-systems?tab=ratings&rate=yes')
    await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
    const email = page.getByRole('dialog').getByLabel('Email')
    await email.fill('dana@kettle.example')
    arrive()
    await page.locator('#rate').waitFor({ state: 'attached' })
    await settled(page)
    expect(await email.evaluate((field) => field === document.activeElement)).toBe(true)
  }))
