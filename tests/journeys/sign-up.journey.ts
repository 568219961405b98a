/**
 * Signing up where emails are sent: the link confirms, tells strangers nothing, and no one can wait in someone else's
 * account.
 */

import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { amount, slow } from '../support/amounts.ts'
import {
  afterClickGuard,
  browsingOn,
  open,
  toast,
  userButton,
  whenAlive,
} from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'
import { sending } from './steps/rating-secret.ts'

let mail: MailServer
const running = withSiteInBrowser(async () => {
  mail = await startMailServer()
  return { SMTP_URL: mail.url, RATE_LIMITS: 'off' }
})
afterAll(() => mail?.stop())

const PASSWORD = 'correct horse 9'
const OTHER_PASSWORD = 'a better horse 10'
const inBrowser = browsingOn(running, { expected: /status of (400|401|403)/ })
const dialog = (page: Page) => page.getByRole('dialog')

async function signUp(page: Page, email: string, password = PASSWORD) {
  await open(page, '/companies')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await dialog(page).getByLabel('Email').fill(email)
  await dialog(page).getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('heading', { name: 'Check your email' }).waitFor()
}

async function signIn(page: Page, email: string, password = PASSWORD) {
  await open(page, '/')
  await page.getByRole('button', { name: 'Log in' }).click()
  await dialog(page).getByLabel('Email').fill(email)
  await dialog(page).getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

/** Opens the email's link. Its page's address no longer contains the token. */
async function openLink(page: Page, subject: string, to: string) {
  const letter = await mail.next((it) => it.subject.startsWith(subject) && it.to.includes(to))
  const link = letter.links.find((href) => href.includes('/auth/v1/verify')) as string
  await page.goto(link)
  const token = new URL(link).searchParams.get('token') as string
  expect(token.length).toBeGreaterThan(20)
  expect(page.url()).not.toContain(token)
  return link
}

const PROOF = /access_token|refresh_token|token=|code=/

async function chooseNewPassword(page: Page) {
  await page.getByRole('heading', { name: 'Reset Your Password' }).waitFor()
  await whenAlive(page)
  await page.getByLabel('New Password', { exact: true }).fill(OTHER_PASSWORD)
  await page.getByLabel('Confirm New Password').fill(OTHER_PASSWORD)
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await toast(page, 'Password updated').waitFor()
  await page.waitForURL((url) => url.pathname === '/')
}

slow.test(
  'dana signs up, opens the link in the same browser, and is signed in with a clean address',
  () =>
    inBrowser(async (page) => {
      const email = 'dana.here@people.example'
      await signUp(page, email)
      await mail.next(({ to }) => to.includes(email))
      await dialog(page).getByRole('button', { name: 'Send it again' }).click()
      await toast(page, 'Confirmation email sent').waitFor()
      await openLink(page, 'Confirm your email', email)
      await page.getByRole('button').click()
      await userButton(page).waitFor()
      await toast(page, 'Your email is confirmed').waitFor()
      expect(page.url()).not.toMatch(PROOF)
      expect(await page.evaluate(() => localStorage.getItem('kettle-signup'))).toBeNull()
    }),
)

slow.test('dana signs in before she opens the link, reads so, and gets another', () =>
  inBrowser(async (page) => {
    const email = 'dana.early@people.example'
    await signUp(page, email)
    await signIn(page, email)
    await toast(page, 'Sign in failed', 'Email not confirmed').waitFor()
    await dialog(page).getByRole('button', { name: 'Send it again' }).waitFor()
  }),
)

slow.test(
  'mallory signs up dana’s address and waits, but dana opens the link elsewhere and chooses the password',
  () =>
    inBrowser(async (mallory) => {
      const email = 'dana.victim@people.example'
      await signUp(mallory, email)
      await inBrowser(
        async (dana) => {
          await openLink(dana, 'Confirm your email', email)
          await dana.getByText('you’ll pick a new password next').waitFor()
          // Before anything but the first script has loaded.
          await dana.route(/\/assets\/.*\.js/, (route) => route.abort())
          await dana.getByRole('button').click()
          await dana.waitForURL((url) => url.pathname === '/reset-password')
          expect(dana.url()).not.toMatch(PROOF)
          expect(await dana.evaluate(() => document.referrer)).not.toMatch(PROOF)
        },
        { expected: /.*/ },
      )

      // The aborted attempt is gone. "Forgot your password?" leads there again.
      await inBrowser(async (dana) => {
        await open(dana, '/')
        await dana.getByRole('button', { name: 'Log in' }).click()
        await dialog(dana).getByRole('button', { name: 'Forgot your password?' }).click()
        await dialog(dana).getByLabel('Email').fill(email)
        await dana.keyboard.press('Enter')
        await dialog(dana).getByRole('heading', { name: 'Check your email' }).waitFor()
        await openLink(dana, 'Reset your Kettle password', email)
        await dana.getByRole('button').click()
        await chooseNewPassword(dana)
        expect(dana.url()).not.toMatch(PROOF)
        await signIn(dana, email, OTHER_PASSWORD)
        await userButton(dana).waitFor()
      })
      await signIn(mallory, email)
      await toast(mallory, 'Sign in failed', 'Invalid login credentials').waitFor()
    }),
)

slow.test('the link leads straight to a new password, and works once', () =>
  inBrowser(async (mallory) => {
    const email = 'dana.second@people.example'
    await signUp(mallory, email)
    await inBrowser(async (dana) => {
      const link = await openLink(dana, 'Confirm your email', email)
      await dana.getByRole('button').click()
      await chooseNewPassword(dana)
      const page = await dana.context().newPage()
      await page.goto(link)
      await page.getByRole('button').click()
      await toast(page, 'This link no longer works').waitFor()
      expect(page.url()).not.toMatch(/error/)
    })
  }),
)

slow.test('signing up says the same about an existing address, whose owner gets a mail', () =>
  inBrowser(async (page) => {
    await signUp(page, 'dana@kettle.example', OTHER_PASSWORD)
    const letter = await mail.next(({ to }) => to.includes('dana@kettle.example'))
    expect(letter.subject).toBe('You already have an account at Kettle')
    await dialog(page).getByRole('button', { name: 'Back to login' }).click()
    await afterClickGuard(page)
  }),
)

/** Without an account, up to the form that asks for one. */
async function rateWithoutAccount(page: Page) {
  await open(page, '/amd?tab=ratings&rate=yes')
  await page
    .getByRole('group', { name: /Culture/ })
    .getByRole('radio')
    .nth(3)
    .check({ force: true })
  await page.getByRole('button', { name: 'Rate', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Create Account' })
  await form.getByText('An account makes sure').waitFor()
  return form
}

/** The code of the newest mail to this address. */
async function codeFor(email: string) {
  const { text } = await mail.next(({ to }) => to.includes(email))
  return / ([\dA-Z]{3} [\dA-Z]{3})\./.exec(text)?.[1] ?? ''
}

slow.test(
  'what a first rating asks for looks fine, with a code that is wrong and with a badge',
  () =>
    inBrowser(async (page) => {
      const form = await rateWithoutAccount(page)
      await looksFine(page, 'join-why')
      await form.getByLabel('Email').fill('dana.looks@people.example')
      await form.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await form.getByRole('button', { name: 'Create account' }).click()
      await page.getByRole('heading', { name: 'Check your email' }).waitFor()
      await looksFine(page, 'join-code')
      const waiting = page.getByRole('dialog', { name: 'Check your email' })
      await waiting.getByLabel('Code').fill('AAAAAA')
      await waiting.getByText('That’s not the code we sent').waitFor()
      await looksFine(page, 'join-wrong-code')
      await afterClickGuard(page)
      await waiting.getByRole('button', { name: 'Confirm my email' }).click()
      await waiting.getByText('That’s not the code we sent').waitFor()
      expect(await waiting.getByText('Enter all 6 characters').count()).toBe(0)
      await waiting.getByLabel('Code').fill(await codeFor('dana.looks@people.example'))
      await toast(page, 'Your email is confirmed').waitFor()
      await page.getByRole('button', { name: 'Rate', exact: true }).click()
      await sending(page).waitFor()
      await looksFine(page, 'join-sending')
    }),
)

describe.each(amount([390], [390, 1280]))('at %i px', (width) => {
  test('a first rating in five steps: a star, address and password, the code from the mail, Rate; a wrong address costs one field', () =>
    inBrowser(
      async (page) => {
        const form = await rateWithoutAccount(page)
        const email = `dana.rates.${width}@people.example`
        await form.getByLabel('Email').fill(email.replace('dana', 'dnaa'))
        await form.getByLabel('Password', { exact: true }).fill(PASSWORD)
        await form.getByRole('button', { name: 'Create account' }).click()
        await afterClickGuard(page)
        await dialog(page).getByRole('button', { name: 'Change the address' }).click()
        await form.getByLabel('Email').fill(email)
        await form.getByRole('button', { name: 'Create account' }).click()
        const waiting = page.getByRole('dialog', { name: 'Check your email' })
        await waiting.getByText(email).waitFor()
        // Closed by mistake, and back.
        await page.keyboard.press('Escape')
        await waiting.waitFor({ state: 'detached' })
        await afterClickGuard(page)
        await page.getByRole('button', { name: 'Rate', exact: true }).click()
        await waiting.getByLabel('Code').fill((await codeFor(email)).toLowerCase())
        await toast(page, 'Your email is confirmed').waitFor()
        await waiting.waitFor({ state: 'detached' })
        // Beside "Not sent yet", because "Rate" is two screens below on a phone.
        await page.getByRole('button', { name: 'Rate now' }).click()
        await page.getByText('You rated AMD').waitFor()
        await expect
          .poll(() =>
            sending(page).evaluate((it) => {
              const { top, bottom } = it.getBoundingClientRect()
              return top > 64 && bottom < innerHeight
            }),
          )
          .toBe(true)
      },
      { viewport: { width, height: 844 } },
    ))

  /** Signs up on a company's ratings. */
  async function signUpOn(page: Page, path: string, email: string) {
    await open(page, path)
    if (width < 768) {
      await page.getByRole('button', { name: 'Open menu' }).click()
      await dialog(page).getByRole('button', { name: 'Sign Up' }).click()
    } else await page.getByRole('button', { name: 'Sign up' }).click()
    const form = page.getByRole('dialog', { name: 'Create Account' })
    await form.getByLabel('Email').fill(email)
    await form.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  }

  test('who signed up while reading is back there once the link is followed; neither the mail nor the server knew, and the open tab notices', () =>
    inBrowser(
      async (page) => {
        const path = '/amd?tab=ratings'
        const email = `dana.reads.${width}@people.example`
        await signUpOn(page, path, email)

        const tab = await page.context().newPage()
        const link = await openLink(tab, 'Confirm your email', email)
        expect(decodeURIComponent(link)).not.toContain('amd')
        await tab.getByRole('button').click()
        await toast(tab, 'Your email is confirmed').waitFor()
        await tab.waitForURL((url) => url.pathname + url.search === path)
        await tab.getByRole('heading', { level: 1, name: 'AMD' }).waitFor()
        expect(await tab.evaluate(() => localStorage.getItem('kettle-signup-page'))).toBeNull()

        // The first tab still said "Check your email".
        await dialog(page).waitFor({ state: 'detached' })
        expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(path)
        await page.setViewportSize({ width: 1280, height: 800 })
        await userButton(page).waitFor()
      },
      { viewport: { width, height: 800 } },
    ))

  slow.test('a page that somebody else left in the browser is gone to only within the site', () =>
    inBrowser(
      async (page) => {
        const email = `dana.led.astray.${width}@people.example`
        await signUpOn(page, '/companies', email)
        await page.evaluate(() => localStorage.setItem('kettle-signup-page', '//evil.example/'))
        await openLink(page, 'Confirm your email', email)
        await page.getByRole('button').click()
        await toast(page, 'Your email is confirmed').waitFor()
        expect(new URL(page.url()).pathname).toBe('/')
        expect(page.url()).not.toContain('evil')
      },
      { viewport: { width, height: 800 } },
    ),
  )
})
