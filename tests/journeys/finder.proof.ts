/** One box finds everything, from anywhere, on a phone and on a desktop. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { browsingOn, holdBack, open, signIn } from '../support/browsing.ts'
import { axeFinds, inTheme } from '../support/looks.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const running = withSiteInBrowser(async () => ({ RATE_LIMITS: 'off', ENABLE_JOBS: 'true' }))
const browsing = browsingOn(running)

const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 900 },
]

const finder = (page: Page) => page.getByRole('dialog', { name: 'Find anything' })
const box = (page: Page) => finder(page).getByRole('combobox')
const group = (page: Page, name: string) => finder(page).getByRole('group', { name })
const opener = (page: Page) =>
  page.getByRole('banner').getByLabel('Find anything').filter({ visible: true })

/** Types, and waits for the results. */
async function find(page: Page, text: string) {
  await box(page).fill(text)
  await finder(page)
    .getByRole('status')
    .filter({ hasText: /^\d+ results?$/ })
    .waitFor()
}

test.each(SIZES)(
  'at $width px vera finds a company, talk, a page and what she can do',
  (viewport) =>
    browsing(
      async (page) => {
        await open(page, '/about')
        await opener(page).click()
        expect(await box(page).evaluate((it) => it === document.activeElement)).toBe(true)
        for (const theme of ['light', 'dark'] as const) {
          await inTheme(page, theme)
          expect(await axeFinds(page)).toEqual([])
        }
        await find(page, 'lampwright')
        await group(page, 'Companies')
          .getByRole('option', { name: /Lampwright/ })
          .first()
          .waitFor()
        const actions = group(page, 'Actions')
        expect(
          await actions
            .getByRole('option', { name: 'Create a thread about Lampwright Systems' })
            .getAttribute('href'),
        ).toMatch(/^\/create-thread\?company=/)
        expect(
          await actions
            .getByRole('option', { name: 'Rate Lampwright Systems' })
            .getAttribute('href'),
        ).toBe('/lampwright-systems?tab=ratings&rate=yes')
        for (const theme of ['light', 'dark'] as const) {
          await inTheme(page, theme)
          if (process.env.SHOTS)
            await page.screenshot({
              path: `${process.env.SHOTS}/finder-${theme}-${viewport.width}.png`,
            })
          expect(await axeFinds(page)).toEqual([])
        }
        // Nothing overflows the screen.
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
        ).toBeLessThanOrEqual(0)

        await find(page, 'office')
        await group(page, 'Discussions').getByRole('option').first().waitFor()
        await find(page, 'privacy')
        await group(page, 'Pages').getByRole('option', { name: 'Privacy Policy' }).click()
        await page.waitForURL('**/privacy')
        await finder(page).waitFor({ state: 'detached' })
      },
      { viewport },
    ),
)

test('Enter opens the first result, arrows move the choice, and Escape closes and returns the focus', () =>
  browsing(async (page) => {
    await open(page, '/discussions')
    await page.keyboard.press('/')
    await expect.poll(() => box(page).evaluate((it) => it === document.activeElement)).toBe(true)
    // Faster than the response.
    await page.keyboard.type('lampwright')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/lampwright-systems')
    // One dialog at a time: the next opens once this one has closed.
    await finder(page).waitFor({ state: 'detached' })

    await opener(page).focus()
    await page.keyboard.press('Control+k')
    await find(page, 'lampwright')
    const first = await box(page).getAttribute('aria-activedescendant')
    await page.keyboard.press('ArrowDown')
    const second = await box(page).getAttribute('aria-activedescendant')
    expect(second).not.toBe(first)
    expect(await finder(page).locator('[aria-selected=true]').getAttribute('id')).toBe(second)
    await page.keyboard.press('ArrowUp')
    expect(await box(page).getAttribute('aria-activedescendant')).toBe(first)
    await page.keyboard.press('Escape')
    await finder(page).waitFor({ state: 'detached' })
    expect(await opener(page).evaluate((it) => it === document.activeElement)).toBe(true)
  }))

