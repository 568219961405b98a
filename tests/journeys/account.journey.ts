/** Dana gets an account, loses her password, changes things, and leaves. */

import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { slow } from '../support/amounts.ts'
import {
  afterClickGuard,
  browsingOn,
  holdBack,
  open,
  userButton,
  whenAlive,
} from '../support/browsing.ts'
import { complaintsOn } from '../support/chromium.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

let mail: MailServer
/** The client renews a token 90 s before it expires. */
const TOKEN_SECONDS = 100
const running = withSiteInBrowser(async () => {
  mail = await startMailServer()
  return {
    SMTP_URL: mail.url,
    AUTH_AUTOCONFIRM: 'true',
    RATE_LIMITS: 'off',
    AUTH_ACCESS_TOKEN_SECONDS: String(TOKEN_SECONDS),
  }
})
afterAll(() => mail?.stop())

const PHONE = { width: 390, height: 844 }
const PASSWORD = 'correct horse 9'

/** What a browser says about expected refusals. */
const REFUSED = /status of (400|401|403|409|422)/

const inBrowser = browsingOn(running, { acceptDownloads: true, expected: REFUSED })

const dialog = (page: Page) => page.getByRole('dialog')
const toast = (page: Page, title: string, text?: string) =>
  page
    .locator('li')
    .filter({ hasText: title })
    .filter({ hasText: text ?? '' })
    .first()
    .waitFor()
const userName = (page: Page) => userButton(page).locator('.truncate').textContent()
const mainText = (page: Page) => page.getByRole('main').textContent()

async function fillSignIn(page: Page, email: string, password: string) {
  await dialog(page).getByLabel('Email').fill(email)
  await dialog(page).getByLabel('Password', { exact: true }).fill(password)
}

async function signUp(page: Page, email: string, password = PASSWORD) {
  await page.getByRole('button', { name: 'Sign up' }).click()
  await fillSignIn(page, email, password)
  await page.keyboard.press('Enter')
  await userButton(page).waitFor()
}

async function signIn(page: Page, email: string, password = PASSWORD) {
  await page.getByRole('button', { name: 'Log in' }).click()
  await fillSignIn(page, email, password)
  await page.keyboard.press('Enter')
  await userButton(page).waitFor()
}

/** While its response is held back, the pressed button reads like this and can't be pressed. */
async function isBusy(
  page: Page,
  { address, reads, press }: { address: RegExp; reads: string; press: () => Promise<void> },
) {
  const answer = await holdBack(page, address)
  await press()
  const busy = page.getByText(reads, { exact: true })
  await busy.waitFor()
  expect(await busy.isDisabled(), reads).toBe(true)
  answer()
}

/** Opens the email's link and presses the button on its page, as a person does. */
async function follow(page: Page, subject: string, to: string) {
  const letter = await mail.next((it) => it.subject.startsWith(subject) && it.to.includes(to))
  const link = letter.links.find((href) => href.includes('/auth/v1/verify'))
  await page.goto(link as string)
  await page.getByRole('button').click()
}

