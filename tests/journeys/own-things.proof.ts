/** People's own things: moved to another browser, and found in one place. On a phone and on a desktop. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { afterClickGuard, browsingOn, open, signIn, toast } from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const running = withSiteInBrowser(async () => ({ PROOF_OF_WORK: '5000', RATE_LIMITS: 'off' }))
const browsing = browsingOn(running)

const dialog = (page: Page) => page.getByRole('dialog')
const secretOf = (page: Page) => page.evaluate(() => localStorage.getItem('anonymousUserId'))

async function post(page: Page, title: string) {
  await open(page, '/create-thread')
  await page.getByLabel('Title').fill(title)
  await page.getByRole('button', { name: 'Post thread' }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}

/** The dialog with this browser's words. */
async function takeAlong(page: Page) {
  await open(page, '/discussions')
  await page.getByRole('main').getByRole('link', { name: 'My discussions' }).click()
  await page.getByRole('button', { name: 'Back up your posts' }).click()
  await dialog(page).getByText('Anyone with these words').waitFor()
  const words = await dialog(page)
    .getByRole('list', { name: 'Your twelve words' })
    .getByRole('listitem')
    .evaluateAll((items) => items.map((item) => item.lastElementChild?.textContent ?? ''))
  expect(words).toHaveLength(12)
  return words
}

async function bring(page: Page, words: string) {
  await dialog(page).getByLabel('Twelve words').fill(words)
  await dialog(page).getByRole('button', { name: 'Restore' }).click()
}

const noneIsWider = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0)

