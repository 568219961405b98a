/**
 * The site as a Tor onion service: Dana signs up, opens the link in her email and writes, and nothing leads her off it. D70.
 */
import { afterAll, expect, test } from 'vitest'
import { browsingOn, open, signIn, userButton } from '../support/browsing.ts'
import { launchChromium } from '../support/chromium.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { answeredAt, withSiteInBrowser } from '../support/site-in-browser.ts'

const ONION = `http://${'kettle'.repeat(9)}ad.onion`
const PASSWORD = 'correct horse 9'

let mail: MailServer
const running = withSiteInBrowser(async () => {
  mail = await startMailServer()
  return {
    SITE_URL: 'https://kettle.example',
    ONION_URL: ONION,
    SMTP_URL: mail.url,
    RATE_LIMITS: 'off',
  }
})
afterAll(() => mail?.stop())

test('everything at the onion address stays at the onion address', async () => {
  const browser = await launchChromium([
    `--host-resolver-rules=MAP *.onion ${new URL(running.site.url).host}`,
    // Tor Browser does this by default.
    `--unsafely-treat-insecure-origin-as-secure=${ONION}`,
  ])
  const browsing = browsingOn(
    { site: running.site, browser },
    { baseURL: ONION, storageState: answeredAt(ONION) },
  )
  try {
    await browsing(async (page) => {
      const asked = new Set<string>()
      page.on('request', (request) => asked.add(new URL(request.url()).origin))
      const email = 'dana.onion@people.example'
      await open(page, '/companies')
      await page.getByRole('button', { name: 'Sign up' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Email').fill(email)
      await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.keyboard.press('Enter')
      await dialog.getByRole('heading', { name: 'Check your email' }).waitFor()
      const letter = await mail.next(({ to }) => to.includes(email))
      const link = letter.links.find((href) => href.includes('/auth/v1/verify')) as string
      expect(link.startsWith(`${ONION}/`)).toBe(true)
      await page.goto(link)
      await page.getByRole('button').click()
      await userButton(page).waitFor()
      expect(new URL(page.url()).origin).toBe(ONION)

      await open(page, '/create-thread')
      await page.getByLabel('Title').fill('Does tea taste of onion?')
      await page.getByLabel('Title').press('Enter')
      await page.keyboard.type('Not here.')
      await page.getByRole('button', { name: 'Post thread' }).click()
      await page.waitForURL('**/thread/*-does-tea-taste-of-onion')
      await page.getByRole('heading', { level: 1, name: 'Does tea taste of onion?' }).waitFor()
      // Search engines keep the public address. People's links stay here.
      const linksAway = page.locator('a[href*="kettle.example"], form[action*="kettle.example"]')
      expect(await linksAway.count()).toBe(0)
      expect(await page.locator('link[rel=canonical]').getAttribute('href')).toMatch(
        /^https:\/\/kettle\.example\/thread\//,
      )
      expect([...asked]).toEqual([ONION])
    })
    // A session, and its renewal, through the same addresses.
    await browsing(async (page) => {
      await open(page, '/settings')
      await signIn(page, 'ada')
      await page.reload()
      await userButton(page).waitFor()
    })
  } finally {
    await browser.close()
  }
})
