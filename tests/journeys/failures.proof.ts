/** The server fails in various ways, and people read what the specification says they should. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { FAILED } from '#app/platform/http/refusal.ts'
import {
  afterClickGuard,
  browsingOn,
  open,
  openAtRest,
  signIn,
  toast,
} from '../support/browsing.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'
import { askingAs, askingAsVisitor, aThread, demoPerson } from './steps/newcomers.ts'

const running = withSiteInBrowser(async () => ({
  // No request ever reaches it.
  MARKET_MOVERS_URL: 'https://movers.example/gainers',
  MARKET_MOVERS_NAME: 'Moorgate',
  PROOF_OF_WORK: '0',
  RATE_LIMITS: 'off',
}))
const browsing = browsingOn(running, {
  expected: /status of (429|500)|net::ERR_FAILED|Failed to fetch/,
})

const dialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) =>
  dialog(page).getByRole('button', { name, exact: true }).click()

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
/** What the browser gets instead of the server's response. */
type End = Parameters<Parameters<Parameters<Page['route']>[1]>[0]['fulfill']>[0] | 'unreachable'
const BROKEN: End = { status: 500, json: { error: FAILED } }

/** Such requests end like this, without reaching the server, until the result is called. */
async function ending(page: Page, method: Method, address: RegExp, end = BROKEN) {
  await page.route(address, (route) => {
    if (route.request().method() !== method) return route.fallback()
    return end === 'unreachable' ? route.abort() : route.fulfill(end)
  })
  return () => page.unroute(address)
}

const notices = (page: Page) => page.getByRole('region', { name: 'Notifications' })
/** A toast with exactly this text. */
const isSaid = (page: Page, ...paragraphs: string[]) =>
  expect.poll(saidOn(page)).toContainEqual(paragraphs)
/** The same for a failure, which is announced at once. */
const isSaidAsFailure = (page: Page, ...paragraphs: string[]) =>
  expect.poll(saidOn(page, '[role=alert]')).toContainEqual(paragraphs)
const saidOn =
  (page: Page, within = 'li') =>
  () =>
    notices(page)
      .locator(within)
      .evaluateAll((all) =>
        all.map((it) => [...it.querySelectorAll('p')].map(({ textContent }) => textContent)),
      )

/** Closes toasts, so that later ones are new. Doesn't wait for those that have already gone. */
const closeToasts = (page: Page) =>
  notices(page)
    .locator('button[aria-label=Close]')
    .evaluateAll((all: HTMLElement[]) => {
      for (const it of all) it.click()
    })

test('Spec §8: vera requests a password reset and reads the service’s message, or that she can try again', () =>
  browsing(async (vera) => {
    await open(vera, '/companies')
    await vera.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
    await press(vera, 'Forgot your password?')
    await dialog(vera).getByLabel('Email').fill('vera@people.example')
    const said = 'For security purposes, you can only request this later'
    const fallback = 'Something went wrong. Please try again.'
    for (const [end, text] of [
      [{ status: 429, json: { error_code: 'over_email_send_rate_limit', msg: said } }, said],
      [{ status: 500, body: '<h1>Internal Server Error</h1>' }, fallback],
      ['unreachable', fallback],
    ] as const) {
      const mend = await ending(vera, 'POST', /\/auth\/v1\/recover/, end)
      await press(vera, 'Send reset link')
      await isSaidAsFailure(vera, 'Password reset failed', text)
      await dialog(vera).getByRole('alert').getByText(text, { exact: true }).waitFor()
      await closeToasts(vera)
      await mend()
      await afterClickGuard(vera)
    }
    await press(vera, 'Send reset link')
    await toast(vera, 'Password reset email sent').waitFor()
  }))

test('Spec §8: vera’s request for a company fails, and goes out when she presses Submit again', () =>
  browsing(async (vera) => {
    await open(vera, '/')
    await vera.getByRole('button', { name: "Can't find your company? Request it here" }).click()
    await dialog(vera).getByLabel('Company Name *').fill('Lantern Hollow')
    for (const end of [BROKEN, 'unreachable'] as const) {
      const mend = await ending(vera, 'POST', /\/api\/v1\/company-requests$/, end)
      await press(vera, 'Submit')
      await isSaidAsFailure(vera, 'Failed to submit company request. Please try again.')
      await closeToasts(vera)
      expect(await dialog(vera).getByLabel('Company Name *').inputValue()).toBe('Lantern Hollow')
      await mend()
      await afterClickGuard(vera)
    }
    await press(vera, 'Submit')
    await isSaid(vera, 'Company request submitted successfully!')
  }))