test('the keys open the finder before its code has loaded, and not where they mean something else', () =>
  browsing(async (page) => {
    const letCodeCome = await holdBack(page, /\/assets\/finder-.*\.js$/)
    await open(page, '/discussions')
    await page.keyboard.press('Control+k')
    // What is typed meanwhile is kept.
    await page.keyboard.type('lampx')
    await page.keyboard.press('Backspace')
    expect(await finder(page).count()).toBe(0)
    letCodeCome()
    await box(page).waitFor()
    expect(await box(page).inputValue()).toBe('lamp')
    await page.keyboard.type('w')
    expect(await box(page).inputValue()).toBe('lampw')
    await page.keyboard.press('Control+k')
    await finder(page).waitFor({ state: 'detached' })

    // In a text, "/" is a character, and Ctrl-K makes a link.
    await open(page, '/create-thread')
    const text = page.locator('textarea').first()
    await text.fill('word')
    await text.press('/')
    expect(await text.inputValue()).toBe('word/')
    await text.press('Control+k')
    expect(await text.inputValue()).toContain('](')
    expect(await finder(page).count()).toBe(0)
  }))

test.each([{ width: 390, height: 844 }, SIZES[1]])(
  'at $width px a company is two taps away, and layoffs lead to a topic, to threads and to a new one',
  (viewport) =>
    browsing(
      async (page) => {
        await open(page, '/about')
        await opener(page).click()
        // Nothing that no one asked for.
        await expect
          .poll(() => finder(page).getByRole('option').allTextContents())
          .toEqual(['My discussions'])
        await find(page, 'lampwright')
        const company = group(page, 'Companies').getByRole('option').first()
        expect(await company.textContent()).toMatch(/Lampwright Systems.*Rated \d\.\d out of 5/)
        await company.click()
        await page.waitForURL('**/lampwright-systems')
        // On a desktop, it's beside the company's head.
        await page
          .getByRole('main')
          .getByText(/Rated \d\.\d out of 5/)
          .filter({ visible: true })
          .first()
          .waitFor()

        await opener(page).click()
        await find(page, 'layoffs')
        await group(page, 'Topics').getByRole('option', { name: 'Layoffs' }).waitFor()
        await group(page, 'Discussions').getByRole('option').first().waitFor()
        expect(
          await finder(page)
            .getByRole('option', { name: /^Request/ })
            .count(),
        ).toBe(0)
        for (const theme of ['light', 'dark'] as const) {
          await inTheme(page, theme)
          if (process.env.SHOTS)
            await page.screenshot({
              path: `${process.env.SHOTS}/layoffs-${theme}-${viewport?.width}.png`,
            })
          expect(await axeFinds(page)).toEqual([])
        }
        await finder(page).getByRole('option', { name: 'Start a thread about “layoffs”' }).click()
        await page.waitForURL('**/create-thread')
        await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('layoffs')
      },
      { viewport },
    ),
)

test('an outdated search is aborted, and no address says what vera typed', () =>
  browsing(
    async (page) => {
      const addresses: string[] = []
      page.on('framenavigated', (frame) => addresses.push(frame.url()))
      await open(page, '/about')
      await page.keyboard.press('/')
      const aborted: string[] = []
      page.on('requestfailed', (request) => aborted.push(new URL(request.url()).search))
      let letGo = () => {}
      const held = new Promise<void>((done) => {
        letGo = done
      })
      await page.route('**/api/v1/companies/suggest?text=lam', async (route) => {
        await held
        await route.abort().catch(() => {})
      })
      const asked = page.waitForRequest('**/api/v1/companies/suggest?text=lam')
      await box(page).fill('lam')
      await asked
      expect(await finder(page).getByRole('status').textContent()).toBe('Searching...')
      await find(page, 'lampwright')
      expect(aborted).toContain('?text=lam')
      letGo()
      expect(addresses.join()).not.toContain('lam')
      expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('lam')
    },
    { expected: /Failed to load resource/ },
  ))

