/** Sensitive actions ask for proof of identity: someone with an old session gives it again, and continues. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DEMO_PASSWORD } from '#app/identity/accounts/demo-people.server.ts'
import { afterClickGuard, browsingOn, open, signIn, toast } from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'
import { comeBackLater } from './steps/come-back-later.ts'

const running = withSiteInBrowser()
const inBrowser = browsingOn(running, { expected: /status of (400|401|403)/ })

const asked = (page: Page) => page.getByRole('dialog', { name: 'Confirm it’s you' })

async function prove(page: Page, password: string) {
  await asked(page).getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
}

test('dana changes her password by keyboard, after a wrong one, and not at all if she cancels', () =>
  inBrowser(async (page) => {
    await open(page, '/')
    await signIn(page, 'dana')
    await comeBackLater(running.world, page, '/settings')
    const change = async () => {
      await page.getByLabel('New password', { exact: true }).fill('a better horse 10')
      await page.getByLabel('New password again').fill('a better horse 10')
      await afterClickGuard(page)
      await page.keyboard.press('Enter')
    }
    await change()
    await asked(page).waitFor()
    await looksFine(page, 'step-up')
    await page.keyboard.press('Escape')
    await asked(page).waitFor({ state: 'detached' })
    await page.getByRole('main').getByText('Please confirm it’s you first').waitFor()

    await change()
    await asked(page).waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe(
      'current-password',
    )
    await prove(page, 'wrong horse 9')
    await asked(page).getByText('That’s not your password').waitFor()
    await afterClickGuard(page)
    await prove(page, DEMO_PASSWORD)
    await toast(page, 'Password changed').waitFor()
    await asked(page).waitFor({ state: 'detached' })

    // Proved a moment ago, so nothing is asked.
    await afterClickGuard(page)
    await page.getByRole('button', { name: 'Sign out other devices' }).click()
    await toast(page, 'Other devices signed out').waitFor()
  }))

test('erin deletes her account, and the question lies over the first window, which stays', () =>
  inBrowser(async (page) => {
    await open(page, '/')
    await signIn(page, 'erin')
    await comeBackLater(running.world, page, '/settings')
    await page.getByRole('button', { name: 'Delete account' }).click()
    const window = page.getByRole('dialog', { name: 'Delete account' })
    await window.getByLabel(/to confirm/).fill('Erin')
    await window.getByRole('button', { name: 'Delete permanently' }).click()
    await asked(page).waitFor()
    await looksFine(page, 'step-up-over')
    await asked(page).getByRole('button', { name: 'Cancel' }).click()
    await window.getByText('Please confirm it’s you first').waitFor()
    await afterClickGuard(page)
    await window.getByRole('button', { name: 'Delete permanently' }).click()
    await asked(page).getByLabel('Your password').click()
    await prove(page, DEMO_PASSWORD)
    await toast(page, 'Account deleted').waitFor()
    await page.waitForURL((url) => url.pathname === '/')
  }))

test('olga confirms it’s her before she dismisses ada', () =>
  inBrowser(async (page) => {
    await open(page, '/')
    await signIn(page, 'olga')
    await comeBackLater(running.world, page, '/admin?section=users')
    const search = page.getByLabel('Part of a username or a full email')
    await search.fill('ada@kettle.example')
    await search.press('Enter')
    const row = page.getByRole('article').filter({ hasText: 'Ada' })
    await row.getByRole('button', { name: 'Manage Ada' }).click()
    await page.getByRole('menuitem', { name: 'Remove administrator' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await asked(page).waitFor()
    await prove(page, DEMO_PASSWORD)
    await toast(page, 'Ada is no longer an administrator').waitFor()
  }))

test('ada’s browser solves a spam check after someone tried her password for long, and she’s in', () =>
  inBrowser(async (page) => {
    const json = { email: 'ada@kettle.example', password: 'wrong horse 9' }
    const attempt = async () => {
      const answer = await fetch(`${running.site.url}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(json),
      })
      return (await answer.json()).error_code
    }
    for (let i = 0; i < 10; i++) expect(await attempt()).toBe('invalid_credentials')
    expect(await attempt()).toBe('captcha_failed')
    await open(page, '/')
    await signIn(page, 'ada')
    await toast(page, 'Welcome back!').waitFor()
  }))