test('Spec §8: ada’s inbox can’t load, a message keeps its status, and the scraper fails', async () => {
  const vera = await askingAsVisitor(running.site.url)
  await vera('/api/v1/contact-messages', {
    name: 'Vera',
    email: 'vera@people.example',
    message: 'The search does not know my company.',
    idempotencyKey: crypto.randomUUID(),
  })
  await browsing(async (ada) => {
    await open(ada, '/companies')
    await signIn(ada, 'ada')

    let mend = await ending(ada, 'GET', /\/api\/v1\/contact-messages\?/)
    await ada
      .getByRole('contentinfo')
      .getByRole('button', { name: /^Contact Messages/ })
      .click()
    const inbox = ada.getByRole('dialog', { name: 'Contact Message Inbox' })
    await isSaidAsFailure(ada, 'Error', 'Failed to load contact messages')
    await inbox
      .getByRole('alert')
      .getByText('Failed to load contact messages', { exact: true })
      .waitFor()
    await mend()
    await inbox.getByRole('button', { name: 'Try Again' }).click()
    const message = inbox.getByRole('listitem').filter({ hasText: 'does not know' })
    await message.waitFor()

    // Opening it marks it as read.
    mend = await ending(ada, 'PUT', /\/api\/v1\/contact-messages\/[^/]+\/status$/)
    await message.getByRole('button').click()
    await isSaidAsFailure(ada, 'Error', 'Failed to update message status')
    await closeToasts(ada)
    await inbox.getByRole('button', { name: 'Archive', exact: true }).click()
    await isSaidAsFailure(ada, 'Error', 'Failed to update message status')
    await message.getByText('Unread').waitFor()
    await mend()
    await inbox.getByRole('button', { name: 'Mark Read', exact: true }).click()
    await isSaid(ada, 'Message marked as read')

    await open(ada, '/admin-tools')
    const notRead = 'The page of market movers could not be read'
    for (const [end, text] of [
      [BROKEN, `API returned status 500: ${FAILED.message}`],
      [{ body: `${JSON.stringify({ results: [], error: notRead })}\n` }, notRead],
      ['unreachable', 'There was no response. Check your connection.'],
    ] as const) {
      mend = await ending(ada, 'POST', /\/functions\/v1\/scrape-market-movers$/, end)
      await ada.getByRole('button', { name: 'Run Moorgate Scraper' }).click()
      await isSaidAsFailure(ada, 'Error running scraper', text)
      const card = ada.getByRole('main').getByRole('alert').filter({ hasText: 'Error: ' })
      await expect
        .poll(() => card.getByRole('paragraph').allTextContents())
        .toEqual([`Error: ${text}`, 'Please try again later.'])
      await mend()
      await afterClickGuard(ada)
    }
  })
})

test('Spec §8: olga deletes requests: afterwards the list fails to load, then still shows the deleted one', async () => {
  const vera = await askingAsVisitor(running.site.url)
  for (const companyName of ['Quillfeather Umbrellas', 'Tealeaf Lanterns'])
    await vera('/api/v1/company-requests', { companyName })
  await browsing(async (olga) => {
    await open(olga, '/admin?section=tools')
    await olga.getByRole('button', { name: 'Log in' }).first().waitFor()
    await signIn(olga, 'olga')
    await open(olga, '/admin?section=tools')
    await olga.getByRole('button', { name: 'Company Requests' }).click()
    const list = /\/api\/v1\/company-requests(\?|$)/
    const request = (name: string) => dialog(olga).getByRole('article', { name })
    const remove = async (name: string) => {
      await request(name).getByRole('button', { name: 'Delete' }).click()
      await olga
        .getByRole('dialog', { name: 'Delete this request?' })
        .getByRole('button', { name: 'Delete' })
        .click()
    }
    const isWritten = (text: string) => dialog(olga).getByText(text, { exact: true }).waitFor()
    await request('Tealeaf Lanterns').waitFor()

    let mend = await ending(olga, 'GET', list)
    await remove('Tealeaf Lanterns')
    const notReloaded = `Error reloading requests after deletion: Failed to fetch company requests: ${FAILED.message}`
    await isSaid(olga, '"Tealeaf Lanterns" deleted successfully!', notReloaded)
    await isWritten(notReloaded)
    expect(await request('Tealeaf Lanterns').count()).toBe(0)
    await mend()
    const listed = olga.waitForResponse(list)
    await dialog(olga).getByRole('button', { name: 'Try Again' }).click()
    const earlier = await (await listed).json()
    await request('Quillfeather Umbrellas').waitFor()
    expect(await request('Tealeaf Lanterns').count()).toBe(0)

    mend = await ending(olga, 'GET', list, { json: earlier })
    await remove('Quillfeather Umbrellas')
    const stillThere =
      'Failed to remove company request: record still exists after deletion. This is a persistent database error.'
    await isSaidAsFailure(olga, stillThere)
    await isWritten(stillThere)
    await request('Quillfeather Umbrellas').waitFor()
    await mend()
    await dialog(olga).getByRole('button', { name: 'Refresh' }).click()
    await request('Quillfeather Umbrellas').waitFor({ state: 'detached' })
  })
})

