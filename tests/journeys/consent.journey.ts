/** What's at the bottom of a page: the cookie banner, the update badge, and the page's warnings. */

import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { slow } from '../support/amounts.ts'
import {
  afterClickGuard,
  browsingOn,
  countShifts,
  open,
  settled,
  shiftsOf,
  toast,
} from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const running = withSiteInBrowser(async () => ({
  RATE_LIMITS: 'off',
  ANALYTICS_ID: 'G-TEST12345',
  FALLBACK_URL: 'https://kettle.host.example',
}))
const browsing = browsingOn(running, {
  expected: /net::ERR_FAILED/,
  storageState: undefined,
})

const PHONE = { width: 390, height: 844 }
const ANALYTICS = 'https://www.googletagmanager.com/**'

const banner = (page: Page) => page.getByRole('region', { name: 'Cookie consent' })
const badge = (page: Page) => page.getByRole('region', { name: 'About this version' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Cookie Preferences' })
const switchOf = (page: Page, name: string) => dialog(page).getByRole('switch', { name })
const press = (page: Page, name: string) => banner(page).getByRole('button', { name }).click()

/** Everything that this browser stores, except the build that it saw. */
const kept = (page: Page) =>
  page.evaluate(() => {
    const { last_build_time: _, ...rest } = { ...localStorage }
    return rest
  })

/** Stands in for the provider's code and only records that it loaded. What the provider is told is in `dataLayer`. */
async function withAnalytics(page: Page) {
  const asked: string[] = []
  await page.route(ANALYTICS, (route) => {
    asked.push(route.request().url())
    return route.fulfill({ contentType: 'text/javascript', body: '' })
  })
  return asked
}

const consentCalls = (page: Page) =>
  page.evaluate(() =>
    (globalThis as unknown as { dataLayer: ArrayLike<unknown>[] }).dataLayer
      .map((words) => Array.from(words))
      .filter(([word]) => word === 'consent'),
  )

async function switches(page: Page) {
  const found: Record<string, boolean> = {}
  for (const name of ['Essential', 'Analytics', 'Preference', 'Marketing'])
    found[name] = await switchOf(page, name).isChecked()
  return found
}

async function reopened(page: Page) {
  await page.getByRole('contentinfo').getByRole('button', { name: 'Cookie Preferences' }).click()
  await dialog(page).waitFor()
}

const ALL = { Essential: true, Analytics: true, Preference: true, Marketing: true }
const NONE = { Essential: true, Analytics: false, Preference: false, Marketing: false }

test('Spec §2.18, §4: a new browser is asked, and loads and stores nothing optional before the answer', () =>
  browsing(async (page) => {
    const analytics = await withAnalytics(page)
    const others: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(running.site.url)) others.push(request.url())
    })
    // Even late fonts shift nothing.
    await page.route(/\.woff2$/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 700))
      await route.continue()
    })
    await countShifts(page)
    await open(page, '/')
    await banner(page).waitFor()
    await settled(page)
    // Its scripts load a moment after the banner. The rest is about what they do.
    await page.waitForFunction(() => 'dataLayer' in globalThis)
    expect(await shiftsOf(page)).toBeLessThan(0.001)
    expect(await kept(page)).toEqual({})
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    expect(await page.context().cookies()).toEqual([])
    expect([...analytics, ...others]).toEqual([])
    expect(await consentCalls(page)).toHaveLength(1)
    // It doesn't take the focus, and it's the first stop after "Skip to content".
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Accept All')
    await page.keyboard.press('Escape')
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await looksFine(page, 'consent-banner')
  }))

slow.test('the focus is never under the banner, even at the end of a phone’s page', () =>
  browsing(
    async (page) => {
      await open(page, '/')
      await banner(page).waitFor()
      const covered = () =>
        page.evaluate(() => {
          const box = document
            .querySelector('[aria-label="Cookie consent"]')
            ?.getBoundingClientRect()
          return [
            ...document.querySelectorAll<HTMLElement>(
              'main a, main button, footer a, footer button',
            ),
          ]
            .filter((element) => element.checkVisibility())
            .filter((element) => {
              element.focus()
              const { bottom, height } = element.getBoundingClientRect()
              return height > 0 && bottom > (box?.top ?? 0) + 1
            })
            .map((element) => element.textContent)
        })
      // The page makes room for the banner once it knows how tall that is.
      await expect.poll(covered).toEqual([])
    },
    { viewport: PHONE },
  ),
)

