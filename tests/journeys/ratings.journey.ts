/** People rate where they work, and correct what's said about it. */

import type { Page } from 'playwright-core'
import sharp from 'sharp'
import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { DEMO_PASSWORD } from '#app/identity/accounts/demo-people.server.ts'
import { slow } from '../support/amounts.ts'
import { browsingOn, enter, open, signIn, toast } from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'
import { askSoon, sendSoon } from './steps/rating-secret.ts'

let mail: MailServer | undefined
afterAll(async () => {
  await mail?.stop()
})
const running = withSiteInBrowser(async () => {
  mail = await startMailServer()
  return { SMTP_URL: mail.url, AUTH_AUTOCONFIRM: 'true', RATE_LIMITS: 'off', RATING_BATCH: '1' }
})

const PASSWORD = 'correct horse 9'
const PATH = '/nestle?tab=ratings'
/** What a browser says about expected refusals. */
const REFUSED = /status of (400|401|403|409|415)/

const browsing = browsingOn(running, { expected: REFUSED })

const dialog = (page: Page) => page.getByRole('dialog')

/** Opens the email's link and presses the button on its page, as a person does. */
async function confirm(page: Page, email: string) {
  const letter = await mail?.next(({ to }) => to.includes(email))
  const link = letter?.links.find((href) => href.includes('/auth/v1/verify'))
  const other = await page.context().newPage()
  await other.goto(link as string)
  await other.getByRole('button').click()
  await other.waitForURL((url) => !url.pathname.startsWith('/auth/'))
  // Only then has it told the first tab.
  await toast(other, 'Your email is confirmed').waitFor()
  await other.close()
}

/** Stars are radio buttons under pictures. */
const give = (page: Page, category: RegExp, stars: number) =>
  page
    .getByRole('group', { name: category })
    .getByRole('radio')
    .nth(stars - 1)
    .check({ force: true })
const given = (page: Page) =>
  page
    .getByRole('radio', { checked: true })
    .evaluateAll((all) => all.map((it) => Number((it as HTMLInputElement).value)))
const submit = (page: Page, name = 'Rate') =>
  page.getByRole('button', { name, exact: true }).click()

const numbers = (page: Page) => page.locator('section[aria-labelledby=ratings]')
const trend = (page: Page) => numbers(page).getByRole('img').first().getAttribute('aria-label')
const score = (page: Page) => page.locator('section[aria-labelledby=rating]').textContent()
const ratings = (page: Page) => page.locator('main header dl').first().textContent()
const ownRating = (page: Page) => page.getByRole('region', { name: 'Your rating' })

test('sign up → confirm → rate: the number and the trend move; changed, and removed', () =>
  browsing(async (page) => {
    const email = 'rita@people.example'
    await open(page, PATH)
    await page.getByText('No one has rated Nestlé yet').waitFor()
    await page.getByRole('banner').getByRole('button', { name: 'Sign up' }).click()
    await enter(page, email, PASSWORD)

    // Not before her address is confirmed, which is all there is to do. Her choice stays.
    await page
      .getByRole('link', { name: /^Rate / })
      .first()
      .click()
    await give(page, /Return/, 3)
    await give(page, /Culture/, 2)
    await page.getByLabel(/What should people know/).fill('Ask about the *desk plan*.')
    expect(await page.getByRole('button', { name: /^Rate( now)?$/ }).count()).toBe(0)
    await submit(page, 'Confirm your email first')
    const waiting = page.getByRole('region', { name: 'Confirm your email first' })
    await waiting.getByText(email).waitFor()
    await looksFine(page, 'rate-unconfirmed')
    await confirm(page, email)
    // This tab notices.
    await waiting.waitFor({ state: 'detached' })
    await submit(page)
    await ownRating(page).waitFor()
    await expect.poll(() => score(page)).toMatch(/2\.5/)
    await expect.poll(() => ratings(page)).toMatch(/rating1$/)
    expect(await trend(page)).toMatch(/^The number has been 2\.5 since /)
    await sendSoon(page, PATH)
    await page.getByRole('article').getByText('desk plan').waitFor()
    await page.getByRole('article').getByText('Yours').waitFor()

    await ownRating(page).getByRole('link', { name: 'Change' }).click()
    await page.getByRole('heading', { name: 'Change your rating' }).waitFor()
    expect(await given(page)).toEqual([3, 2])
    await give(page, /Work-Life/, 5)
    await page.getByLabel(/What should people know/).fill('')
    await submit(page, 'Save changes')
    await dialog(page).getByRole('button', { name: 'Remove note' }).click()
    await expect.poll(() => score(page)).toMatch(/3\.3/)
    await expect.poll(() => ratings(page)).toMatch(/rating1$/)
    await sendSoon(page, PATH)
    await expect
      .poll(async () => (await fetch(running.site.url + PATH)).text())
      .not.toContain('desk plan')

    // Everyone sees it.
    await browsing(async (vera) => {
      const shown = async () => {
        await open(vera, PATH)
        return score(vera)
      }
      await expect.poll(shown).toMatch(/3\.3/)
      expect(await trend(vera)).toMatch(/3\.3/)
      await vera.getByText('Show as a table').click()
      await vera.getByRole('row').filter({ hasText: '3.3' }).first().waitFor()
    })

    await page.reload()
    await expect.poll(() => score(page)).toMatch(/3\.3/)
    await ownRating(page).getByRole('button', { name: 'Remove' }).click()
    await dialog(page).getByRole('button', { name: 'Remove rating' }).click()
    await sendSoon(page, PATH)
    await page.getByText('No one has rated Nestlé yet').waitFor()
    await expect
      .poll(async () => (await fetch(running.site.url + PATH)).text())
      .toContain('No one has rated')
  }))

