/** An administrator sets up the site in the panel, and visitors see it at once, from each of two processes. */
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import {
  afterClickGuard,
  browsingOn,
  countShifts,
  open,
  shiftsOf,
  signIn,
  toast,
  userButton,
  whenAlive,
} from '../support/browsing.ts'
import { inTheme, looksFine } from '../support/looks.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

let mail: MailServer
const running = withSiteInBrowser(async () => {
  mail = await startMailServer()
  return {
    WORKERS: '2',
    CONTACT_DOMAIN: 'kettle.test',
    SMTP_URL: mail.url,
    AUTH_AUTOCONFIRM: 'true',
  }
})
afterAll(() => mail.stop())
const browsing = browsingOn(running, { expected: /status of (400|404)/ })

/** Several answers, so that both processes give some. */
const pages = (path: string) =>
  Promise.all(
    Array.from({ length: 6 }, async () => {
      const answer = await fetch(running.site.url + path, { headers: { connection: 'close' } })
      return answer.text()
    }),
  )

const everyPage = (path: string, text: string) =>
  expect
    .poll(async () =>
      (await pages(path)).filter((html) => !html.includes(text)).map((html) => html.slice(0, 900)),
    )
    .toEqual([])

async function set(ada: Page, label: string, text: string) {
  const field = ada.getByLabel(label, { exact: true })
  await field.fill(text)
  await ada.getByRole('button', { name: 'Save', exact: true }).click()
  await toast(ada, `${label} saved`).waitFor()
}

const colorOfSignUp = (page: Page) =>
  page
    .getByRole('button', { name: 'Sign up' })
    .first()
    .evaluate((button) => getComputedStyle(button).backgroundColor)

/** Dark shapes on nothing. */
const drawn = (width: number, height: number, shapes: string) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" fill="#1c2230">${shapes}</svg>`,
    ),
  )
    .png()
    .toBuffer()
const WORDMARK =
  '<circle cx="80" cy="80" r="64"/><path d="M190 30h50v100h-50zM270 30h160v34h-55v66h-50V64h-55zM470 30h50v100h-50zM550 96h60v34h-60z"/>'

async function toSettings(ada: Page) {
  await open(ada, '/companies')
  await signIn(ada, 'ada')
  await open(ada, '/admin?section=tools')
  await ada.getByRole('link', { name: /^Site settings/ }).click()
  await ada.getByLabel('Site name').waitFor()
}

test('ada names the site and its addresses, and the log has what was there before', () =>
  browsing(async (ada) => {
    await everyPage('/', 'Spill the tea and rate your company, anonymously.')
    await everyPage('/about', 'press@kettle.test')
    await toSettings(ada)
    await ada.getByLabel('Site name').fill(' ')
    await ada.getByRole('button', { name: 'Save', exact: true }).click()
    await ada.getByText('The site needs a name').waitFor()
    await ada.getByRole('button', { name: 'Cancel' }).click()

    await set(ada, 'Site name', 'Samovar')
    await set(ada, 'Hero sentence', 'Tea for those who toil.')
    await set(ada, 'Footer links', 'Imprint https://samovar.example/imprint')
    await set(ada, 'Press', '')
    await looksFine(ada, 'site-settings')
    await everyPage('/', '<title>Samovar – anonymous workplace community</title>')
    await everyPage('/', 'Tea for those who toil.')
    await everyPage('/companies', 'href="https://samovar.example/imprint"')
    for (const html of await pages('/about')) expect(html).not.toMatch(/press@/)

    await ada.getByRole('button', { name: 'Reset to “Kettle”' }).click()
    await toast(ada, 'Site name saved').waitFor()
    await everyPage('/', '<title>Kettle – anonymous workplace community</title>')
    await open(ada, '/admin?section=log')
    const log = ada.getByRole('main')
    await log.getByText('Ada changed the setting Site name').first().waitFor()
    await log.getByText('press@kettle.test').waitFor()
    await looksFine(ada, 'settings-log')
  }))

