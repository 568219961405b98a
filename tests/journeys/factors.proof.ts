/** Two-factor authentication: dana adds an app and a passkey, loses each in turn, and still gets in. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import {
  afterClickGuard,
  browsingOn,
  open,
  signIn,
  toast,
  userButton,
  whenAlive,
} from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { atLocalhost, withSiteInBrowser } from '../support/site-in-browser.ts'
import { phoneWith, plugInKey } from './steps/authenticators.ts'
import { comeBackLater } from './steps/come-back-later.ts'

let mail: MailServer
let visiting: Awaited<ReturnType<typeof atLocalhost>>['visiting']
const running = withSiteInBrowser(async () => {
  const named = await atLocalhost()
  visiting = named.visiting
  mail = await startMailServer()
  return {
    ...named.env,
    SMTP_URL: mail.url,
    RATE_LIMITS: 'off',
    ADMIN_SECOND_FACTOR: 'required',
  }
})
afterAll(() => mail?.stop())

const inBrowser = (work: (page: Page) => Promise<void>) =>
  browsingOn(running, {
    ...visiting,
    acceptDownloads: true,
    expected: /status of (400|401|403|422)/,
  })(work)

const PASSWORD = 'correct horse 9'
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const secondStep = (page: Page) => dialog(page, 'Confirm it’s you')
const section = (page: Page) => page.getByRole('region', { name: 'Two-step login' })
const isClosed = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' })

async function signUp(page: Page, email: string) {
  await open(page, '/')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByRole('dialog').getByLabel('Email').fill(email)
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await followLink(page, 'Confirm your email', email)
  await userButton(page).waitFor()
}

async function followLink(page: Page, subject: string, to: string) {
  const letter = await mail.next((it) => it.subject.startsWith(subject) && it.to.includes(to))
  await page.goto(letter.links.find((href) => href.includes('/auth/v1/verify')) as string)
  await page.getByRole('button').click()
}

async function enterPassword(page: Page, email: string) {
  await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('dialog').getByLabel('Email').fill(email)
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await secondStep(page).waitFor()
}

async function signOut(page: Page) {
  await userButton(page).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByRole('banner').getByRole('button', { name: 'Log in' }).waitFor()
}

/** Adds an app in the settings. Returns the phone with the app, and the recovery codes. */
async function addApp(page: Page, looks = async () => {}) {
  await section(page).getByRole('button', { name: 'Add an authenticator app' }).click()
  const adding = dialog(page, 'Add an authenticator app')
  const picture = adding.getByRole('img', { name: 'QR code of the secret' })
  await expect
    .poll(() => picture.evaluate((it: HTMLImageElement) => it.naturalWidth))
    .toBeGreaterThan(0)
  const phone = phoneWith((await adding.getByRole('code').textContent()) as string)
  await adding.getByLabel('Code').fill(await phone.code())
  const saving = dialog(page, 'Save your recovery codes')
  await saving.waitFor()
  await looks()
  const codes = await saving.getByRole('listitem').allTextContents()
  expect(new Set(codes).size).toBe(10)
  return { phone, codes, saving }
}

