/**
 * Petra comes to act for a company: she claims it from its page, ada approves, she replies and posts a job;
 * dana finds it, saves it, and hears of the next one. Petra hands the company over to quentin, and leaves.
 * Where jobs are switched off, nothing of them is there.
 */
import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  afterClickGuard,
  browsingOn,
  open,
  signIn,
  toast,
  userButton,
} from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { startSite } from '../support/server.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const COMPANY = 'Lampwright Systems'
const PETRA = { email: 'petra@people.example', password: 'correct horse 9' }
const QUENTIN = { email: 'quentin@elsewhere.example', password: 'correct horse 9' }
const WORK_EMAIL = 'petra@lampwright-systems.com'

let mail: MailServer | undefined
afterAll(async () => {
  await mail?.stop()
})
const running = withSiteInBrowser(async () => {
  mail = await startMailServer()
  return { SMTP_URL: mail.url, AUTH_AUTOCONFIRM: 'true', RATE_LIMITS: 'off', ENABLE_JOBS: 'true' }
})
const browsing = browsingOn(running, { expected: /status of (400|401|404|409)/ })

let companyId: string
let thread: string
beforeAll(async () => {
  for (const [username, person] of Object.entries({ Petra: PETRA, Quentin: QUENTIN })) {
    const answer = await fetch(`${running.site.url}/auth/v1/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...person, data: { username } }),
    })
    expect(answer.status).toBe(200)
  }
  const { db } = running.world
  await db.query(sql`update accounts set is_email_confirmed = true`)
  const [found] = await db.query<{ id: string; thread: string }>(sql`
    update companies set website = 'https://www.lampwright-systems.com' where name = ${COMPANY}
    returning id, (select id from threads where company_id = companies.id and not is_locked
                    order by id limit 1) as thread`)
  companyId = found?.id as string
  thread = found?.thread as string
})

const textOf = async (address: string) => (await fetch(address)).text()

const asPerson = ({ email, password }: typeof PETRA, work: (page: Page) => Promise<void>) =>
  browsing(async (page) => {
    await open(page, '/about')
    await signIn(page, email, password)
    await work(page)
  })
const asPetra = (work: (page: Page) => Promise<void>) => asPerson(PETRA, work)
const asQuentin = (work: (page: Page) => Promise<void>) => asPerson(QUENTIN, work)

/** Petra claims the company by her work email, and a free-mail address will not do. */
const claim = () =>
  asPetra(async (page) => {
    await open(page, '/lampwright-systems')
    await page.getByRole('link', { name: 'Is this your company?' }).click()
    await page.getByRole('button', { name: `Not ${COMPANY}` }).click()
    await page.getByRole('combobox', { name: 'Company' }).fill('lampwright')
    await page.getByRole('option', { name: COMPANY }).click()
    await page.getByRole('textbox', { name: 'Work email' }).fill('petra@gmail.com')
    await afterClickGuard(page)
    await page.getByRole('button', { name: 'Send claim' }).click()
    await page
      .getByText(/Anybody can have an address at gmail.com/)
      .first()
      .waitFor()
    await looksFine(page, 'claim')
    await page.getByRole('textbox', { name: 'Work email' }).fill(WORK_EMAIL)
    await page.getByRole('button', { name: 'Send claim' }).click()
    await toast(page, 'Check your work email').waitFor()

    const sent = await mail?.next(({ to }) => to.includes(WORK_EMAIL))
    const link = sent?.links.find((it) => it.includes('/claims/confirm')) as string
    // What a scanner of mails does uses nothing up.
    expect((await fetch(link)).status).toBe(200)
    await page.goto(link)
    await page.getByRole('button', { name: 'Confirm my work email' }).click()
    await page.getByRole('heading', { name: 'Your work email is confirmed' }).waitFor()
  })

/** Ada approves it in the panel, and petra hears of it. */
const approve = async () => {
  await browsing(async (page) => {
    await open(page, '/about')
    await signIn(page, 'ada')
    await open(page, '/admin?section=claims')
    await page.getByText('p…@lampwright-systems.com').waitFor()
    expect(await page.content()).not.toContain(WORK_EMAIL)
    await looksFine(page, 'review')
    await page.getByRole('button', { name: /^Approve: .* for Lampwright/ }).click()
    await afterClickGuard(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await toast(page, `Approved for ${COMPANY}`).waitFor()
  })
  await mail?.next(({ subject }) => subject.startsWith(`You act for ${COMPANY}`))
}

/** Petra replies as the company, and opens its dashboard. */
const reply = () =>
  asPetra(async (page) => {
    await open(page, `/thread/${thread}`)
    await page.getByRole('button', { name: `Reply as ${COMPANY}` }).click()
    await page
      .getByLabel(`Reply as ${COMPANY}`)
      .fill('Thank you for saying so. Nobody has to come in on Fridays any more.')
    await afterClickGuard(page)
    await page.getByRole('button', { name: 'Publish reply' }).click()
    await toast(page, 'Your reply is published').waitFor()
    await page
      .getByRole('region', { name: `${COMPANY} replied` })
      .first()
      .waitFor()
    await userButton(page).click()
    await page.getByRole('menuitem', { name: 'Dashboard' }).click()
    await page
      .getByRole('heading', { name: /protect/ })
      .first()
      .waitFor()
    await looksFine(page, 'dashboard')
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

/** Petra posts a job, and not one that pays less than it pays. */
const post = () =>
  asPetra(async (page) => {
    await postJob(page, 'Keeper of lamps')
    await page.getByRole('heading', { level: 1, name: 'Keeper of lamps' }).waitFor()
    const data = await page.locator('script[type="application/ld+json"]').first().textContent()
    expect(JSON.parse(data ?? '')).toMatchObject({ '@type': 'JobPosting' })
    await looksFine(page, 'job')
    await open(page, '/post-job')
    await page.getByRole('article').filter({ hasText: 'Keeper of lamps' }).waitFor()
    await looksFine(page, 'own-jobs')
  })

/** Dana finds it by salary and remote work, saves it, and hears of the next one. */
const find = async () => {
  await browsing(async (page) => {
    await open(page, '/jobs')
    await signIn(page, 'dana')
    await page.getByLabel('Where the work is done').selectOption('remote')
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
  await asPetra((page) => postJob(page, 'Keeper of lanterns'))
  await browsing(async (page) => {
    await open(page, '/about')
    await signIn(page, 'dana')
    // The news follow the post by a moment, and this page asks for them when it opens.
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
        { timeout: 90_000, interval: 500 },
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

/** Home shows recent jobs, and the company a tab of them. */
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

/** Petra invites quentin by his address, hands over, and leaves; he acts for the company alone. */
const handOver = async () => {
  await asPetra(async (page) => {
    await open(page, '/settings')
    await page.getByLabel('A colleague’s email').fill(QUENTIN.email)
    await afterClickGuard(page)
    await page.getByRole('button', { name: 'Invite' }).click()
    await toast(page, 'Invitation sent').waitFor()
    await page.getByText('q…@elsewhere.example').waitFor()
    await looksFine(page, 'seats')
  })
  await mail?.next(({ to, subject }) => to.includes(QUENTIN.email) && /^Act for/.test(subject))
  await asQuentin(async (page) => {
    await open(page, '/settings')
    await page.getByRole('heading', { name: `${COMPANY} invites you to act for it` }).waitFor()
    await looksFine(page, 'invitation')
    await page.getByRole('button', { name: 'Accept' }).click()
    await toast(page, `You act for ${COMPANY}`).waitFor()
  })
  await asPetra(async (page) => {
    await open(page, '/settings')
    await page.getByRole('button', { name: 'Make Quentin the owner' }).click()
    await afterClickGuard(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Offer the ownership' }).click()
    await toast(page, 'Offered to Quentin').waitFor()
  })
  await asQuentin(async (page) => {
    await open(page, '/settings')
    await page.getByRole('button', { name: 'Take the ownership' }).click()
    await afterClickGuard(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Take the ownership' }).click()
    await toast(page, `You own the seats of ${COMPANY}`).waitFor()
    await looksFine(page, 'owner')
  })
  await asPetra(async (page) => {
    await open(page, '/settings')
    await page.getByRole('button', { name: `Stop acting for ${COMPANY}` }).click()
    await afterClickGuard(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Stop acting for it' }).click()
    await toast(page, `You no longer act for ${COMPANY}`).waitFor()
    await open(page, '/dashboard')
    await page.getByText('You do not act for a company yet').waitFor()
  })
  await asQuentin(async (page) => {
    await open(page, '/dashboard')
    await page.getByRole('link', { name: COMPANY }).waitFor()
  })
}

/** Spec §1: with enableJobs off, as it is by default, nothing of it is there. */
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
      await page.waitForTimeout(500)
      expect(await page.getByText(/Keeper of/).count()).toBe(0)
      await open(page, '/notifications')
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForTimeout(500)
      expect(await page.getByText(/new job/).count()).toBe(0)
    })
  } finally {
    await site.stop()
  }
}

test('petra comes to act for a company, dana finds the job that she posts, quentin takes over; switched off, no job is there', async () => {
  for (const step of [claim, approve, reply, post, find, show, handOver, switchOff]) await step()
}, 300_000)
