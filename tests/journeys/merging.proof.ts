/** An administrator merges two companies, sees what that did, and undoes it. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { afterClickGuard, browsingOn, open, signIn, toast } from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const running = withSiteInBrowser(async () => ({
  AUTH_AUTOCONFIRM: 'true',
  PROOF_OF_WORK: '2000',
  RATE_LIMITS: 'off',
}))
const browsing = browsingOn(running)
const dialog = (page: Page) => page.getByRole('dialog')
const isAt = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path)

test('D57: ada merges two companies → old addresses lead on → she undoes it in the history', () =>
  browsing(async (ada) => {
    await open(ada, '/pawnwick-house-games')
    await signIn(ada, 'ada')
    await ada.getByRole('button', { name: 'Merge into…' }).click()
    await dialog(ada).getByRole('button', { name: 'Merge' }).click()
    await dialog(ada).getByText('Choose the company that remains').waitFor()
    await dialog(ada).getByRole('combobox').fill('pawnwick')
    await ada.getByRole('option', { name: /Pawnwick House Games/ }).click()
    await afterClickGuard(ada)
    await dialog(ada).getByRole('button', { name: 'Merge' }).click()
    await dialog(ada).getByText('You can’t merge a company into itself').waitFor()
    await dialog(ada).getByRole('button', { name: 'Not Pawnwick House Games' }).click()
    await dialog(ada).getByRole('combobox').fill('lampwright')
    await ada.getByRole('option', { name: /Lampwright Systems/ }).click()
    await dialog(ada).getByText('Lampwright Systems keeps its name').waitFor()
    await looksFine(ada, 'merge-dialog')
    const threads = dialog(ada).getByText(/^\d+ threads?$/)
    expect(Number.parseInt((await threads.textContent()) ?? '', 10)).toBeGreaterThan(0)
    await afterClickGuard(ada)
    await dialog(ada).getByRole('button', { name: 'Merge' }).click()
    await toast(ada, 'Pawnwick House Games is now part of Lampwright Systems').waitFor()
    await isAt(ada, '/lampwright-systems')
    const former = await fetch(`${running.site.url}/pawnwick-house-games`, { redirect: 'manual' })
    expect([former.status, former.headers.get('location')]).toEqual([301, '/lampwright-systems'])

    await ada.getByRole('link', { name: 'Edit', exact: true }).click()
    await ada.getByText('Pawnwick House Games is part of it').waitFor()
    await looksFine(ada, 'merge-history')
    await ada.getByRole('button', { name: 'Undo the merge' }).click()
    await toast(ada, 'Two companies again').waitFor()
    const again = await fetch(`${running.site.url}/pawnwick-house-games`, { redirect: 'manual' })
    expect(again.status).toBe(200)
  }))
