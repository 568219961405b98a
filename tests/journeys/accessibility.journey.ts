/** axe finds nothing on any screen or open dialog, in both themes, on phones and desktops. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { complaintsOn } from '../support/chromium.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const running = withSiteInBrowser()

const LOOKS = [
  { width: 390, height: 844, theme: 'light' },
  { width: 390, height: 844, theme: 'dark' },
  { width: 1280, height: 900, theme: 'light' },
  { width: 1280, height: 900, theme: 'dark' },
] as const

const SCREENS = [
  '/',
  '/companies',
  '/companies?search=zzqx',
  '/nestle',
  '/nestle?tab=ratings',
  '/nestle?tab=about',
  '/fennimoor-cheese-cold-chain-and-careful-handling-company',
  '/about',
  '/privacy',
  '/terms',
  '/discussions',
  '/profile',
  '/settings',
  '/reset-password#access_token=a&refresh_token=b&type=recovery',
  '/nope',
]

/** `prepare` opens something on the page first. The four looks are taken side by side. */
async function look(
  path: string,
  prepare: (page: Page, isPhone: boolean) => Promise<void> = async () => {},
) {
  const found = await Promise.all(
    LOOKS.map(async ({ width, height, theme }) => {
      const context = await running.browser.newContext({
        viewport: { width, height },
        colorScheme: theme,
        reducedMotion: 'reduce',
        baseURL: running.site.url,
      })
      try {
        const page = await context.newPage()
        const complaints = complaintsOn(page)
        await page.goto(path)
        await page.locator('[aria-label^="Switch to"]').waitFor({ state: 'attached' })
        await prepare(page, width < 768)
        const { violations } = await new AxeBuilder({ page }).analyze()
        return [
          ...violations.map(({ id, nodes }) => `${id}: ${nodes.map((it) => it.html).join(' ')}`),
          ...complaints.filter((text) => !text.includes('404')),
          ...(await isTooWide(page)),
        ].map((problem) => `${width} px, ${theme}: ${problem}`)
      } finally {
        await context.close()
      }
    }),
  )
  expect(found.flat()).toEqual([])
}

async function isTooWide(page: Page) {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  return overflow > 0 ? [`${overflow} px wider than the screen`] : []
}

test.each(SCREENS)('%s', (path) => look(path))

test('the open search list', () =>
  look('/', async (page) => {
    await page.getByRole('combobox', { name: 'Search companies' }).fill('bank')
    await page.getByRole('option').first().waitFor()
  }))

test('the request dialog', () =>
  look('/', async (page) => {
    await page.getByRole('button', { name: /Request it here/ }).click()
    await page.getByRole('dialog').waitFor()
    await page.waitForTimeout(300)
  }))

test('the menu: the drawer on a phone, the sign-up dialog on a desktop', () =>
  look('/companies', async (page, isPhone) => {
    await page.getByRole('button', { name: isPhone ? 'Open menu' : 'Sign up' }).click()
    await page.getByRole('dialog').waitFor()
    await page.waitForTimeout(400)
  }))

test('a toast', () =>
  look('/', async (page) => {
    await page.getByText('Join the conversation!').waitFor()
    await page.waitForTimeout(400)
  }))

test('the narrowest phone and a zoom of 400% need no sideways scrolling', async () => {
  for (const width of [360, 320]) {
    const page = await running.browser.newPage({
      viewport: { width, height: 700 },
      baseURL: running.site.url,
    })
    for (const path of SCREENS) {
      await page.goto(path)
      expect(await isTooWide(page), `${path} at ${width} px`).toEqual([])
    }
    await page.close()
  }
})