slow.test(
  'uma reads which address to confirm before she types her work email; the mail’s code does, and her password stays',
  () =>
    browsing(async (page) => {
      const email = 'uma@people.example'
      await open(page, PATH)
      await page.getByRole('banner').getByRole('button', { name: 'Sign up' }).click()
      await enter(page, email, PASSWORD)
      await open(page, '/settings')
      await page.getByRole('button', { name: 'Send it again' }).waitFor()
      await looksFine(page, 'settings-unconfirmed')
      await open(page, '/settings/badge')
      const waiting = page.getByRole('region', { name: 'Confirm your email first' })
      await waiting.getByText(email).waitFor()
      expect(await page.getByLabel('Work email').count()).toBe(0)
      await looksFine(page, 'badge-unconfirmed')
      const letter = await mail?.next(({ to }) => to.includes(email))
      const code = / ([\dA-Z]{3} [\dA-Z]{3})\./.exec(`${letter?.text}`)?.[1] ?? ''
      await waiting.getByLabel('Code').fill(code)
      await page.getByLabel('Work email').waitFor()
      await browsing(async (other) => {
        await open(other, PATH)
        await other.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
        await enter(other, email, PASSWORD)
      })
    }),
)

slow.test(
  'a visitor who rates signs in and finds the form filled; her note is reported, removed and appealed',
  () =>
    browsing(async (dana) => {
      const path = '/lampwright-systems?tab=ratings'
      await open(dana, `${path}&rate=yes`)
      await dana.getByRole('heading', { name: /^Rate / }).waitFor()
      // By keyboard: a press chooses, and the meaning is announced.
      await dana.getByRole('radio').first().focus()
      for (let i = 0; i < 3; i++) await dana.keyboard.press('ArrowRight')
      await dana.getByLabel(/What should people know/).fill('The lamps hum. Ask Uwe about it.')
      await submit(dana)
      await dialog(dana).getByRole('button', { name: 'Sign in' }).click()
      await enter(dana, 'dana@kettle.example', DEMO_PASSWORD)
      await dana.getByText('Not sent yet').waitFor()
      expect(await given(dana)).toEqual([4])
      await submit(dana)
      await ownRating(dana).waitFor()
      await sendSoon(dana, path)
      const note = (page: Page) =>
        page.getByRole('article', { name: /^A note from/ }).filter({ hasText: 'The lamps hum' })
      await note(dana).waitFor()
      // Once this browser has found out that it's her own.
      await expect.poll(() => note(dana).getByRole('button', { name: 'Report' }).count()).toBe(0)

      await browsing(async (vera) => {
        await open(vera, path)
        await note(vera).getByRole('button', { name: 'Helpful' }).click()
        await note(vera).getByRole('button', { name: 'Report' }).click()
        await dialog(vera).getByLabel('Someone’s private data').check()
        await dialog(vera).getByRole('button', { name: 'Send report' }).click()
        await vera.getByText('Thank you. Moderators will review it.').waitFor()
      })

      await browsing(async (ada) => {
        await open(ada, '/admin/moderation')
        await signIn(ada, 'ada@kettle.example')
        const reported = ada.getByRole('article').filter({ hasText: 'The lamps hum' })
        await reported.getByText('A note about Lampwright Systems').waitFor()
        expect(await reported.getByRole('button', { name: /Suspend|Lock/ }).count()).toBe(0)
        await reported.getByRole('button', { name: /^Remove/ }).click()
        await dialog(ada)
          .getByText('the stars or answers with it still count', { exact: false })
          .waitFor()
        await dialog(ada).getByLabel('Someone’s private data').check()
        await dialog(ada)
          .getByLabel(/Note to the author/)
          .fill('Without the name it is fine.')
        await dialog(ada).getByRole('button', { name: 'Remove note' }).click()
        await ada.getByText('Nothing to review').waitFor()
      })

      // The words are gone for everyone. Dana sees why next to her stars, and asks for a review.
      await browsing(async (vera) => {
        await open(vera, path)
        expect(await note(vera).count()).toBe(0)
      })
      await dana.reload()
      const own = ownRating(dana)
      const removed = own.getByText('Your note was removed by a moderator: Someone’s private data')
      await askSoon(dana, () => removed.isVisible())
      await own.getByText('Without the name it is fine.').waitFor()
      await own.getByRole('button', { name: /^Appeal/ }).click()
      await own.getByRole('textbox').fill('Uwe is the name of the lamp.')
      await own.getByRole('button', { name: 'Send appeal' }).click()
      await own.getByText('You appealed. Another moderator will review it.').waitFor()

      await browsing(async (olga) => {
        await open(olga, '/admin/moderation?tab=appeals')
        await signIn(olga, 'olga@kettle.example')
        const appealed = olga
          .getByRole('article')
          .filter({ hasText: 'Uwe is the name of the lamp' })
        await appealed.getByRole('button', { name: /^Show again/ }).click()
        await olga.getByText('No appeals').waitFor()
        await open(olga, path)
        await note(olga).waitFor()
      })
    }),
)