test('the finder says if nothing is found, if it failed, and if there’s no connection', () =>
  browsing(
    async (page) => {
      await open(page, '/about')
      await opener(page).click()
      await box(page).fill('qqzzxx')
      await finder(page).getByText('Nothing found for “qqzzxx”.').waitFor()
      // You can request what isn't here.
      await group(page, 'Actions').getByRole('option', { name: 'Request “qqzzxx”' }).click()
      const request = page.getByRole('dialog', { name: 'Request a Company' })
      expect(await request.getByLabel('Company Name').inputValue()).toBe('qqzzxx')
      await page.keyboard.press('Escape')
      await request.waitFor({ state: 'detached' })

      await opener(page).click()
      let isBroken = true
      await page.route('**/api/v1/threads?*', (route) =>
        isBroken
          ? route.fulfill({ status: 400, json: { error: { code: 'x', message: 'No' } } })
          : route.continue(),
      )
      await box(page).fill('office')
      await finder(page).getByRole('alert').getByText('Some results didn’t load.').waitFor()
      isBroken = false
      await finder(page).getByRole('button', { name: 'Try Again' }).click()
      await group(page, 'Discussions').getByRole('option').first().waitFor()

      await page.context().setOffline(true)
      await box(page).fill('about')
      await finder(page).getByRole('status').filter({ hasText: 'You’re offline' }).waitFor()
      await group(page, 'Pages').getByRole('option', { name: 'About Us' }).waitFor()
      await page.context().setOffline(false)
      await group(page, 'Actions').waitFor()
    },
    { expected: /status of 400|ERR_INTERNET_DISCONNECTED/ },
  ))

test('recent searches stay if preferences are allowed, and a button clears them', () =>
  browsing(async (page) => {
    await open(page, '/about')
    await page.evaluate(() => {
      localStorage.setItem('cookieConsent', 'accepted')
    })
    await open(page, '/about')
    await opener(page).click()
    await find(page, 'lampwright')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/lampwright-systems')
    await open(page, '/discussions')
    await opener(page).click()
    await group(page, 'Recent searches').getByRole('option', { name: 'lampwright' }).click()
    expect(await box(page).inputValue()).toBe('lampwright')
    await box(page).fill('')
    await finder(page).getByRole('button', { name: 'Clear recent searches' }).click()
    expect(await group(page, 'Recent searches').count()).toBe(0)
    expect(await page.evaluate(() => localStorage.getItem('recentSearches'))).toBe(null)
  }))

test('vera switches "/" off in the settings, and Ctrl-K stays', () =>
  browsing(async (page) => {
    await open(page, '/about')
    await page.keyboard.press('/')
    await finder(page).getByRole('link', { name: 'Settings' }).click()
    await finder(page).waitFor({ state: 'detached' })
    await page.getByLabel('Open the search with the “/” key').uncheck()
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('/')
    await page.keyboard.press('Control+k')
    await box(page).waitFor()
    expect(await box(page).inputValue()).toBe('')
  }))

test('Spec §6: erin, an employer, can’t search companies or discussions here, but finds jobs', () =>
  browsing(async (page) => {
    await open(page, '/about')
    await signIn(page, 'erin')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await opener(page).click()
    await box(page).fill('lampwright')
    await finder(page)
      .getByRole('status')
      .filter({ hasText: /result/ })
      .waitFor()
    expect(await group(page, 'Companies').count()).toBe(0)
    expect(asked).toContain('/api/v1/jobs')
    expect(asked).not.toContain('/api/v1/companies/suggest')
    expect(asked).not.toContain('/api/v1/threads')
    await box(page).fill('discussions')
    expect(
      await group(page, 'Pages').getByRole('option', { name: 'Discussions', exact: true }).count(),
    ).toBe(0)
  }))

test('ada finds the administrators’ pages, which vera doesn’t', () =>
  browsing(async (page) => {
    await open(page, '/about')
    await opener(page).click()
    await box(page).fill('moderation')
    await group(page, 'Actions').waitFor()
    expect(await page.getByRole('option', { name: /^Moderation/ }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await finder(page).waitFor({ state: 'detached' })
    await signIn(page, 'ada')
    await opener(page).click()
    await box(page).fill('moderation')
    await group(page, 'Pages')
      .getByRole('option', { name: /^Moderation/ })
      .waitFor()
  }))
