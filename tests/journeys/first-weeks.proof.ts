/**
 * The first weeks of a site, from a fresh host: olga becomes its owner, imports a list and merges two of its companies.
 * mila, who's only a moderator, decides ten cases by keyboard alone. petra claims a company, replies for it and hands it
 * over to quentin. Each test continues where the previous one ended.
 */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  afterClickGuard,
  browsingOn,
  enter,
  open,
  signIn,
  toast,
  userButton,
} from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { outboxIn } from '../support/mail-server.ts'
import { withEmptySiteInBrowser } from '../support/site-in-browser.ts'
import { commandsBeside } from './steps/commands.ts'
import {
  askingAs,
  askingAsVisitor,
  aThread,
  openConfirmation,
  type Person,
  signUp,
} from './steps/newcomers.ts'
import { LAMPWRIGHT, LAMPWRIGHT_ONCE, shareList } from './steps/share-list.ts'

const PASSWORD = 'correct horse 9'
const person = (name: string): Person => ({ email: `${name}@people.example`, password: PASSWORD })
const OLGA = person('olga')
const MILA = person('mila')
const DANA = person('dana')
const PETRA = person('petra')
const QUENTIN = { email: 'quentin@elsewhere.example', password: PASSWORD }
const WORK_EMAIL = 'petra@lampwright-systems.com'

const running = withEmptySiteInBrowser({
  OWNER_EMAIL: OLGA.email,
  PROOF_OF_WORK: '0',
  RATE_LIMITS: 'off',
})
// A refusal, and what's been removed.
const browsing = browsingOn(running, { expected: /status of (400|401|403|404|409|410)/ })

const dialog = (page: Page) => page.getByRole('dialog')
const isAt = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path)
const mailTo = (to: string, subject: string) => outboxIn(running.dataDir)(to, subject)

const as = ({ email, password }: Person, work: (page: Page) => Promise<void>) =>
  browsing(async (page) => {
    await open(page, '/about')
    await signIn(page, email, password)
    await work(page)
  })

/** Signs up and opens the link in the email. */
async function moveIn(who: Person, username: string) {
  const id = await signUp(running.site.url, who, username)
  const { links } = await mailTo(who.email, 'Confirm your email')
  await openConfirmation(links.find((link) => link.includes('/auth/v1/verify')) as string, id)
}

async function statusOf(path: string) {
  const { status, body } = await fetch(running.site.url + path, { redirect: 'manual' })
  await body?.cancel()
  return status
}

test('on an empty host olga signs up, opens the link of the console, and is the owner by one command', () =>
  browsing(async (olga) => {
    await open(olga, '/')
    await olga.getByText('No companies to display').first().waitFor()
    await olga.getByRole('banner').getByRole('button', { name: 'Sign up' }).click()
    await enter(olga, OLGA.email, OLGA.password)

    const link = () => /Confirm your email for Kettle: (http\S+)/.exec(running.site.logs())?.[1]
    await expect.poll(link).toBeDefined()
    await olga.goto(link() as string)
    await olga.getByRole('button').click()
    await toast(olga, 'Your email is confirmed').waitFor()
    await open(olga, '/admin')
    await toast(olga, 'Unauthorized').waitFor()
    const command = commandsBeside(running.dataDir)
    expect(await command('admin', 'grant', OLGA.email)).toEqual({
      code: 0,
      said: `${OLGA.email} is now an administrator.`,
    })
    await open(olga, '/admin')
    // Only the owner sees it among administrators.
    await olga.getByRole('region', { name: 'Before you launch' }).waitFor()
    await olga.getByText('Companies: not done yet').waitFor()
  }))