test('ada picks an accent color, and every page has it in both themes at once', () =>
  browsing(async (ada) => {
    await toSettings(ada)
    const field = ada.getByLabel('Accent color')
    await field.fill('teal')
    await ada.getByRole('button', { name: 'Save', exact: true }).click()
    await ada.getByText('A color looks like #9a4d0c').waitFor()
    await afterClickGuard(ada)
    await field.fill('#ffdd00')
    await ada.getByText(/#ffdd00 would have 1.1:1, and text needs 4.5:1/).waitFor()
    await looksFine(ada, 'accent-picked')
    await set(ada, 'Accent color', '#1d4ed8')
    await everyPage('/companies', '<link rel="stylesheet" href="/brand/1d4ed8-')
    await everyPage('/unsubscribe', '<link rel="stylesheet" href="/brand/1d4ed8-')
    await browsing(async (vera) => {
      await countShifts(vera)
      for (const path of ['/', '/nestle', '/discussions']) {
        await open(vera, path)
        expect(await shiftsOf(vera)).toBeLessThan(0.001)
        expect(await colorOfSignUp(vera)).toBe('rgb(29, 78, 216)')
        await looksFine(vera, `accent${path.replaceAll('/', '-')}`)
      }
      await inTheme(vera, 'dark')
      expect(await colorOfSignUp(vera)).toBe('rgb(133, 171, 254)')
    })
    await open(ada, '/admin?section=log')
    await ada.getByRole('main').getByText('#1d4ed8').waitFor()
    await open(ada, '/admin/settings')
    await ada.getByRole('button', { name: 'Reset to “#9a4d0c”' }).click()
    await toast(ada, 'Accent color saved').waitFor()
    await expect.poll(async () => (await pages('/')).join().includes('/brand/')).toBe(false)
  }))

test('ada uploads a logo and a share picture, and pages and emails have them', () =>
  browsing(async (ada) => {
    await toSettings(ada)
    const upload = async (label: string, name: string, buffer: Buffer) => {
      const mimeType = 'image/png'
      await ada.getByLabel(`${label} file`).setInputFiles({ name, mimeType, buffer })
    }
    const group = ada.getByRole('group', { name: 'Logo', exact: true })
    await upload('Logo', 'tiny.png', await drawn(16, 16, '<circle cx="8" cy="8" r="8"/>'))
    await group.getByText('This picture is too small: 16 × 16 pixels.').waitFor()
    await upload('Logo', 'logo.png', await drawn(640, 160, WORDMARK))
    await toast(ada, 'Logo saved').waitFor()
    await upload('Share picture', 'share.png', await drawn(1600, 900, WORDMARK))
    await toast(ada, 'Share picture saved').waitFor()
    await group.scrollIntoViewIfNeeded()
    await looksFine(ada, 'pictures')
    await everyPage('/companies', '<img src="/brand/logo-')
    await everyPage('/unsubscribe', 'alt="Kettle" width="480" height="120"')
    await everyPage('/about', `property="og:image" content="${running.site.url}/brand/share-`)

    await browsing(async (vera) => {
      await countShifts(vera)
      for (const path of ['/', '/companies/nowhere', '/unsubscribe']) {
        await vera.goto(path)
        const logo = vera.getByRole('img', { name: 'Kettle' }).first()
        await logo.waitFor()
        await expect
          .poll(() => logo.evaluate((it: HTMLImageElement) => it.complete && it.naturalWidth))
          .toBe(480)
        expect(await shiftsOf(vera)).toBeLessThan(0.001)
        if (path !== '/unsubscribe') await whenAlive(vera)
        if (path === '/') await looksFine(vera, 'logo')
      }
    })
    const body = JSON.stringify({ email: 'dana@kettle.example' })
    const headers = { 'content-type': 'application/json' }
    await fetch(`${running.site.url}/auth/v1/recover`, { method: 'POST', headers, body })
    const { html, raw } = await mail.next()
    expect(html).toContain('src="cid:logo" alt="Kettle"')
    expect(raw).toContain('Content-ID: <logo>')

    await group.getByRole('button', { name: 'Reset to ours' }).click()
    await toast(ada, 'Logo saved').waitFor()
    await expect
      .poll(async () => (await pages('/companies')).join().includes('/brand/logo-'))
      .toBe(false)
    await open(ada, '/admin?section=log')
    await ada.getByRole('main').getByText('1200 × 630 pixels').waitFor()
  }))

test('ada lets only invited people join: vera reads why, and gets in with a link', () =>
  browsing(async (ada) => {
    await toSettings(ada)
    await ada.getByLabel('Who may sign up').selectOption('People with an invitation')
    await ada.getByRole('button', { name: 'Save', exact: true }).click()
    await toast(ada, 'Who may sign up saved').waitFor()
    await ada.getByRole('button', { name: 'Make an invitation' }).click()
    const link = await ada.getByLabel('Invitation link').inputValue()
    const revoke = ada.getByRole('button', { name: /^Revoke / })
    await revoke.waitFor()
    await looksFine(ada, 'invitations')
    await everyPage('/', '"signUp":{"mode":"invitation"')

    await browsing(async (vera) => {
      const dialog = vera.getByRole('dialog')
      await open(vera, '/companies')
      await vera.getByRole('button', { name: 'Sign up' }).click()
      await dialog.getByText('You need an invitation to sign up.').waitFor()
      expect(await dialog.getByLabel('Email').count()).toBe(0)
      await vera.keyboard.press('Escape')
      await vera.goto(link)
      await whenAlive(vera)
      await looksFine(vera, 'invitation')
      await vera.getByRole('button', { name: 'Create an account' }).click()
      await dialog.getByLabel('Email').fill('vera.invited@people.example')
      await dialog.getByLabel('Password', { exact: true }).fill('correct horse 9')
      await vera.keyboard.press('Enter')
      await userButton(vera).waitFor()
      await vera.waitForURL((url) => url.pathname === '/')
    })

    await ada.reload()
    await ada.getByRole('button', { name: 'Make an invitation' }).waitFor()
    await ada.waitForLoadState('networkidle')
    expect(await revoke.count()).toBe(0)
  }))

test('olga sees on her checklist who reads the addresses, and can only raise a threshold', () =>
  browsing(async (olga) => {
    await open(olga, '/companies')
    await signIn(olga, 'olga')
    await open(olga, '/admin')
    const list = olga.getByRole('region', { name: 'Before you launch' })
    await list.getByText('No page says who runs this site.').waitFor()
    await list.getByRole('button', { name: 'Someone reads them' }).click()
    await list.getByText('Contact addresses: done').waitFor()
    await looksFine(olga, 'checklist')
    await list.getByRole('link', { name: 'See or change the pages' }).click()
    await olga.getByLabel('Badges').fill('9')
    await olga.getByRole('button', { name: 'Save', exact: true }).click()
    await olga.getByText('A whole number from 10 to 9999, please').waitFor()
    await afterClickGuard(olga)
    await set(olga, 'Badges', '12')
    await looksFine(olga, 'thresholds')
    await open(olga, '/settings/badge')
    await olga.getByText('Once 12 people at your company have a badge').waitFor()
  }))

test('ada rewrites the rules in Markdown, starting from ours, and undoes it', () =>
  browsing(async (ada) => {
    await toSettings(ada)
    await set(ada, 'Who runs this site', 'Tea Ltd\n1 Pot Lane')
    await everyPage('/terms', 'Who runs this site: Tea Ltd, 1 Pot Lane')
    await ada.getByRole('button', { name: 'Edit Community rules' }).click()
    const text = ada.getByLabel('Community rules', { exact: true })
    const ours = await text.inputValue()
    await text.fill(ours.replace('## What’s welcome', '{nonsense}\n\n## What’s welcome'))
    await ada.getByRole('button', { name: 'Save', exact: true }).click()
    await ada.getByText('{nonsense} is unknown').waitFor()
    await looksFine(ada, 'rules')
    await set(ada, 'Community rules', ours.replace('## What’s welcome', '## What we like'))
    await everyPage('/community-rules', 'What we like')
    await everyPage('/community-rules', 'Last changed ')
    await open(ada, '/community-rules')
    await looksFine(ada, 'own-rules')

    await open(ada, '/admin/settings')
    await ada.getByRole('button', { name: 'Edit Community rules' }).click()
    await ada.getByRole('button', { name: 'Reset to our text' }).click()
    await toast(ada, 'Community rules saved').waitFor()
    await everyPage('/community-rules', 'What’s welcome')
  }))
