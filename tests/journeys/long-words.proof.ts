/** After pasting one long word, such as a link, the page is still as wide as the screen, while writing and afterwards. */
import type { Locator, Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import { USERNAME_MAX } from '#app/identity/accounts/username.ts'
import { SITE_SETTINGS } from '#app/site/site-settings/site-setting.ts'
import { afterClickGuard, browsingOn, open, settled, signIn, toast } from '../support/browsing.ts'
import { inTheme } from '../support/looks.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'
import { demoPerson, tokenOf } from './steps/newcomers.ts'
import { sendSoon } from './steps/rating-secret.ts'

const running = withSiteInBrowser(async () => ({
  RATE_LIMITS: 'off',
  RATING_BATCH: '1',
  ENABLE_JOBS: 'true',
}))
const browsing = browsingOn(running)

const WIDTHS = [360, 768, 1280]

const PATH = 'handbook/'.repeat(20)
const LINK = `https://intranet.example/${PATH}`
/** A link of 205 characters, by itself and as code, and a long word that the leak guard shows. */
const TEXT = `${LINK}

    ${LINK}

\`\`\`
${LINK}
\`\`\`

| ${LINK} | b |
|---|---|
| ${LINK} | c |

dana.${'very'.repeat(12)}@${'long'.repeat(12)}.example.com`

test('the link is as long as the one that somebody pasted', () => expect(LINK).toHaveLength(205))

let company: { id: string; name: string; thread: string }
beforeAll(async () => {
  const { db } = running.world
  const [found] = await db.query<typeof company>(sql`
    select company.id, company.name, thread.id as thread
      from companies company join threads thread on thread.company_id = company.id
     where not thread.is_locked and company.slug = 'lampwright-systems'
     order by thread.id limit 1`)
  if (!found) throw new Error('Lampwright Systems has no thread')
  company = found
  await db.query(sql`delete from employer_claims`)
  await db.query(sql`
    insert into employer_claims (account_id, company_id, status)
    select account_id, ${company.id}, 'approved' from profiles where username = 'Erin'`)
})

/** The overflow of the page, and of what scrolls in a dialog over it. */
const overflow = () =>
  Math.max(
    ...[
      document.documentElement,
      ...document.querySelectorAll('[role=dialog] .overflow-y-auto'),
    ].map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
  )

/** Nothing overflows the screen, at any of the widths. */
async function fits(page: Page, what: string) {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => page.evaluate(overflow), { message: `${what}, ${width} px` }).toBe(0)
  }
}

/** Pastes into the editor, and checks it, its preview, and what the leak guard says. */
async function paste(page: Page, box: Locator, what: string) {
  await box.focus()
  await page.keyboard.insertText(TEXT)
  await fits(page, what)
  const form = page.locator('form').filter({ has: box })
  await form.getByRole('tab', { name: 'Preview' }).click()
  await form.getByRole('tabpanel').getByText(LINK).first().waitFor()
  await fits(page, `${what}, its preview`)
  await form.getByRole('tab', { name: 'Write' }).click()
}

async function press(page: Page, name: string | RegExp) {
  await afterClickGuard(page)
  await page.getByRole('button', { name, exact: true }).last().click()
}

/** Presses it again after the question about the address. */
async function postAnyway(page: Page, name: string | RegExp) {
  await press(page, name)
  await page.getByText('Take it out, or press the button again').waitFor()
  await fits(page, 'the question')
  await press(page, name)
}

const warned = (page: Page) => page.getByText('An email address leads straight').waitFor()

