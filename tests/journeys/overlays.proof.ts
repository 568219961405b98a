/** What floats over a page by itself, the update badge and toasts, covers no button and no dialog. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { browsingOn, open, settled, signIn, toast } from '../support/browsing.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const running = withSiteInBrowser(async () => ({ RATE_LIMITS: 'off' }))
const browsing = browsingOn(running, { expected: /status of (400|401)/ })

const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 900 },
]
/** A screen's primary buttons. */
const PRIMARY = 'main .button.primary'
const IN_WINDOW = '[role=dialog] .button, [role=dialog] [aria-label=Close]'

/** The names of those with a covered corner, wherever they're scrolled to. */
const covered = (page: Page, buttons = PRIMARY) =>
  page.evaluate(async (primary) => {
    const INSET = 5
    const buttons = [...document.querySelectorAll<HTMLElement>(primary)].filter((button) =>
      button.checkVisibility({ visibilityProperty: true }),
    )
    const over = (button: HTMLElement) => {
      const { left, right, top, bottom } = button.getBoundingClientRect()
      return [left + INSET, right - INSET].flatMap((x) =>
        [top + INSET, bottom - INSET]
          .map((y) => document.elementFromPoint(x, y))
          .filter((element) => !button.contains(element)),
      )
    }
    const found = new Set<string>()
    for (const button of buttons)
      for (const block of ['center', 'end', 'nearest', 'start'] as const) {
        // Floating elements follow the scrolling within moments, later on a busy machine. And a page that opens at its form
        // may only scroll there now.
        for (let look = 0; look < 30 && (look === 0 || over(button).length > 0); look++) {
          button.scrollIntoView({ block, behavior: 'instant' })
          await new Promise((done) => setTimeout(done, 100))
        }
        for (const element of over(button))
          found.add(`${button.textContent} (${block}) under ${element?.outerHTML.slice(0, 90)}`)
      }
    return { buttons: buttons.length, found: [...found] }
  }, buttons)

async function isClear(page: Page, what: string, which = PRIMARY) {
  const { buttons, found } = await covered(page, which)
  expect(buttons, what).toBeGreaterThan(0)
  expect(found, what).toEqual([])
}

const badge = (page: Page) => page.getByRole('region', { name: 'About this version' })

/** What's under the badge at every scroll position, and at how many of them it's visible. */
const underBadge = (page: Page) =>
  page.evaluate(() => {
    const region = document.querySelector('section[aria-label="About this version"]')
    const under = new Set<string>()
    let looks = 0
    const end = document.documentElement.scrollHeight
    for (let top = 0; top < end; top += 150) {
      scrollTo({ top, behavior: 'instant' })
      for (const part of region?.children ?? []) {
        const { left, right, top, bottom, width } = part.getBoundingClientRect()
        if (width === 0 || top >= innerHeight || bottom <= 0) continue
        if (getComputedStyle(part).visibility === 'hidden') continue
        looks++
        for (const x of [left + 4, (left + right) / 2, right - 4])
          for (const y of [top + 2, (top + bottom) / 2, Math.min(bottom, innerHeight) - 2])
            for (const element of document.elementsFromPoint(x, y))
              if (element.closest('#root')) under.add(element.outerHTML.slice(0, 80))
      }
    }
    return { looks, under: [...under] }
  })

const SCREENS = [
  '/',
  '/companies',
  '/lampwright-systems',
  '/lampwright-systems?tab=discussions',
  '/lampwright-systems?tab=ratings&rate=yes',
  '/discussions',
  '/create-thread',
  '/my-discussions?tab=threads',
  '/settings',
  '/profile',
  '/alerts',
]

test.each(SIZES)('at $width px the badge leaves every primary button of every screen', (viewport) =>
  browsing(
    async (page) => {
      await open(page, '/about')
      if (viewport.width > 768) await signIn(page, 'dana')
      const empty: string[] = []
      for (const path of SCREENS) {
        await open(page, path)
        await badge(page).waitFor()
        await page.getByRole('heading', { level: 1 }).first().waitFor()
        await settled(page)
        const { buttons, found } = await covered(page)
        expect(found, path).toEqual([])
        if (buttons === 0) empty.push(path)
      }
      // Checks that the test itself still tests something.
      expect(SCREENS.length - empty.length, empty.join()).toBeGreaterThan(4)
    },
    { viewport },
  ),
)

test('the badge covers nothing on a phone, wherever five pages are scrolled to', () =>
  browsing(
    async (page) => {
      for (const path of ['/', '/companies', '/discussions', '/lampwright-systems', '/about']) {
        await open(page, path)
        await badge(page).waitFor()
        await settled(page)
        const { looks, under } = await underBadge(page)
        expect(under, path).toEqual([])
        // It's visible at the end of the page.
        expect(looks, path).toBeGreaterThan(0)
      }
    },
    { viewport: { width: 390, height: 844 } },
  ))

test.each(SIZES)('a toast covers no button of a thread, and no window at $width px', (viewport) =>
  browsing(
    async (page) => {
      await open(page, '/discussions')
      await page.locator('main a[href^="/thread/"]').first().click()
      await badge(page).waitFor()
      await page.getByRole('button', { name: /Be the first to comment|Add a comment/ }).click()
      await page.getByLabel('Your comment').fill('What I say.')
      await page.getByRole('button', { name: 'Share' }).first().click()
      await toast(page, 'link').waitFor()
      await toast(page, 'link').hover()
      await isClear(page, 'the thread')
      await page.mouse.move(0, 0)

      if (viewport.width < 768) {
        await page.getByRole('button', { name: 'Open menu' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Log In' }).click()
      } else await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
      const dialog = page.getByRole('dialog', { name: 'Welcome Back' })
      await dialog.getByLabel('Email').fill('dana@kettle.example')
      await dialog.getByLabel('Password', { exact: true }).fill('not her password')
      await page.keyboard.press('Enter')
      await toast(page, 'Sign in failed').waitFor()
      await isClear(page, 'the window', IN_WINDOW)
      const [box, window] = await Promise.all([
        toast(page, 'Sign in failed').boundingBox(),
        dialog.boundingBox(),
      ])
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(window?.y ?? 0)
    },
    { viewport },
  ),
)