test('olga imports the 503 rows of a list as 500 companies, and merges two of them', () =>
  as(OLGA, async (olga) => {
    await open(olga, '/admin-tools')
    const card = olga.getByRole('region', { name: 'Import companies from a file' })
    await card.getByLabel('File with companies').setInputFiles({
      name: 'index-of-500.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(shareList()),
    })
    await card.getByText('503 rows of index-of-500.csv').waitFor()
    expect(await card.getByLabel('What Security is').inputValue()).toBe('name')
    expect(await card.getByLabel('What CIK is').inputValue()).toBe('')
    await card.getByRole('button', { name: 'Preview the import' }).click()
    for (const [name, n] of [
      ['New', '500'],
      ['Possible duplicates', '0'],
      ['Already here', '3'],
      ['Unreadable', '0'],
    ] as const) {
      const count = card.locator('dl > div', { hasText: name }).locator('dd')
      await count.waitFor()
      expect([name, await count.textContent()]).toEqual([name, n])
    }
    await card.getByRole('button', { name: 'Add 500 companies' }).click()
    await card.getByText('Successfully imported 500 new companies to the database.').waitFor()
    await open(olga, '/admin')
    await olga.getByText('Companies: done').waitFor()

    // Someone writes about the one that has since been merged.
    const found = await fetch(`${running.site.url}/api/v1/companies/by-slug/candlemaker-daughters`)
    const { id: companyId } = (await found.json()) as { id: string }
    await askingAsVisitor(running.site.url)(
      '/api/v1/threads',
      aThread({
        title: 'Do the daughters still come in on Fridays?',
        body: 'The son-in-law does not.',
        companyId,
      }),
    )
    await open(olga, '/candlemaker-daughters')
    await olga.getByRole('button', { name: 'Merge into…' }).click()
    await dialog(olga).getByRole('combobox').fill('lampwright')
    await olga.getByRole('option', { name: LAMPWRIGHT }).click()
    await dialog(olga).getByText('1 thread', { exact: true }).waitFor()
    await afterClickGuard(olga)
    await dialog(olga).getByRole('button', { name: 'Merge' }).click()
    await toast(olga, `${LAMPWRIGHT_ONCE} is now part of ${LAMPWRIGHT}`).waitFor()
    await isAt(olga, '/lampwright-systems')
    await olga
      .getByRole('link', { name: /Do the daughters still/ })
      .first()
      .waitFor()
    const former = await fetch(`${running.site.url}/candlemaker-daughters`, { redirect: 'manual' })
    expect([former.status, former.headers.get('location')]).toEqual([301, '/lampwright-systems'])
  }))

const ADVERTS = ['beans', 'tea', 'mugs', 'spoons', 'sugar'].map(
  (what) => `The best ${what} in town`,
)
const FAIR = ['cold', 'loud', 'dark', 'damp', 'far'].map((what) => `Why is our floor so ${what}?`)

/** Vera advertises, dana asks, and strangers report all of it. */
async function fillQueue() {
  const { url } = running.site
  const paths = new Map<string, string>()
  const [vera, dana] = [askingAsVisitor(url), await askingAs(url, DANA)]
  for (const [titles, write, reason] of [
    [ADVERTS, vera, 'spam'],
    [FAIR, dana, 'off-topic'],
  ] as const)
    for (const title of titles) {
      const { id } = await write('/api/v1/threads', aThread({ title, body: 'Ask me.' }))
      await askingAsVisitor(url)('/api/v1/reports', { kind: 'thread', id, reason, note: '' })
      paths.set(title, `/thread/${id}`)
    }
  return paths
}

