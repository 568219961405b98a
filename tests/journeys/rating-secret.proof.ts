/** The secret that a person rates with, backed up and restored on another device. */
import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { addDemoClaim } from '#app/companies/claims/claim-commands.server.ts'
import { DEMO_PASSWORD } from '#app/identity/accounts/demo-people.server.ts'
import { afterClickGuard, browsingOn, open, signIn, toast } from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { atLocalhost, withSiteInBrowser } from '../support/site-in-browser.ts'
import { plugInKey } from './steps/authenticators.ts'
import { comeBackLater } from './steps/come-back-later.ts'
import {
  askSoon,
  beginRating,
  secretIn,
  sending,
  sendSoon,
  shownWords,
} from './steps/rating-secret.ts'

let visiting: Awaited<ReturnType<typeof atLocalhost>>['visiting']
const running = withSiteInBrowser(async () => {
  const named = await atLocalhost()
  visiting = named.visiting
  return { ...named.env, RATE_LIMITS: 'off' }
})
const onDevice = (work: (page: Page) => Promise<void>) =>
  browsingOn(running, { ...visiting, expected: /status of (400|401|403|409)/ })(work)

const section = (page: Page) => page.getByRole('region', { name: 'Your ratings' })
const dialog = (page: Page) => page.getByRole('dialog')
const press = async (page: Page, name: string) => {
  await afterClickGuard(page)
  await dialog(page).getByRole('button', { name, exact: true }).click()
}

async function comeIn(page: Page, who: string) {
  await open(page, '/')
  await signIn(page, who)
  await open(page, '/settings')
  await section(page).waitFor()
}

/** On their first device, where they've rated. */
async function comeInToRate(page: Page, who: string) {
  await comeIn(page, who)
  await beginRating(page)
  await open(page, '/settings')
  await section(page).getByText('Only this device can change').waitFor()
}

async function keep(page: Page, button = 'Back up your ratings') {
  await afterClickGuard(page)
  await section(page).getByRole('button', { name: button }).click()
  return shownWords(page)
}

test('ada backs up her secret with twelve words, and restores it on her second device', () =>
  onDevice(async (first) => {
    await comeInToRate(first, 'ada')
    // As from a version whose secrets came without a backup.
    await running.world.db.query(sql`delete from credential_vaults`)
    await open(first, '/settings')
    await section(first).getByText('What is this?').click()
    await looksFine(first, 'rating-secret-here')

    let words: string[] = []
    await onDevice(async (second) => {
      const sent: string[] = []
      second.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
      await comeIn(second, 'ada')
      await section(second).getByText('are on another device').waitFor()
      await section(second).getByRole('button', { name: 'Restore' }).click()
      await dialog(second).getByText('You haven’t backed up your ratings yet').waitFor()
      await looksFine(second, 'rating-secret-missing')

      words = await keep(first)
      await looksFine(first, 'rating-secret-keep')
      await press(first, 'I’ve written them down')
      await toast(first, 'Your ratings are backed up').waitFor()
      await section(first).getByRole('button', { name: 'Get new words' }).waitFor()

      await press(second, 'Check again')
      const field = dialog(second).getByRole('textbox', { name: /Twelve words/ })
      await field.fill(words.slice(1).join(' '))
      await press(second, 'Restore')
      await dialog(second).getByText('You’ve entered 11 of 12 words').waitFor()
      // Someone else's words.
      await field.fill(`${'abandon '.repeat(11)}about`)
      await press(second, 'Restore')
      await dialog(second).getByText('These words don’t unlock your ratings').waitFor()
      await looksFine(second, 'rating-secret-bring')
      await field.fill(words.join(' '))
      await press(second, 'Restore')
      await toast(second, 'Your ratings are now on this device').waitFor()
      await section(second).getByText('Unlock it there with your twelve words').waitFor()
      await expect
        .poll(() => second.evaluate(() => document.activeElement !== document.body))
        .toBe(true)
      const secret = (await secretIn(first)) as string
      expect(await secretIn(second)).toBe(secret)
      for (const request of sent) {
        expect(request).not.toContain(secret)
        expect(request).not.toContain(words.slice(0, 3).join(' '))
      }
    })
    await bringFromTheForm(first, words)
  }))

