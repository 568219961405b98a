/** Vera asks without an account, Dana replies, and each sees what the other says. */

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { slow } from '../support/amounts.ts'
import {
  afterClickGuard,
  browsingOn,
  draftIsKept,
  enter,
  holdBack,
  open,
  signIn,
  toast,
  userButton,
} from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const running = withSiteInBrowser(async () => ({ PROOF_OF_WORK: '5000' }))

const PASSWORD = 'correct horse 9'

const browsing = browsingOn(running)

/** Members with a confirmed email skip the spam check. A new one doesn't. */
async function signUp(page: Page, email: string) {
  await page.getByRole('button', { name: 'Sign up' }).click()
  await enter(page, email, PASSWORD)
}

const comment = (page: Page, text: string) =>
  page.locator('article[aria-label^="Comment "]').filter({ hasText: text })

async function write(page: Page, text: string) {
  await page.getByRole('button', { name: /Be the first to comment|Add a comment/ }).click()
  await page.getByLabel('Your comment').fill(text)
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await comment(page, text).waitFor()
}

test('a visitor posts a poll, a member’s answer arrives live, and both vote, edit and delete', () =>
  browsing(async (vera) => {
    await open(vera, '/fennimoor-cheese-cold-chain-and-careful-handling-company?tab=discussions')
    await vera
      .getByRole('link', { name: /Create thread/ })
      .first()
      .click()
    await vera.waitForURL('**/create-thread?**')
    await vera.getByLabel('Title').fill('Does anybody use the nap room?')
    // Enter in the title doesn't post, but moves on to the text.
    await vera.getByLabel('Title').press('Enter')
    await vera.keyboard.type('I walked by. **Nobody** was in it.')
    await vera.getByRole('button', { name: 'Add a poll' }).click()
    await vera.getByLabel('Option 1', { exact: true }).fill('Daily')
    await vera.getByLabel('Option 2', { exact: true }).fill('There is a nap room?')
    await vera.getByRole('button', { name: 'Post thread' }).click()
    await vera.waitForURL('**/thread/*-does-anybody-use-the-nap-room')
    await toast(vera, 'Replies show up under the bell, in this browser only.').waitFor()
    await vera.getByRole('heading', { level: 1, name: 'Does anybody use the nap room?' }).waitFor()
    expect(await vera.locator('main strong').first().textContent()).toBe('Nobody')
    expect(await vera.getByText('Anonymous').count()).toBeGreaterThan(0)
    const path = new URL(vera.url()).pathname

    await browsing(async (dana) => {
      await open(dana, path)
      await signUp(dana, 'dana@people.example')
      await dana.getByLabel('There is a nap room?').check()
      // Looking is no vote: nothing is sent, and the choice stays.
      const sent: string[] = []
      dana.on('request', (request) => sent.push(request.url()))
      await dana.getByRole('button', { name: 'Show results' }).click()
      await dana.locator('#poll-box').getByText('0%').first().waitFor()
      await afterClickGuard(dana)
      await dana.getByRole('button', { name: 'Back to the vote' }).click()
      expect(sent.filter((url) => url.includes('/poll'))).toEqual([])
      expect(await dana.getByLabel('There is a nap room?').isChecked()).toBe(true)
      await dana.getByRole('button', { name: 'Vote', exact: true }).click()
      await dana.getByText('Your vote').waitFor()
      await dana
        .getByRole('button', { name: /^Upvote/ })
        .first()
        .click()
      await write(dana, 'It is where they keep the spare chairs.')

      // Within two seconds, without a reload.
      await vera.getByRole('button', { name: '1 new comment' }).click()
      await comment(vera, 'spare chairs').waitFor()
      await comment(vera, 'spare chairs')
        .getByRole('button', { name: /^Upvote/ })
        .click()
      await comment(vera, 'spare chairs').getByRole('button', { name: 'Reply' }).click()
      await vera.getByLabel('Your reply').fill('That explains the squeaking.')
      await vera.getByRole('button', { name: 'Reply', exact: true }).last().click()
      await comment(vera, 'squeaking').waitFor()

      await dana.getByRole('button', { name: '1 new comment' }).click()
      await comment(dana, 'squeaking').waitFor()
      await comment(dana, 'spare chairs').getByRole('button', { name: 'Edit' }).click()
      await dana.getByLabel('Edit your comment').fill('It is where they keep the spare tables.')
      await dana.locator('form').getByRole('button', { name: 'Save', exact: true }).click()
      await comment(dana, 'spare tables')
        .getByText(/edited/i)
        .first()
        .waitFor()
      await comment(dana, 'spare tables').getByRole('button', { name: 'Delete' }).click()
      await dana
        .getByRole('dialog')
        .getByRole('button', { name: /Delete/ })
        .click()
      await dana.getByText('[deleted]').waitFor()
    })

    // An open page notices when the poll's seven days are over.
    await browsing(async (carl) => {
      await carl.clock.install()
      await open(carl, path)
      await carl.getByLabel('Daily').waitFor()
      await carl.clock.fastForward(169 * 3_600_000)
      await carl.locator('#poll-box').getByText('Closed', { exact: true }).waitFor()
      expect(await carl.getByRole('button', { name: 'Vote', exact: true }).count()).toBe(0)
    })

    await vera.reload()
    await vera.getByText('[deleted]').waitFor()
    await comment(vera, 'squeaking').waitFor()

    // It's in the lists, and on her own page.
    await open(vera, '/discussions?sort=new')
    await vera.getByRole('link', { name: 'Does anybody use the nap room?' }).first().waitFor()
    await open(vera, '/my-discussions')
    await vera.getByRole('link', { name: 'Does anybody use the nap room?' }).first().waitFor()

    // Spec §8: deleting says so.
    await open(vera, path)
    await vera.getByRole('article').first().getByRole('button', { name: 'Delete' }).click()
    await vera
      .getByRole('dialog')
      .getByRole('button', { name: /Delete/ })
      .click()
    await vera.getByText('Thread deleted successfully').waitFor()
    await vera.getByText('"Does anybody use the nap room?" has been deleted').waitFor()
    expect((await fetch(running.site.url + path)).status).toBe(404)
  }))

