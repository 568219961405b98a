/** Numbers move together: people who rate see their own stars everywhere at once, and no one else sees anything yet. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { RATING_PENDING } from '#app/companies/own-rating/own-rating.ts'
import { DEMO_PASSWORD } from '#app/identity/accounts/demo-people.server.ts'
import { browsingOn, open, signIn } from '../support/browsing.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'
import { makeRatingsDueNow } from './steps/due-ratings.ts'
import { arrived, sending, sendSoon } from './steps/rating-secret.ts'

const running = withSiteInBrowser(async () => ({ RATE_LIMITS: 'off' }))
const browsing = browsingOn(running, { expected: /status of (400|401)/ })

/** A company without ratings, where one more or less shows. */
const PATH = '/nestle'
const header = (page: Page) => page.locator('section[aria-labelledby=rating]')
const card = (page: Page) => page.getByRole('article').filter({ hasText: 'Nestlé' }).first()

test('dana’s rating shows in her browser on every screen, and in no visitor’s, even at its address', () =>
  browsing(async (dana) => {
    await open(dana, `${PATH}?tab=ratings&rate=yes`)
    await signIn(dana, 'dana@kettle.example', DEMO_PASSWORD)
    await dana
      .getByRole('group', { name: /Culture/ })
      .getByRole('radio')
      .nth(1)
      .check({ force: true })
    await dana.getByRole('button', { name: 'Rate', exact: true }).click()
    const own = dana.getByRole('region', { name: 'Your rating' })
    await sending(dana).waitFor()
    await expect.poll(() => header(dana).textContent()).toContain('2.0')
    await expect.poll(() => dana.locator('main header dl').textContent()).toContain('rating1')

    const screens = ['/companies?search=nestle', `/companies?compare=nestle,lampwright-systems`]
    for (const screen of screens) {
      await open(dana, screen)
      await dana.getByText('Rated 2.0 out of 5').first().waitFor({ state: 'attached' })
    }
    await browsing(async (vera) => {
      await open(vera, `${PATH}?tab=ratings`)
      await vera.getByText('No one has rated Nestlé yet').waitFor()
      expect(await header(vera).textContent()).toContain('--')
      for (const screen of screens) {
        await open(vera, screen)
        expect(await vera.getByText('Rated 2.0 out of 5').count()).toBe(0)
      }
      await open(vera, screens[0] as string)
      expect(await card(vera).textContent()).toContain('Not rated yet')
    })

    // Once the rating is sent, the server knows it, too.
    await sendSoon(dana, `${PATH}?tab=ratings`)
    await own.getByText(RATING_PENDING).waitFor()
    await expect.poll(() => header(dana).textContent()).toContain('2.0')
    await own.getByRole('button', { name: 'Remove' }).click()
    await dana.getByRole('dialog').getByRole('button', { name: 'Remove rating' }).click()
    await dana.getByText('No one has rated Nestlé yet').waitFor()
    expect(await header(dana).textContent()).toContain('--')
  }))

test('ada’s removed public rating disappears for her alone, and for others when they follow', () =>
  browsing(async (ada) => {
    await open(ada, '/lampwright-systems?tab=ratings')
    const before = await header(ada).textContent()
    await signIn(ada, 'ada@kettle.example', DEMO_PASSWORD)
    await open(ada, '/lampwright-systems?tab=ratings&rate=yes')
    await ada.getByRole('radio').first().check({ force: true })
    await ada.getByRole('button', { name: 'Rate', exact: true }).click()
    await sending(ada).waitFor()
    await sendSoon(ada, '/lampwright-systems?tab=ratings')
    await ada.getByText(RATING_PENDING).first().waitFor()
    await browsing(async (vera) => {
      await open(vera, '/lampwright-systems?tab=ratings')
      expect(await header(vera).textContent()).toBe(before)
    })
  }))

test('erin’s rating goes by itself without a worker, and not even its code is requested then', () =>
  browsing(async (erin) => {
    await erin.addInitScript(() => Reflect.deleteProperty(globalThis, 'SyncManager'))
    await open(erin, '/amd?tab=ratings&rate=yes')
    await signIn(erin, 'erin@kettle.example', DEMO_PASSWORD)
    await erin.getByRole('radio').first().check({ force: true })
    await erin.getByRole('button', { name: 'Rate', exact: true }).click()
    await sending(erin).waitFor()
    // Preloaded, well before it's needed.
    await erin.waitForFunction(() =>
      performance
        .getEntriesByType('resource')
        .some(({ name }) => name.includes('/presenting.data')),
    )
    const asked: string[] = []
    erin.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await makeRatingsDueNow(erin)
    await arrived(erin)
    expect(asked.filter((path) => path.startsWith('/assets/'))).toEqual([])
    expect(asked.join()).toContain('/presented-rating')
  }))