const FORM = '/nestle?tab=ratings&rate=yes'
const noteIn = (page: Page) => page.getByLabel(/What should people know/)
const pressInForm = async (page: Page, name: string) => {
  await afterClickGuard(page)
  await page
    .locator('form[aria-labelledby=rate]')
    .getByRole('button', { name, exact: true })
    .click()
}

/** She has rated with a note on her first device, and writes another one on her third before restoring anything there. */
async function bringFromTheForm(first: Page, words: string[]) {
  await open(first, FORM)
  await noteIn(first).fill('The canteen is cold.')
  await pressInForm(first, 'Save changes')
  await sending(first).waitFor()
  await arrives(first)

  await onDevice(async (third) => {
    const given: string[] = []
    third.on('request', (request) => {
      if (request.method() === 'PUT') given.push(request.url())
    })
    const isThere = third.getByText('You already rated this company')
    await open(third, '/')
    await signIn(third, 'ada')
    await open(third, FORM)
    await third
      .getByRole('group', { name: /Culture/ })
      .getByRole('radio')
      .nth(4)
      .check({ force: true })
    await noteIn(third).fill('Typed here.')
    await pressInForm(third, 'Rate')
    // A wrong word is submitted by the dialog alone, not by the form under it.
    const field = dialog(third).getByRole('textbox', { name: /Twelve words/ })
    await field.fill(`${'abandon '.repeat(11)}about`)
    await press(third, 'Restore')
    await dialog(third).getByText('These words don’t unlock your ratings').waitFor()
    await field.fill(words.join(' '))
    await press(third, 'Restore')
    await toast(third, 'Your ratings are now on this device').waitFor()
    await dialog(third).waitFor({ state: 'detached' })

    // What's on the server is looked up at a random time, and nothing is sent before the response.
    await third.getByRole('status').getByText('appears here within two minutes').waitFor()
    await pressInForm(third, 'Rate')
    await third.getByRole('alert').getByText('appears here within two minutes').waitFor()
    await askSoon(third, () => isThere.isVisible())
    await third.getByRole('alert').getByText('The canteen is cold.').waitFor()
    expect(await noteIn(third).inputValue()).toBe('Typed here.')
    await looksFine(third, 'rating-keep-or-replace')
    await pressInForm(third, 'Save changes')
    await expect.poll(() => third.getByText('Keep it, or replace it?').count()).toBe(2)
    expect(await noteIn(third).inputValue()).toBe('Typed here.')

    // It also waits for the response after a reload.
    await open(third, FORM)
    await isThere.waitFor()
    await pressInForm(third, 'Replace it with the one below')
    await isThere.waitFor({ state: 'detached' })
    await noteIn(third).fill('')
    await pressInForm(third, 'Save changes')
    await dialog(third).getByRole('heading', { name: 'Remove your note?' }).waitFor()
    await looksFine(third, 'rating-remove-note')
    await press(third, 'Cancel')
    await dialog(third).waitFor({ state: 'detached' })
    expect(
      await third.evaluate(() =>
        Object.keys(localStorage)
          .filter((it) => it.startsWith('kettle-rated:'))
          .some((it) => localStorage.getItem(it)?.includes('outgoing')),
      ),
    ).toBe(false)
    expect(given).toEqual([])
    await pressInForm(third, 'Save changes')
    await press(third, 'Remove note')
    await sending(third).waitFor()
    await arrives(third)
  })
  // Her first device doesn't overwrite what it hasn't seen. It asks.
  await open(first, FORM)
  await noteIn(first).fill('The canteen is warm.')
  await pressInForm(first, 'Save changes')
  await sending(first).waitFor()
  await arrives(first)
  const card = first.getByRole('region', { name: 'Your rating' })
  await card.getByText('The rating from this one hasn’t been sent').waitFor()
  await card.getByText('The canteen is warm.').waitFor()
  await looksFine(first, 'rating-on-two-devices')
  await card.getByRole('button', { name: 'Replace it with this' }).click()
  await arrives(first)
  await card.getByText('hasn’t been sent').waitFor({ state: 'detached' })
}