test('a thread, a comment, a reply to it, its change, and the lists of one’s own', () =>
  browsing(async (page) => {
    await open(page, '/create-thread')
    await page.getByLabel('Title').fill('W'.repeat(100))
    await paste(page, page.getByLabel('Text', { exact: true }), 'the composer')
    await warned(page)
    await fits(page, 'the warnings')
    const drafts = await page.context().newPage()
    await open(drafts, '/my-discussions?tab=drafts')
    await drafts.getByText('W'.repeat(100)).waitFor()
    await fits(drafts, 'the drafts')
    await drafts.close()
    await postAnyway(page, 'Post thread')
    await page.waitForURL('**/thread/*')
    await page.getByRole('heading', { level: 1, name: /^W+$/ }).waitFor()
    await fits(page, 'the thread')

    await page.getByRole('button', { name: 'Be the first to comment' }).click()
    await paste(page, page.getByLabel('Your comment'), 'a comment')
    await postAnyway(page, 'Comment')
    const comment = page.locator('article[aria-label^="Comment "]')
    await comment.waitFor()
    await fits(page, 'the comment, posted')

    await comment.getByRole('button', { name: 'Reply' }).click()
    await paste(page, page.getByLabel('Your reply'), 'a reply')
    await postAnyway(page, 'Reply')
    await comment.nth(1).waitFor()
    await fits(page, 'the reply, posted')

    await comment.first().getByRole('button', { name: 'Edit' }).click()
    await paste(page, page.getByLabel('Edit your comment'), 'a change')
    await press(page, 'Cancel')

    for (const tab of ['threads', 'comments']) {
      await open(page, `/my-discussions?tab=${tab}`)
      await page.getByText(/^W+$/).first().waitFor()
      await fits(page, `one’s own ${tab}`)
    }
    await open(page, '/my-discussions')
    await page.getByRole('link', { name: /^Edit/ }).click()
    await page.getByLabel('Text', { exact: true }).waitFor()
    await fits(page, 'the thread, edited')
    await open(page, '/discussions?sort=new')
    await page.getByText(/^W+$/).first().waitFor()
    await fits(page, 'the list')
  }))

test('the note of a rating', () =>
  browsing(async (page) => {
    await open(page, '/lampwright-systems?tab=ratings')
    await signIn(page, 'dana')
    await open(page, '/lampwright-systems?tab=ratings&rate=yes')
    const note = page.getByLabel(/What should people know/)
    await note.waitFor()
    await note.fill('')
    await paste(page, note, 'the note')
    await warned(page)
    await fits(page, 'the warnings')
    await page.getByRole('radio').first().check({ force: true })
    await postAnyway(page, /^(Rate|Save changes)$/)
    await page.getByRole('region', { name: 'Your rating' }).waitFor()
    await sendSoon(page, '/lampwright-systems?tab=ratings')
    await page.getByRole('article').getByText(LINK).first().waitFor()
    await fits(page, 'the note, posted')
  }))

test('a company’s reply and its history, and the description of a job', () =>
  browsing(async (page) => {
    await open(page, `/thread/${company.thread}`)
    await signIn(page, 'erin')
    const name = `Reply as ${company.name}`
    await page.getByRole('button', { name }).first().click()
    await paste(page, page.getByLabel(name), 'a company’s reply')
    await press(page, 'Publish reply')
    await toast(page, 'Reply published').waitFor()
    await fits(page, 'the reply, published')
    await page.getByRole('button', { name: 'Edit this reply' }).click()
    await page.getByLabel(name).fill('We say it in fewer words now.')
    await press(page, 'Save reply')
    await page.getByRole('button', { name: 'edited' }).click()
    await page.getByRole('dialog').getByText(LINK).first().waitFor()
    await fits(page, 'its history')

    await open(page, `/post-job?company=${company.id}&new=1`)
    await page.getByLabel('Title').fill('W'.repeat(60))
    await paste(page, page.getByLabel('Description'), 'a job')
  }))

