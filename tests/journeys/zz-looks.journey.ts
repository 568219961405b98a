/** Throw-away: pictures of screens. */
import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { beforeAll, test } from 'vitest'
import { browsingOn, open, signIn, whenAlive } from '../support/browsing.ts'
import { inTheme } from '../support/looks.ts'
import { askingAs, askingAsVisitor, aThread, demoPerson, tokenOf } from '../support/newcomers.ts'
import { shareList } from '../support/share-list.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const running = withSiteInBrowser(async () => ({ PROOF_OF_WORK: '0', RATE_LIMITS: 'off', ENABLE_JOBS: 'true' }))
const browsing = browsingOn(running, { expected: /.*/ })
const SHOTS = process.env.SHOTS as string

async function shoot(page: Page, name: string, { full = false, top = '' } = {}) {
  for (const theme of ['light', 'dark'] as const) {
    await inTheme(page, theme)
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
      await page.waitForTimeout(400)
      if (top) await page.locator(top).first().scrollIntoViewIfNeeded()
      await page.screenshot({ path: `${SHOTS}/${name}-${theme}-${width}.png`, fullPage: full })
    }
  }
  await inTheme(page, 'light')
  await page.setViewportSize({ width: 1440, height: 900 })
}
const wide = { viewport: { width: 1440, height: 900 } }
const as = (who: string, work: (page: Page) => Promise<void>) =>
  browsing(async (page) => {
    page.setDefaultTimeout(30_000)
    await open(page, '/about')
    await signIn(page, who)
    await work(page)
  }, wide)

beforeAll(async () => {
  const { url } = running.site
  const { db } = running.world
  const dana = await askingAs(url, demoPerson('dana'))
  const vera = askingAsVisitor(url)
  // Messages.
  for (const [name, message, subject] of [
    ['Bartholomew Featherstonehaugh-Cholmondeley', `Please take down ${url}/lampwright-systems: it says that our client's lamps are dim, which is defamatory under section 3 of the Act. We expect your answer within a day.\n\nYours faithfully,\nF & C Solicitors`, 'legal'],
    ['Vera', 'The search does not know my company. I have looked for it under three names.', 'general'],
    ['Ines', 'What do you keep about me? I would like a copy of all of it, please.', 'privacy'],
    ['The Pindlewick Courier', 'We are writing about people who talk at work. May we call somebody?', 'press'],
    ['Tom', 'Thank you for this site.', 'general'],
    ['Lena', 'averyveryverylongwordwithoutanyspaceatallthatgoesonandonandonuntiltheendoftheline and more', 'general'],
    ['Pavel', 'When will the dark theme be darker?', 'general'],
  ])
    await vera('/api/v1/contact-messages', { name, email: 'somebody.with.a.long.address@people-who-write.example', message, subject, sending: crypto.randomUUID() })
  const ada = await askingAs(url, demoPerson('ada'))
  for (const title of ['How to suggest a company', 'We do not sell anything, and why', 'Thank you for writing', 'What we keep about you'])
    await ada('/api/v1/saved-answers', { title, body: `Dear {name},\n\n${title}. It is described on the page of {site} about that.\n\nKind regards` })
  const token = await tokenOf(url, demoPerson('ada'))
  const put = async (path: string, body?: object) => {
    const answer = await fetch(url + path, { method: 'PUT', headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }, ...(body && { body: JSON.stringify(body) }) })
    if (!answer.ok) throw new Error(`${path} ${answer.status} ${await answer.text()}`)
  }
  const list = (await (await fetch(`${url}/api/v1/contact-messages`, { headers: { authorization: `Bearer ${token}` } })).json()) as { messages: { id: string; name: string }[] }
  const idOf = (name: string) => list.messages.find((it) => it.name.startsWith(name))?.id
  await put(`/api/v1/contact-messages/${idOf('Barth')}/assignee`, { assignee: 'Olga', was: null })
  await put(`/api/v1/contact-messages/${idOf('Barth')}/labels/${encodeURIComponent('defamation')}`)
  await put(`/api/v1/contact-messages/${idOf('Barth')}/labels/${encodeURIComponent('ask the lawyer first')}`)
  await put(`/api/v1/contact-messages/${idOf('Ines')}/assignee`, { assignee: 'Ada', was: null })
  await put(`/api/v1/contact-messages/${idOf('Ines')}/labels/data`)
  await ada(`/api/v1/contact-messages/${idOf('Tom')}/answers`, { text: 'You are welcome.', sending: crypto.randomUUID() })
  // Log.
  const [lamp] = await db.query<{ id: string }>(sql`select id from companies where slug = 'lampwright-systems'`)
  const acts: [string, string, string | null][] = [
    ['grant-administrator', 'Ada', null],
    ['grant-moderator', 'Mila', null],
    ['suspend-account', 'grumpy-teapot-4711', null],
    ['approve-request', 'Quillfeather Umbrellas', null],
    ['import-companies', '500 companies from index-of-500.csv', null],
    ['undo-import', '500 companies from index-of-500.csv', null],
    ['approve-claim', 'Petra for Lampwright Systems', lamp?.id ?? null],
    ['merge-companies', 'Candlemaker & Daughters into Lampwright Systems', lamp?.id ?? null],
    ['undo-merge', 'Candlemaker & Daughters from Lampwright Systems', lamp?.id ?? null],
    ['remove-company-reply', 'Lampwright Systems', lamp?.id ?? null],
    ['delete-company', 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft', null],
  ]
  for (let n = 0; n < 24; n++) {
    const [action, subject, company] = acts[n % acts.length] as (typeof acts)[number]
    const dated = !['suspend-account'].includes(action)
    await db.query(sql`insert into admin_log (done_on, done_at, admin_name, action, subject, company_id)
      values (current_date - ${n}::int / 3, case when ${dated} then date_trunc('minute', now() - ${n}::int * interval '7 hours', 'UTC') end, ${n % 2 ? 'Ada' : 'Olga'}, ${action}, ${subject}, ${company}::uuid)`)
  }
  // Cases.
  for (const [n, what] of ['beans', 'tea', 'mugs', 'spoons', 'sugar', 'chairs'].entries()) {
    const { id } = await dana('/api/v1/threads', aThread({ title: n === 1 ? 'The very best tea in town, for you and all of your colleagues, with a discount that nobody else will give you' : `The best ${what} in town`, body: n === 2 ? `Ask **me** for ${what}.\n\n- one\n- two\n\nOr write to me, whenever you want to, about whatever you want to know about them.` : `Ask me for ${what}.`, companyId: n % 2 ? lamp?.id : undefined }))
    for (let r = 0; r <= n % 3; r++)
      await askingAsVisitor(url)('/api/v1/reports', { kind: 'thread', id, reason: (['spam', 'harassment', 'illegal'] as const)[r % 3], note: r === 1 ? 'This person says the same everywhere, and it is not true what they say about the kettle in our kitchen.' : '' })
  }
  // Claims and seats: erin acts for Lampwright, as its owner; olga's colleague.
  await db.query(sql`delete from employer_claims`)
  await db.query(sql`update companies set website = 'https://www.lampwright-systems.com' where id = ${lamp?.id}`)
  // What else waits.
  for (const companyName of ['Acme', 'Anvils'])
    await vera('/api/v1/company-requests', { companyName })
  await db.query(sql`insert into company_edits (company_id, changes, status, made_on) values (${lamp?.id}, '{}', 'suggested', current_date - 2)`)
  await db.query(sql`
    insert into job_queue (kind, payload, due_at, given_up, given_up_on)
    values ('account-mail', '{}', null, 'refused-address', current_date - 9)`)
})