test('Spec §4: "Accept All" is disabled after a click, is stored, and grants everything', () =>
  browsing(async (page) => {
    const analytics = await withAnalytics(page)
    await open(page, '/')
    await banner(page).waitFor()
    const isDisabled = await page.evaluate(async () => {
      const [button] = [...document.querySelectorAll('button')].filter(
        (each) => each.textContent === 'Accept All',
      )
      button?.click()
      await new Promise(requestAnimationFrame)
      return button?.disabled
    })
    expect(isDisabled).toBe(true)
    await banner(page).waitFor({ state: 'detached' })
    expect(await kept(page)).toEqual({
      cookieConsent: 'accepted',
      cookiePreferences: '{"analytics":true,"marketing":true,"preferences":true}',
    })
    await expect.poll(() => analytics.length).toBe(1)
    expect((await consentCalls(page)).map(([, kind]) => kind)).toEqual(['default', 'update'])

    await page.reload()
    await badge(page).waitFor()
    expect(await banner(page).count()).toBe(0)
    await reopened(page)
    expect(await switches(page)).toEqual(ALL)
    await afterClickGuard(page)
    // Cancel changes nothing.
    await switchOf(page, 'Marketing').click()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    expect((await kept(page)).cookieConsent).toBe('accepted')
    await afterClickGuard(page)
    await reopened(page)
    expect(await switches(page)).toEqual(ALL)
  }))

slow.test(
  'Spec §4: reject denies everything in every tab, and nothing from others ever loads',
  () =>
    browsing(async (page) => {
      const analytics = await withAnalytics(page)
      await open(page, '/')
      await banner(page).waitFor()
      const other = await page.context().newPage()
      await open(other, '/companies')
      await banner(other).waitFor()
      await press(page, 'Reject All')
      await banner(page).waitFor({ state: 'detached' })
      await banner(other).waitFor({ state: 'detached' })
      expect(await kept(page)).toEqual({
        cookieConsent: 'rejected',
        cookiePreferences: '{"analytics":false,"marketing":false,"preferences":false}',
      })
      await page.reload()
      await badge(page).waitFor()
      await reopened(page)
      expect(await switches(page)).toEqual(NONE)
      expect(analytics).toEqual([])
      expect(await page.context().cookies()).toEqual([])
    }),
)

slow.test(
  'Spec §2.18, §4: customize by keyboard alone; the chosen switches are stored and shown again',
  () =>
    browsing(async (page) => {
      const analytics = await withAnalytics(page)
      await open(page, '/')
      await banner(page).getByRole('button', { name: 'Customize' }).focus()
      await page.keyboard.press('Enter')
      await dialog(page).waitFor()
      expect(await switches(page)).toEqual(NONE)
      expect(await switchOf(page, 'Essential').isDisabled()).toBe(true)
      await looksFine(page, 'consent-dialog')
      await switchOf(page, 'Preference').focus()
      await page.keyboard.press('Space')
      await dialog(page).getByRole('button', { name: 'Save Preferences' }).focus()
      await page.keyboard.press('Enter')
      await dialog(page).waitFor({ state: 'detached' })
      await banner(page).waitFor({ state: 'detached' })
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.id), {
          message: 'the focus goes on',
        })
        .toBe('main')
      expect(await kept(page)).toEqual({
        cookieConsent: 'customized',
        cookiePreferences: '{"analytics":false,"marketing":false,"preferences":true}',
      })
      expect((await consentCalls(page)).at(-1)).toEqual([
        'consent',
        'update',
        expect.objectContaining({
          analytics_storage: 'denied',
          functionality_storage: 'granted',
          security_storage: 'granted',
        }),
      ])
      expect(analytics).toEqual([])
      // The privacy policy has no footer, so it has its own button.
      await page.goto('/privacy')
      await page.getByRole('article').getByRole('button', { name: 'Cookie Preferences' }).click()
      await dialog(page).waitFor()
      expect(await switches(page)).toEqual({ ...NONE, Preference: true })
    }),
)

/** The page's clock is stopped, the banner answered, and the badge there. */
async function openAtRest(page: Page, path: string) {
  await page.addInitScript(() => localStorage.setItem('cookieConsent', 'rejected'))
  await page.clock.install({ time: '2026-03-14T09:00:00Z' })
  await page.clock.pauseAt('2026-03-14T09:00:01Z')
  await open(page, path)
  await until(page, badge(page))
}

/** Moves the page's clock second by second, with time for responses in between, until something shows. */
async function until(page: Page, wanted: Locator) {
  for (let seconds = 0; seconds < 200 && !(await wanted.isVisible()); seconds++) {
    await page.clock.runFor(1000)
  }
  await wanted.waitFor()
}

/** From now on, another build is published. */
async function publish(page: Page) {
  const build = { buildTime: '2027-01-02T03:04:00.000Z', timestamp: 1_798_859_040_000 }
  await page.route('**/build-time.json*', (route) => route.fulfill({ json: build }))
  return build
}