/** What's waiting there is sent and acknowledged. */
async function arrives(page: Page) {
  const sent = page.waitForResponse((it) => it.url().endsWith('/presented-rating') && it.ok())
  await sendSoon(page, '/nestle?tab=ratings')
  await sent
}

test('olga adds her password, confirms it’s her for new words, and then uses a passkey', () =>
  onDevice(async (first) => {
    await comeInToRate(first, 'olga')
    await keep(first, 'Use a passkey or password')
    await dialog(first).getByLabel('Unlock with my password too').check()
    await looksFine(first, 'rating-secret-password')
    await dialog(first).getByLabel('Your password', { exact: true }).fill('wrong horse 9')
    await press(first, 'I’ve written them down')
    await dialog(first).getByText('That’s not your password').waitFor()
    await dialog(first).getByLabel('Your password', { exact: true }).fill(DEMO_PASSWORD)
    await press(first, 'I’ve written them down')
    await toast(first, 'Your ratings are backed up').waitFor()

    await onDevice(async (second) => {
      await comeIn(second, 'olga')
      await section(second).getByRole('button', { name: 'Restore' }).click()
      await dialog(second)
        .getByRole('radio', { name: /^Password/ })
        .check()
      await dialog(second).getByLabel('Your password', { exact: true }).fill(DEMO_PASSWORD)
      await press(second, 'Restore')
      await toast(second, 'Your ratings are now on this device').waitFor()
      expect(await secretIn(second)).toBe(await secretIn(first))
    })

    await plugInKey(first)
    await comeBackLater(running.world, first, '/settings')
    await keep(first, 'Get new words')
    await dialog(first).getByLabel('Unlock with a passkey too').check()
    await looksFine(first, 'rating-secret-passkey')
    await press(first, 'I’ve written them down')
    const asked = first.getByRole('dialog', { name: 'Confirm it’s you' })
    await asked.getByLabel('Your password').fill(DEMO_PASSWORD)
    await first.keyboard.press('Enter')
    await toast(first, 'Your ratings are backed up').waitFor()

    // As on a device that got the passkey through her password manager.
    const secret = await secretIn(first)
    await first.evaluate(() => {
      for (const key of Object.keys(localStorage).filter((it) => it.startsWith('kettle-holder:')))
        localStorage.removeItem(key)
    })
    await open(first, '/settings')
    await section(first).getByRole('button', { name: 'Restore' }).click()
    await dialog(first)
      .getByRole('radio', { name: /^Passkey/ })
      .check()
    await looksFine(first, 'rating-secret-bring-passkey')
    await press(first, 'Restore')
    await toast(first, 'Your ratings are now on this device').waitFor()
    expect(await secretIn(first)).toBe(secret)
  }))

test('dana lost her device, and her other one says what that means and when she can start over', () =>
  onDevice(async (lost) => {
    await comeInToRate(lost, 'dana')
    await onDevice(async (page) => {
      await comeIn(page, 'dana')
      await section(page).getByRole('button', { name: 'I’ve lost my words' }).click()
      await dialog(page).getByText('You won’t be able to change or remove them').waitFor()
      await dialog(page)
        .getByText(/You can start over from 1 \w+ 20\d\d\./)
        .waitFor()
      await looksFine(page, 'rating-secret-lost')
      expect(await dialog(page).getByRole('button', { name: 'Start over' }).count()).toBe(0)
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })

      await afterClickGuard(page)
      await section(page).getByRole('button', { name: 'Restore' }).click()
      await press(page, 'I’ve lost my words')
      await dialog(page).getByRole('heading', { name: 'Start over' }).waitFor()
      // The link that led here is gone, and the keyboard continues inside the dialog.
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null))
        .toBe(true)
    })
  }))

test('erin, who acts for a company, is offered nothing', () =>
  onDevice(async (page) => {
    const { db } = running.world
    const [erin] = await db.query<{ id: string }>(
      sql`select account_id as id from profiles where username = 'Erin'`,
    )
    await addDemoClaim(db, erin?.id ?? '')
    await open(page, '/')
    await signIn(page, 'erin')
    await open(page, '/settings')
    await page.getByRole('heading', { name: 'Your data' }).waitFor()
    // The section's code comes after the page, so it's too early to look at once.
    await page.waitForLoadState('networkidle')
    expect(await section(page).count()).toBe(0)
  }))
