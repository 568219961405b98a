/** Visitors ask and administrators respond: requests, messages, market movers, and roles. */

import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { KETTLES, openMoversSite } from '#app/companies/scraping/movers-site.fixture.ts'
import { slow } from '../support/amounts.ts'
import {
  afterClickGuard,
  browsingOn,
  holdBack,
  open,
  signIn,
  toast,
  userButton,
} from '../support/browsing.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

let mail: MailServer
let movers: Awaited<ReturnType<typeof openMoversSite>> | undefined
afterAll(async () => {
  movers?.close()
  await mail?.stop()
})
const running = withSiteInBrowser(async () => {
  mail = await startMailServer()
  movers = await openMoversSite()
  return {
    SMTP_URL: mail.url,
    AUTH_AUTOCONFIRM: 'true',
    MARKET_MOVERS_URL: movers.url,
    MARKET_MOVERS_NAME: 'Moorgate',
    PROOF_OF_WORK: '2000',
    RATE_LIMITS: 'off',
  }
})
const browsing = browsingOn(running)

const dialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string | RegExp) =>
  dialog(page).getByRole('button', { name }).click()
const isAt = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path)

slow.test(
  'a visitor asks for a company → the owner approves → a mail comes → the company can be found',
  () =>
    browsing(async (vera) => {
      const address = 'vera@people.example'
      await open(vera, '/')
      await vera.getByRole('button', { name: "Can't find your company? Request it here" }).click()
      await dialog(vera).getByText("Don't see the company you're looking for?").waitFor()
      await dialog(vera).getByLabel('Company Name *').fill('Quillfeather Umbrellas')
      await dialog(vera).getByLabel('Website (optional)').fill('quillfeather.example')
      await dialog(vera).getByLabel('Notify me when this company is added').check()
      await press(vera, 'Submit')
      await toast(vera, 'Please enter your email to be notified').waitFor()
      await dialog(vera).getByLabel('Your Email').fill(address)
      await afterClickGuard(vera)
      const save = await holdBack(vera, '**/api/v1/company-requests')
      await press(vera, 'Submit')
      const busy = dialog(vera).getByRole('button', { name: 'Submitting...' })
      await busy.waitFor()
      expect(await busy.isDisabled()).toBe(true)
      save()
      await toast(vera, 'Company request submitted successfully!').waitFor()
      await dialog(vera).getByRole('heading', { name: 'Request Submitted!' }).waitFor()
      await dialog(vera).waitFor({ state: 'detached' })
      expect(await vera.evaluate(() => localStorage.getItem('userRequestEmail'))).toBe(address)

      const notice = await mail.next(({ to }) => to.includes('olga@kettle.example'))
      expect(notice.subject).toBe('Company request: Quillfeather Umbrellas')
      expect(notice.raw).toContain(`Requested by: ${address}`)

      await browsing(async (olga) => {
        await open(olga, '/companies')
        await signIn(olga, 'olga')
        await open(olga, '/admin')
        const tabs = olga.getByRole('navigation', { name: 'Admin Panel' })
        await tabs.getByRole('link', { name: 'Admin Tools' }).click()
        await olga.getByRole('button', { name: 'Company Requests' }).click()
        await dialog(olga).getByText('Total requests: 1').waitFor()
        const request = dialog(olga).getByRole('article', { name: 'Quillfeather Umbrellas' })
        await request.getByText(`Requested by: ${address}`).waitFor()
        // Approving opens the form of a new company, filled in.
        await request.getByRole('button', { name: 'Approve' }).click()
        const form = olga.getByRole('dialog', { name: 'Add Quillfeather Umbrellas' })
        expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe(
          'Quillfeather Umbrellas',
        )
        expect(await form.getByLabel('Website').inputValue()).toBe('https://quillfeather.example')
        await form.getByLabel('Category').fill('Retail')
        await form.getByRole('button', { name: 'Add company' }).click()
        await toast(olga, '"Quillfeather Umbrellas" was added', 'will get an email').waitFor()
        await request.getByText('Approved').waitFor()

        // Spec §2.11: Delete asks first, and Cancel does nothing.
        const deletions: string[] = []
        olga.on('request', (it) => void (it.method() === 'DELETE' && deletions.push(it.url())))
        await request.getByRole('button', { name: 'Delete' }).click()
        const question = olga.getByRole('dialog', { name: 'Delete this request?' })
        await question
          .getByText(
            'Are you sure you want to permanently delete the request for "Quillfeather Umbrellas"?',
          )
          .waitFor()
        await question.getByRole('button', { name: 'Cancel' }).click()
        await question.waitFor({ state: 'detached' })
        await request.getByText('Approved').waitFor()
        await dialog(olga).getByText('Total requests: 1').waitFor()
        expect(deletions).toEqual([])

        await open(olga, '/admin?section=log')
        await olga.getByText('Olga approved the request for Quillfeather Umbrellas').waitFor()
      })

      const letter = await mail.next(({ to }) => to.includes(address))
      expect(letter.subject).toBe('Quillfeather Umbrellas is on Kettle')
      expect(letter.links).toContain(`${running.site.url}/quillfeather-umbrellas`)

      await vera.getByRole('combobox', { name: 'Search companies' }).fill('quillf')
      await vera.getByRole('option', { name: /Quillfeather Umbrellas/ }).click()
      await isAt(vera, '/quillfeather-umbrellas')
      await vera.getByRole('heading', { level: 1, name: 'Quillfeather Umbrellas' }).waitFor()
    }),
)

