/** People give their benefits, change and remove them, and everyone reads shares of five people. */
import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { DEMO_PASSWORD } from '#app/identity/accounts/demo-people.server.ts'
import { publishBenefits } from '#app/ratings/benefits/benefits-publication.server.ts'
import { aBenefits, benefitsOf } from '../support/benefits.ts'
import { afterClickGuard, browsingOn, draftIsKept, open, signIn } from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'
import { arrived, sendSoon } from './steps/rating-secret.ts'

const running = withSiteInBrowser(async () => ({ RATE_LIMITS: 'off' }))
const browsing = browsingOn(running, { expected: /status of (400|401|404)/ })

const PATH = '/nestle?tab=benefits'
const list = (page: Page) => page.getByRole('list', { name: 'Your list of benefits' })
const save = async (page: Page) => {
  await afterClickGuard(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
}
const stored = () =>
  running.world.db.query<object>(sql`
    select has, uses, leave_weeks as leave, days_off as days from benefit_entries entry
      join companies on companies.id = company_id and not demo
     where has is not null and entry.month > '2026-03-01'`)

test('dana gives her benefits, changes them, and removes them', () =>
  browsing(async (page) => {
    await open(page, PATH)
    await signIn(page, 'dana@kettle.example', DEMO_PASSWORD)
    await page.getByText('Be one of the first five').waitFor()
    await looksFine(page, 'benefits-none')
    await page.getByRole('link', { name: 'Give your benefits' }).click()
    await save(page)
    await page.getByText('Choose at least one benefit').waitFor()
    await page.getByLabel('Paid days off a year').fill('27.5')
    await save(page)
    await page.getByText('Write a whole number').waitFor()
    await page.getByLabel('Weeks of paid parental leave').fill('200')
    await page.getByLabel('Paid days off a year').fill('28')
    await save(page)
    await page.getByText('Give weeks, not days').waitFor()
    await page.getByLabel('Weeks of paid parental leave').fill('16')
    await page.getByLabel('Company pension', { exact: true }).check()
    await page.getByLabel('Flexible hours', { exact: true }).check()
    await page.getByLabel('I use it: Flexible hours').check()
    await looksFine(page, 'benefits-form')
    await draftIsKept(page, 'company-pension')
    await page.reload()
    await page.getByText('Not sent yet.').waitFor()
    await save(page)
    await list(page).getByText('Sending…').waitFor()
    await sendSoon(page, PATH)
    await arrived(page)
    const given = { has: ['company-pension', 'flexible-hours'], uses: ['flexible-hours'] }
    expect(await stored()).toEqual([{ ...given, leave: 16, days: 28 }])
    await list(page)
      .getByText(/Sent\./)
      .waitFor()
    await looksFine(page, 'benefits-own')

    await list(page)
      .getByRole('link', { name: /Change/ })
      .click()
    await page.getByLabel('Flexible hours', { exact: true }).uncheck()
    await page.getByLabel('Weeks of paid parental leave').fill('')
    await save(page)
    await sendSoon(page, PATH)
    await arrived(page)
    expect(await stored()).toEqual([{ has: ['company-pension'], uses: [], leave: null, days: 28 }])

    await open(page, '/my-discussions?tab=benefits')
    await list(page).getByText('1 benefit').waitFor()
    await looksFine(page, 'benefits-mine')
    await list(page)
      .getByRole('button', { name: /Remove/ })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove benefits' }).click()
    await sendSoon(page, PATH)
    await arrived(page)
    expect(await stored()).toEqual([])
    await page.getByText('Be one of the first five').waitFor()
  }))

test('a visitor reads what people get, compares, and suggests a missing benefit', async () => {
  const { db } = running.world
  const [nestle] = await db.query<{ id: string }>(
    sql`select id from companies where slug = 'nestle'`,
  )
  const id = nestle?.id as string
  await benefitsOf({ db }, id, 12)
  const has = ['meals-or-a-canteen', 'flexible-hours', 'health-insurance', 'training-budget']
  await benefitsOf({ db }, id, 8, aBenefits({ has }))
  await publishBenefits({ db, now: () => new Date() })
  await browsing(async (page) => {
    // The site hears of the publication a moment later.
    await expect
      .poll(async () => {
        await open(page, PATH)
        return page.getByRole('heading', { name: 'What people get' }).count()
      })
      .toBe(1)
    await page.getByText('Have it: nearly everyone. Use it: about half.').waitFor()
    await page.getByText('29 days').waitFor()
    await looksFine(page, 'benefits-tab')
    await page.getByText(/benefits that hardly anyone has/).click()
    await page.getByText(/Dogs welcome/).waitFor()
    await page.getByRole('button', { name: 'Suggest it' }).click()
    await expect
      .poll(() => page.getByRole('dialog').getByLabel('Message').inputValue())
      .toBe('The list of benefits should also have: ')
    await looksFine(page, 'benefits-suggestion')
    await open(page, '/companies?compare=nestle,lampwright-systems')
    await page.getByRole('rowheader', { name: 'Paid days off' }).waitFor()
    await open(page, '/lampwright-systems?tab=benefits')
    await page.getByRole('heading', { name: 'What people get' }).waitFor()
    await looksFine(page, 'benefits-demo')
  })
})
