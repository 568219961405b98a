/** Ada and Erin add feeds of jobs, see what was read, and pause and remove them. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, test } from 'vitest'
import { afterClickGuard, browsingOn, open, signIn, toast } from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const COMPANY = 'Lampwright Systems'

/** The jobs of the other site, by path. */
const feeds: Record<string, string[]> = {}
let feedServer: Server | undefined

const running = withSiteInBrowser(async () => {
  feedServer = createServer(({ url = '' }, response) => {
    const titles = feeds[url]
    response.writeHead(titles ? 200 : 404, { 'content-type': 'application/xml' })
    response.end(titles && `<?xml version="1.0"?><jobs>${titles.map(jobOf).join('')}</jobs>`)
  }).listen(0, '127.0.0.1')
  await once(feedServer, 'listening')
  return {
    ...{ RATE_LIMITS: 'off', ENABLE_JOBS: 'true' },
    NODE_OPTIONS: `--import=${new URL('steps/other-web.mjs', import.meta.url).href}`,
    FEEDS_PORT: String((feedServer.address() as AddressInfo).port),
  }
})
afterAll(() => feedServer?.close())
const browsing = browsingOn(running, { expected: /status of 400/ })

const jobOf = (title: string) => `<job>
  <referencenumber>${title}</referencenumber><title>${title}</title><company>${COMPANY}</company>
  <city>Ulm</city><country>Germany</country><salary>50,000 - 60,000 EUR a year</salary>
  <description><![CDATA[<p>You keep the lamps of a small town alight, with two others.</p>]]></description>
  <url>http://feeds.example/${title.replaceAll(' ', '-')}</url></job>`

beforeAll(async () => {
  const { db } = running.world
  await db.query(sql`delete from employer_claims`)
  await db.query(sql`
    insert into employer_claims (account_id, company_id, status)
    select account_id, company.id, 'approved' from profiles, companies company
     where username = 'Erin' and company.name = ${COMPANY}`)
})

async function press(page: Page, name: string) {
  await afterClickGuard(page)
  await page.getByRole('button', { name }).click()
}

async function add(page: Page, path: string) {
  await page.getByLabel('Address').fill(`http://feeds.example${path}`)
  await press(page, 'Try it')
  await page.getByText('Lamp one', { exact: true }).waitFor()
  await page.getByText(`${COMPANY} · Ulm, Germany · €50,000–60,000 a year`).first().waitFor()
}

async function remove(page: Page) {
  await press(page, 'Remove')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove feed' }).click()
  await toast(page, 'Feed removed').waitFor()
  await page.getByText('No feeds yet').waitFor()
}

test('ada adds a feed in the panel → its jobs are posted, then closed → she pauses and removes it', () =>
  browsing(async (page) => {
    feeds['/site.xml'] = ['Lamp one', 'Lamp two', 'Lamp three', 'Lamplight']
    await open(page, '/about')
    await signIn(page, 'ada')
    await open(page, '/admin?section=content')
    await page.getByRole('link', { name: 'Job feeds' }).click()
    await page.getByText('No feeds yet').waitFor()
    await page.getByText('Columns and samples').click()
    await looksFine(page, 'feeds-empty')
    await page.getByText('Columns and samples').click()

    await page.getByLabel('Address').fill('http://127.0.0.1/jobs.xml')
    await press(page, 'Try it')
    await page.getByText('The feed must be on the public web').waitFor()
    await page.getByLabel('Address').fill('http://feeds.example/nothing')
    await press(page, 'Try it')
    await page.getByText('The feed returned status 404').waitFor()
    feeds['/site.xml'].push('No')
    await add(page, '/site.xml')
    await page.getByText('We’d post 4 of 5 jobs.').waitFor()
    await page.getByText('1 left out').click()
    await page.getByText('Row 5: A title needs at least 4 characters').waitFor()
    await looksFine(page, 'feeds-trial')
    await press(page, 'Add feed')
    await toast(page, 'Feed added').waitFor()
    await page.getByText('4 jobs open · Read just now: 4 new, 1 left out').waitFor()

    feeds['/site.xml'] = ['Lamp one', 'Lamp two', 'Lamplight']
    await press(page, 'Read now')
    await page.getByText('3 jobs open · Read just now: 1 closed').waitFor()
    feeds['/site.xml'] = ['Lamp one']
    await press(page, 'Read now')
    await page.getByText('2 of 3 jobs are missing from the feed.').waitFor()
    await press(page, 'Log')
    await page.getByRole('list', { name: 'Log' }).getByText('5 rows: 4 new, 1 left out').waitFor()
    await looksFine(page, 'feeds-log')
    await press(page, 'Close 2 jobs')
    await toast(page, 'Missing jobs closed').waitFor()
    await page.getByText('1 job open').waitFor()

    await press(page, 'Pause')
    await page.getByText('Someone paused it.').waitFor()
    await looksFine(page, 'feeds-paused')
    await press(page, 'Resume')
    await toast(page, 'Feed resumed').waitFor()
    await remove(page)
    await open(page, '/admin?section=log')
    await page.getByText('Ada removed the job feed').waitFor()
  }))

test('erin adds a feed on her dashboard → her company has its jobs → she sees the log and removes it', () =>
  browsing(async (page) => {
    feeds['/erin.xml'] = ['Lamp one', 'Lamp two']
    await open(page, '/about')
    await signIn(page, 'erin')
    await open(page, '/dashboard')
    await page.getByRole('heading', { name: 'Job feeds' }).waitFor()
    await add(page, '/erin.xml')
    await press(page, 'Add feed')
    await page.getByText('2 jobs open · Read just now: 2 new').waitFor()
    await press(page, 'Log')
    await page.getByRole('list', { name: 'Log' }).getByText('2 rows: 2 new').waitFor()
    await page.getByRole('heading', { name: 'Job feeds' }).scrollIntoViewIfNeeded()
    await looksFine(page, 'feeds-dashboard')
    await press(page, 'Pause')
    await toast(page, 'Feed paused').waitFor()
    await open(page, '/jobs')
    await page.getByRole('link', { name: 'Lamp two' }).first().waitFor()
    await open(page, '/dashboard')
    await remove(page)
  }))