async function write(page: Page, name: string, message: string) {
  await page.getByRole('contentinfo').getByRole('button', { name: 'Contact Us' }).click()
  await dialog(page).getByLabel('Name').fill(name)
  await dialog(page).getByLabel('Email').fill('vera@people.example')
  await dialog(page).getByLabel('Message').fill(message)
  await press(page, 'Submit')
  await toast(page, 'Message Received', 'We will contact you as soon as possible.').waitFor()
  await dialog(page).waitFor({ state: 'detached' })
}

slow.test(
  'Spec §6: ada adds a company in a form of five fields that knows duplicates, and dana has no such form',
  () =>
    browsing(async (ada) => {
      await open(ada, '/companies')
      await signIn(ada, 'ada')
      await ada.getByRole('button', { name: 'Add a company' }).click()
      const form = dialog(ada)
      await form.getByLabel('Name', { exact: true }).fill('Micron Technology!')
      await form.getByRole('button', { name: 'Add company' }).click()
      await form.getByText('already has this name or website.').waitFor()
      await form.getByRole('button', { name: 'Add as another company' }).waitFor()
      await form.getByLabel('Name', { exact: true }).fill('Tealeaf Lanterns')
      await form.getByLabel('Category').fill('Retail')
      await form.getByLabel('Description (optional)').fill('Lanterns that float.')
      await afterClickGuard(ada)
      await form.getByRole('button', { name: 'Add company' }).click()
      await toast(ada, '"Tealeaf Lanterns" was added').waitFor()
      await isAt(ada, '/tealeaf-lanterns')
      await ada.getByText('Lanterns that float.').first().waitFor()

      // She adds what a search doesn't find, right from there.
      await open(ada, '/companies?search=zzyzx+balloons')
      await ada.getByRole('button', { name: 'Not here? Add it' }).click()
      expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('zzyzx balloons')
      await ada.keyboard.press('Escape')
      await browsing(async (dana) => {
        await open(dana, '/companies')
        await signIn(dana, 'dana')
        await open(dana, '/companies')
        await userButton(dana).waitFor()
        expect(await dana.getByRole('button', { name: 'Add a company' }).count()).toBe(0)
        await open(dana, '/companies?search=zzyzx+balloons')
        await dana
          .getByRole('main')
          .getByRole('button', { name: /[Rr]equest/ })
          .first()
          .waitFor()
        expect(await dana.getByRole('button', { name: 'Not here? Add it' }).count()).toBe(0)
      })
    }),
)