slow.test('a draft survives a killed tab, and a refused post keeps its text', () =>
  browsing(async (page) => {
    await open(page, '/create-thread')
    await page.getByLabel('Title').fill('Half a thought about the canteen')
    await page.getByLabel('Text', { exact: true }).fill('It began with the soup')
    await draftIsKept(page, 'It began with the soup')
    const second = await page.context().newPage()
    // Without unload handlers: the tab is gone at once.
    await page.close({ runBeforeUnload: false })
    await open(second, '/create-thread')
    await second.getByText('Draft restored').waitFor()
    expect(await second.getByLabel('Title').inputValue()).toBe('Half a thought about the canteen')
    expect(await second.getByLabel('Text', { exact: true }).inputValue()).toBe(
      'It began with the soup',
    )
    await second.route('**/api/v1/threads', (route) => route.abort())
    await second.getByRole('button', { name: 'Post thread' }).click()
    await second.getByText(/What you wrote is still here/).waitFor()
    await second.unroute('**/api/v1/threads')
    await afterClickGuard(second)
    await second.getByRole('button', { name: 'Post thread' }).click()
    await second.waitForURL('**/thread/*-half-a-thought-about-the-canteen')
    await open(second, '/create-thread')
    expect(await second.getByLabel('Title').inputValue()).toBe('')
  }),
)

slow.test(
  'the leak guard warns dana, asks once about an address, and lets her post; nothing leaves before',
  () =>
    browsing(async (page) => {
      await open(page, '/create-thread')
      const sent: string[] = []
      page.on('request', (request) => sent.push(request.postData() ?? ''))
      await page.getByLabel('Title').fill('A question about somebody')
      await page.getByLabel('Text', { exact: true }).fill('Ask dana@kettle.example about JIRA-1234')
      await page.getByText('Could someone recognize you?', { exact: true }).waitFor()
      await page.getByLabel('Preview').getByText('JIRA-1234').waitFor()
      const hints = page.getByRole('region', { name: 'Could someone recognize you?' })
      await hints.getByRole('button', { name: 'Dismiss “JIRA-1234”' }).click()
      expect(await hints.getByText('JIRA-1234').count()).toBe(0)
      const post = page.getByRole('button', { name: 'Post thread' })
      await post.click()
      await page.getByRole('alert').getByText('leads straight to a person').waitFor()
      await looksFine(page, 'leak-guard')
      expect(sent.join()).not.toContain('JIRA-1234')
      await post.click()
      await page.getByRole('heading', { level: 1, name: 'A question about somebody' }).waitFor()
    }),
)