test('a report, and a message to those who run the site', () =>
  browsing(async (page) => {
    await open(page, `/thread/${company.thread}`)
    await signIn(page, 'dana')
    await page.getByRole('button', { name: 'Report', exact: true }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio').last().check({ force: true })
    await dialog.getByRole('textbox').focus()
    await page.keyboard.insertText(LINK)
    await fits(page, 'a report')
    await open(page, '/')
    await page
      .getByRole('contentinfo')
      .getByRole('button', { name: /^Contact/ })
      .first()
      .click()
    await dialog.getByLabel('Message').focus()
    await page.keyboard.insertText(LINK)
    await fits(page, 'a message')
  }))

/** What in the header leaves the window, covers something else, or wraps. */
function crowded(header: Element) {
  const boxes = [...header.querySelectorAll('a, button, input')]
    .filter((it) => it.checkVisibility())
    .map((it) => ({ it, box: it.getBoundingClientRect() }))
  return boxes.flatMap(({ it, box }, at) => {
    const [before] = boxes.slice(at - 1, at)
    const isOut = box.left < 0 || box.right > document.documentElement.clientWidth
    // Icons that can be pressed beside them share 4 px.
    const covers = before && before.box.right > box.left + 4 && before.box.bottom > box.top
    const wraps = box.height > 44 || it.scrollHeight > it.clientHeight
    return isOut || covers || wraps
      ? [`${it.outerHTML.slice(0, 90)} from ${box.left} to ${box.right}`]
      : []
  })
}

/** Whether the site's name is cut off at its end. */
const isCut = (header: Element) =>
  [...header.querySelectorAll('a[href="/"] span')].some((it) => it.scrollWidth > it.clientWidth)

const HEADER_WIDTHS = [
  ...[320, 360, 390, 600, 767, 768, 820, 900, 1023, 1024, 1119, 1120, 1180, 1279, 1280, 1440, 1920],
]

test.each([
  { role: 'a visitor', who: 'vera', panel: undefined },
  { role: 'a member', who: 'dana', panel: undefined },
  { role: 'a moderator', who: 'dana', panel: '/admin/moderation' },
  { role: 'an administrator', who: 'ada', panel: '/admin-panel' },
  { role: 'an employer', who: 'erin', panel: undefined },
])('at every width, $role has a search, and nothing in the header covers it', async (reader) => {
  const { role, who, panel } = reader
  const { db } = running.world
  if (role === 'a moderator')
    await db.query(sql`
      insert into moderators (id) select account_id from profiles where username_key = 'dana'`)
  await db.query(sql`
    update profiles set username = ${'M'.repeat(USERNAME_MAX)} where username_key = ${who}`)
  await db.query(sql`
    insert into moderation_cases (thread_id, cause, is_open, opened_on)
    select id, 'reports', true, '2026-03-11' from threads limit 1 on conflict do nothing`)
  for (const name of ['Kettle', 'W'.repeat(SITE_SETTINGS.siteName.max)]) {
    await renameSite(name)
    await browsing(async (page) => {
      const header = page.getByRole('banner')
      const opener = header.getByLabel('Find anything').filter({ visible: true })
      await open(page, '/privacy')
      if (who !== 'vera') await signIn(page, who)
      if (panel) {
        await open(page, '/admin-panel')
        await page.waitForURL(`**${panel}`)
        await header.locator('[data-tooltip="Waiting for you"]').waitFor()
      }
      if (who !== 'vera') await header.locator('[href="/notifications"]').waitFor()
      for (const theme of ['light', 'dark'] as const) {
        await inTheme(page, theme)
        for (const width of HEADER_WIDTHS) {
          const at = `${name} for ${role} at ${width} px, ${theme}`
          await page.setViewportSize({ width, height: 900 })
          await settled(page)
          expect(await header.evaluate(crowded), at).toEqual([])
          if (name === 'Kettle') expect(await header.evaluate(isCut), at).toBe(false)
          const { width: wide = 0 } = (await opener.boundingBox()) ?? {}
          const isField = width >= 1120 && who !== 'erin'
          expect(wide, at).toBeGreaterThanOrEqual(isField ? 240 : 36)
        }
      }
      await page.setViewportSize({ width: 320, height: 900 })
      await opener.click()
      const box = page.getByRole('dialog').getByRole('combobox')
      expect((await box.boundingBox())?.width).toBeGreaterThanOrEqual(240)
    })
  }
})

async function renameSite(text: string) {
  const { url } = running.site
  const answer = await fetch(`${url}/api/v1/administration/settings/siteName`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${await tokenOf(url, demoPerson('olga'))}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ text }),
  })
  expect(answer.status).toBe(200)
}
