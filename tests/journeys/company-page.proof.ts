/** A company's page: its numbers next to what people say, its facts, and its tabs in the history. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { browsingOn, open, signIn, toast } from '../support/browsing.ts'
import { brokenWords, looksFine } from '../support/looks.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const running = withSiteInBrowser(async () => ({ RATE_LIMITS: 'off' }))
const browsing = browsingOn(running)

const PATH = '/lampwright-systems'
const PHONE = { width: 360, height: 740 }
const inShort = (page: Page) =>
  page.getByRole('complementary', { name: 'Lampwright Systems in short' })
const tabs = (page: Page) => page.getByRole('navigation', { name: 'About Lampwright Systems' })
const top = async (page: Page, of: string) =>
  (await page.locator(of).boundingBox())?.y ?? Number.NaN

test('the numbers stay beside the text on a desktop, and the tabs at hand on a phone', () =>
  browsing(async (page) => {
    await open(page, PATH)
    await inShort(page).getByText('Overall rating').waitFor()
    await inShort(page).getByRole('heading', { name: 'Other demo companies' }).waitFor()
    await page.mouse.wheel(0, 400)
    await expect.poll(() => top(page, 'aside')).toBe(88)
    await looksFine(page, 'company')

    await page.setViewportSize(PHONE)
    await open(page, PATH)
    expect(await top(page, '[aria-labelledby=rating]')).toBeLessThan(await top(page, 'main nav'))
    expect(await top(page, '[aria-labelledby=similar]')).toBeGreaterThan(
      await top(page, 'main nav'),
    )
    await page.evaluate(() => scrollTo(0, 1_500))
    await expect.poll(() => top(page, 'main nav')).toBe(64)
  }))

test('the rating at the top leads to the numbers on a phone, which say what they’re made of', () =>
  browsing(async (page) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open(page, PATH)
    const head = page.locator('main header').first()
    await head.getByText('19 people say they go in 3.6 days a week').waitFor()
    await head.getByRole('link', { name: '25 ratings' }).click()
    await page.getByRole('heading', { name: 'How people rate it' }).waitFor()
    await expect.poll(() => top(page, '#ratings')).toBeLessThan(200)
    expect(await top(page, '#ratings')).toBeGreaterThan(64)

    await page.locator('#trend').getByText('First rated in April 2025.').waitFor()
    await page.locator('#trend').getByText('Show as a table').click()
    await page.getByText('How this number is made').click()
    await page.getByText('weight × sum of averages, added up').waitFor()
    for (const table of await page.locator('main table').all())
      expect(await table.evaluate(brokenWords)).toEqual([])
    for (const id of ['by-connection', 'by-era'])
      await page.locator(`#${id}`).getByText('The others didn’t say').waitFor()
    await looksFine(page, 'company-recipe')
  }))

test('a suggestion on a phone wraps a name between its words', () =>
  browsing(async (page) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open(page, '/')
    await page.getByRole('main').getByRole('combobox').fill('lamp')
    const found = page.getByRole('option', { name: /Lampwright Systems/ })
    await found.waitFor()
    expect(await found.evaluate(brokenWords)).toEqual([])
  }))

test('each tab is an entry in the browser’s history', () =>
  browsing(async (page) => {
    await open(page, PATH)
    await tabs(page).getByRole('link', { name: 'Ratings' }).click()
    await page.getByRole('heading', { name: 'How people rate it' }).waitFor()
    await tabs(page).getByRole('link', { name: 'About' }).click()
    await page.getByText('On this site since').waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'How people rate it' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'What people say' }).waitFor()
  }))

test.each([
  ['on a phone', PHONE],
  ['on a laptop', { width: 1280, height: 800 }],
])('a chosen tab begins at the top %s, and Back leads to where vera was', (_, viewport) =>
  browsing(async (page) => {
    await page.setViewportSize(viewport)
    await open(page, PATH)
    const link = tabs(page).getByRole('link', { name: 'Ratings' })
    await link.scrollIntoViewIfNeeded()
    const before = await page.evaluate(() => scrollY)
    await link.click()
    await page.getByRole('heading', { name: 'How people rate it' }).waitFor()
    await expect.poll(() => top(page, 'main nav')).toBeLessThan(200)
    expect(await top(page, 'main nav')).toBeGreaterThanOrEqual(64)
    expect(await link.evaluate((it) => it === document.activeElement)).toBe(true)
    await page.goBack()
    await page.getByRole('heading', { name: 'What people say' }).waitFor()
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(before)
  }),
)

test('a tab opened by its address or without JavaScript begins at the top on a phone', async () => {
  const options = { viewport: PHONE }
  await browsing(async (page) => {
    await page.goto(`${PATH}?tab=about`)
    await expect.poll(() => top(page, 'main nav')).toBe(64)
    await page.evaluate(() => scrollTo(0, 0))
    await page.reload()
    expect(await page.evaluate(() => scrollY)).toBe(0)
  }, options)
  await browsing(
    async (page) => {
      await page.goto(PATH)
      await tabs(page).getByRole('link', { name: 'About' }).click()
      await page.getByText('On this site since').waitFor()
      await expect.poll(() => top(page, 'main nav')).toBe(64)
    },
    { ...options, javaScriptEnabled: false },
  )
})

test('stars show everyone’s shares, the means appear once, and notes can be sorted', () =>
  browsing(async (page) => {
    await open(page, `${PATH}?tab=ratings`)
    const stars = page.getByRole('heading', { name: 'Company Culture' }).locator('..')
    const shares = (await stars.textContent())
      ?.match(/\d+%(?=,)/g)
      ?.map((text) => Number.parseInt(text, 10))
    expect(shares).toHaveLength(5)
    expect(Math.abs((shares ?? []).reduce((sum, share) => sum + share, 0) - 100)).toBeLessThan(4)
    // A similar company may have the same mean.
    const means = page.getByText('Rated 2.8 out of 5').and(page.locator(':not(li *)'))
    expect(await means.filter({ visible: true }).count()).toBe(1)

    const helpful = async () =>
      (await page.getByRole('button', { name: /^Helpful/ }).allTextContents()).map((text) =>
        Number(text.replace(/\D/g, '')),
      )
    await page.getByLabel('Order').selectOption('helpful')
    await expect
      .poll(async () => {
        const counts = await helpful()
        return counts.length > 1 && counts.every((count, at) => count <= (counts[at - 1] ?? count))
      })
      .toBe(true)
    await page.getByLabel('Written by').selectOption('candidate')
    const notes = page.locator('[aria-labelledby=notes] article')
    await expect
      .poll(async () =>
        (await notes.allTextContents()).every((text) => text.includes('Interviewed')),
      )
      .toBe(true)
    await looksFine(page, 'company-ratings')
  }))

test('the five questions to ask before signing, each with its number, fit on one sheet of paper', () =>
  browsing(async (page) => {
    await open(page, PATH)
    await inShort(page)
      .getByRole('link', { name: /^Before you sign/ })
      .click()
    const sheet = page.getByRole('region', { name: 'Before you sign' })
    await sheet.waitFor()
    await expect.poll(() => top(page, '#before-you-sign')).toBeLessThan(200)
    const questions = sheet.getByRole('list').first().getByRole('listitem')
    expect(await questions.count()).toBe(5)
    // Each number is where its link leads.
    for (const href of await questions
      .getByRole('link')
      .evaluateAll((all) => all.map((it) => it.getAttribute('href') ?? ''))) {
      const [, anchor] = href.split('#')
      if (anchor) expect(await page.locator(`[id="${anchor}"]`).count(), href).toBe(1)
      else expect(href).toMatch(/^\/discussions\?company=/)
    }
    await page.context().grantPermissions(['clipboard-write'])
    await sheet.getByRole('button', { name: 'Copy' }).click()
    await toast(page, 'Questions copied').waitFor()
    await sheet.getByText('How we choose these').click()
    await sheet.getByText('The days people report differ').waitFor()
    await looksFine(page, 'before-you-sign')

    await page.evaluate(() => {
      window.print = () => {}
    })
    await sheet.getByRole('button', { name: 'Print' }).click()
    await page.emulateMedia({ media: 'print' })
    await sheet.getByText(/^Questions for Lampwright Systems, \d/).waitFor()
    expect(await page.getByRole('heading', { name: 'How people rate it' }).isVisible()).toBe(false)
    const paper = await page.pdf({ format: 'A4', margin: { top: '10mm', bottom: '10mm' } })
    expect(paper.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1)

    await page.emulateMedia({ media: 'screen' })
    await open(page, '/nestle?tab=ratings')
    await sheet
      .getByText(/We don’t know enough about this company yet, so these fit any\.$/)
      .waitFor()
    await looksFine(page, 'before-you-sign-unrated')
  }))

test('ada adds facts, which show at the top, and a new name finds the company', () =>
  browsing(async (page) => {
    await open(page, PATH)
    await signIn(page, 'ada')
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Other names').fill('Brightlamp')
    await page.getByLabel('Headquarters').fill('Bergen')
    await page.getByLabel('Country').selectOption('NO')
    await page.getByLabel('Size').selectOption('51-200')
    await page.getByLabel('Founded').fill('soon')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The founding year must be a year').waitFor()
    await page.getByLabel('Founded').fill('1987')
    await looksFine(page, 'company-edit')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await toast(page, 'Company saved').waitFor()
    const head = page.locator('main header').first()
    for (const fact of ['Bergen, Norway', '51 to 200 people', 'Founded 1987'])
      await head.getByText(fact).waitFor()
    await looksFine(page, 'company-facts')
    await open(page, '/companies?search=brightlamp')
    await page.getByRole('article').getByRole('link', { name: 'Lampwright Systems' }).waitFor()
  }))

test('a visitor shares a company from its top, and compares it', () =>
  browsing(async (page) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await open(page, PATH)
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await toast(page, 'Link copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
      /\/lampwright-systems$/,
    )
    await page.getByRole('link', { name: 'Compare', exact: true }).click()
    await page
      .getByRole('status')
      .filter({ hasText: 'Lampwright Systems selected. Add one more to compare.' })
      .waitFor()
    expect(new URL(page.url()).searchParams.get('pick')).toBe('lampwright-systems')
    await looksFine(page, 'compare-picked')

    await page.setViewportSize({ width: 390, height: 844 })
    await page
      .getByRole('button', { name: /^Compare / })
      .nth(8)
      .click()
    await page.getByRole('link', { name: 'Compare', exact: true }).click()
    const names = page.getByRole('columnheader')
    await names.last().waitFor()
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
    await looksFine(page, 'compare')
    await page.setViewportSize({ width: 390, height: 500 })
    await page.getByRole('rowheader').last().scrollIntoViewIfNeeded()
    for (const it of await names.all()) {
      const box = await it.boundingBox()
      expect(box?.y).toBe(64)
      expect((box?.x ?? Number.NaN) + (box?.width ?? Number.NaN)).toBeLessThanOrEqual(390)
    }
  }))

test('a visitor narrows the list by filters, and finds its categories by typing', () =>
  browsing(async (page) => {
    await open(page, '/companies')
    await page.getByText('Filters', { exact: true }).click()
    await page.getByLabel('Rated').check()
    await page.getByText('Filters (1)').waitFor()
    expect(new URL(page.url()).search).toBe('?rated=yes')
    const all = page.getByRole('article')
    await expect
      .poll(async () =>
        (await all.allTextContents()).every((text) => !text.includes('Be the first')),
      )
      .toBe(true)
    await page.getByLabel('Country').selectOption('IS')
    await page.getByText('No companies found matching your search.').waitFor()
    await page.getByText('Try fewer filters, other words, or another category.').waitFor()
    await page.goBack()
    await all.first().waitFor()
    await looksFine(page, 'company-filters')
    await page.getByLabel('Find a category').fill('bank')
    await page
      .getByRole('navigation', { name: 'Categories' })
      .getByRole('link', { name: /^Banking/ })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Companies in Banking' }).waitFor()
    await page.setViewportSize(PHONE)
    await page.getByLabel('Category', { exact: true }).fill('Retail')
    await page.getByRole('heading', { level: 1, name: 'Companies in Retail' }).waitFor()
  }))
