/** Vera searches what others said: the best match first, how many there are, and where it was said. */

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { browsingOn, open } from '../support/browsing.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const browsing = browsingOn(withSiteInBrowser())

async function searchFor(page: Page, text: string) {
  await page.getByRole('searchbox', { name: 'Search discussions' }).fill(text)
  await page.getByRole('search', { name: 'Discussions' }).getByRole('button').click()
  await page.getByText(`“${text}”`).first().waitFor()
}

test.each([360, 1280])(
  'a search at %i px: its number, its orders, its words, and what was meant',
  (width) =>
    browsing(
      async (vera) => {
        const order = vera.getByRole('navigation', { name: 'Order' })
        await open(vera, '/discussions?sort=new')
        expect(await order.getByRole('link', { name: 'Best match' }).count()).toBe(0)
        await searchFor(vera, 'meetings')
        await vera.getByText(/^[1-9]\d* discussions for “meetings”$/).waitFor()
        expect(await order.locator('[aria-current=page]').textContent()).toBe('Best match')
        expect(await vera.locator('article mark').first().textContent()).toMatch(/^meeting/i)

        await order.getByRole('link', { name: 'New' }).click()
        await vera.waitForURL('**/discussions?sort=new&search=meetings')
        await order.getByRole('link', { name: 'Best match' }).click()
        await vera.waitForURL('**/discussions?search=meetings')

        await searchFor(vera, 'meetngs')
        await vera.getByText(/“meetings”\. Nothing matches “meetngs”$/).waitFor()
        await searchFor(vera, 'zzqx')
        await vera.getByText('No discussions found').waitFor()
        await vera.getByRole('main').getByRole('link', { name: 'Create thread' }).nth(1).waitFor()
      },
      { viewport: { width, height: 800 } },
    ),
)