test('dana adds an app and saves her codes; a code, a wrong one, half a session, a recovery code, a passkey, and none of it any more', () =>
  inBrowser(async (page) => {
    const email = 'dana@people.example'
    await signUp(page, email)
    await open(page, '/settings#two-step')
    await section(page).getByText('Off. You log in with just your password.').waitFor()
    const { phone, codes, saving } = await addApp(page, () => looksFine(page, 'codes'))

    // The codes survive closing the dialog by mistake, and can be saved.
    await page.keyboard.press('Escape')
    await saving.getByText('Save them first').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      saving.getByRole('button', { name: 'Download' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('kettle-recovery-codes.txt')
    const file = await readFile(await download.path(), 'utf8')
    for (const code of codes) expect(file).toContain(code)
    await afterClickGuard(page)
    await saving.getByRole('button', { name: 'I’ve saved them' }).click()
    await isClosed(page)
    await section(page).getByText('10 left').waitFor()
    await mail.next(({ to }) => to.includes(email))

    // A wrong code, then a half-finished session in a reload and in another tab, then the right code.
    await signOut(page)
    await enterPassword(page, email)
    await secondStep(page).getByLabel('Code').fill(phone.wrongCode())
    await expect
      .poll(() => secondStep(page).getByLabel('Code').getAttribute('aria-invalid'))
      .toBe('true')
    await page.reload()
    await secondStep(page).getByLabel('Code').waitFor()
    await secondStep(page).getByRole('button', { name: 'Close' }).click()
    await isClosed(page)
    expect(await page.evaluate(() => localStorage.getItem('kettle-auth'))).toBeNull()
    await afterClickGuard(page)
    await enterPassword(page, email)
    const tab = await page.context().newPage()
    await open(tab, '/about')
    await secondStep(tab).getByLabel('Code').waitFor()
    await page.bringToFront()
    await secondStep(page).getByLabel('Code').click()
    const code = await phone.code()
    await page.keyboard.type(`${code.slice(0, 3)} ${code.slice(3)}`)
    await toast(page, 'Welcome back!').waitFor()
    for (const each of [page, tab]) {
      await userButton(each).waitFor()
      await isClosed(each)
    }
    await tab.close()

    await signOut(page)
    await enterPassword(page, email)
    await secondStep(page).getByRole('button', { name: 'Use a recovery code' }).click()
    await secondStep(page).getByLabel('Recovery code').fill('aaaaa-aaaaa')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => secondStep(page).getByLabel('Recovery code').getAttribute('aria-invalid'))
      .toBe('true')
    await secondStep(page).getByLabel('Recovery code').fill(` ${codes[0]?.toUpperCase()} `)
    await afterClickGuard(page)
    await page.keyboard.press('Enter')
    await userButton(page).waitFor()
    await isClosed(page)

    await open(page, '/settings')
    await section(page).getByText('9 left').waitFor()
    const key = await plugInKey(page)
    await section(page).getByRole('button', { name: 'Add a passkey' }).click()
    await dialog(page, 'Add a passkey').getByLabel('Name').fill('Laptop')
    await page.keyboard.press('Enter')
    await toast(page, 'Passkey added').waitFor()
    await section(page).getByRole('heading', { name: 'Laptop' }).waitFor()
    await isClosed(page)

    // In another browser, which also has the passkey.
    await inBrowser(async (other) => {
      await open(other, '/')
      await key.copyTo(await plugInKey(other))
      await enterPassword(other, email)
      await secondStep(other).getByRole('button', { name: 'Use a passkey' }).click()
      await looksFine(other, 'second-step-passkey')
      await secondStep(other).getByRole('button', { name: 'Use your passkey' }).click()
      await userButton(other).waitFor()
      await isClosed(other)

      // Much later, she confirms her identity with it, and removes the app, then the passkey.
      await comeBackLater(running.world, other, '/settings')
      await section(other).getByRole('button', { name: 'Remove Authenticator app' }).click()
      await dialog(other, 'Remove “Authenticator app”?')
        .getByRole('button', { name: 'Remove' })
        .click()
      await secondStep(other).waitFor()
      await looksFine(other, 'proof')
      await secondStep(other).getByRole('button', { name: 'Use a passkey' }).click()
      await secondStep(other).getByRole('button', { name: 'Use your passkey' }).click()
      await toast(other, 'Authenticator app removed').waitFor()
      await afterClickGuard(other)
      await section(other).getByRole('button', { name: 'Remove Laptop' }).click()
      await dialog(other, 'Remove “Laptop”?').getByRole('button', { name: 'Remove' }).click()
      await toast(other, 'Two-step login is off').waitFor()
      await section(other).getByText('Off. You log in').waitFor()
      await isClosed(other)
      await signOut(other)
      await signIn(other, email, PASSWORD)
    })
  }))

test('dana, who forgot her password, confirms the second step before she chooses another', () =>
  inBrowser(async (page) => {
    const email = 'dana.forgets@people.example'
    await signUp(page, email)
    await open(page, '/settings')
    const { codes, saving } = await addApp(page)
    await saving.getByRole('button', { name: 'I’ve saved them' }).click()
    await isClosed(page)
    await signOut(page)
    await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('button', { name: 'Forgot your password?' }).click()
    await page.getByRole('dialog').getByLabel('Email').fill(email)
    await page.keyboard.press('Enter')
    await toast(page, 'Password reset email sent').waitFor()
    await followLink(page, 'Reset your Kettle password', email)
    await whenAlive(page)
    const main = page.getByRole('main')
    await main.getByLabel('Code').waitFor()
    expect(await main.getByLabel('New Password', { exact: true }).isVisible()).toBe(false)
    await looksFine(page, 'reset')
    await main.getByRole('button', { name: 'Use a recovery code' }).click()
    await main.getByLabel('Recovery code').fill(codes[1] as string)
    await page.keyboard.press('Enter')
    await main.getByLabel('New Password', { exact: true }).waitFor()
    await page.keyboard.type('a better horse 10')
    await main.getByLabel('Confirm New Password').fill('a better horse 10')
    await afterClickGuard(page)
    await page.keyboard.press('Enter')
    await toast(page, 'Password updated').waitFor()
  }))

test('ada has to set up a factor before she opens the administration', () =>
  inBrowser(async (page) => {
    await open(page, '/')
    await signIn(page, 'ada')
    await userButton(page).click()
    await page.getByRole('menuitem', { name: 'Admin Panel' }).click()
    const asked = page.getByRole('heading', { name: /set up two-step login/ })
    await asked.waitFor()
    await looksFine(page, 'admin')
    for (const path of ['/admin/moderation', '/admin-tracking', '/admin-tools']) {
      await open(page, path)
      await asked.waitFor()
    }
    await page.getByRole('link', { name: 'Set it up' }).click()
    await section(page).getByText('You help run this site.').waitFor()
    await afterClickGuard(page)
    const { saving } = await addApp(page)
    await saving.getByRole('button', { name: 'I’ve saved them' }).click()
    await isClosed(page)
    expect(await section(page).getByText('You help run this site.').count()).toBe(0)
    await open(page, '/admin')
    await page.getByText('Administrator Access').waitFor()
  }))