slow.test(
  'a visitor writes → ada’s inbox takes the message through every status, and answers it',
  async () => {
    await browsing(async (vera) => {
      await open(vera, '/')
      await write(vera, 'Vera', 'The search does not know my company.')
      await afterClickGuard(vera)
      await write(vera, 'Vera again', 'Never mind, I have found it.')
    })

    await browsing(async (ada) => {
      await open(ada, '/companies')
      await signIn(ada, 'ada')
      await ada
        .getByRole('contentinfo')
        .getByRole('button', { name: /^Contact Messages/ })
        .click()
      const inbox = ada.getByRole('dialog', { name: 'Contact Message Inbox' })
      await inbox.getByText('Select a message to view').waitFor()
      await inbox.getByRole('button', { name: 'Archived', exact: true }).click()
      await inbox.getByRole('paragraph').filter({ hasText: 'No messages found' }).waitFor()
      await inbox.getByText('No archived messages').waitFor()
      await inbox.getByRole('button', { name: 'All', exact: true }).click()
      const row = (text: string) => inbox.getByRole('listitem').filter({ hasText: text })
      const act = async (button: string, said: string) => {
        await inbox.getByRole('button', { name: button, exact: true }).click()
        await toast(ada, said).waitFor()
        await afterClickGuard(ada)
      }
      const isUnread = (text: string) => row(text).getByText('Unread').count()

      await row('does not know').getByRole('button').click()
      await toast(ada, 'Message marked as read').waitFor()
      // Spec §2.12: the list on the left, the message on the right of it.
      const list = await row('does not know').boundingBox()
      const detail = await inbox.getByRole('heading', { name: 'Vera', exact: true }).boundingBox()
      expect((list?.x ?? 0) + (list?.width ?? 0)).toBeLessThanOrEqual(detail?.x ?? 0)
      expect(detail?.y).toBeLessThan((list?.y ?? 0) + (list?.height ?? 0))
      expect(await isUnread('does not know')).toBe(0)
      expect(await isUnread('Never mind')).toBe(1)
      await act('Mark Unread', 'Message marked as unread')
      expect(await isUnread('does not know')).toBe(1)
      await act('Mark Read', 'Message marked as read')
      await act('Archive', 'Message archived')
      await row('does not know').getByText('Archived').waitFor()
      await act('Unarchive', 'Message marked as read')

      await inbox.getByLabel('Answer').fill('It does now. Thank you!')
      await act('Send answer', 'Answer sent')
      const letter = await mail.next(({ to }) => to.includes('vera@people.example'))
      expect(letter.subject).toBe('Your message to Kettle')
      expect(letter.text).toContain('It does now. Thank you!')
      expect(letter.raw).not.toMatch(/\bAda\b|ada@/)
      await inbox.getByText(/^Ada\s+answered on/).waitFor()

      // Nothing is deleted at once: Spec §4 lets a deleted message be archived.
      await act('Delete', 'Message deleted')
      expect(await row('does not know').count()).toBe(0)
      await toast(ada, 'Message deleted').getByRole('button', { name: 'Archive instead' }).click()
      await toast(ada, 'Message archived').waitFor()
      await inbox.getByRole('button', { name: 'Archived', exact: true }).click()
      await row('does not know').getByText('Answered').waitFor()

      // The other one without a mouse.
      await inbox.getByRole('button', { name: /^Unread/ }).click()
      await row('Never mind').waitFor()
      await ada.keyboard.press('j')
      await toast(ada, 'Message marked as read').waitFor()
      await inbox.getByRole('heading', { name: 'Vera again' }).waitFor()
      await ada.keyboard.press('u')
      await toast(ada, 'Message marked as unread').waitFor()
      await ada.keyboard.press('e')
      await toast(ada, 'Message archived').waitFor()
      await inbox.getByText('No unread messages').waitFor()
    })
  },
)