slow.test('Spec §2.2, §2.19: banner and badge load with the page, even on a phone', () =>
  browsing(
    async (page) => {
      /**
       * Opens the page without its scripts, except the inline one.
       * @returns a function that lets them load
       */
      const openAlone = async () => {
        let release = () => {}
        const held = new Promise<void>((resolve) => {
          release = resolve
        })
        await page.route('**/assets/*.js', (route) => held.then(() => route.continue()))
        await page.goto('/about')
        return async () => {
          release()
          await page.unrouteAll({ behavior: 'wait' })
        }
      }
      let come = await openAlone()
      await badge(page).getByText('Last published:').waitFor()
      await banner(page).getByRole('button', { name: 'Reject All' }).click()
      expect(await banner(page).isVisible()).toBe(true)
      await come()
      await banner(page).waitFor({ state: 'detached' })
      expect(await page.evaluate(() => localStorage.getItem('cookieConsent'))).toBe('rejected')
      // Once you've answered, you never see it.
      come = await openAlone()
      expect(await banner(page).isVisible()).toBe(false)
      await come()
      await page.evaluate(() => localStorage.clear())

      await page.clock.install({ time: '2026-03-14T09:00:00Z' })
      await page.clock.pauseAt('2026-03-14T09:00:01Z')
      await open(page, '/companies')
      // The page's clock is stopped, so this was instant.
      await banner(page).waitFor()
      await badge(page).getByText('Last published:').waitFor()
      await badge(page).getByRole('button', { name: 'Refresh' }).waitFor()
    },
    { viewport: PHONE, storageState: undefined },
  ),
)

slow.test(
  'Spec §2.19, §4: the badge says when the site was published, and announces a newer version',
  () =>
    browsing(async (page) => {
      await openAtRest(page, '/')
      await badge(page).getByText('Last published:').waitFor()
      await page.setViewportSize(PHONE)
      await badge(page).getByText('Last published:').waitFor()
      await badge(page).getByRole('button', { name: 'Refresh' }).waitFor()
      await page.setViewportSize({ width: 1280, height: 900 })
      const build = await publish(page)
      const status = badge(page).getByRole('status')
      await until(page, status.getByText('New version available'))
      await status.getByText('Click refresh to see the latest changes').waitFor()
      expect(await page.evaluate(() => localStorage.getItem('last_build_time'))).toBe(
        String(build.timestamp),
      )
      // The accessibility check needs a running clock.
      await page.clock.resume()
      await looksFine(page, 'update-news')
      const reloaded = page.waitForEvent('load')
      await badge(page).getByRole('button', { name: 'Refresh' }).click()
      await reloaded
    }),
)

slow.test(
  'Spec §4: the auto-reloader waits for a half-written post, says so, and reloads after it',
  () =>
    browsing(async (page) => {
      await openAtRest(page, '/create-thread')
      await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
      const isSamePage = () => page.evaluate(() => 'isSamePage' in globalThis)
      await publish(page)
      const text = page.locator('form textarea').first()
      await text.fill('They moved the coffee machine, and nobody')
      await until(page, badge(page).getByText('This page refreshes once you’re done.'))
      await page.clock.runFor(120_000)
      // The accessibility check needs a running clock.
      await page.clock.resume()
      await looksFine(page, 'update-waiting')
      expect(await isSamePage()).toBe(true)
      expect(await text.inputValue()).toBe('They moved the coffee machine, and nobody')
      await text.fill('')
      const reloaded = page.waitForEvent('load')
      await toast(
        page,
        'New version available',
        'Refreshing to get the latest changes...',
      ).waitFor()
      await reloaded
      expect(await isSamePage()).toBe(false)
    }),
)

slow.test(
  'Spec §2.19, §8: a broken certificate brings a warning, a way around it and a retry',
  () =>
    browsing(async (page) => {
      // The same site, as it looks over https.
      await page.route('https://kettle.example/**', async (route) => {
        const { pathname, search } = new URL(route.request().url())
        await route.fulfill({
          response: await route.fetch({ url: running.site.url + pathname + search }),
        })
      })
      await openAtRest(page, 'https://kettle.example/companies?search=a')
      const isCheck = (url: URL) => /^\/(build-time\.json|favicon\.svg)$/.test(url.pathname)
      await page.route(isCheck, (route) => route.abort())
      await until(page, toast(page, 'SSL Certificate Issue Detected'))
      await badge(page).getByText('SSL Certificate Issue', { exact: true }).waitFor()
      const way = badge(page).getByRole('link', { name: 'Use kettle.host.example' })
      expect(await way.getAttribute('href')).toBe('https://kettle.host.example/companies?search=a')
      await page.clock.resume()
      await looksFine(page, 'certificate-issue')
      await page.unroute(isCheck)
      await badge(page).getByRole('button', { name: 'Retry' }).click()
      await badge(page).getByText('Last published:').waitFor()
      await looksFine(page, 'update-badge')
    }),
)
