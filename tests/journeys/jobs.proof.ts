/**
 * Erin posts a job for her company. dana finds it, saves it, and is notified of the next one. Where jobs are switched off,
 * none of that exists.
 */
import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import { afterClickGuard, browsingOn, open, settled, signIn, toast } from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { startSite } from '../support/server.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const COMPANY = 'Lampwright Systems'

const running = withSiteInBrowser(async () => ({ RATE_LIMITS: 'off', ENABLE_JOBS: 'true' }))
const browsing = browsingOn(running, { expected: /status of (400|401|404|409)/ })

let companyId: string
beforeAll(async () => {
  const { db } = running.world
  const [found] = await db.query<{ id: string }>(sql`
    update companies set website = 'https://www.lampwright-systems.com' where name = ${COMPANY}
    returning id`)
  companyId = found?.id as string
  await db.query(sql`delete from employer_claims`)
  await db.query(sql`
    insert into employer_claims (account_id, company_id, status)
    select account_id, ${companyId}, 'approved' from profiles where username = 'Erin'`)
})

const textOf = async (address: string) => (await fetch(address)).text()

const asErin = (work: (page: Page) => Promise<void>) =>
  browsing(async (page) => {
    await open(page, '/about')
    await signIn(page, 'erin')
    await work(page)
  })

async function postJob(page: Page, title: string) {
  await open(page, `/post-job?company=${companyId}&new=1`)
  await page.getByLabel('Title').fill(title)
  await page.getByRole('radio', { name: 'Remote' }).check({ force: true })
  await page
    .getByLabel('Description')
    .fill('You keep the lamps of a small town alight, with two colleagues and **no pager**.')
  await page.getByLabel('From').fill('70000')
  await page.getByLabel('To', { exact: true }).fill('60000')
  await page.getByLabel('Currency').fill('EUR')
  await page.getByLabel('Application page').fill('https://www.lampwright-systems.com/jobs')
  await afterClickGuard(page)
  await page.getByRole('button', { name: 'Post job' }).click()
  await page.getByText('The maximum salary is below the minimum').first().waitFor()
  await page.getByLabel('To', { exact: true }).fill('90000')
  await afterClickGuard(page)
  await page.getByRole('button', { name: 'Post job' }).click()
  await toast(page, 'Job posted').waitFor()
}

/** Erin posts a job, but can't post one whose maximum pay is below its minimum. */
const post = () =>
  asErin(async (page) => {
    await postJob(page, 'Keeper of lamps')
    await page.getByRole('heading', { level: 1, name: 'Keeper of lamps' }).waitFor()
    // Rendered on the server alone.
    await page.reload()
    const data = await page.locator('script[type="application/ld+json"]').first().textContent()
    expect(JSON.parse(data ?? '')).toMatchObject({ '@type': 'JobPosting' })
    await looksFine(page, 'job')
    await open(page, '/post-job')
    await page.getByRole('article').filter({ hasText: 'Keeper of lamps' }).waitFor()
    await looksFine(page, 'own-jobs')
  })

/** Dana finds it by salary and remote work, saves it, and is notified of the next one. */
const find = async () => {
  await browsing(async (page) => {
    await open(page, '/jobs')
    await signIn(page, 'dana')
    await page.getByLabel('Work location').selectOption('remote')
    await page.getByLabel('Currency').selectOption('EUR')
    await page.getByLabel('Amount').fill('80k')
    await page.keyboard.press('Enter')
    await page.waitForURL(/salary=80000/)
    const row = page.getByRole('article').filter({ hasText: 'Keeper of lamps' })
    await row.waitFor()
    await looksFine(page, 'jobs')
    await row.getByRole('button', { name: /Save/ }).click()
    await row.getByRole('button', { name: /Save/, pressed: true }).waitFor()
    await page.getByRole('button', { name: 'Create alert' }).click()
    await toast(page, 'Alert created').waitFor()
    await page.getByLabel('Amount').fill('95k')
    await page.keyboard.press('Enter')
    await page.waitForURL(/salary=95000/)
    await row.waitFor({ state: 'detached' })
    await open(page, '/jobs?saved=1')
    await row.waitFor()
    await looksFine(page, 'saved')
  })
  await asErin((page) => postJob(page, 'Keeper of lanterns'))
  await browsing(async (page) => {
    await open(page, '/about')
    await signIn(page, 'dana')
    // Notifications follow the post by a moment, and this page loads them when it opens.
    const news = page.getByRole('main').getByText(/New job at/)
    await expect
      .poll(
        async () => {
          await open(page, '/notifications')
          return news.waitFor({ timeout: 2_000 }).then(
            () => true,
            () => false,
          )
        },
        { interval: 500 },
      )
      .toBe(true)
    await page
      .getByRole('main')
      .getByRole('link', { name: 'Keeper of lanterns', exact: true })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Keeper of lanterns' }).waitFor()
    await open(page, '/alerts')
    await page.getByRole('button', { name: /Delete the alert/ }).waitFor()
    await looksFine(page, 'alerts')
  })
}

/** Home shows recent jobs, and the company has a tab for them. */
const show = () =>
  browsing(async (page) => {
    await open(page, '/')
    await page.getByRole('heading', { name: 'Recent jobs' }).waitFor()
    await page.getByRole('link', { name: 'Keeper of lanterns' }).waitFor()
    await looksFine(page, 'home-jobs')
    await open(page, '/lampwright-systems?tab=jobs')
    await page.getByRole('link', { name: 'Keeper of lamps' }).waitFor()
    await looksFine(page, 'company-jobs')
  })

/** Spec §1: with enableJobs off, the default, there's no trace of them. */
const switchOff = async () => {
  const site = await startSite({ env: running.world.env })
  try {
    for (const path of [
      '/jobs',
      `/jobs/${companyId}`,
      '/post-job',
      '/api/v1/jobs',
      '/api/v1/my/job-alerts',
    ])
      expect((await fetch(site.url + path)).status, path).toBe(404)
    for (const path of ['/', '/lampwright-systems', '/lampwright-systems?tab=jobs', '/alerts'])
      expect(
        /Keeper of|"\/jobs|tab=jobs"|post-job"/.test(await textOf(site.url + path)),
        path,
      ).toBe(false)
    await browsingOn({ ...running, site })(async (page) => {
      await open(page, '/')
      await signIn(page, 'dana')
      await page.evaluate(() => fetch('/robots.txt'))
      await settled(page)
      expect(await page.getByText(/Keeper of/).count()).toBe(0)
      await open(page, '/notifications')
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.evaluate(() => fetch('/robots.txt'))
      await settled(page)
      expect(await page.getByText(/new job/).count()).toBe(0)
    })
  } finally {
    await site.stop()
  }
}

test('erin posts a job, dana finds it and hears of the next one; switched off, no job is there', async () => {
  for (const step of [post, find, show, switchOff]) await step()
})