slow.test('the scraper runs → its text is changed → imported → the companies are new on home', () =>
  browsing(async (ada) => {
    await open(ada, '/companies')
    await signIn(ada, 'ada')
    await open(ada, '/admin-tools')
    await ada.getByRole('button', { name: 'Import to Database' }).click()
    await toast(ada, 'No data to import', 'Please run the scraper first').waitFor()
    await ada.getByRole('button', { name: 'Run Moorgate Scraper' }).click()
    await toast(ada, 'Scraper started', 'This may take a minute to complete').waitFor()
    await toast(ada, 'Scraper completed', 'Found 3 companies').waitFor()

    const box = ada.getByLabel('Companies to import')
    const found = await box.inputValue()
    await box.fill('[]')
    await ada.getByRole('button', { name: 'Import to Database' }).click()
    await ada.getByText('Error: No valid data to import').waitFor()
    await afterClickGuard(ada)
    await box.fill(found.replace(KETTLES.name, 'Kettle and Sons'))
    await ada.getByRole('button', { name: 'Import to Database' }).click()
    await toast(ada, 'Import successful', 'Added 3 new companies to the database').waitFor()
    await ada.getByText('Successfully imported 3 new companies to the database.').waitFor()

    await browsing(async (vera) => {
      await open(vera, '/')
      await vera.getByRole('button', { name: 'Recently Added Companies' }).click()
      const recent = vera.getByRole('group', { name: 'Recently Added Companies' })
      for (const name of ['Anvil Works, Inc.', 'Kettle and Sons', 'Lantern Health Corp.'])
        await recent.getByRole('link', { name }).first().waitFor()
      expect(await recent.getByText(KETTLES.name).count()).toBe(0)
    })
  }),
)

describe('Spec §6: who can open what', () => {
  /** The home page's greeting comes late, so anything else has been said by then. */
  const allIsSaid = (page: Page) => page.getByText('Join the conversation!').waitFor()

  test('dana is turned away from tracking and the panel, and can’t run the scraper', () =>
    browsing(async (dana) => {
      await open(dana, '/companies')
      await signIn(dana, 'dana')
      await open(dana, '/admin-tracking')
      await toast(dana, 'Access denied', "You don't have permission to view this page.").waitFor()
      await isAt(dana, '/')
      await open(dana, '/admin')
      await toast(dana, 'Unauthorized').waitFor()
      await isAt(dana, '/')
      await open(dana, '/admin-tools')
      await dana
        .getByText('Only an administrator can run the scraper and import its results.')
        .waitFor()
      expect(await dana.getByRole('button', { name: 'Run Moorgate Scraper' }).isDisabled()).toBe(
        true,
      )
      expect(new URL(dana.url()).pathname).toBe('/admin-tools')
    }))

  slow.test('a visitor goes home from tracking silently, and from the others with a toast', () =>
    browsing(async (vera) => {
      await open(vera, '/admin-tracking')
      await isAt(vera, '/')
      await allIsSaid(vera)
      expect(await toast(vera, 'Access denied').count()).toBe(0)
      expect(await toast(vera, 'Unauthorized').count()).toBe(0)
      await open(vera, '/admin-tools')
      await toast(vera, 'Unauthorized', "You don't have permission to access this page").waitFor()
      await isAt(vera, '/')
      await open(vera, '/admin')
      await toast(vera, 'Unauthorized').waitFor()
      await isAt(vera, '/')
    }),
  )

  slow.test('an administrator who reloads a page stays on it', () =>
    browsing(async (ada) => {
      await open(ada, '/companies')
      await signIn(ada, 'ada')
      for (const [path, shown] of [
        ['/admin', 'Administrator Access'],
        ['/admin-panel', 'Administrator Access'],
        ['/admin-tracking', 'No interaction data found'],
        ['/admin-tools', 'Run Moorgate Scraper'],
      ] as const) {
        await open(ada, path)
        await ada.getByRole('main').getByText(shown).waitFor()
        await ada.waitForLoadState('networkidle')
        expect(new URL(ada.url()).pathname, path).toBe(path)
        expect(await toast(ada, 'Unauthorized').count(), path).toBe(0)
        expect(await toast(ada, 'Access denied').count(), path).toBe(0)
      }
      await open(ada, '/admin?section=tools')
      await ada.getByText('Only the site’s owner can open these.').waitFor()
      expect(await ada.getByRole('button', { name: 'Company Requests' }).count()).toBe(0)

      // Spec §2.13: with many clicks, the table scrolls. An invalid time is reported.
      const click = {
        companyId: crypto.randomUUID(),
        companyName: 'Acme',
        userId: '0a1b2c3d',
        isMe: false,
      }
      const clicks = Array.from({ length: 99 }, () => ({ ...click, at: '2026-03-14T09:26:00Z' }))
      await ada.route('**/api/v1/interactions', (route) =>
        route.fulfill({
          json: { interactions: [{ ...click, at: 'soon', isMe: true }, ...clicks] },
        }),
      )
      await open(ada, '/admin-tracking')
      const table = ada.getByRole('region', { name: 'Clicks', exact: true })
      await table.getByRole('cell', { name: 'me', exact: true }).waitFor()
      await table.getByRole('cell', { name: 'Invalid date' }).waitFor()
      expect((await table.boundingBox())?.height).toBe(600)
      await ada.getByRole('button', { name: 'Refresh Data' }).click()
      await toast(ada, 'Data refreshed', 'Loaded 100 interaction records').waitFor()
    }),
  )
})