test('sign up → sign out → wrong password → sign in', () =>
  inBrowser(async (page) => {
    const email = 'dana@people.example'
    await open(page, '/companies')

    // Spec §2.4: the views and their links, by keyboard. Missing fields are named.
    await page.getByRole('button', { name: 'Log in' }).click()
    await dialog(page).getByRole('heading', { name: 'Welcome Back' }).waitFor()
    await dialog(page).getByText('Sign in to your account').waitFor()
    await dialog(page).getByRole('button', { name: 'Sign up' }).click()
    await dialog(page).getByRole('heading', { name: 'Create Account' }).waitFor()
    expect(
      await dialog(page).getByLabel('Password', { exact: true }).getAttribute('placeholder'),
    ).toBe('Password (minimum 6 characters)')
    await fillSignIn(page, email, 'short')
    await page.keyboard.press('Enter')
    await dialog(page).getByText('Password must be at least 6 characters').waitFor()
    await fillSignIn(page, email, PASSWORD)
    await dialog(page).getByRole('button', { name: 'Show password' }).click()
    expect(await dialog(page).getByLabel('Password', { exact: true }).getAttribute('type')).toBe(
      'text',
    )
    await afterClickGuard(page)
    await isBusy(page, {
      address: /auth\/v1\/signup/,
      reads: 'Creating account...',
      press: () => dialog(page).getByRole('button', { name: 'Create account' }).click(),
    })

    // Spec §8.
    await toast(page, 'Welcome to Kettle!', 'Your account has been created successfully.')
    await expect.poll(() => dialog(page).count()).toBe(0)
    const name = await userName(page)
    expect(name).toMatch(/^[A-Z][a-z]+[A-Z][a-z]+\d{3,4}$/)
    expect(new URL(page.url()).pathname).toBe('/companies')

    await userButton(page).click()
    const leave = await holdBack(page, /auth\/v1\/logout/)
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByRole('menuitem', { name: 'Signing out...' }).waitFor()
    leave()
    await toast(page, 'Signed out successfully', 'You have been signed out of your account.')
    await page.waitForURL((url) => url.pathname === '/')
    await page.getByRole('button', { name: 'Log in' }).waitFor()

    await page.getByRole('button', { name: 'Log in' }).click()
    await fillSignIn(page, email, 'wrong horse 9')
    await isBusy(page, {
      address: /auth\/v1\/token/,
      reads: 'Signing in...',
      press: () => dialog(page).getByRole('button', { name: 'Log in', exact: true }).click(),
    })
    await toast(page, 'Sign in failed', 'Invalid login credentials')
    await fillSignIn(page, email, PASSWORD)
    await afterClickGuard(page)
    await page.keyboard.press('Enter')
    await toast(page, 'Welcome back!', 'You have successfully logged in.')
    await expect.poll(() => userName(page)).toBe(name)
  }))

slow.test('forgot password → a link in another browser → a new password', () =>
  inBrowser(async (page) => {
    const email = 'forgetful@people.example'
    await open(page, '/companies')
    await signUp(page, email)
    const name = await userName(page)

    // A second person, who mustn't notice what follows.
    await inBrowser(async (second) => {
      await open(second, '/')
      await signUp(second, 'erin@people.example')
      const erin = await userName(second)

      await userButton(page).click()
      await page.getByRole('menuitem', { name: 'Log out' }).click()
      await page.getByRole('button', { name: 'Log in' }).click()
      await dialog(page).getByRole('button', { name: 'Forgot your password?' }).click()
      await dialog(page).getByRole('heading', { name: 'Reset Password' }).waitFor()
      await dialog(page).getByLabel('Email').fill('')
      await dialog(page).getByRole('button', { name: 'Send reset link' }).click()
      await dialog(page).getByText('Please enter your email').waitFor()
      await dialog(page).getByLabel('Email').fill(email)
      await afterClickGuard(page)
      await isBusy(page, {
        address: /auth\/v1\/recover/,
        reads: 'Sending...',
        press: () => page.keyboard.press('Enter'),
      })
      await toast(
        page,
        'Password reset email sent',
        'Check your inbox for a link to reset your password.',
      )
      await dialog(page).getByRole('heading', { name: 'Check your email' }).waitFor()

      // S8: opened where someone else is signed in.
      await follow(second, 'Reset your Kettle password', email)
      await second.getByRole('heading', { name: 'Reset Your Password' }).waitFor()
      expect(new URL(second.url()).hash).toBe('')
      await whenAlive(second)
      await second.getByLabel('New Password', { exact: true }).fill('a better horse 10')
      await second.getByLabel('Confirm New Password').fill('another horse')
      await afterClickGuard(second)
      await second.getByRole('button', { name: 'Reset Password' }).click()
      await second.getByText("Passwords don't match").waitFor()
      await second.getByLabel('New Password', { exact: true }).fill('short')
      await second.getByLabel('Confirm New Password').fill('short')
      await afterClickGuard(second)
      await second.getByRole('button', { name: 'Reset Password' }).click()
      await second.getByText('Password must be at least 6 characters').waitFor()
      await second.getByLabel('New Password', { exact: true }).fill('a better horse 10')
      await second.getByLabel('Confirm New Password').fill('a better horse 10')
      await afterClickGuard(second)
      await isBusy(second, {
        address: /auth\/v1\/user/,
        reads: 'Updating password...',
        press: () => second.getByRole('button', { name: 'Reset Password' }).click(),
      })
      await toast(second, 'Password updated', 'Your password has been reset successfully.')
      await second.waitForURL((url) => url.pathname === '/')
      expect(await userName(second)).toBe(erin)
      await open(second, '/profile')
      expect(await userName(second)).toBe(erin)
    })

    await dialog(page).getByRole('button', { name: 'Back to login' }).click()
    await fillSignIn(page, email, PASSWORD)
    await page.keyboard.press('Enter')
    await toast(page, 'Sign in failed', 'Invalid login credentials')
    await fillSignIn(page, email, 'a better horse 10')
    await afterClickGuard(page)
    await page.keyboard.press('Enter')
    await expect.poll(() => userName(page)).toBe(name)
    // The other password still opens Erin's account.
    await inBrowser(async (third) => {
      await open(third, '/')
      await signIn(third, 'erin@people.example')
    })
  }),
)

