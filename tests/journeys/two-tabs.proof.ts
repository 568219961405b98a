/** One draft in two tabs of a browser: each tab learns what the other one sent, and no text is lost. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { afterClickGuard, browsingOn, draftIsKept, open } from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const running = withSiteInBrowser(async () => ({ PROOF_OF_WORK: '5000', RATE_LIMITS: 'off' }))
const browsing = browsingOn(running, { expected: /status of 409/ })

const LIFT = 'The lift is slow'
const STAIRS = 'And the stairs are locked'

const box = (page: Page) => page.getByLabel('Your comment')
const posted = (page: Page) => page.getByText('You posted this in another tab.')
const comments = (page: Page, text: string) =>
  page.locator('article[aria-label^="Comment "]').filter({ hasText: text })
/** What another tab sent waits behind a button, like everyone's, so that nothing moves while you read. */
const showNew = (page: Page) => page.getByRole('button', { name: '1 new comment' }).click()
/** What a browser reports with one tab in front. A driven browser has all of them in front. */
const comeBack = (page: Page) => page.evaluate(() => dispatchEvent(new Event('focus')))
const send = async (page: Page) => {
  await afterClickGuard(page)
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
}

/** Her own thread, and its comment box with a draft in two tabs. */
async function inTwoTabs(page: Page, title: string, prepare?: (second: Page) => Promise<unknown>) {
  await open(page, '/create-thread')
  await page.getByLabel('Title').fill(title)
  await page.getByRole('button', { name: 'Post thread' }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await page.getByRole('button', { name: 'Be the first to comment' }).click()
  await box(page).fill(LIFT)
  // The draft is saved after a pause.
  await expect
    .poll(() => page.evaluate(() => Object.values(localStorage).join()))
    .toContain('The lift is slow')
  const second = await page.context().newPage()
  await prepare?.(second)
  await open(second, new URL(page.url()).pathname)
  await second.getByRole('button', { name: /Be the first to comment|Add a comment/ }).click()
  await second.getByText('Draft restored').waitFor()
  expect(await box(second).inputValue()).toBe(LIFT)
  return second
}

test('vera’s other tab shows what she sent in the first, and what she writes there next is another comment', () =>
  browsing(async (first) => {
    const second = await inTwoTabs(first, 'Which way up, in two tabs?')
    await send(first)
    await comments(first, LIFT).waitFor()
    await posted(second).waitFor()
    await expect.poll(() => box(second).inputValue()).toBe('')
    expect(await second.getByRole('link', { name: 'See your post' }).getAttribute('href')).toMatch(
      /^\/thread\/[0-9a-f-]{36}#comment-[0-9a-f-]{36}$/,
    )
    await looksFine(second, 'sent-in-another-tab')
    await box(second).fill(STAIRS)
    await send(second)
    await comments(second, STAIRS).waitFor()
    await posted(second).waitFor({ state: 'detached' })
    await showNew(first)
    await comments(first, STAIRS).waitFor()
    expect(await comments(first, LIFT).count()).toBe(1)
  }))

test('vera’s text in the other tab stays there as a draft of its own, even after a reload', () =>
  browsing(async (first) => {
    const second = await inTwoTabs(first, 'Which way down, in two tabs?')
    await box(second).fill(STAIRS)
    await send(first)
    await comments(first, LIFT).waitFor()
    await second.getByText('Anything you’ve typed here since then is a new draft.').waitFor()
    expect(await box(second).inputValue()).toBe(STAIRS)
    await expect
      .poll(() => second.evaluate(() => Object.values(localStorage).join()))
      .toContain(STAIRS)
    await second.reload()
    await open(second, new URL(second.url()).pathname)
    await second.getByRole('button', { name: 'Add a comment' }).click()
    await second.getByText('Draft restored').waitFor()
    await send(second)
    await showNew(first)
    for (const page of [first, second])
      for (const text of [LIFT, STAIRS]) await comments(page, text).waitFor()
  }))

test('a tab that missed the news keeps its text, says why, and sends it as another comment', () =>
  browsing(async (first) => {
    const deaf = (page: Page) =>
      page.addInitScript(() =>
        addEventListener('storage', (event) => event.stopImmediatePropagation(), { capture: true }),
      )
    const second = await inTwoTabs(first, 'Which way round, in two tabs?', deaf)
    await send(first)
    await comments(first, LIFT).waitFor()
    await box(second).fill(STAIRS)
    await send(second)
    await second.getByText('You already sent this form with different text.').waitFor()
    expect(await box(second).inputValue()).toBe(STAIRS)
    await send(second)
    await comments(second, STAIRS).waitFor()
    expect(await comments(first, LIFT).count()).toBe(1)
  }))

test('a thread sent in one tab isn’t sent again by the other, and two begun apart are two', () =>
  browsing(async (first) => {
    await open(first, '/create-thread')
    const second = await first.context().newPage()
    await open(second, '/create-thread')
    const title = (page: Page) => page.getByLabel('Title')
    const post = (page: Page) => page.getByRole('button', { name: 'Post thread' }).click()
    await title(first).fill('Begun in the first tab')
    await title(second).fill('Begun in the second tab')
    await expect
      .poll(() => second.evaluate(() => Object.values(localStorage).join()))
      .toContain('Begun in the second tab')
    await comeBack(first)
    await post(first)
    await first.waitForURL('**/thread/*-begun-in-the-first-tab')
    // It's where the other one was, and still there.
    await expect
      .poll(() => second.evaluate(() => Object.values(localStorage).join()))
      .toContain('Begun in the second tab')
    expect(await posted(second).count()).toBe(0)
    await open(first, '/create-thread')
    await first.getByText('Draft restored').waitFor()
    await post(second)
    await second.waitForURL('**/thread/*-begun-in-the-second-tab')
    await posted(first).waitFor()
    await expect.poll(() => title(first).inputValue()).toBe('')
  }))

test('vera continues in one tab what she typed in the other, and overwrites nothing', () =>
  browsing(async (first) => {
    const second = await inTwoTabs(first, 'Which way home, in two tabs?')
    await box(second).fill(`${LIFT}. ${STAIRS}`)
    await draftIsKept(second, STAIRS)
    await second.close()
    await comeBack(first)
    await expect.poll(() => box(first).inputValue()).toBe(`${LIFT}. ${STAIRS}`)
    await first.getByText('Draft restored').waitFor()
    await box(first).press('End')
    await box(first).pressSequentially(', too')
    await draftIsKept(first, `${STAIRS}, too`)
    await send(first)
    await comments(first, `${LIFT}. ${STAIRS}, too`).waitFor()
  }))

test('an empty form in another tab shows what vera began, once she comes back to it', () =>
  browsing(async (first) => {
    await open(first, '/create-thread')
    const second = await first.context().newPage()
    await open(second, '/create-thread')
    const title = (page: Page) => page.getByLabel('Title')
    await title(first).fill('Who has the key to the roof?')
    await draftIsKept(first, 'the key to the roof')
    await comeBack(second)
    await expect.poll(() => title(second).inputValue()).toBe('Who has the key to the roof?')
    await title(second).fill('Who has the key to the cellar?')
    await draftIsKept(second, 'the key to the cellar')
    await comeBack(first)
    await expect.poll(() => title(first).inputValue()).toBe('Who has the key to the cellar?')
  }))
