/** Erin's first visit to her company's dashboard, right after Ada approves her claim, and before anything is counted. */
import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { afterClickGuard, browsingOn, open, signIn, toast } from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const running = withSiteInBrowser(async () => ({ RATE_LIMITS: 'off', ENABLE_JOBS: 'true' }))
const browsing = browsingOn(running)

/** A claim of Erin's on this company alone. */
async function claim(company: string, status: 'pending' | 'approved') {
  const { db } = running.world
  await db.query(sql`delete from employer_claims`)
  await db.query(sql`
    insert into employer_claims (account_id, company_id, status, method, domain, is_verified)
    select account_id, company.id, ${status}, 'dns',
           case when ${status === 'pending'} then company_site(website) end, true
      from profiles, companies company where username = 'Erin' and company.name = ${company}`)
}

const times = async (page: Page, text: string) =>
  ((await page.getByRole('main').textContent()) ?? '').split(text).length - 1

async function visit(page: Page) {
  await open(page, '/about')
  await signIn(page, 'erin')
  await open(page, '/dashboard')
  await page.getByRole('heading', { name: /protect/ }).waitFor()
}

test('ada approves erin’s claim → erin’s first visit shows real numbers, and one sentence names the others', async () => {
  await claim('Lampwright Systems', 'pending')
  await browsing(async (ada) => {
    await open(ada, '/about')
    await signIn(ada, 'ada')
    await open(ada, '/admin?section=claims')
    await ada.getByRole('button', { name: /^Approve: .* for Lampwright/ }).click()
    await afterClickGuard(ada)
    await ada.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await toast(ada, 'Approved for Lampwright Systems').waitFor()
  })
  const { db } = running.world
  await expect
    .poll(() => db.query(sql`select from dashboard_counts where counted_week is not null`))
    .toHaveLength(1)
  await browsing(async (erin) => {
    await visit(erin)
    await erin.getByText('Updated weekly.').waitFor()
    await erin.getByRole('heading', { name: 'Ratings over time' }).waitFor()
    expect(await times(erin, 'We don’t show')).toBe(1)
    expect(await times(erin, 'within an hour')).toBe(0)
    await looksFine(erin, 'dashboard-first')
    await erin.getByLabel('Category').selectOption('dei')
    await looksFine(erin, 'dashboard-category')
  })
})

test('before the first count, erin reads once when it comes, and sees examples', async () => {
  await claim('404 Umbrellas', 'approved')
  await browsing(async (erin) => {
    await visit(erin)
    expect(await times(erin, 'within an hour')).toBe(1)
    expect(await times(erin, 'made up')).toBe(1)
    await looksFine(erin, 'dashboard-before')
  })
})

test('with fewer than five people everywhere, erin reads one sentence', async () => {
  await claim('Nestlé', 'pending')
  const { db } = running.world
  await db.query(sql`update employer_claims set status = 'approved', domain = null`)
  await db.query(sql`
    insert into dashboard_counts (company_id, counted_week, counted_on)
    select company_id, '2026-01-05', '2026-01-13' from employer_claims`)
  await browsing(async (erin) => {
    await visit(erin)
    expect(await times(erin, 'fewer than five people.')).toBe(1)
    expect(await times(erin, 'made up')).toBe(1)
    await looksFine(erin, 'dashboard-few')
  })
})
