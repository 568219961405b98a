/** A company replies in its own name, under a thread and under a note, and everyone can read it. */
import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import {
  afterClickGuard,
  browsingOn,
  draftIsKept,
  open,
  signIn,
  toast,
} from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const running = withSiteInBrowser(async () => ({ RATE_LIMITS: 'off' }))
const browsing = browsingOn(running, { expected: /status of (400|401|409)/ })

let company: { id: string; name: string; slug: string }
let thread: string
beforeAll(async () => {
  const { db } = running.world
  const [found] = await db.query<{ id: string; name: string; slug: string; thread: string }>(sql`
    select company.id, company.name, company.slug, thread.id as thread
      from companies company join threads thread on thread.company_id = company.id
     where exists (select from public_ratings where company_id = company.id and note <> '')
       and not thread.is_locked and thread.comments > 1
     order by company.name_key, thread.id limit 1`)
  if (!found) throw new Error('The starter companies have no threads')
  ;({ thread, ...company } = found)
  await db.query(sql`delete from employer_claims`)
  await db.query(sql`
    insert into employer_claims (account_id, company_id, status)
    select account_id, ${company.id}, 'approved' from profiles where username = 'Erin'`)
})

const replied = (page: Page) =>
  page.getByRole('region', { name: `${company.name} replied` }).first()
const opener = (page: Page) =>
  page.getByRole('button', { name: `Reply as ${company.name}` }).first()
const editor = (page: Page) => page.getByLabel(`Reply as ${company.name}`)

test('erin replies to a thread for her company, edits the reply and removes it', async () => {
  await browsing(async (page) => {
    await open(page, `/thread/${thread}`)
    await signIn(page, 'erin')
    await opener(page).click()
    await editor(page).fill('Too short')
    await afterClickGuard(page)
    await page.getByRole('button', { name: 'Publish reply' }).click()
    await page.getByText('A reply needs at least 10 characters').waitFor()
    await editor(page).fill(
      'Thank you. **We have changed this** since spring: nobody has to come in on Fridays, and the desks are booked by whoever wants one. Write to [our people team](https://example.com) if yours says otherwise.',
    )
    // The draft is saved in this browser.
    await draftIsKept(page, 'our people team')
    await page.reload()
    await opener(page).click()
    await page.getByText('Draft restored').waitFor()
    await looksFine(page, 'composer')
    await page.getByRole('button', { name: 'Publish reply' }).click()
    await toast(page, 'Reply published').waitFor()
    await replied(page).getByText('We have changed this').waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('replied')
    await looksFine(page, 'thread-reply')
  })
  // It's in the server-rendered page, without the form.
  const html = await (await fetch(`${running.site.url}/thread/${thread}`)).text()
  expect(html).toContain('<strong>We have changed this</strong>')
  await browsing(
    async (page) => {
      await page.goto(`/thread/${thread}`)
      await replied(page).getByText('We have changed this').waitFor()
      expect(await opener(page).count()).toBe(0)
      expect(await replied(page).getByRole('button').count()).toBe(0)
    },
    { javaScriptEnabled: false },
  )
  await browsing(async (page) => {
    await open(page, `/thread/${thread}`)
    await signIn(page, 'erin')
    await replied(page).getByRole('button', { name: 'Edit this reply' }).click()
    await editor(page).fill('We were wrong, and say so now.')
    await page.getByRole('button', { name: 'Save reply' }).click()
    await toast(page, 'Reply saved').waitFor()
    await replied(page).getByText('We were wrong').waitFor()
  })
  await browsing(async (page) => {
    await open(page, `/thread/${thread}`)
    await replied(page).getByRole('button', { name: 'edited' }).click()
    const dialog = page.getByRole('dialog', { name: 'Earlier versions' })
    await dialog.getByText('We have changed this').waitFor()
    await looksFine(page, 'history')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await signIn(page, 'dana')
    await afterClickGuard(page)
    expect(
      await replied(page)
        .getByRole('button', { name: /Edit|Remove/ })
        .count(),
    ).toBe(0)
  })
  await browsing(async (page) => {
    await open(page, `/thread/${thread}`)
    await signIn(page, 'erin')
    await replied(page).getByRole('button', { name: 'Remove this reply' }).click()
    await page.getByRole('dialog', { name: 'Remove this reply?' }).waitFor()
    await afterClickGuard(page)
    await page.getByRole('button', { name: 'Remove reply' }).click()
    await toast(page, 'Reply removed').waitFor()
    await opener(page).waitFor()
  })
})

test('erin replies to a rating’s note, and the server renders that, too', async () => {
  await browsing(async (page) => {
    await open(page, `/${company.slug}?tab=ratings`)
    await signIn(page, 'erin')
    await opener(page).click()
    await editor(page).fill('We have new desks now, and they are better than the old ones.')
    await looksFine(page, 'note-composer')
    await page.getByRole('button', { name: 'Publish reply' }).click()
    await toast(page, 'Reply published').waitFor()
    await replied(page).getByText('We have new desks now').waitFor()
    await replied(page).scrollIntoViewIfNeeded()
    await looksFine(page, 'note-reply')
  })
  const html = await (await fetch(`${running.site.url}/${company.slug}?tab=ratings`)).text()
  expect(html).toContain('We have new desks now')
})