slow.test(
  'dana suggests a change and Ada accepts it: it stands on the page and in the history; a logo; a comparison',
  () =>
    browsing(async (dana) => {
      const answer = await fetch(
        `${running.site.url}/api/v1/companies/by-slug/pawnwick-house-games`,
      )
      const { id, name } = (await answer.json()) as { id: string; name: string }
      const WORDS = 'Makes games that end in a draw.'
      await open(dana, `/edit-company/${id}`)
      await signIn(dana, 'dana@kettle.example')
      await dana.getByLabel('Description').fill(WORDS)
      await dana.getByLabel('Where people work').selectOption('hybrid')
      await dana.getByLabel('Reason (optional)').fill('It says so on its own site.')
      await dana.getByRole('complementary', { name: 'Preview' }).getByText(WORDS).waitFor()
      await dana.getByRole('button', { name: 'Suggest change' }).click()
      await dana.getByText('An administrator will review your suggestion.').waitFor()
      const page = () => fetch(`${running.site.url}/company/${id}`).then((it) => it.text())
      expect(await page()).not.toContain(WORDS)

      await browsing(async (ada) => {
        await open(ada, `/edit-company/${id}`)
        await signIn(ada, 'ada@kettle.example')
        await ada.getByRole('heading', { name: 'Suggested changes' }).waitFor()
        await ada.getByText('It says so on its own site.').waitFor()
        await ada.getByRole('button', { name: 'Accept', exact: true }).click()
        await ada.getByText('Suggestion applied').waitFor()
        await ada.getByText('No pending suggestions.').waitFor()

        const picture = await sharp({
          create: { width: 900, height: 300, channels: 3, background: '#a1552d' },
        })
          .png()
          .toBuffer()
        const file = { name: 'logo.png', mimeType: 'image/png', buffer: picture }
        await ada.getByLabel('Logo file').setInputFiles(file)
        await ada.getByText('Logo saved').waitFor()
        const logo = ada.getByRole('region', { name: 'Logo' }).locator('img')
        await logo.waitFor()
        const source = (await logo.getAttribute('src')) as string
        expect(source).toMatch(/^\/logos\//)
        const stored = await fetch(running.site.url + source)
        expect(stored.headers.get('content-type')).toBe('image/webp')
        const { width } = await sharp(Buffer.from(await stored.arrayBuffer())).metadata()
        expect(width).toBe(512)
        // A file that isn't a picture changes nothing.
        const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
        await ada
          .getByLabel('Logo file')
          .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: svg })
        await ada.getByRole('region', { name: 'Logo' }).getByRole('alert').waitFor()
        expect(await logo.getAttribute('src')).toBe(source)
      })

      await expect.poll(page).toContain(WORDS)
      await dana.reload()
      const history = dana.getByRole('region', { name: 'History' })
      // Deleted and added words are shown together.
      const change = history.getByRole('listitem').filter({ hasText: 'Makes games' })
      await change.filter({ hasText: /You\s*Applied/ }).waitFor()
      await change.getByText('Hybrid').first().waitFor()

      // A choice made before the screen is ready isn't lost.
      await open(dana, '/companies')
      await dana.evaluate(() => {
        const toggles = document.querySelectorAll<HTMLElement>(
          'main button[aria-label^="Compare "]',
        )
        for (const toggle of [...toggles].slice(0, 2)) toggle.click()
      })
      await dana.getByRole('status').filter({ hasText: '2 of 4 selected' }).waitFor()

      // Side by side, at an address that can be shared.
      await open(dana, '/companies?search=pawnwick')
      await dana.getByRole('button', { name: `Compare ${name}` }).click()
      await dana
        .getByRole('status')
        .filter({ hasText: `${name} selected` })
        .waitFor()
      // The browser may report its new address after showing the result.
      await dana.waitForURL(/[?&]pick=/)
      const address = new URL(dana.url())
      address.searchParams.set('search', 'lampwright')
      await open(dana, address.pathname + address.search)
      await dana.getByRole('button', { name: 'Compare Lampwright Systems' }).click()
      await dana.getByRole('link', { name: 'Compare', exact: true }).click()
      await dana.waitForURL(/compare=[^&]+,|compare=[^&]+%2C/)
      const shared = new URL(dana.url())
      await browsing(async (vera) => {
        await open(vera, shared.pathname + shared.search)
        const table = vera.getByRole('table').first()
        await table.getByText(name).first().waitFor()
        await table.getByText('Lampwright Systems').first().waitFor()
      })
    }),
)