describe.each([360, 1280])('at %i px', (width) => {
  const visit: typeof browsing = (work, options) =>
    browsing(work, { viewport: { width, height: 800 }, ...options })

  test('vera takes her posts to another browser by words, where she deletes one; no address and no request body holds them', () =>
    visit(async (vera) => {
      const title = `Is the lift ever mended, at ${width}?`
      await post(vera, title)
      const path = new URL(vera.url()).pathname
      const words = await takeAlong(vera)
      await noneIsWider(vera)

      await visit(async (other) => {
        const sent: string[] = []
        other.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
        await open(other, '/my-discussions')
        await other.getByRole('button', { name: 'Restore your posts' }).click()
        await bring(other, words.slice(1).join(' '))
        await dialog(other).getByText('You’ve entered 11 of 12 words').waitFor()
        await noneIsWider(other)
        await afterClickGuard(other)
        // As people type them from their notes.
        await bring(other, words.map((word, i) => `${i + 1}. ${word.toUpperCase()}`).join('\n'))
        await toast(other, 'Your posts are now in this browser').waitFor()
        await other.getByRole('link', { name: title, exact: true }).waitFor()
        expect(await secretOf(other)).toBe(await secretOf(vera))
        const secret = (await secretOf(other)) as string
        for (const request of sent) {
          expect(request).not.toContain(secret)
          expect(request.toLowerCase()).not.toContain(words.slice(0, 3).join(' '))
        }

        await open(other, path)
        const article = other.getByRole('article').first()
        if (width < 768) {
          await article.getByRole('button', { name: 'More about this thread' }).click()
          await other.getByRole('menuitem', { name: 'Delete' }).click()
        } else await article.getByRole('button', { name: 'Delete' }).click()
        await dialog(other)
          .getByRole('button', { name: /Delete/ })
          .click()
        await toast(other, 'Thread deleted successfully').waitFor()
      })
    }))

  test('a browser with its own posts asks first, shows its own words, and undoes it', () =>
    visit(async (vera) => {
      const hers = `What does vera think, at ${width}?`
      await post(vera, hers)
      await takeAlong(vera)
      const [download] = await Promise.all([
        vera.waitForEvent('download'),
        dialog(vera).getByRole('button', { name: 'Save as a file' }).click(),
      ])
      expect(download.suggestedFilename()).toBe('twelve-words.txt')
      const file = await readFile(await download.path(), 'utf8')

      await visit(async (other) => {
        const others = `What was said here before, at ${width}?`
        await post(other, others)
        const secret = await secretOf(other)
        await open(other, '/my-discussions')
        await other.getByRole('link', { name: others, exact: true }).waitFor()
        const tab = await other.context().newPage()
        await open(tab, '/my-discussions')
        await tab.getByRole('link', { name: others, exact: true }).waitFor()

        await other.getByRole('button', { name: 'Restore your posts' }).click()
        await other.getByLabel('File with your words').setInputFiles({
          name: 'twelve-words.txt',
          mimeType: 'text/plain',
          buffer: Buffer.from(file),
        })
        await dialog(other).getByText('Anything you wrote in this browser').waitFor()
        expect(await dialog(other).getByRole('list', { name: 'Your twelve words' }).count()).toBe(1)
        await noneIsWider(other)
        await dialog(other).getByRole('button', { name: 'Keep these' }).click()
        await dialog(other).waitFor({ state: 'detached' })
        expect(await secretOf(other)).toBe(secret)

        await afterClickGuard(other)
        await other.getByRole('button', { name: 'Restore your posts' }).click()
        await bring(other, file)
        await afterClickGuard(other)
        await dialog(other).getByRole('button', { name: 'Replace them' }).click()
        await other.getByRole('link', { name: hers, exact: true }).waitFor()
        expect(await other.getByRole('link', { name: others, exact: true }).count()).toBe(0)
        // The other tab belongs to the same person.
        await tab.getByRole('link', { name: hers, exact: true }).waitFor()

        await toast(other, 'Your posts are now in this browser')
          .getByRole('button', { name: 'Undo' })
          .click()
        await other.getByRole('link', { name: others, exact: true }).waitFor()
        expect(await secretOf(other)).toBe(secret)
      })
    }))

  test('vera, who has written nothing, has nothing to take along, and no secret is made', () =>
    visit(async (page) => {
      await open(page, '/my-discussions')
      await page.getByRole('button', { name: 'Back up your posts' }).click()
      await dialog(page).getByText('Nothing to back up yet').waitFor()
      expect(await secretOf(page)).toBeNull()
    }))

  test('dana’s profile links to what’s hers, and lists nothing twice', () =>
    visit(async (page) => {
      await page.setViewportSize({ width: 1280, height: 800 })
      await open(page, '/profile')
      await signIn(page, 'dana')
      await page.setViewportSize({ width, height: 800 })
      const places = page.getByRole('navigation', { name: 'Your pages' })
      await places.waitFor()
      expect(await places.getByRole('link').count()).toBe(4)
      await noneIsWider(page)
      await places.getByRole('link', { name: /My discussions/ }).click()
      await page.getByRole('heading', { level: 1, name: 'My discussions' }).waitFor()
      expect(await page.getByRole('button', { name: 'Back up your posts' }).count()).toBe(0)
    }))
})

test('both dialogs, the question before words give way, and the profile look fine', () =>
  browsing(async (page) => {
    await post(page, 'Where are the good chairs?')
    await takeAlong(page)
    await looksFine(page, 'take-along')
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await looksFine(page, 'my-discussions')
    await page.getByRole('button', { name: 'Restore your posts' }).click()
    await bring(page, 'tea')
    await dialog(page).getByText('You’ve entered 1 of 12 words').waitFor()
    await looksFine(page, 'bring')
    await afterClickGuard(page)
    await bring(page, `${'abandon '.repeat(11)}about`)
    await dialog(page).getByRole('button', { name: 'Replace them' }).waitFor()
    await looksFine(page, 'replace')
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await open(page, '/profile')
    await signIn(page, 'dana')
    await page.getByRole('navigation', { name: 'Your pages' }).waitFor()
    await looksFine(page, 'profile')
    await open(page, '/discussions')
    await looksFine(page, 'discussions')
  }))
