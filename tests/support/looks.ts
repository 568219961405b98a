/** How a page looks, as far as a machine can tell: for journeys that end on a screen. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const WIDTHS = [1280, 390, 320]
/** The rules that colours can break: a theme changes nothing else. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * axe finds nothing in either theme, and nothing is wider than the screen, down to a narrow phone. With
 * SHOTS a folder of pictures is left, for a person to look at.
 */
export async function looksFine(page: Page, name = '') {
  for (const theme of ['light', 'dark'] as const) {
    await inTheme(page, theme)
    // A theme moves nothing.
    for (const width of theme === 'light' || process.env.SHOTS ? WIDTHS : []) {
      await page.setViewportSize({ width, height: 900 })
      // What a script lays out follows a moment after the window.
      await expect
        .poll(() => page.evaluate(overflow), { message: `${page.url()} at ${width} px` })
        .toBeLessThanOrEqual(0)
      if (process.env.SHOTS && name)
        await page.screenshot({ path: `${process.env.SHOTS}/${name}-${theme}-${width}.png` })
    }
    expect(await axeFinds(page, theme === 'dark' ? COLOUR_RULES : undefined)).toEqual([])
  }
  await inTheme(page, 'light')
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

const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