slow.test(
  'a person who writes Arabic reads it from the right in the editor, the thread and lists',
  () =>
    browsing(async (page) => {
      const title = 'كيف هو العمل في هذه الشركة؟'
      const side = (words: string) =>
        page
          .getByText(words)
          .filter({ visible: true })
          .last()
          .evaluate((element) => getComputedStyle(element).direction)
      await open(page, '/create-thread')
      await page.getByLabel('Title').fill(title)
      await page
        .getByLabel('Text', { exact: true })
        .fill('مرحبا.\n\nThe second paragraph is English.')
      for (const box of [page.getByLabel('Title'), page.getByLabel('Text', { exact: true })])
        expect(await box.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl')
      await page.getByLabel('Preview').getByText('مرحبا').waitFor()
      expect(await side(title)).toBe('rtl')
      await page.getByRole('button', { name: 'Post thread' }).click()
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      expect(await side(title)).toBe('rtl')
      expect(await side('مرحبا')).toBe('rtl')
      // A right-to-left paragraph starts on the other side.
      const left = (words: string) =>
        page
          .locator('main')
          .getByText(words)
          .first()
          .evaluate((element) => {
            const range = document.createRange()
            range.selectNodeContents(element)
            return range.getBoundingClientRect().left
          })
      expect(await left('The second paragraph')).toBeLessThan(await left('مرحبا'))
      await write(page, 'An answer in English.')
      expect(await side('An answer in English.')).toBe('ltr')
      await open(page, '/discussions?sort=new')
      expect(await side(title)).toBe('rtl')
      await open(page, '/my-discussions')
      const own = page.locator('main').getByRole('link', { name: title, exact: true })
      expect(await own.evaluate((link) => getComputedStyle(link).direction)).toBe('rtl')
    }),
)

slow.test('a comment’s row stays one line on a phone, and its menu shares, reports and mutes', () =>
  browsing(
    async (page) => {
      await page.addInitScript(() => {
        const shared: ShareData[] = []
        Object.assign(window, { shared })
        navigator.share = async (data) => {
          shared.push(data ?? {})
        }
      })
      await open(page, '/discussions?sort=new')
      await page.getByRole('link', { name: /كيف/ }).first().click()
      await page.getByRole('heading', { level: 1 }).waitFor()
      await write(page, 'What I wrote on my phone.')
      const mine = comment(page, 'on my phone')
      await mine.getByText('You', { exact: true }).waitFor()
      await comment(page, 'An answer in English.').getByRole('button', { name: 'Reply' }).click()
      await page.getByLabel('Your reply').fill('And below it.')
      await page.getByRole('button', { name: 'Reply', exact: true }).last().click()
      await comment(page, 'And below it.').waitFor()

      const more = page.getByRole('button', { name: /^More about comment/ })
      await expect.poll(() => more.count()).toBe(3)
      // The whole row fits on one line.
      const lines = await more.evaluateAll((buttons) =>
        buttons.map((button) => {
          const parts = [...(button.parentElement?.children ?? [])]
            .map((part) => part.getBoundingClientRect())
            .filter(({ width }) => width > 0)
          return Math.max(...parts.map((it) => it.top)) < Math.min(...parts.map((it) => it.bottom))
        }),
      )
      expect(lines).toEqual([true, true, true])

      await more.first().click()
      await page.getByRole('menuitem', { name: 'Share' }).click()
      const shared = () =>
        page.evaluate(() => (globalThis as unknown as { shared: ShareData[] }).shared)
      await expect.poll(async () => (await shared()).length).toBe(1)
      const link = (await shared())[0]?.url ?? ''
      expect(link).toMatch(/\/thread\/[0-9a-f-]{36}#comment-[0-9a-f-]{36}$/)
      await afterClickGuard(page)
      await more.first().click()
      await page.getByRole('menuitem', { name: 'Mute this thread' }).click()
      await afterClickGuard(page)
      await more.last().click()
      await page.getByRole('menuitem', { name: 'Unmute this thread' }).waitFor()
      await page.keyboard.press('Escape')

      // The link leads to the comment, and highlights it.
      await open(page, '/about')
      await open(page, link)
      const target = page.locator('[aria-current=true][id^=comment-]')
      await target.waitFor()
      await expect
        .poll(() => target.evaluate((it) => Math.round(it.getBoundingClientRect().top)))
        .toBeLessThan(600)

      await browsing(
        async (dana) => {
          await open(dana, new URL(link).pathname)
          await comment(dana, 'on my phone').waitFor()
          const other = dana.getByRole('button', { name: /^More about comment/ }).first()
          await other.click()
          expect(await dana.getByText('You', { exact: true }).count()).toBe(0)
          await dana.getByRole('menuitem', { name: 'Report' }).click()
          await dana.getByRole('dialog').waitFor()
        },
        { viewport: { width: 360, height: 740 } },
      )
    },
    { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  ),
)

test('Spec §2.16: the helper page deletes nothing without its test title, and leads back', () =>
  browsing(async (page) => {
    await page.goto('/delete-post?title=Something&returnTo=/companies')
    await page.waitForURL('**/companies')
    await page.goto('/delete-post')
    await page.waitForURL('**/discussions')
    await page.goto('/delete-post?title=Something&returnTo=//evil.example')
    await page.waitForURL((url) => url.origin === new URL(running.site.url).origin)
  }))

slow.test(
  'Spec §2.16, §8: with its test title, it deletes the newest post with that title, says so and leads back',
  () =>
    browsing(async (dana) => {
      await open(dana, '/about')
      await signIn(dana, 'dana')
      const post = (title: string) =>
        dana.evaluate(async (title) => {
          const { access_token } = JSON.parse(localStorage.getItem('kettle-auth') ?? '')
          const { status } = await fetch('/api/v1/threads', {
            method: 'POST',
            headers: {
              authorization: `Bearer ${access_token}`,
              'content-type': 'application/json',
            },
            body: JSON.stringify({
              title,
              body: '',
              name: 'pseudonym',
              idempotencyKey: crypto.randomUUID(),
            }),
          })
          return status
        }, title)
      expect([await post('Test post'), await post('TEST POST')]).toEqual([201, 201])
      const found = await holdBack(dana, '**/my/threads/deletion')
      await open(dana, '/delete-post?title=test+post&returnTo=/companies')
      await dana.getByRole('heading', { level: 1, name: 'Deleting Post' }).waitFor()
      await dana.getByText('Deleting post...').waitFor()
      await toast(dana, 'Finding post...').waitFor()
      found()
      await toast(dana, 'Multiple matches found', 'The newest one was deleted.').waitFor()
      await toast(dana, 'Thread deleted successfully', '"TEST POST" has been deleted').waitFor()
      await dana.getByText('Post deletion complete or not found.').waitFor()
      await dana.getByRole('button', { name: 'Return to previous page' }).waitFor()
      await dana.waitForURL('**/companies')
      await open(dana, '/my-discussions')
      await dana.getByRole('link', { name: 'Test post', exact: true }).waitFor()
      expect(await dana.getByRole('link', { name: 'TEST POST', exact: true }).count()).toBe(0)
    }),
)

slow.test('Spec §2.4, §9: a double click on any kind of button counts once', () =>
  browsing(async (page) => {
    const writes: string[] = []
    page.on('request', (it) => {
      if (it.method() !== 'GET') writes.push(`${it.method()} ${new URL(it.url()).pathname}`)
    })
    const written = (pattern: RegExp) => writes.filter((it) => pattern.test(it)).length
    const isDark = () => page.evaluate(() => document.documentElement.classList.contains('dark'))
    await open(page, '/discussions?sort=new')
    await signIn(page, 'dana')
    await page.locator('main a[href^="/thread/"]').first().click()
    await page.getByRole('heading', { level: 1 }).waitFor()

    // An icon, and a row of a menu.
    await page.getByRole('button', { name: 'Switch to dark mode' }).dblclick()
    expect(await isDark()).toBe(true)
    await userButton(page).dblclick()
    await page.getByRole('menuitem', { name: 'Light mode' }).dblclick()
    expect(await isDark()).toBe(false)
    await page.keyboard.press('Escape')

    // A form is sent once. Then the actions on what it created.
    await page.getByRole('button', { name: /Be the first to comment|Add a comment/ }).click()
    await page.getByLabel('Your comment').fill('Said once, pressed twice.')
    await page.getByRole('button', { name: 'Comment', exact: true }).dblclick()
    const mine = comment(page, 'Said once, pressed twice.')
    await mine.waitFor()
    expect(written(/^POST .*comments$/)).toBe(1)
    await mine.getByRole('button', { name: 'Edit' }).dblclick()
    await page.getByLabel('Edit your comment').waitFor()

    // A vote, and a button that opens and closes.
    const up = page.getByRole('button', { name: /^Upvote/ }).first()
    await expect.poll(() => up.getAttribute('aria-disabled')).toBeNull()
    await up.dblclick()
    await expect.poll(() => up.getAttribute('aria-pressed')).toBe('true')
    await expect.poll(() => written(/^PUT .*vote$/)).toBe(1)

    // Following, with a button and with an icon on a card.
    await open(page, '/lampwright-systems')
    const follow = page.getByRole('button', { name: /^Follow(ing)? Lampwright/ })
    await expect.poll(() => follow.getAttribute('aria-disabled')).toBeNull()
    const before = await follow.getAttribute('aria-pressed')
    await follow.dblclick()
    await expect.poll(() => follow.getAttribute('aria-pressed')).not.toBe(before)
    await open(page, '/companies')
    const card = page.getByRole('button', { name: /^Follow / }).first()
    const isFollowed = await card.getAttribute('aria-pressed')
    await card.dblclick()
    await expect.poll(() => card.getAttribute('aria-pressed')).not.toBe(isFollowed)

    // The rows of the phone's drawer.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Open menu' }).dblclick()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('button', { name: 'Switch to dark mode' }).dblclick()
    expect(await isDark()).toBe(true)
    await drawer.getByRole('button', { name: 'Sign Out' }).dblclick()
    await toast(page, 'Signed out successfully').waitFor()
    expect(written(/^POST .*logout$/)).toBe(1)
  }),
)
