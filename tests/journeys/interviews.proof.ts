/** People give interviews, change and remove them. Everyone reads them, votes and reports, and the company replies. */
import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { DEMO_PASSWORD } from '#app/identity/accounts/demo-people.server.ts'
import { LEAK_ADVICE } from '#app/kit/writing/leak-guard.ts'
import { publishInterviews } from '#app/ratings/interviews/interview-publication.server.ts'
import { browsingOn, draftIsKept, open, signIn } from '../support/browsing.ts'
import { interviewsOf } from '../support/interviews.ts'
import { looksFine } from '../support/looks.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'
import { arrived, sendSoon } from './steps/rating-secret.ts'

const running = withSiteInBrowser(async () => ({ RATE_LIMITS: 'off' }))
const browsing = browsingOn(running, { expected: /status of (400|401|404)/ })

const PATH = '/nestle?tab=interviews'
const list = (page: Page) => page.getByRole('list', { name: 'Your interview' })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
const choose = (page: Page, group: string, name: string) =>
  page.getByRole('group', { name: group }).getByText(name, { exact: true }).click()
const text = (page: Page) => page.getByLabel('What did they ask?')
const stored = () =>
  running.world.db.query<object>(sql`
    select steps, weeks, has_offer as "hasOffer", difficulty, feeling, note from interviews
     where steps is not null and company_id = (select id from companies where slug = 'nestle')`)

test('dana gives her interview, changes it, and removes it', () =>
  browsing(async (page) => {
    await open(page, PATH)
    await signIn(page, 'dana@kettle.example', DEMO_PASSWORD)
    await page.getByText('No interviews yet').waitFor()
    await looksFine(page, 'interviews-none')
    await page.getByRole('link', { name: 'Give your interview' }).click()
    await page.getByLabel('Weeks from the first contact').fill('a month')
    await save(page)
    await page.getByText('Write how many weeks it took').waitFor()
    await page.getByText('Choose at least one step').waitFor()
    await text(page).fill('My manager, Marianne Oberholzer, asked about a broken kettle.')
    await page.getByText(LEAK_ADVICE.colleague).waitFor()
    await looksFine(page, 'interviews-form')
    await text(page).fill('What would you do with a **broken kettle**?')
    await page.getByLabel('Weeks from the first contact').fill('4')
    await choose(page, 'Which steps were there?', 'Task at home')
    await choose(page, 'Which steps were there?', 'Phone call')
    await choose(page, 'Did you get an offer?', 'No')
    await choose(page, 'How hard was it?', 'Hard')
    await choose(page, 'How did it feel?', 'Good')
    await draftIsKept(page, 'broken kettle')
    await page.reload()
    await page.getByText('Not sent yet.').waitFor()
    await save(page)
    await list(page).getByText('Sending…').waitFor()
    await sendSoon(page, PATH)
    await arrived(page)
    const given = { steps: ['phone', 'task'], hasOffer: false, difficulty: 4, feeling: 4 }
    expect(await stored()).toMatchObject([{ ...given, weeks: 4 }])
    await list(page)
      .getByText(/Sent\./)
      .waitFor()
    await looksFine(page, 'interviews-own')

    await list(page)
      .getByRole('link', { name: /Change/ })
      .click()
    await page.getByLabel('Weeks from the first contact').fill('6')
    await save(page)
    await sendSoon(page, PATH)
    await arrived(page)
    expect(await stored()).toMatchObject([{ ...given, weeks: 6 }])

    await open(page, '/my-discussions?tab=interviews')
    await list(page).getByText('no offer, 6 weeks').waitFor()
    await looksFine(page, 'interviews-mine')
    await list(page)
      .getByRole('button', { name: /Remove/ })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove interview' }).click()
    await sendSoon(page, PATH)
    await arrived(page)
    expect(await stored()).toEqual([])
    await page.getByText('No interviews yet').waitFor()
  }))

test('vera reads what interviews are like, finds one helpful and reports one, and erin replies', async () => {
  const { db } = running.world
  const [nestle] = await db.query<{ id: string }>(
    sql`select id from companies where slug = 'nestle'`,
  )
  await interviewsOf({ db }, nestle?.id as string, 23)
  await publishInterviews({ db, now: () => new Date(), events: [] } as never)
  await db.query(sql`delete from employer_claims`)
  await db.query(sql`
    insert into employer_claims (account_id, company_id, status)
    select account_id, ${nestle?.id}, 'approved' from profiles where username = 'Erin'`)
  await browsing(async (page) => {
    // The site hears of the publication a moment later.
    await expect
      .poll(async () => {
        await open(page, PATH)
        return page.getByText('Got an offer').count()
      })
      .toBe(1)
    await page.getByText('From 23 interviews').waitFor()
    await looksFine(page, 'interviews-tab')
    await page.getByRole('button', { name: 'Load more' }).click()
    await expect.poll(() => page.getByRole('article').count()).toBe(23)
    await page.getByRole('button', { name: 'Helpful, interview 23' }).click()
    await page.getByRole('button', { name: 'Helpful, interview 23, 1 vote' }).waitFor()
    await page.getByLabel('Order').selectOption('Most helpful')
    await page.getByRole('button', { name: /Report this interview, number 1$/ }).click()
    await page.getByRole('dialog').waitFor()
  })
  await browsing(async (page) => {
    await open(page, PATH)
    await signIn(page, 'erin@kettle.example', DEMO_PASSWORD)
    await page.getByRole('button', { name: 'Reply as Nestlé' }).first().click()
    await page.getByLabel('Reply as Nestlé').fill('We ask that in every interview, sorry.')
    await page.getByRole('button', { name: 'Publish reply' }).click()
    await page.getByRole('region', { name: 'Nestlé replied' }).waitFor()
    await looksFine(page, 'interviews-replied')
  })
})
