/** Checks how a page looks, as far as a machine can tell, for journeys that end on a screen. */
import axe from 'axe-core'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { type browsingOn, open } from './browsing.ts'

const WIDTHS = [1280, 390, 320]
const THEMES = ['light', 'dark'] as const
/** The rules that depend on colors, the only thing a theme changes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * axe finds nothing in either theme, and nothing overflows the screen, down to a narrow phone. SHOTS names a folder for
 * screenshots that people can look at.
 */
export async function looksFine(page: Page, name = '') {
  // A theme moves nothing, so the dark one is only for screenshots.
  for (const theme of process.env.SHOTS ? THEMES : (['light'] as const)) {
    await inTheme(page, theme)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      // Elements that a script lays out change a moment after the window.
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
 * What axe finds on the page, a line for each rule. Our pages have no frames, so it runs in the page itself. A wrapper that
 * looks into frames takes twice as long.
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

/** axe recomputes every element's colors, although a page has few. For OKLCH, which we use, that's expensive. */
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
 * Switches the page's theme and waits until nothing moves, because axe reads the current colors. This acts like a change in
 * another tab, which takes effect immediately. A changed system preference reaches a window with the next frame, and
 * sometimes not within half a minute.
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
        // An endless animation never finishes.
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
 * Checks a screen when it opens, in one window that gets narrower.
 * @param prepare opens something on it first, and returns what must be visible at each size
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
      // The narrowest phone, and a desktop at 400% zoom.
      for (const [width, height] of [
        [360, 700],
        [320, 256],
      ] as const) {
        await page.setViewportSize({ width, height })
        found.push(...(await isTooWide(page)))
      }
      found.push(...(await isTooWideWhenSpaced(page)))
      expect(found).toEqual([])
    }, options)

/** Each problem, with the window's width. */
export async function problemsOn(page: Page) {
  const found = [
    ...(await violationsOn(page)),
    ...(await isTooWide(page)),
    ...(await namesakes(page)),
    ...(await misreadings(page)),
    ...(await focusJumps(page)),
  ]
  return found.map((problem) => `${page.viewportSize()?.width} px: ${problem}`)
}

/**
 * All rules in the light theme, and those that depend on colors in the dark one.
 * @param isPlain for a page without the site's scripts, which only reads the theme when it loads
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

/** WCAG 1.4.12: nothing is lost if people set their text wider. */
async function isTooWideWhenSpaced(page: Page) {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }',
    )
    document.adoptedStyleSheets = [sheet]
  })
  const found = await isTooWide(page)
  const cut = await page.evaluate(() => {
    const cut = [...document.querySelectorAll('main :is(button, a.button, h1, h2, h3, label)')]
      .filter((it) => it.checkVisibility() && it.clientWidth > 1)
      .filter((it) => it.scrollWidth > it.clientWidth + 1)
      .map((it) => `cut: ${it.textContent.slice(0, 60)}`)
    document.adoptedStyleSheets = []
    return cut
  })
  return [...found, ...cut].map((it) => `spaced text: ${it}`)
}

/** Links with one name that lead elsewhere, and buttons with one name in a list: by ear, no one can tell them apart. */
async function namesakes(page: Page) {
  await axeFinds(page, ['document-title'])
  return page.evaluate(() => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    axe.setup(document.body)
    const places = new Map<string, Set<string>>()
    const shown = [...document.querySelectorAll('a[href], button')].filter((it) =>
      it.checkVisibility({ visibilityProperty: true }),
    )
    for (const [n, it] of shown.entries()) {
      if (it.tagName === 'BUTTON' && !it.closest('ul, ol, tbody')) continue
      if (it.closest('[aria-hidden="true"], [inert]')) continue
      const name = axe.commons.text.accessibleText(it).trim()
      // A screen reader says which part of the page it is in.
      const part = it.closest('nav[aria-label], footer')
      const around = part?.getAttribute('aria-label') ?? part?.tagName
      const key = [it.tagName, name, around].filter(Boolean).join(' ')
      const place = it instanceof HTMLAnchorElement ? it.href : String(n)
      places.set(key, (places.get(key) ?? new Set()).add(place))
    }
    axe.teardown()
    return [...places].flatMap(([key, { size }]) => (size > 1 ? [`${size} times ${key}`] : []))
  })
}

/** Headings of the accessibility tree that skip a level, and an h1 too few or too many. axe checks the landmarks. */
async function misreadings(page: Page) {
  const tree = await page.locator('body').ariaSnapshot()
  const levels = [...tree.matchAll(/^ *- '?heading .*\[level=(\d)\]/gm)].map(([, it]) => Number(it))
  // An open dialog hides the page behind it.
  const isDialog = /^ *- '?(alert)?dialog\b/m.test(tree)
  const found = levels.flatMap((level, at) =>
    level > (levels[at - 1] ?? 1) + 1 ? [`heading ${at + 1} skips to level ${level}`] : [],
  )
  const first = levels.filter((level) => level === 1).length
  return first === 1 || isDialog ? found : [...found, `${first} times h1`]
}

/** Where Tab goes back in a line or a column. A dialog's button to close it is last, so that a field gets the focus. */
const focusJumps = (page: Page) =>
  page.evaluate(() => {
    const area =
      [...document.querySelectorAll('[role="dialog"]')].at(-1) ?? document.querySelector('main')
    const stops = [...(area?.querySelectorAll<HTMLElement>('*') ?? [])]
      .filter((it) => it.tabIndex >= 0 && !it.matches(':disabled'))
      .filter((it) => it.checkVisibility({ visibilityProperty: true }))
      .map((it) => ({ it, box: it.getBoundingClientRect() }))
      .filter(
        ({ it, box }) => box.width > 2 && !it.matches('[role="dialog"] > [aria-label="Close"]'),
      )
    const isReordered = (one: Element, other: Element) => {
      let around = one.parentElement
      while (around && !around.contains(other)) around = around.parentElement
      return around && getComputedStyle(around).getPropertyValue('reading-flow') === 'flex-visual'
    }
    return stops.flatMap(({ it, box }, at) => {
      const before = stops[at - 1]
      if (!before || isReordered(before.it, it)) return []
      const isBeside = Math.abs(box.top + box.bottom - before.box.top - before.box.bottom) < 16
      const isAbove = box.bottom <= before.box.top + 1
      const isInColumn = box.left < before.box.right && before.box.left < box.right
      const isBack = isBeside ? box.right <= before.box.left : isAbove && isInColumn
      const [from, to] = [before.it, it].map((one) => one.outerHTML.slice(0, 90))
      return isBack ? [`focus goes back from ${from} to ${to}`] : []
    })
  })

/** The letters around each line break within a word. A hyphen may end a line. For `evaluate`. */
export function brokenWords(element: Element): string[] {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const broken: string[] = []
  const range = document.createRange()
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const letters = text.textContent ?? ''
    if (text.parentElement?.closest('.sr-only')) continue
    const bottoms = [...letters].map((_, at) => {
      range.setStart(text, at)
      range.setEnd(text, at + 1)
      return range.getBoundingClientRect().bottom
    })
    for (const [at, bottom] of bottoms.entries()) {
      const pair = letters.slice(at - 1, at + 1)
      if (at > 0 && bottom > (bottoms[at - 1] ?? 0) + 4 && /^[^\s-]\S$/.test(pair))
        broken.push(pair)
    }
  }
  return broken
}

const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