slow.test('Spec §5, §8: a reset page without a token, or with an expired one, leads home', () =>
  inBrowser(async (page) => {
    for (const fragment of [
      '',
      '#error=access_denied&error_code=otp_expired',
      '#access_token=nonsense&refresh_token=nonsense&type=recovery',
    ]) {
      await page.goto('about:blank')
      await page.goto(`/reset-password${fragment}`)
      await toast(page, 'Invalid reset link', 'This password reset link is invalid or has expired.')
      await page.waitForURL((url) => url.pathname === '/')
    }
  }),
)

slow.test(
  'a session refreshes by itself, two tabs agree, and one ended elsewhere leaves a complete page',
  () =>
    inBrowser(async (page) => {
      const email = 'tabs@people.example'
      await page.clock.install()
      await open(page, '/')
      const tab = await page.context().newPage()
      const complaints = complaintsOn(tab)
      await open(tab, '/companies')
      await tab.getByRole('button', { name: 'Log in' }).waitFor()

      // Spec §4: what one tab does, the other knows.
      await signUp(page, email)
      await userButton(tab).waitFor()
      expect(await userName(tab)).toBe(await userName(page))

      // Spec §9: checked every 30 s, renewed when 90 s or less remain.
      const renewed = page.waitForResponse(
        (answer) =>
          answer.url().includes('grant_type=refresh_token') && answer.request().method() === 'POST',
      )
      await page.clock.fastForward(31_000)
      expect((await renewed).status()).toBe(200)

      await inBrowser(async (elsewhere) => {
        await open(elsewhere, '/settings')
        await elsewhere
          .getByRole('main')
          .getByRole('button', { name: /log in/i })
          .click()
        await fillSignIn(elsewhere, email, PASSWORD)
        await elsewhere.keyboard.press('Enter')
        await elsewhere.getByRole('button', { name: 'Sign out other devices' }).click()
        await toast(elsewhere, 'signed out')
      })
      await page.reload()
      await page.getByRole('button', { name: 'Log in' }).waitFor()
      await page.getByRole('heading', { level: 1, name: 'Kettle' }).waitFor()
      await tab.getByRole('button', { name: 'Log in' }).waitFor()
      expect(
        await page.evaluate(() => [
          localStorage.getItem('kettle-auth'),
          localStorage.getItem('isAdmin'),
        ]),
      ).toEqual([null, null])
      expect(complaints.filter((text) => !REFUSED.test(text))).toEqual([])
    }),
)

