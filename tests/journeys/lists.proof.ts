/** One person's list of discussions: votes, unread marks, what's hidden, and the order of topics. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { afterClickGuard, browsingOn, open, signIn, toast } from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const running = withSiteInBrowser(async () => ({ RATE_LIMITS: 'off' }))
const browsing = browsingOn(running)

const PHONE = { width: 360, height: 740 }
const rows = (page: Page) => page.getByRole('main').getByRole('article')
const titles = (page: Page) => rows(page).getByRole('heading').getByRole('link').allTextContents()
const titled = (page: Page, title: string) => rows(page).filter({ hasText: title })
const more = (page: Page, title: string) =>
  titled(page, title).getByRole('button', { name: /^More about/ })

for (const viewport of [PHONE, { width: 1280, height: 900 }])
  test(`at ${viewport.width} px dana votes from the list, and finds her vote in the thread and after a reload`, () =>
    browsing(async (page) => {
      await open(page, '/discussions')
      await signIn(page, 'dana')
      await page.setViewportSize(viewport)
      const [title = ''] = await titles(page)
      const up = () => titled(page, title).getByRole('button', { name: /^Upvote/ })
      await expect.poll(() => up().getAttribute('aria-disabled')).toBeNull()
      const was = (await up().getAttribute('aria-pressed')) === 'true'
      await up().click()
      await expect.poll(() => up().getAttribute('aria-pressed')).toBe(String(!was))
      await open(page, '/discussions')
      await expect.poll(() => up().getAttribute('aria-pressed')).toBe(String(!was))
      await titled(page, title).getByRole('heading').getByRole('link').click()
      const thread = page.getByRole('group', { name: 'Votes on this thread' })
      await expect
        .poll(() => thread.getByRole('button', { name: /^Upvote/ }).getAttribute('aria-pressed'))
        .toBe(String(!was))
    }))

test('vera, a visitor, votes from the list, too', () =>
  browsing(async (page) => {
    await open(page, '/discussions')
    const [title = ''] = await titles(page)
    const up = titled(page, title).getByRole('button', { name: /^Upvote/ })
    await up.click()
    await expect.poll(() => up.getAttribute('aria-pressed')).toBe('true')
  }))

test('vera hides a thread, mutes a company and a topic, and undoes it all', () =>
  browsing(async (page) => {
    await open(page, '/discussions')
    const [first = '', second = ''] = await titles(page)
    await more(page, first).click()
    await page.getByRole('menuitem', { name: 'Hide this thread' }).click()
    await toast(page, 'Thread hidden').waitFor()
    await expect.poll(() => titles(page)).not.toContain(first)
    await page.getByText('You’ve hidden or muted 1 discussion in this list.').waitFor()

    await more(page, second).click()
    const mute = page.getByRole('menuitem', { name: /^Mute / }).first()
    const muted = (await mute.textContent())?.replace('Mute ', '') ?? ''
    await mute.click()
    await expect.poll(() => titles(page)).not.toContain(second)
    await open(page, '/discussions')
    await expect.poll(() => titles(page)).not.toContain(second)
    await looksFine(page, 'lists-left-out')

    await page.getByText('What you’ve hidden, muted and read').click()
    await page.getByText(`${muted} is muted.`).waitFor()
    await looksFine(page, 'lists-choices')
    await page.getByRole('button', { name: `Unmute ${muted}` }).click()
    await expect.poll(() => titles(page)).toContain(second)
    await page.getByRole('button', { name: 'Show again the threads you’ve hidden' }).click()
    await expect.poll(() => titles(page)).toContain(first)
    expect(await page.getByText('You’ve hidden or muted').count()).toBe(0)
  }))

test('a followed topic comes first', () =>
  browsing(async (page) => {
    await open(page, '/discussions?topic=career')
    await page.getByRole('button', { name: 'Follow Career' }).click()
    await page.getByRole('button', { name: 'Following Career' }).waitFor()
    await open(page, '/discussions')
    const topics = page.getByRole('navigation', { name: 'Topics' }).getByRole('listitem')
    await expect.poll(() => topics.nth(1).textContent()).toBe('Career')
  }))

test('read threads are marked, new comments counted, kept only with consent, and forgotten on demand', () =>
  browsing(async (page) => {
    const stored = () => page.evaluate(() => localStorage.getItem('readThreads'))
    await open(page, '/discussions')
    const [title = ''] = await titles(page)
    await titled(page, title).getByRole('heading').getByRole('link').click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await stored()).toBeNull()
    await page.evaluate(() => {
      localStorage.setItem(
        'cookiePreferences',
        '{"analytics":false,"marketing":false,"preferences":true}',
      )
      localStorage.setItem('cookieConsent', 'customized')
    })
    await page.reload()
    await expect.poll(stored).toContain('comments')
    // As if it had been read in an earlier visit, with two comments fewer.
    await page.evaluate(() => {
      const read = JSON.parse(localStorage.getItem('readThreads') ?? '')
      read.comments[0][1] -= 2
      localStorage.setItem(
        'readThreads',
        JSON.stringify({ ...read, before: null, at: '2020-01-01T00:00:00Z' }),
      )
    })
    await open(page, '/discussions')
    await titled(page, title).getByText('2 new').waitFor()
    expect(await titled(page, title).getByText('New', { exact: true }).count()).toBe(0)
    await rows(page).nth(1).getByText('New', { exact: true }).waitFor()
    await looksFine(page, 'lists-marks')
    await page.getByText('What you’ve hidden, muted and read').click()
    await page.getByRole('button', { name: 'Forget which threads you’ve read' }).click()
    await expect.poll(() => page.getByText('2 new').count()).toBe(0)
    await afterClickGuard(page)
  }))
