/** How a page looks, as far as a machine can tell: for journeys that end on a screen. */
import axe from 'axe-core'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { type browsingOn, open } from './browsing.ts'

const WIDTHS = [1280, 390, 320]
const THEMES = ['light', 'dark'] as const
/** The rules that colours can break: a theme changes nothing else. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * axe finds nothing in either theme, and nothing is wider than the screen, down to a narrow phone. With
 * SHOTS a folder of pictures is left, for a person to look at.
 */
export async function looksFine(page: Page, name = '') {
  // A theme moves nothing: it is for the pictures.
  for (const theme of process.env.SHOTS ? THEMES : (['light'] as const)) {
    await inTheme(page, theme)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      // What a script lays out follows a moment after the window.
      await expect
        .poll(() => page.evaluate(overflow), { message: `${page.url()} at ${width} px` })
        .toBeLessThanOrEqual(0)
      if (process.env.SHOTS && name)
        await page.screenshot({ path: `${process.env.SHOTS}/${name}-${theme}-${width}.png` })
    }
  }
  expect(await violationsOn(page)).toEqual([])
  await page.evaluate(() => localStorage.removeItem('theme'))
  await page.setViewportSize({ width: 1280, height: 900 })
}

/**
 * What axe finds on the page, a line for each rule. Our pages have no frames, so that it runs in the
 * page itself: a wrapper that looks into them takes twice as long.
 */
export async function axeFinds(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(axe.source)
    await page.evaluate(rememberColours)
  }
  const found = await page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run(document, {
      resultTypes: ['violations'],
      iframes: false,
      ...(runOnly && { runOnly }),
    })
    return violations.map(({ id, nodes }) => ({ id, html: nodes.map(({ html }) => html) }))
  }, rules)
  return found.map(({ id, html }) => `${id}: ${html.join(' ')}`)
}

/**
 * axe works out each element's colours anew, though a page has few; for those that are written in OKLCH,
 * as ours are, that is long sums.
 */
function rememberColours() {
  interface Read {
    r: number
    g: number
    b: number
    alpha: number
  }
  interface Color {
    prototype: { parseString(this: Read, text: string): Read }
  }
  const { axe } = window as unknown as { axe: { commons: { color: { Color: Color } } } }
  const { prototype } = axe.commons.color.Color
  const read = prototype.parseString
  const known = new Map<string, Read>()
  prototype.parseString = function (text) {
    const before = known.get(text)
    if (before) return Object.assign(this, before)
    const { r, g, b, alpha } = read.call(this, text)
    known.set(text, { r, g, b, alpha })
    return this
  }
}

/**
 * The page has taken the theme, and nothing in it moves: axe reads colours as they are just then. It is
 * chosen as in another tab, which is there at once: of what the system prefers a window hears with a
 * frame, and now and then not in half a minute.
 */
export async function inTheme(page: Page, theme: 'light' | 'dark') {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  const taken = await page.evaluate((theme) => {
    localStorage.setItem('theme', theme)
    window.dispatchEvent(new StorageEvent('storage', { key: 'theme' }))
    for (const animation of document.getAnimations())
      try {
        animation.finish()
      } catch {
        // It has no end.
        animation.cancel()
      }
    return document.documentElement.classList.contains(theme)
  }, theme)
  expect(taken, `${page.url()} is ${theme}`).toBe(true)
}

/** A phone and a desktop. */
export const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
] as const

type Browsing = ReturnType<typeof browsingOn>

/**
 * A screen as it opens, in one window that becomes narrower.
 * @param prepare opens something on it first, and answers what must be seen at each size
 */
export const screenLooksFine =
  (browsing: Browsing) =>
  (
    path: string,
    prepare: (page: Page) => Promise<Locator | undefined> = async () => undefined,
    options: Parameters<Browsing>[1] = {},
  ) =>
    browsing(async (page) => {
      const found: string[] = []
      await open(page, path)
      const shown = await prepare(page)
      for (const viewport of [...SIZES].reverse()) {
        await page.setViewportSize(viewport)
        await shown?.waitFor()
        found.push(...(await problemsOn(page)))
      }
      // The narrowest phone, and a desktop at a zoom of 400%.
      for (const width of [360, 320]) {
        await page.setViewportSize({ width, height: 700 })
        found.push(...(await isTooWide(page)))
      }
      expect(found).toEqual([])
    }, options)

/** Each with the width of the window. */
export async function problemsOn(page: Page) {
  const found = [...(await violationsOn(page)), ...(await isTooWide(page))]
  return found.map((problem) => `${page.viewportSize()?.width} px: ${problem}`)
}

/**
 * All rules in the light theme, and in the dark one those that colours can break.
 * @param isPlain a page without the site's scripts knows its theme when it loads, and not later
 */
export async function violationsOn(page: Page, { isPlain = false } = {}) {
  const found: string[] = []
  for (const theme of THEMES) {
    if (isPlain) {
      await page.emulateMedia({ colorScheme: theme })
      await page.evaluate(() => localStorage.removeItem('theme'))
      await page.reload()
    }
    await inTheme(page, theme)
    const violations = await axeFinds(page, theme === 'dark' ? COLOUR_RULES : undefined)
    found.push(...violations.map((violation) => `${theme}: ${violation}`))
  }
  if (!isPlain) await inTheme(page, 'light')
  return found
}

export async function isTooWide(page: Page) {
  const pixels = await page.evaluate(overflow)
  return pixels > 0 ? [`${pixels} px wider than the window`] : []
}

const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
