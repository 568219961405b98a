/** axe finds nothing on the screens that most people see. `npm run proof -- screens` checks every screen. */

import { expect, test } from 'vitest'
import { slow } from '../support/amounts.ts'
import { browsingOn, open, settled } from '../support/browsing.ts'
import { problemsOn, screenLooksFine } from '../support/looks.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const browsing = browsingOn(withSiteInBrowser())
const lookAtScreen = screenLooksFine(browsing)

test.concurrent('/nestle?tab=ratings', () => lookAtScreen('/nestle?tab=ratings'))

test('the checks find planted faults: missing and repeated names, faint words, a second h1, lost focus', () =>
  browsing(async (page) => {
    await open(page, '/about')
    await page.evaluate(() => {
      const made = (tag: string, text = '', style = '') =>
        Object.assign(document.createElement(tag), { textContent: text, style })
      const list = made('ul', '', 'display: flex; flex-direction: column-reverse')
      for (const item of [made('li'), made('li')]) {
        item.append(made('button', 'Vote'))
        list.append(item)
      }
      const faint = made('p', 'Hardly to be read', 'color: #ddd')
      document.querySelector('main')?.append(made('button'), faint, list, made('h1', 'Again'))
    })
    const found = (await problemsOn(page)).join('\n')
    for (const problem of ['button-name', 'color-contrast', '2 times BUTTON Vote', '2 times h1'])
      expect(found).toContain(problem)
    expect(found).toMatch(/focus goes back from <button.*Vote/)
  }))

slow.test.concurrent('the request dialog is accessible, with what’s missing in it', () =>
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