test('Spec §8: dana’s thread stays if it can’t be deleted', async () => {
  const title = 'Does the lift go up again?'
  const post = await askingAs(running.site.url, demoPerson('dana'))
  const { id } = await post('/api/v1/threads', aThread({ title, body: 'It went down on Monday.' }))
  await browsing(async (dana) => {
    await open(dana, `/thread/${id}`)
    await signIn(dana, 'dana')
    const heading = dana.getByRole('heading', { level: 1, name: title })
    for (const end of [BROKEN, 'unreachable'] as const) {
      const mend = await ending(dana, 'DELETE', /\/api\/v1\/threads\/[^/]+$/, end)
      await dana.getByRole('article').first().getByRole('button', { name: 'Delete' }).click()
      await press(dana, 'Delete thread')
      await isSaidAsFailure(dana, 'Error', 'Failed to delete thread. Please try again.')
      await closeToasts(dana)
      await dialog(dana).waitFor({ state: 'detached' })
      await heading.waitFor()
      await mend()
      await afterClickGuard(dana)
    }
    await dana.reload()
    await heading.waitFor()
  })
})

describe('Spec §9: with a clock that the test moves', () => {
  test('a hint comes to vera’s pointer after 700 ms, and the next one within 300 ms at once', () =>
    browsing(async (vera) => {
      await openAtRest(vera, '/companies')
      const names = vera.locator('article a')
      const hint = vera.getByRole('tooltip')
      /** As a screen reader announces it, the moment it appears. */
      const isTold = async (nth: number) =>
        (await names.nth(nth).getAttribute('aria-describedby')) !== null
      const isShown = async (nth: number) => {
        expect(await isTold(nth)).toBe(true)
        const name = await names.nth(nth).getAttribute('data-tooltip')
        await expect.poll(() => hint.allTextContents()).toEqual([name])
      }
      const comesAfter700 = async (nth: number) => {
        await names.nth(nth).hover()
        await vera.clock.runFor(699)
        expect(await isTold(nth)).toBe(false)
        expect(await hint.count()).toBe(0)
        await vera.clock.runFor(1)
        await isShown(nth)
      }
      /** Painting takes a little of that time. */
      const closeAndWait = async (ms: number) => {
        await vera.keyboard.press('Escape')
        await vera.clock.runFor(ms)
        await expect.poll(() => hint.count()).toBe(0)
      }
      await comesAfter700(0)
      await closeAndWait(299)
      await names.nth(1).hover()
      await vera.clock.runFor(0)
      await isShown(1)
      await closeAndWait(300)
      await comesAfter700(2)
    }))

  test('vera copies four links: three toasts are seen, the newest ones, each for 4000 ms', () =>
    browsing(async (vera) => {
      const answer = await fetch(`${running.site.url}/api/v1/threads`)
      const { threads } = (await answer.json()) as { threads: { path: string; comments: number }[] }
      await vera.context().grantPermissions(['clipboard-write'])
      await openAtRest(vera, threads.find(({ comments }) => comments >= 3)?.path ?? '')
      const buttons = vera.getByRole('main').getByRole('button', { name: /^Share/ })
      // The comments' toasts come over the network, whose clock keeps running. Painting them takes a little of the page's.
      const aLittleLater = async () => {
        await vera.clock.runFor(100)
        return buttons.count()
      }
      await expect.poll(aLittleLater).toBeGreaterThanOrEqual(4)
      const toasts = notices(vera).locator('li')
      const areSeen = (...seen: boolean[]) =>
        expect
          .poll(() => toasts.evaluateAll((all) => all.map((it) => it.checkVisibility())))
          .toEqual(seen)
      const copyLink = async (nth: number) => {
        await buttons.nth(nth).click()
        await toasts.nth(nth).getByText('Link copied').waitFor()
      }
      await copyLink(0)
      for (const nth of [1, 2, 3]) {
        await vera.clock.runFor(1_000)
        await copyLink(nth)
      }
      // The oldest goes first.
      await areSeen(false, true, true, true)
      await vera.clock.runFor(999)
      await areSeen(false, true, true, true)
      await vera.clock.runFor(1)
      await areSeen(true, true, true)
      await vera.clock.runFor(999)
      await areSeen(true, true, true)
      await vera.clock.runFor(1)
      await areSeen(true, true)
    }))
})