slow.test(
  'olga finds a member by the whole address, appoints, dismisses and suspends, and the log has it',
  () =>
    browsing(
      async (dana) => {
        await open(dana, '/companies')
        await signIn(dana, 'dana')
        await browsing(async (olga) => {
          await open(olga, '/companies')
          await signIn(olga, 'olga')
          await open(olga, '/admin?section=users')
          const search = olga.getByLabel('Part of a username or a full email')
          await search.fill('dana@kettle')
          await search.press('Enter')
          await olga.getByText('No account').waitFor()
          await search.fill('dana@kettle.example')
          await afterClickGuard(olga)
          await search.press('Enter')
          const row = olga.getByRole('article').filter({ hasText: 'Dana' })
          await row.waitFor()
          expect(await row.textContent()).not.toContain('dana@')

          const act = async (name: string, confirm: string, done: string) => {
            await row.getByRole('button', { name: 'Manage Dana' }).click()
            await olga.getByRole('menuitem', { name }).click()
            await press(olga, confirm)
            await toast(olga, done).waitFor()
            await dialog(olga).waitFor({ state: 'detached' })
          }
          await act('Make administrator', 'Make administrator', 'Dana is now an administrator')
          await row.getByText('Administrator').waitFor()
          await open(dana, '/admin')
          await dana.getByText('Administrator Access').waitFor()

          await act('Remove administrator', 'Remove', 'Dana is no longer an administrator')
          await open(dana, '/admin')
          await toast(dana, 'Unauthorized').waitFor()
          await isAt(dana, '/')

          await act('Suspend', 'Suspend', 'Dana is suspended')
          await row.getByText('Suspended').waitFor()

          await open(olga, '/admin?section=log')
          const entries = olga.getByRole('main')
          for (const entry of [
            'Olga gave the administrator role to Dana',
            'Olga took the administrator role from Dana',
            'Olga suspended Dana',
          ])
            await entries.getByText(entry).waitFor()
        })

        await open(dana, '/companies')
        await dana.getByRole('banner').getByRole('button', { name: 'Log in' }).waitFor()
        expect(await userButton(dana).count()).toBe(0)
      },
      // What the browser says about the refusals that end her session.
      { expected: /status of (400|401|403)/ },
    ),
)
