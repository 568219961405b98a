/** The words for other devices, shown beside the first rating, and what a second device does with them. */
import type { Page, Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { DEMO_PASSWORD } from '#app/identity/accounts/demo-people.server.ts'
import { slow } from '../support/amounts.ts'
import { afterClickGuard, browsingOn, open, signIn, toast } from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { atLocalhost, withSiteInBrowser } from '../support/site-in-browser.ts'
import {
  arrived,
  askSoon,
  beginRating,
  secretIn,
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
  browsingOn(running, { ...visiting, expected: /status of (400|401|403|404|409|410)/ })(work)

const own = (page: Page) => page.getByRole('region', { name: 'Your rating' })
const dialog = (page: Page) => page.getByRole('dialog')

const RATINGS = '/my-discussions?tab=ratings'

/** Stays for some minutes after logging in, so that the browser gets its secret, credential and backup by itself. */
async function comeIn(page: Page, who: string) {
  await page.clock.install()
  await open(page, '/')
  await signIn(page, who)
  await expect
    .poll(
      async () => {
        await page.clock.fastForward(60_000)
        return storedHolder(page)
      },
      { interval: 1_000 },
    )
    .toContain('hasBackup')
}

const storedHolder = (page: Page) =>
  page.evaluate(() =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith('kettle-holder:'))
      .map((key) => localStorage.getItem(key))
      .join(),
  )

/** Requests that tell whose they are. */
function recordBound(page: Page) {
  const sent: Request[] = []
  const note = (request: Request) => sent.push(request)
  page.context().on('request', note)
  return async () => {
    page.context().off('request', note)
    const all = await Promise.all(
      sent.map(async (request) => ({
        line: `${request.method()} ${request.url()}`,
        headers: Object.keys(await request.allHeaders()),
      })),
    )
    return all
      .filter(({ headers }) => headers.some((name) => /authorization|cookie|anonymous/.test(name)))
      .map(({ line }) => line)
  }
}

test('dana rates and writes down her twelve words, and nothing bound to her account is sent meanwhile', () =>
  onDevice(async (page) => {
    const credential = recordBound(page)
    await comeIn(page, 'dana')
    expect((await credential()).join()).toMatch(/POST \S+\/my\/credential\b/)
    await open(page, '/nestle?tab=ratings&rate=yes')
    await page.getByRole('button', { name: 'Rate', exact: true }).waitFor()
    const bound = recordBound(page)
    await beginRating(page, false)
    await own(page).getByText('Write down twelve words').waitFor()
    await looksFine(page, 'words-offered')
    await own(page).getByRole('button', { name: 'Show twelve words' }).click()
    const words = await shownWords(page)
    await looksFine(page, 'words-shown')
    await afterClickGuard(page)
    await dialog(page).getByRole('button', { name: 'I’ve written them down' }).click()
    await toast(page, 'Your ratings are backed up').waitFor()
    expect(await bound()).toEqual([])
    await own(page).getByText('Write down twelve words').waitFor({ state: 'detached' })
    expect(await storedHolder(page)).not.toContain('"words"')
    await open(page, RATINGS)
    await page.getByRole('link', { name: 'Nestlé', exact: true }).waitFor()
    // Within two minutes, which may have passed on a busy machine.
    await page.getByText(/^Sending…$|^Sent\./).waitFor()
    await looksFine(page, 'my-ratings')
    await sendSoon(page, RATINGS)
    await arrived(page)
    await bringByWords(words)
    await open(page, RATINGS)
    await page.getByRole('button', { name: 'Remove your rating of Nestlé' }).click()
    await dialog(page).getByRole('button', { name: 'Remove rating' }).click()
    await page.getByText('Removing…').waitFor()
  }))

/** Her second device: log in, "Bring them over", twelve words. */
const bringByWords = (words: string[]) =>
  onDevice(async (page) => {
    await open(page, '/')
    await signIn(page, 'dana')
    const told = toast(page, 'You may have ratings on another device')
    await told.waitFor()
    await looksFine(page, 'elsewhere-toast')
    await open(page, '/nestle?tab=ratings&rate=yes')
    const form = page.locator('form[aria-labelledby=rate]')
    await form.getByRole('button', { name: 'Bring them over' }).waitFor()
    await looksFine(page, 'elsewhere-form')
    await open(page, RATINGS)
    await page.getByText('No ratings on this device').waitFor()
    // Said once on each device, so the toast doesn't come again.
    expect(await told.count()).toBe(0)
    await looksFine(page, 'elsewhere-my-ratings')
    await page.getByRole('button', { name: 'Bring them over' }).click()
    const field = dialog(page).getByRole('textbox', { name: /Twelve words/ })
    await afterClickGuard(page)
    await dialog(page).getByRole('button', { name: 'Restore' }).click()
    await dialog(page).getByText('Type your twelve words').waitFor()
    await field.fill(words.join(' '))
    await dialog(page).getByText('Type your twelve words').waitFor({ state: 'detached' })
    await afterClickGuard(page)
    await dialog(page).getByRole('button', { name: 'Restore' }).click()
    await toast(page, 'Your ratings are now on this device').waitFor()
    await page.getByText('You may have ratings').waitFor({ state: 'detached' })
    // A form that's opened now fills with that rating.
    await open(page, '/nestle?tab=ratings&rate=yes')
    await form.getByText('appears here within two minutes').waitFor()
    await looksFine(page, 'restored-form')
    const filled = form.getByRole('heading', { name: 'Change your rating' })
    await askSoon(page, () => filled.isVisible())
  })

const section = (page: Page) => page.getByRole('region', { name: 'Your ratings' })

const bringsOver = (width: number, who: string) =>
  onDevice(async (first) => {
    await comeIn(first, who)
    await beginRating(first)
    await sendSoon(first, '/')
    await arrived(first)
    await open(first, '/settings')
    await section(first).getByRole('button', { name: 'Move to another device' }).click()
    const code = dialog(first).getByRole('img', { name: 'QR code' })
    const address = (await code.getAttribute('data-address')) ?? ''
    await looksFine(first, `code-${width}`)

    await onDevice(async (second) => {
      await second.setViewportSize({ width, height: 844 })
      const sent: string[] = []
      second.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
      await open(second, address)
      await second.getByText('Log in to bring your ratings').waitFor()
      expect(second.url()).not.toContain('bring')
      await second.getByRole('main').getByRole('button', { name: 'Log in' }).click()
      // Without `enter`, which waits for no dialog: the next one opens at once.
      await dialog(second).getByLabel('Email').fill(`${who}@kettle.example`)
      await dialog(second).getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
      await second.keyboard.press('Enter')
      const asked = second.getByRole('dialog', { name: 'Bring your ratings to this device?' })
      await asked.getByRole('listitem').getByText('Nestlé').waitFor()
      await looksFine(second, `handover-${width}`)
      await afterClickGuard(second)
      await asked.getByRole('button', { name: 'Bring them over' }).click()
      await toast(second, 'Your ratings are now on this device').waitFor()
      await second.getByRole('link', { name: 'Nestlé', exact: true }).waitFor()
      await looksFine(second, `brought-${width}`)
      const secret = (await secretIn(first)) as string
      expect(await secretIn(second)).toBe(secret)
      const key = address.split('=')[1] as string
      expect(sent.filter((it) => it.includes(secret) || it.includes(key))).toEqual([])
    })
    // Taken once.
    await onDevice(async (third) => {
      await open(third, address)
      await toast(third, 'Couldn’t bring your ratings', 'This code has expired').waitFor()
    })
    await first.clock.fastForward(121_000)
    await dialog(first).getByText('This code has expired.').waitFor()
    await looksFine(first, `code-over-${width}`)
  })

const TITLE = 'px, her ratings are on a second device in 3 steps: scan, log in, bring them over'

test(`at 390 ${TITLE}`, () => bringsOver(390, 'ada'))
slow.test(`at 1280 ${TITLE}`, () => bringsOver(1280, 'olga'))