slow.test('a visitor who opens a member’s page signs in and is back there', () =>
  inBrowser(async (page) => {
    await open(page, '/profile')
    await page
      .getByRole('main')
      .getByRole('button', { name: /sign up/i })
      .click()
    await fillSignIn(page, 'profile@people.example', PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Change username' }).click()
    const field = page.getByLabel('Username')
    await field.fill('admin')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('This username is reserved').waitFor()
    await afterClickGuard(page)
    await field.fill('Profiled_1')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => userName(page)).toBe('Profiled_1')
    await page.getByRole('heading', { level: 1, name: 'Profiled_1' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Profiled_1' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/profile')
  }),
)

slow.test('dana changes her email and password, exports her data, and deletes her account', () =>
  inBrowser(async (page) => {
    const [email, newEmail] = ['leaver@people.example', 'leaver-new@people.example']
    await open(page, '/')
    await signUp(page, email)
    await follow(page, 'Confirm your email', email)
    await toast(page, 'Your email is confirmed')
    await open(page, '/settings')

    await page.getByRole('button', { name: 'Change email' }).click()
    await page.getByLabel('New email').fill(newEmail)
    await page.keyboard.press('Enter')
    await page.getByRole('main').getByText(newEmail).first().waitFor()
    await follow(page, 'Confirm your new email', newEmail)
    await open(page, '/settings')
    await expect.poll(() => mainText(page)).toContain(newEmail)
    expect(await mainText(page)).not.toContain(email)

    await page.getByLabel('New password', { exact: true }).fill('a better horse 10')
    await page.getByLabel('New password again').fill('a better horse 10')
    await page.keyboard.press('Enter')
    await mail.next((it) => it.subject === 'Your Kettle password was changed')

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download my data' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^kettle-export-\d{4}-\d\d-\d\d\.json$/)
    const exported = JSON.parse(await readFile(await download.path(), 'utf8'))
    expect(exported.account).toMatchObject({ email: newEmail, isEmailConfirmed: true })

    const { username } = exported.account
    await page.getByRole('button', { name: 'Delete account' }).click()
    await dialog(page)
      .getByRole('radio', { name: /Remove them too/ })
      .check()
    await dialog(page)
      .getByLabel(/to confirm/)
      .fill('somebody')
    await dialog(page).getByRole('button', { name: 'Delete permanently' }).click()
    await dialog(page).getByText(`Type ${username} exactly as shown`).waitFor()
    await dialog(page)
      .getByLabel(/to confirm/)
      .fill(username)
    await afterClickGuard(page)
    await dialog(page).getByRole('button', { name: 'Delete permanently' }).click()
    await page.waitForURL((url) => url.pathname === '/')
    await page.getByRole('button', { name: 'Log in' }).click()
    await fillSignIn(page, newEmail, 'a better horse 10')
    await page.keyboard.press('Enter')
    await toast(page, 'Sign in failed', 'Invalid login credentials')
  }),
)

slow.test('Spec §2.3: the phone’s drawer, signed in and out', () =>
  inBrowser(
    async (page) => {
      await open(page, '/companies')
      await page.getByRole('button', { name: 'Open menu' }).click()
      await dialog(page).getByRole('button', { name: 'Sign Up' }).click()
      await dialog(page).getByRole('heading', { name: 'Create Account' }).waitFor()
      await fillSignIn(page, 'phone@people.example', PASSWORD)
      await page.keyboard.press('Enter')
      await toast(page, 'Welcome to Kettle!')
      await expect.poll(() => dialog(page).count()).toBe(0)
      await page.getByRole('button', { name: 'Open menu' }).click()
      for (const name of [
        'Home',
        'Companies',
        'Discussions',
        'Profile',
        'Settings',
        'Notifications',
        'Alerts',
      ])
        await dialog(page).getByRole('link', { name, exact: true }).waitFor()
      await dialog(page).getByRole('link', { name: 'Settings', exact: true }).click()
      await page.waitForURL('**/settings')
      await afterClickGuard(page)
      await page.getByRole('button', { name: 'Open menu' }).click()
      await page.route('**/auth/v1/logout**', (route) =>
        route.fulfill({ status: 500, body: '<h1>Internal Server Error</h1>' }),
      )
      await dialog(page).getByRole('button', { name: 'Sign Out' }).click()
      await toast(page, 'Sign out failed', 'Please try again')
      await page.unrouteAll()
      await afterClickGuard(page)
      await page.getByRole('button', { name: 'Open menu' }).click()
      await dialog(page).getByRole('button', { name: 'Sign Out' }).click()
      await toast(page, 'Signed out successfully')
      await page.waitForURL((url) => url.pathname === '/')
    },
    { viewport: PHONE, isMobile: true, hasTouch: true, expected: /status of (409|500)/ },
  ),
)
