/** axe finds nothing on the screens that most people see. `npm run proof -- screens` checks every screen. */

import { expect, test } from 'vitest'
import { slow } from '../support/amounts.ts'
import { browsingOn, open, settled } from '../support/browsing.ts'
import { screenLooksFine, violationsOn } from '../support/looks.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const browsing = browsingOn(withSiteInBrowser())
const lookAtScreen = screenLooksFine(browsing)

test.concurrent('/nestle?tab=ratings', () => lookAtScreen('/nestle?tab=ratings'))

test('what is planted is found: a button without a name, and words that are too faint', () =>
  browsing(async (page) => {
    await open(page, '/about')
    await page.evaluate(() => {
      const faint = document.createElement('p')
      faint.textContent = 'Hardly to be read'
      faint.style.color = '#ddd'
      document.querySelector('main')?.append(document.createElement('button'), faint)
    })
    const found = await violationsOn(page)
    expect(found.map((violation) => violation.split(': ')[1])).toEqual(
      expect.arrayContaining(['button-name', 'color-contrast']),
    )
  }))

slow.test.concurrent('the request dialog, with what is missing in it', () =>
  lookAtScreen('/', async (page) => {
    await page.getByRole('button', { name: /Request it here/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Request a Company' })
    await dialog.getByLabel('Notify me when this company is added').check()
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await dialog.getByText('Please enter a company name').waitFor()
    await settled(page)
    return dialog.getByText('Please enter a company name')
  }),
)