slow.test('a visitor follows a company and hears of a new thread about it; pausing ends that', () =>
  browsing(async (vera) => {
    const path = '/lampwright-systems'
    await open(vera, path)
    await vera.getByRole('button', { name: /^Follow\b/ }).click()
    await vera.getByRole('button', { name: /^Following/ }).waitFor()

    await browsing(async (dana) => {
      await open(dana, path)
      await signIn(dana, 'dana@kettle.example')
      const before = await news()
      await startThread(dana, 'Who moved the whiteboards?')
      // A page checks when it opens, and a minute later.
      await expect.poll(news).not.toBe(before)
      await open(vera, path)
      await vera.getByRole('link', { name: 'Notifications, 1 unread' }).click()
      await vera.getByText('Who moved the whiteboards?').first().waitFor()
      await vera.getByText('Lampwright Systems').first().waitFor()

      await open(vera, '/alerts')
      await vera.getByText('Lampwright Systems').first().waitFor()
      await vera.getByRole('button', { name: /^Pause/ }).click()
      await vera
        .getByText(/[Pp]aused/)
        .first()
        .waitFor()
      await open(dana, path)
      await startThread(dana, 'And who moved them back again?')
      await open(vera, '/notifications')
      await vera.getByText('Who moved the whiteboards?').first().waitFor()
      expect(await vera.getByText('And who moved them back again?').count()).toBe(0)
    })
  }),
)

/** How many notifications there are, for everyone. */
async function news() {
  const [told] = await running.world.db.query<{ n: number }>(
    sql`select count(*)::integer as n from notifications`,
  )
  return told?.n
}

async function startThread(page: Page, title: string) {
  await page
    .getByRole('link', { name: /Create thread/ })
    .first()
    .click()
  await page.getByLabel('Title').fill(title)
  await page.getByRole('button', { name: 'Post thread' }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}
