/** The main tasks without a mouse: find a company, read a thread, log in, reply, rate. */
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DEMO_PASSWORD } from '#app/identity/accounts/demo-people.server.ts'
import { afterClickGuard, browsingOn, open, toast, userButton } from '../support/browsing.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const running = withSiteInBrowser(async () => ({ PROOF_OF_WORK: '0', RATE_LIMITS: 'off' }))
const browsing = browsingOn(running)

/** More stops than any of our pages has before its main content. */
const MANY_STOPS = 120

/** Presses Tab until the element has the focus, and checks at each stop that the focus is visible. */
async function tabTo(page: Page, goal: Locator) {
  for (let stop = 0; stop < MANY_STOPS; stop++) {
    await page.keyboard.press('Tab')
    // After the last stop, the focus leaves the page, and returns to its beginning.
    if (await isOutside(page)) continue
    expect(await focusShown(page), await focused(page)).toBe(true)
    if (await isFocused(goal)) return
  }
  throw new Error(`No way by Tab to ${goal}`)
}

const isFocused = async (goal: Locator) =>
  (await goal.count()) > 0 && goal.first().evaluate((it) => it === document.activeElement)

const isOutside = (page: Page) => page.evaluate(() => document.activeElement === document.body)

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200) ?? 'nothing')

/** A ring around the focused element, around its whole card, or around a radio button's star. */
const focusShown = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement
    if (!at) return false
    const around = [at, at.parentElement, at.nextElementSibling].filter((it) => it !== null)
    const looks = around.flatMap((it) => [
      getComputedStyle(it),
      ...['::before', '::after'].map((part) => getComputedStyle(it, part)),
    ])
    return looks.some(({ outlineStyle, outlineWidth, boxShadow, content }) => {
      if (content === 'none') return false
      return (
        (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
      )
    })
  })

async function press(page: Page, goal: Locator, key = 'Enter') {
  await tabTo(page, goal)
  await afterClickGuard(page)
  await page.keyboard.press(key)
}

test('dana finds a company, reads a thread, signs in, answers and rates, by keyboard alone', () =>
  browsing(async (page) => {
    await open(page, '/')
    const main = page.getByRole('main')

    // The first stop skips the menus.
    await page.keyboard.press('Tab')
    expect(await focused(page)).toContain('Skip to content')
    await page.keyboard.press('Enter')
    const search = main.getByRole('combobox', { name: 'Search companies' })
    await tabTo(page, search)
    await page.keyboard.type('lampwright')
    await main
      .getByRole('status')
      .filter({ hasText: /result|compan/ })
      .first()
      .waitFor({ state: 'attached' })
    await page.keyboard.press('ArrowDown')
    expect(await search.getAttribute('aria-activedescendant')).toBeTruthy()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/lampwright-systems')

    const thread = main.locator('a[href^="/thread/"]').first()
    await thread.waitFor()
    await press(page, thread)
    await page.waitForURL('**/thread/**')
    await page.getByRole('heading', { level: 1 }).waitFor()

    // The dialog traps the focus, returns it, and logs you in.
    const opener = page.getByRole('banner').getByRole('button', { name: 'Log in' })
    await press(page, opener)
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    for (let stop = 0; stop < 12; stop++) {
      await page.keyboard.press('Tab')
      // Between the last stop and the first, the focus is on a guard beside the dialog for a frame.
      await expect
        .poll(() => dialog.evaluate((it) => it.contains(document.activeElement)))
        .toBe(true)
    }
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => isFocused(opener)).toBe(true)
    await afterClickGuard(page)
    await page.keyboard.press('Enter')
    await expect.poll(() => isFocused(dialog.getByLabel('Email'))).toBe(true)
    await page.keyboard.type('dana@kettle.example')
    await tabTo(page, dialog.getByLabel('Password', { exact: true }))
    await page.keyboard.type(DEMO_PASSWORD)
    await page.keyboard.press('Enter')
    await userButton(page).waitFor()
    await toast(page, 'Welcome back!').waitFor()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => isOutside(page)).toBe(false)

    await press(page, page.getByRole('button', { name: 'Add a comment' }))
    const field = page.getByLabel('Your comment')
    await field.waitFor()
    if (!(await isFocused(field))) await tabTo(page, field)
    await page.keyboard.type('Written without a mouse.')
    await press(page, page.getByRole('button', { name: 'Comment', exact: true }))
    await page.getByRole('article').filter({ hasText: 'Written without a mouse.' }).waitFor()
    await expect.poll(() => isOutside(page)).toBe(false)

    await press(page, main.locator('a[href^="/lampwright-systems"]').first())
    await page.waitForURL(/\/lampwright-systems(\?|$)/)
    await press(page, main.getByRole('link', { name: /^Ratings/ }))
    await page.waitForURL('**/lampwright-systems?tab=ratings')
    await press(page, main.getByRole('link', { name: /^Rate / }).first())
    const culture = page.getByRole('group', { name: /Culture/ }).getByRole('radio')
    await culture.first().waitFor({ state: 'attached' })
    await tabTo(page, culture.first())
    await page.keyboard.press('Space')
    for (let star = 1; star < 4; star++) await page.keyboard.press('ArrowRight')
    expect(await culture.nth(3).isChecked()).toBe(true)
    await press(page, page.getByRole('button', { name: 'Rate', exact: true }))
    await page.getByRole('region', { name: 'Your rating' }).waitFor()
    await expect.poll(() => isOutside(page)).toBe(false)
  }))