test('mila, a moderator and no administrator, decides ten cases without a mouse, and takes one back', async () => {
  await moveIn(MILA, 'Mila')
  await moveIn(DANA, 'Dana')
  const paths = await fillQueue()
  // The first page that people open creates their username.
  await as(MILA, (mila) => userButton(mila).getByText('Mila').waitFor())
  await as(OLGA, async (olga) => {
    await open(olga, '/admin?section=users&name=Mila')
    await olga.getByRole('button', { name: 'Manage Mila' }).click()
    await olga.getByRole('menuitem', { name: 'Make moderator' }).click()
    await dialog(olga).getByRole('button', { name: 'Make moderator' }).click()
    await toast(olga, 'Mila is now a moderator').waitFor()
  })
  await as(MILA, async (mila) => {
    // Instead of the panel, she gets what she may open.
    await open(mila, '/admin')
    await isAt(mila, '/admin/moderation')

    const cases = mila.locator('[data-case]')
    await expect.poll(() => cases.count()).toBe(10)
    // From here on, only the keyboard.
    const { keyboard } = mila
    const selected = () =>
      mila.evaluate(() => document.activeElement?.closest('[data-case]')?.textContent ?? '')
    /** The focused case disappears, and the next one gets the focus. */
    const decide = async (left: number) => {
      await expect.poll(selected).not.toBe('')
      if ((await selected()).includes('The best')) {
        await keyboard.press('r')
        // It reacts to keys once it has the focus.
        await dialog(mila).locator(':focus').waitFor()
        await keyboard.press('4')
        await keyboard.press('Enter')
        await dialog(mila).waitFor({ state: 'detached' })
      } else await keyboard.press('a')
      await expect.poll(() => cases.count()).toBe(left)
    }
    await keyboard.press('j')
    await keyboard.press('s')
    await toast(mila, 'Only administrators can suspend people').waitFor()
    for (let left = 9; left >= 0; left--) await decide(left)
    await mila.getByText('Nothing to review', { exact: true }).waitFor()
    await keyboard.press('u')
    await expect.poll(() => cases.count()).toBe(1)
    await decide(0)

    await open(mila, '/admin/moderation?tab=log')
    await mila.getByText('Undone').waitFor()
    expect(
      await mila.getByText('Mila removed a thread: Spam or advertising').count(),
    ).toBeGreaterThanOrEqual(5)
    await looksFine(mila, 'log-of-a-moderator')
  })
  // Posts that stayed redirect to their full address.
  for (const [title, path] of paths)
    expect([title, await statusOf(path)]).toEqual([title, FAIR.includes(title) ? 301 : 410])
})

/** With her work email. A free provider's address isn't accepted. */
async function claim(petra: Page) {
  await open(petra, '/lampwright-systems')
  await petra.getByRole('link', { name: 'Is this your company?' }).click()
  await petra.getByRole('button', { name: `Not ${LAMPWRIGHT}` }).click()
  await petra.getByRole('combobox', { name: 'Company' }).fill('lampwright')
  await petra.getByRole('option', { name: LAMPWRIGHT }).click()
  await petra.getByRole('textbox', { name: 'Work email' }).fill('petra@gmail.com')
  await afterClickGuard(petra)
  await petra.getByRole('button', { name: 'Send claim' }).click()
  await petra
    .getByText(/Anyone can have an address at gmail.com/)
    .first()
    .waitFor()
  await looksFine(petra, 'claim')
  await petra.getByRole('textbox', { name: 'Work email' }).fill(WORK_EMAIL)
  await petra.getByRole('button', { name: 'Send claim' }).click()
  await toast(petra, 'Check your work email').waitFor()

  const { links } = await mailTo(WORK_EMAIL, 'Confirm that you represent')
  const link = links.find((it) => it.includes('/claims/confirm')) as string
  // An email scanner that opens links uses nothing up.
  expect((await fetch(link)).status).toBe(200)
  await petra.goto(link)
  await petra.getByRole('button', { name: 'Confirm my work email' }).click()
  await petra.getByRole('heading', { name: 'Your work email is confirmed' }).waitFor()
}

/** The owner sees the address's domain, but not whose it is. */
async function approve(olga: Page) {
  await open(olga, '/admin?section=claims')
  await olga.getByText('p…@lampwright-systems.com').waitFor()
  expect(await olga.content()).not.toContain(WORK_EMAIL)
  await looksFine(olga, 'review')
  await olga.getByRole('button', { name: /^Approve: .* for Lampwright/ }).click()
  await afterClickGuard(olga)
  await dialog(olga).getByRole('button', { name: 'Approve' }).click()
  await toast(olga, `Approved for ${LAMPWRIGHT}`).waitFor()
  await mailTo(PETRA.email, `You now act for ${LAMPWRIGHT}`)
}

