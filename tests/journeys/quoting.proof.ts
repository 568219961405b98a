/** A passage is quoted in a reply, and the box says what it accepts. On a phone and on a desktop. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { COMMENT_MAX } from '#app/community/discussions/discussion.ts'
import { afterClickGuard, browsingOn, open, toast } from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const running = withSiteInBrowser(async () => ({ PROOF_OF_WORK: '5000', RATE_LIMITS: 'off' }))
const browsing = browsingOn(running)

/** As a finger or a mouse would. */
const select = (page: Page, text: string) =>
  page
    .getByRole('main')
    .getByText(text, { exact: true })
    .first()
    .evaluate((element) => getSelection()?.selectAllChildren(element))

const comments = (page: Page) => page.locator('article[aria-label^="Comment "]')

/** A thread with two paragraphs, and a comment with two. */
async function thread(page: Page, title: string) {
  await open(page, '/create-thread')
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Text', { exact: true }).fill('The soup is cold.\n\nThe tea is not.')
  await page.getByRole('button', { name: 'Post thread' }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await page.getByRole('button', { name: 'Be the first to comment' }).click()
  await page.getByLabel('Your comment').fill('One thing is true.\n\nAnother is not.')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await comments(page).first().waitFor()
}

describe.each([360, 1280])('at %i px', (width) => {
  const visit: typeof browsing = (work) => browsing(work, { viewport: { width, height: 800 } })
  const isPhone = width < 768

  async function quote(page: Page, of: RegExp) {
    await afterClickGuard(page)
    if (!isPhone) {
      const name = of.source.includes('comment') ? /^Quote comment/ : 'Quote'
      await page.getByRole('button', { name, exact: true }).first().click()
      return
    }
    await page.getByRole('button', { name: of }).first().click()
    await page.getByRole('menuitem', { name: 'Quote' }).click()
  }

  test('the selected part of a comment is in the reply, with the answer below', () =>
    visit(async (page) => {
      await thread(page, `Who heats the soup, at ${width}?`)
      await select(page, 'Another is not.')
      await quote(page, /^More about comment/)
      const reply = page.getByLabel('Your reply')
      await expect.poll(() => reply.inputValue()).toBe('> Another is not.\n\n')
      await expect.poll(() => reply.evaluate((box) => box === document.activeElement)).toBe(true)
      await page.keyboard.type('Says who?')
      expect(await reply.inputValue()).toBe('> Another is not.\n\nSays who?')
      await page.getByRole('button', { name: 'Reply', exact: true }).last().click()
      const answer = comments(page).nth(1)
      await answer.getByText('Says who?').waitFor()
      expect((await answer.locator('blockquote').textContent())?.trim()).toBe('Another is not.')
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0)
    }))

  test('a reply without a selection quotes everything, even by keyboard', () =>
    visit(async (page) => {
      await thread(page, `Who cleans the cups, at ${width}?`)
      const button = isPhone ? /^More about comment/ : /^Quote comment/
      await page.getByRole('button', { name: button }).first().focus()
      await page.keyboard.press('Enter')
      if (isPhone) {
        await page.getByRole('menuitem', { name: 'Quote' }).waitFor()
        await expect
          .poll(() => page.evaluate(() => document.activeElement?.textContent))
          .toBe('Quote')
        await page.keyboard.press('Enter')
      }
      await expect
        .poll(() => page.getByLabel('Your reply').inputValue())
        .toBe('> One thing is true.\n>\n> Another is not.\n\n')
    }))

  test('a new comment quotes the thread below what’s written, and doesn’t quote it twice when reopened', () =>
    visit(async (page) => {
      await thread(page, `Who drinks the tea, at ${width}?`)
      await select(page, 'The tea is not.')
      await quote(page, /^More about this thread/)
      const box = page.getByLabel('Your comment')
      await expect.poll(() => box.inputValue()).toBe('> The tea is not.\n\n')
      await page.keyboard.type('Mine is.')
      await select(page, 'The soup is cold.')
      await quote(page, /^More about this thread/)
      const both = '> The tea is not.\n\nMine is.\n\n> The soup is cold.\n\n'
      await expect.poll(() => box.inputValue()).toBe(both)
      await page.getByRole('button', { name: 'Cancel' }).click()
      await afterClickGuard(page)
      await page.getByRole('button', { name: 'Add a comment' }).click()
      await expect.poll(() => box.inputValue()).toBe(both)
    }))

  test('a pasted picture gets a sentence, words with one are pasted, and the limit shows', () =>
    visit(async (page) => {
      await thread(page, `Who painted the wall, at ${width}?`)
      await page.getByRole('button', { name: 'Add a comment' }).click()
      const box = page.getByLabel('Your comment')
      await box.waitFor()
      const paste = (words?: string) =>
        box.evaluate((element, words) => {
          const clipboardData = new DataTransfer()
          clipboardData.items.add(new File(['x'], 'badge.png', { type: 'image/png' }))
          if (words) clipboardData.items.add(words, 'text/plain')
          const event = new ClipboardEvent('paste', {
            clipboardData,
            bubbles: true,
            cancelable: true,
          })
          // True if the browser would go on and paste it itself.
          return element.dispatchEvent(event)
        }, words)
      const sentence = 'They can show more than you mean to. Describe what’s in them instead.'
      expect(await paste('A cell of a table')).toBe(true)
      expect(await toast(page, 'You can’t post pictures').count()).toBe(0)
      expect(await paste()).toBe(false)
      await toast(page, 'You can’t post pictures', sentence).waitFor()
      expect(await box.inputValue()).toBe('')

      await box.fill('x'.repeat(COMMENT_MAX + 2))
      await page.getByText('2 characters too many').waitFor()
      await box.fill('x'.repeat(COMMENT_MAX))
      const full = COMMENT_MAX.toLocaleString('en')
      await page.getByText(`${full} of ${full} characters`).waitFor()
    }))
})

test('a thread with its quotes and an open reply looks fine', () =>
  browsing(async (page) => {
    await thread(page, 'Who waters the plants?')
    await page
      .getByRole('button', { name: /^Quote comment/ })
      .first()
      .click()
    await expect.poll(() => page.getByLabel('Your reply').inputValue()).toContain('> One thing')
    await looksFine(page, 'quote')
    await page.keyboard.press('Control+Enter')
    await comments(page).nth(1).waitFor()
    await page.getByRole('button', { name: 'Add a comment' }).click()
    await page.getByLabel('Your comment').fill('x'.repeat(COMMENT_MAX + 12))
    await looksFine(page, 'limit')
  }))
