/** People give what they're paid, change and remove it, and everyone reads numbers of ten people. */
import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { DEMO_PASSWORD } from '#app/identity/accounts/demo-people.server.ts'
import { publishPay } from '#app/ratings/pay/pay-publication.server.ts'
import { browsingOn, open, signIn } from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { payOf } from '../support/pay.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'
import { arrived, sendSoon } from './steps/rating-secret.ts'

const running = withSiteInBrowser(async () => ({ RATE_LIMITS: 'off' }))
const browsing = browsingOn(running, { expected: /status of (400|401|404)/ })

const PATH = '/nestle?tab=pay'
const list = (page: Page) => page.getByRole('list', { name: 'Your pay' })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
const stored = () =>
  running.world.db.query<object>(sql`
    select title, area, currency, base::integer, bonus::integer, version from pay_entries
     where currency = 'CHF' and area = 'CH/zurich'`)

test('dana gives her pay, changes it, and removes it', () =>
  browsing(async (page) => {
    await open(page, PATH)
    await signIn(page, 'dana@kettle.example', DEMO_PASSWORD)
    await page.getByText('Be one of the first ten').waitFor()
    await looksFine(page, 'pay-none')
    await page.getByRole('link', { name: 'Give your pay' }).click()
    await page.getByRole('combobox', { name: 'Your title' }).fill('sr. front-end dev')
    await page.getByRole('option', { name: 'Frontend engineer' }).click()
    await page.getByLabel('Country').selectOption('CH')
    await page.getByLabel('Area').selectOption('CH/zurich')
    await page.getByLabel('Currency').selectOption('CHF')
    await page.getByLabel('Base salary a year').fill('$ 6,200')
    await open(page, '/my-discussions?tab=drafts')
    await page.getByRole('link', { name: 'Your pay at Nestlé' }).click()
    await page.getByText('What you typed is still here').waitFor()
    await page.getByText('Frontend engineer').waitFor()
    expect(await page.getByLabel('Area').inputValue()).toBe('CH/zurich')
    await looksFine(page, 'pay-draft')
    await save(page)
    await page.getByText('Give all amounts in one currency').waitFor()
    await page.getByLabel('Base salary a year').fill('6,200')
    await save(page)
    await page.getByText(/Is CHF.6,200 a month/).waitFor()
    await looksFine(page, 'pay-form')
    await page.getByLabel('Base salary a year').fill('CHF 98’400')
    await page.getByLabel('Bonus a year').fill('5k')
    await save(page)
    await list(page).getByText('Sending…').waitFor()
    await sendSoon(page, PATH)
    await arrived(page)
    const given = { title: 'frontend-engineer', area: 'CH/zurich', currency: 'CHF' }
    expect(await stored()).toMatchObject([{ ...given, base: 98_000, bonus: 5_000 }])
    await list(page)
      .getByText(/Sent\./)
      .waitFor()
    await looksFine(page, 'pay-own')

    await list(page)
      .getByRole('link', { name: /Change/ })
      .click()
    await page.getByText('Frontend engineer').first().waitFor()
    await page.getByLabel('Base salary a year').fill('105000')
    await save(page)
    await sendSoon(page, PATH)
    await arrived(page)
    expect(await stored()).toMatchObject([{ ...given, base: 105_000 }])

    await open(page, '/my-discussions?tab=pay')
    await list(page)
      .getByText(/CHF.110,000/)
      .waitFor()
    await looksFine(page, 'pay-mine')
    await list(page)
      .getByRole('button', { name: /Remove/ })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove pay' }).click()
    await sendSoon(page, PATH)
    await arrived(page)
    expect(await stored()).toEqual([])
    await page.getByText('Be one of the first ten').waitFor()
  }))

test('a visitor reads what ten people earn, by title, area and company, and compares', async () => {
  const { db } = running.world
  const [nestle] = await db.query<{ id: string }>(
    sql`select id from companies where slug = 'nestle'`,
  )
  await payOf({ db }, nestle?.id as string, 14)
  await payOf({ db }, nestle?.id as string, 11, 'cook')
  await publishPay({ db, now: () => new Date() })
  await browsing(async (page) => {
    // The site learns of the publication a moment later.
    await expect
      .poll(async () => {
        await open(page, PATH)
        return page.getByRole('heading', { name: 'What people earn' }).count()
      })
      .toBe(1)
    await looksFine(page, 'pay-tab')
    await open(page, '/nestle')
    await looksFine(page, 'pay-glance')
    await page.setViewportSize({ width: 390, height: 844 })
    const glance = page.locator('main header').first()
    for (const shown of [/^Rated|^--/, /^Half earn between CHF/])
      expect((await glance.getByText(shown).first().boundingBox())?.y).toBeLessThan(500)
    await glance.getByRole('link', { name: /^Half earn between CHF/ }).click()
    const numbers = page.getByRole('heading', { name: 'What people earn' })
    await expect.poll(async () => (await numbers.boundingBox())?.y).toBeLessThan(200)
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByRole('combobox', { name: 'Job title' }).fill('nurse')
    await page.getByRole('option', { name: 'Nurse', exact: true }).click()
    await page.getByRole('heading', { name: 'Nurse' }).waitFor()
    await page.getByText('Show as a table').click()
    await page.getByRole('columnheader', { name: 'Three quarters' }).waitFor()
    await looksFine(page, 'pay-title')
    await page.getByRole('button', { name: 'Not Nurse' }).click()
    await page.getByRole('combobox', { name: 'Job title' }).fill('pilot')
    await page.getByRole('option', { name: 'Pilot' }).click()
    await page.getByText(/this is everyone at Nestlé/).waitFor()
    await looksFine(page, 'pay-wider')
    await page.getByRole('link', { name: 'What would I earn elsewhere?' }).click()
    await page.getByRole('combobox', { name: 'Job title' }).fill('pilot')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Pilot: what would I earn?' }).waitFor()
    await page.getByRole('link', { name: 'Find your company' }).waitFor()
    await looksFine(page, 'pay-earnings-none')
    await page.getByRole('button', { name: 'Not Pilot' }).click()
    await page.getByRole('combobox', { name: 'Job title' }).fill('nurse')
    await page.getByRole('option', { name: 'Nurse', exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Nurse: what would I earn?' }).waitFor()
    await page.getByRole('heading', { name: 'Bern, Switzerland' }).waitFor()
    await page.getByRole('link', { name: 'Nestlé' }).waitFor()
    await looksFine(page, 'pay-earnings')
    await page.keyboard.press('Control+k')
    const finder = page.getByRole('dialog', { name: 'Find anything' })
    await finder.getByRole('combobox').fill('pay nurse bern')
    await looksFine(page, 'pay-finder')
    await finder
      .getByRole('option', { name: 'Nurse in Bern, Switzerland: what would I earn?' })
      .click()
    await page.waitForURL('**/companies/pay?title=nurse&area=CH%2Fbern')
    await expect.poll(() => page.getByLabel('Where?').inputValue()).toBe('CH/bern')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('link', { name: 'Nestlé' }).click()
    await expect.poll(async () => (await page.locator('main nav').boundingBox())?.y).toBe(64)
    await open(page, '/companies?compare=nestle,lampwright-systems')
    await page.getByText('Median of all pay given for 2026').waitFor()
    const csv = await page.request.get(`/api/v1/companies/${nestle?.id}/pay.csv`)
    expect((await csv.text()).split('\r\n')[1]).toMatch(/^2026,,CHF,25,\d,/)
  })
})