test('contact inbox', () =>
  as('ada', async (page) => {
    await open(page, '/companies')
    await page.getByRole('contentinfo').getByRole('button', { name: /^Contact Messages/ }).click()
    const inbox = page.getByRole('dialog', { name: 'Contact Message Inbox' })
    await inbox.getByText('Select a message to view').waitFor()
    await shoot(page, 'inbox-list')
    await inbox.getByRole('listitem').filter({ hasText: 'Bartholomew' }).getByRole('button').first().click()
    await page.waitForTimeout(4500)
    await shoot(page, 'inbox-legal')
    await inbox.getByRole('button', { name: /saved answers/i }).first().click()
    await page.waitForTimeout(800)
    await shoot(page, 'inbox-saved-answers')
  }))

test('log', () =>
  as('olga', async (page) => {
    await open(page, '/admin?section=log')
    await page.getByText('Olga made an administrator of Ada').first().waitFor()
    await shoot(page, 'log', { full: true })
    const selects = page.getByRole('main').getByRole('combobox')
    const count = await selects.count()
    for (let n = 0; n < count; n++) console.log(await selects.nth(n).evaluate((it) => (it as HTMLSelectElement).outerHTML.slice(0, 300)))
    if (count > 0) await selects.first().selectOption({ index: 1 })
    await page.waitForTimeout(800)
    await shoot(page, 'log-filtered', { full: true })
  }))

test('moderation', () =>
  as('olga', async (page) => {
    await open(page, '/admin/moderation')
    await page.locator('[data-case]').first().waitFor()
    await shoot(page, 'queue', { full: true })
    await page.keyboard.press('j')
    await page.keyboard.press('Shift+J')
    await page.keyboard.press('Shift+J')
    await page.getByRole('toolbar').waitFor()
    await shoot(page, 'queue-marked')
    await page.keyboard.press('r')
    await page.getByRole('dialog').waitFor()
    await shoot(page, 'queue-remove')
  }))

test('waiting, settings', async () => {
  await as('olga', async (page) => {
    await open(page, '/admin-panel')
    await page.getByRole('heading', { name: 'What waits' }).waitFor()
    await page.waitForTimeout(1000)
    await shoot(page, 'panel', { full: true })
    await open(page, '/settings')
    await page.waitForTimeout(1000)
    await shoot(page, 'settings', { full: true })
  })
})