/** Replies for the company to what was written before the merger, then opens its dashboard. */
async function reply(petra: Page) {
  await open(petra, '/lampwright-systems')
  await petra
    .getByRole('link', { name: /Do the daughters still/ })
    .first()
    .click()
  await petra.getByRole('button', { name: `Reply as ${LAMPWRIGHT}` }).click()
  await petra
    .getByLabel(`Reply as ${LAMPWRIGHT}`)
    .fill('Thank you for asking. Nobody has to come in on Fridays any more.')
  await afterClickGuard(petra)
  await petra.getByRole('button', { name: 'Publish reply' }).click()
  await toast(petra, 'Reply published').waitFor()
  await petra
    .getByRole('region', { name: `${LAMPWRIGHT} replied` })
    .first()
    .waitFor()
  await userButton(petra).click()
  await petra.getByRole('menuitem', { name: 'Dashboard' }).click()
  await petra
    .getByRole('heading', { name: /protect/ })
    .first()
    .waitFor()
  await looksFine(petra, 'dashboard')
}

test('petra claims a company by her work email, olga approves, and petra replies as the company', async () => {
  await moveIn(PETRA, 'Petra')
  await as(PETRA, async (petra) => {
    await claim(petra)
    await as(OLGA, approve)
    await reply(petra)
  })
})

test('petra invites quentin by his address, hands over and leaves; he acts for the company alone', async () => {
  await moveIn(QUENTIN, 'Quentin')
  const agree = (page: Page, name: string) =>
    dialog(page).getByRole('button', { name, exact: true }).click()
  await as(PETRA, (petra) =>
    as(QUENTIN, async (quentin) => {
      await open(petra, '/settings')
      await petra.getByLabel('A colleague’s email').fill(QUENTIN.email)
      await afterClickGuard(petra)
      await petra.getByRole('button', { name: 'Invite' }).click()
      await toast(petra, 'Invitation sent').waitFor()
      await petra.getByText('q…@elsewhere.example').waitFor()
      await looksFine(petra, 'seats')
      await mailTo(QUENTIN.email, 'Act for')

      await open(quentin, '/settings')
      await quentin
        .getByRole('heading', { name: `${LAMPWRIGHT} has invited you to act for it` })
        .waitFor()
      await looksFine(quentin, 'invitation')
      await quentin.getByRole('button', { name: 'Accept' }).click()
      await toast(quentin, `You act for ${LAMPWRIGHT}`).waitFor()

      await open(petra, '/settings')
      await petra.getByRole('button', { name: 'Make Quentin the owner' }).click()
      await afterClickGuard(petra)
      await agree(petra, 'Offer ownership')
      await toast(petra, 'Offered to Quentin').waitFor()

      await open(quentin, '/settings')
      await quentin.getByRole('button', { name: 'Take ownership' }).click()
      await afterClickGuard(quentin)
      await agree(quentin, 'Take ownership')
      await toast(quentin, `You now own ${LAMPWRIGHT}’s seats`).waitFor()
      await looksFine(quentin, 'owner')

      await open(petra, '/settings')
      await petra.getByRole('button', { name: `Stop acting for ${LAMPWRIGHT}` }).click()
      await afterClickGuard(petra)
      await agree(petra, 'Stop acting for it')
      await toast(petra, `You no longer act for ${LAMPWRIGHT}`).waitFor()
      await open(petra, '/dashboard')
      await petra.getByText('You don’t act for a company yet').waitFor()
      await open(quentin, '/dashboard')
      await quentin.getByRole('link', { name: LAMPWRIGHT }).waitFor()
    }),
  )
})