test('sign-up with a company', () =>
  browsing(async (page) => {
    await open(page, '/lampwright-systems')
    await page.getByRole('link', { name: 'Is this your company?' }).click()
    await page.waitForTimeout(1000)
    await shoot(page, 'yours-visitor')
    await page.getByRole('main').getByRole('button', { name: /Log in|Sign up/ }).first().click().catch(() => {})
    await page.waitForTimeout(800)
    await shoot(page, 'yours-visitor-2')
    const signUp = page.getByRole('dialog').getByRole('button', { name: 'Sign up' })
    if (await signUp.count()) {
      await signUp.click()
      await page.waitForTimeout(800)
      await shoot(page, 'sign-up')
    }
    await open(page, '/')
    await page.getByRole('banner').getByRole('button', { name: 'Sign up' }).click()
    await page.waitForTimeout(800)
    await shoot(page, 'sign-up-2')
  }, wide))

test('employer', async () => {
  const { db } = running.world
  await as('dana', async (page) => {
    await open(page, '/lampwright-systems')
    await page.getByRole('link', { name: 'Is this your company?' }).click()
    await page.getByRole('button', { name: 'Send claim' }).waitFor()
    await shoot(page, 'claim-form', { full: true })
  })
  const [lamp] = await db.query<{ id: string }>(sql`select id from companies where slug = 'lampwright-systems'`)
  await db.query(sql`
    insert into employer_claims (account_id, company_id, status, is_owner)
    select account_id, ${lamp?.id}, 'approved', true from profiles where username = 'Erin'`)
  await new Promise((done) => setTimeout(done, 6_000))
  await as('erin', async (page) => {
    await open(page, '/dashboard')
    await page.getByRole('heading', { name: /protect/ }).first().waitFor()
    await shoot(page, 'dashboard', { full: true })
    await open(page, '/settings')
    await page.getByLabel('A colleague’s email').waitFor()
    await page.waitForTimeout(500)
    await shoot(page, 'seats', { full: true })
    await page.getByLabel('A colleague’s email').fill('dana@kettle.example')
    await page.waitForTimeout(350)
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.waitForTimeout(5000)
    await shoot(page, 'seats-invited', { full: true })
    // A job that is reported.
    await open(page, `/post-job?company=${lamp?.id}&new=1`)
    await page.getByLabel('Title').fill('Keeper of lamps')
    await page.getByRole('radio', { name: 'Remote' }).check({ force: true })
    await page.getByLabel('Description').fill('You keep the lamps of a small town alight, with two colleagues and **no pager**.')
    await page.getByLabel('Application page').fill('https://www.lampwright-systems.com/jobs')
    await page.waitForTimeout(350)
    await page.getByRole('button', { name: 'Post job' }).click()
    await page.getByRole('heading', { level: 1, name: 'Keeper of lamps' }).waitFor()
    await db.query(sql`update job_postings set reported_for = '{spam,harassment}' where title = 'Keeper of lamps'`)
    await open(page, '/post-job')
    await page.getByRole('article').first().waitFor()
    await page.waitForTimeout(4500)
    await shoot(page, 'own-jobs-reported', { full: true })
  })
})

test('an empty dashboard', async () => {
  const { db } = running.world
  const [few] = await db.query<{ id: string }>(sql`select id from companies where name = 'Duolingo'`)
  await db.query(sql`update employer_claims set company_id = ${few?.id}`)
  await new Promise((done) => setTimeout(done, 6_000))
  await as('erin', async (page) => {
    await open(page, '/dashboard')
    await page.getByRole('heading', { name: /protect/ }).first().waitFor()
    await shoot(page, 'dashboard-example', { full: true })
  })
})

test('merge', () =>
  as('olga', async (page) => {
    await open(page, '/pawnwick-house-games')
    await page.getByRole('button', { name: 'Merge into…' }).click()
    await page.waitForTimeout(800)
    await shoot(page, 'merge-empty')
    await page.getByRole('dialog').getByRole('combobox').fill('lampwright')
    await page.getByRole('option', { name: /Lampwright Systems/ }).click()
    await page.getByText('Lampwright Systems keeps its name').waitFor()
    await shoot(page, 'merge')
  }))

test('import', () =>
  as('olga', async (page) => {
    await open(page, '/admin-tools')
    const card = page.getByRole('region', { name: 'Import companies from a file' })
    await card.waitFor()
    await page.waitForTimeout(600)
    await shoot(page, 'import-source', { full: true })
    const text = shareList().replace('Lampwright Systems', 'Abbott').replace('Teasel Media (Class A)', 'Apple')
    await card.getByLabel('File with companies').setInputFiles({ name: 'index-of-500.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await card.getByText('503 rows of index-of-500.csv').waitFor()
    await shoot(page, 'import-columns', { full: true })
    await card.getByRole('button', { name: 'See what would happen' }).click()
    await card.getByRole('heading', { name: 'What would happen' }).waitFor()
    await page.waitForTimeout(500)
    await shoot(page, 'import-trial', { full: true })
    await card.getByRole('button', { name: /^Add \d+/ }).click()
    await card.getByText(/^Successfully imported/).waitFor()
    await page.waitForTimeout(4500)
    await shoot(page, 'import-report', { full: true })
  }))
void whenAlive
