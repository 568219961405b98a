/**
 * axe finds nothing on any screen or open dialog, in both themes, on phones and desktops. Names differ by ear, headings and
 * focus go in order, and wider text has room. Some screens are in the journey of the same name.
 */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DEMO_PASSWORD } from '#app/identity/accounts/demo-people.server.ts'
import { browsingOn, open, settled, userButton } from '../support/browsing.ts'
import { isTooWide, problemsOn, SIZES, screenLooksFine, violationsOn } from '../support/looks.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'
import { phoneWith } from './steps/authenticators.ts'

const running = withSiteInBrowser(async () => ({ PROOF_OF_WORK: '0', RATE_LIMITS: 'off' }))
const browsing = browsingOn(running, { expected: /404/ })
const lookAtScreen = screenLooksFine(browsing)

const SCREENS = [
  '/companies',
  '/discussions',
  '/settings',
  '/companies?search=zzqx',
  '/nestle',
  '/nestle?tab=about',
  '/fennimoor-cheese-cold-chain-and-careful-handling-company',
  '/about',
  '/anonymity',
  '/community-rules',
  '/how-moderation-decides',
  '/privacy',
  '/terms',
  '/discussions?search=zzqx',
  '/discussions?search=meeting',
  '/my-discussions',
  '/my-discussions?tab=moderation',
  '/notifications',
  '/admin/moderation',
  '/lampwright-systems?tab=discussions',
  '/lampwright-systems?tab=ratings',
  '/lampwright-systems?tab=ratings&rate=yes',
  '/companies?compare=lampwright-systems,pawnwick-house-games,nestle',
  '/alerts',
  '/profile',
  '/nope',
]

/** `prepare` opens something that differs with the window's size, so each size has its own window, side by side. */
async function look(
  path: string,
  prepare: (page: Page, isPhone: boolean) => Promise<void>,
  who?: 'olga',
) {
  const found: string[] = []
  const storage = who && { storageState: await olgasStorage() }
  const atSize = (viewport: (typeof SIZES)[number]) =>
    browsing(
      async (page) => {
        await open(page, path)
        await prepare(page, viewport.width < 768)
        found.push(...(await problemsOn(page)))
      },
      { viewport, ...storage },
    )
  await Promise.all(SIZES.map(atSize))
  expect(found).toEqual([])
}

/** One for each size, because an address gets one email per minute, and one account. */
const ownAddress = (page: Page) => `somebody-${page.viewportSize()?.width}@people.example`

async function threadWithPoll() {
  const answer = await fetch(`${running.site.url}/api/v1/threads?sort=top&period=all`)
  const { threads } = (await answer.json()) as { threads: { path: string; hasPoll: boolean }[] }
  return encodeURI(threads.find(({ hasPoll }) => hasPoll)?.path ?? '/')
}

async function lampwright() {
  const answer = await fetch(`${running.site.url}/api/v1/companies/by-slug/lampwright-systems`)
  const { id } = (await answer.json()) as { id: string }
  return id
}

// Two at once, as many as there are cores.
test.concurrent.each(SCREENS)('%s', (path) => lookAtScreen(path))

test('every form without scripts says so, and has no dead button or field', () =>
  browsing(
    async (page) => {
      const found: string[] = []
      for (const path of [
        ...SCREENS,
        await threadWithPoll(),
        `/edit-company/${await lampwright()}`,
        ...['/create-thread', '/delete-post', '/reset-password', '/admin', '/admin-tools'],
        '/admin-tracking',
      ]) {
        await page.goto(path)
        const idle = await page.evaluate(() =>
          [...document.querySelectorAll('button, input, select, textarea, form')]
            .filter((it) => it.checkVisibility() && !it.closest('form[action], [popovertarget]'))
            .filter(
              (it) =>
                it.matches('button') ||
                !it.closest('form')?.textContent.includes('needs JavaScript.'),
            )
            .map((it) => it.outerHTML.slice(0, 120)),
        )
        found.push(...idle.map((it) => `${path}: ${it}`))
      }
      expect(found).toEqual([])
    },
    { javaScriptEnabled: false },
  ))

test('buttons have an edge in forced colors, and only the current tab and the focus a line', () =>
  browsing(async (page) => {
    await open(page, '/lampwright-systems?tab=ratings')
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
    const tabs = page.getByRole('navigation', { name: 'About Lampwright Systems' })
    const lines = await tabs
      .getByRole('link')
      .evaluateAll((all) => all.map((it) => getComputedStyle(it).borderBottomWidth))
    expect(lines).toEqual(['0px', '4px', '0px', '0px', '0px', '0px'])
    const edgeless = await page
      .locator('.button, .icon-button')
      .evaluateAll((all) =>
        all
          .filter((it) => it.checkVisibility() && getComputedStyle(it).borderTopWidth === '0px')
          .map((it) => it.outerHTML.slice(0, 100)),
      )
    expect(edgeless).toEqual([])
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    const outline = await page.evaluate(
      () => getComputedStyle(document.activeElement as Element).outlineStyle,
    )
    expect(outline).toBe('solid')
  }))

test.concurrent('a thread with a poll and its composer are accessible', async () => {
  await lookAtScreen(await threadWithPoll(), async (page) => {
    await page.getByRole('button', { name: /Be the first to comment|Add a comment/ }).click()
    await page.getByLabel('Your comment').fill('Ask dana@kettle.example')
    return page.getByText('Could someone recognize you?', { exact: true })
  })
})

test.concurrent('the page that changes a company’s facts is accessible', async () => {
  const id = await lampwright()
  await lookAtScreen(`/edit-company/${id}`)
})

test.concurrent('a rating in progress and a reported note are accessible', () =>
  lookAtScreen('/lampwright-systems?tab=ratings&rate=yes', async (page) => {
    await page
      .getByRole('group', { name: /Culture/ })
      .getByRole('radio')
      .nth(1)
      .check({ force: true })
    await page.getByLabel(/What should people know/).fill('Ask dana@kettle.example')
    await page.getByText('Could someone recognize you?', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Report this note' }).first().click()
    await page.getByRole('dialog').waitFor()
    await settled(page)
    return page.getByRole('dialog')
  }))

test.concurrent('the open search list is accessible', () =>
  lookAtScreen('/', async (page) => {
    await page.getByRole('combobox', { name: 'Search companies' }).fill('bank')
    return page.getByRole('option').first()
  }))

test.concurrent('the contact dialog is accessible, with what’s missing in it', () =>
  lookAtScreen('/', async (page) => {
    await page.getByRole('contentinfo').getByRole('button', { name: 'Contact' }).click()
    const dialog = page.getByRole('dialog', { name: 'Contact Us' })
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await dialog.getByText('Please enter your name').waitFor()
    await settled(page)
    return dialog.getByText('Please enter your name')
  }))

test('the drawer on a phone and the sign-up dialog on a desktop are accessible', () =>
  look('/companies', async (page, isPhone) => {
    await page.getByRole('button', { name: isPhone ? 'Open menu' : 'Sign up' }).click()
    await page.getByRole('dialog').waitFor()
    await settled(page)
  }))

test('each view of signing in is accessible, with its errors', () =>
  look('/companies', async (page, isPhone) => {
    if (isPhone) {
      await page.getByRole('button', { name: 'Open menu' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Log In' }).click()
    } else await page.getByRole('button', { name: 'Log in' }).click()
    const dialog = page.getByRole('dialog')
    const violations: string[] = []
    const check = async () => {
      await settled(page)
      violations.push(...(await violationsOn(page)))
    }
    await dialog.getByRole('button', { name: 'Log in', exact: true }).click()
    await dialog.getByText('Please enter your email').waitFor()
    await check()
    await dialog.getByRole('button', { name: 'Forgot your password?' }).click()
    await dialog.getByLabel('Email').fill(ownAddress(page))
    await check()
    await dialog.getByRole('button', { name: 'Send reset link' }).click()
    await dialog.getByRole('heading', { name: 'Check your email' }).waitFor()
    expect(violations).toEqual([])
  }))

test('the page behind a link and the reset page are accessible', () =>
  look('/about', async (page) => {
    await page.goto('/auth/v1/verify?type=recovery&token=x')
    expect(await violationsOn(page, { isPlain: true })).toEqual([])
    // The page accepts this token without asking the server.
    await page.route('**/auth/v1/user', (route) =>
      route.fulfill({ json: { id: 'somebody', aud: 'authenticated' } }),
    )
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const exp = Math.floor(Date.now() / 1000) + 3600
    const token = `${part({ alg: 'ES256', typ: 'JWT' })}.${part({ sub: 'somebody', exp })}.c2ln`
    await page.goto(`/reset-password#access_token=${token}&refresh_token=b&type=recovery`)
    await page.getByLabel('New Password', { exact: true }).fill('short')
    await page.getByLabel('Confirm New Password').fill('short')
    await page.getByRole('button', { name: 'Reset Password' }).click()
    await page.getByText('Password must be at least 6 characters').first().waitFor()
  }))

test('a member’s profile, settings, user menu and deletion dialog are accessible', () =>
  look('/about', async (page, isPhone) => {
    const violations: string[] = []
    const check = async () => {
      await settled(page)
      violations.push(...(await violationsOn(page)))
    }
    await page.evaluate(async (email) => {
      const answer = await fetch('/auth/v1/signup', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password: 'correct horse 9' }),
      })
      localStorage.setItem('kettle-auth', JSON.stringify(await answer.json()))
    }, ownAddress(page))
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Change username' }).click()
    await check()
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Delete account' }).waitFor()
    await check()
    if (isPhone) await page.getByRole('button', { name: 'Open menu' }).click()
    else await userButton(page).click()
    await check()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Delete account' }).click()
    await page.getByRole('dialog').waitFor()
    expect(violations).toEqual([])
  }))

interface Session {
  access_token: string
}

async function sessionOf(name: string): Promise<Session> {
  const answer = await fetch(`${running.site.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${name}@kettle.example`, password: DEMO_PASSWORD }),
  })
  return (await answer.json()) as Session
}

async function send<Answer>(path: string, body: object, session?: Session): Promise<Answer> {
  const answer = await fetch(running.site.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(session && { authorization: `Bearer ${session.access_token}` }),
    },
    body: JSON.stringify(body),
  })
  expect(answer.ok, path).toBe(true)
  return (await answer.json()) as Answer
}

/** Erin's session once she has an app, and one that's waiting for its code. */
async function erinsSessions() {
  const first = await sessionOf('erin')
  const { id, totp } = await send<{ id: string; totp: { secret: string } }>(
    '/auth/v1/factors',
    { factor_type: 'totp', friendly_name: 'Phone' },
    first,
  )
  const challenge = await send<{ id: string }>(`/auth/v1/factors/${id}/challenge`, {}, first)
  const code = await phoneWith(totp.secret).code()
  const body = { challenge_id: challenge.id, code }
  const whole = await send<Session>(`/auth/v1/factors/${id}/verify`, body, first)
  return { whole, half: await sessionOf('erin') }
}

test('two-step sign-in is accessible: the settings with an app, the dialogs that add more, and the step', async () => {
  const { whole, half } = await erinsSessions()
  await look('/about', async (page) => {
    const violations: string[] = []
    const check = async () => {
      await settled(page)
      violations.push(...(await violationsOn(page)), ...(await isTooWide(page)))
    }
    const beSignedInBy = async (session: Session, path: string) => {
      await page.evaluate(
        (text) => localStorage.setItem('kettle-auth', text),
        JSON.stringify(session),
      )
      await page.goto(path)
    }
    const dialog = page.getByRole('dialog')
    const closeIt = async () => {
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    await beSignedInBy(whole, '/settings')
    await page.getByRole('button', { name: 'Remove Phone' }).waitFor()
    await check()
    await page.getByRole('button', { name: 'Add an authenticator app' }).click()
    await dialog.getByRole('img').waitFor()
    await check()
    await closeIt()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await dialog.getByLabel('Name').fill('')
    await dialog.getByRole('button', { name: 'Add passkey' }).click()
    await dialog.getByText('Please enter a name').waitFor()
    await check()
    await beSignedInBy(half, '/about')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.getByText('Please enter all 6 digits').waitFor()
    await check()
    await dialog.getByRole('button', { name: 'Use a recovery code' }).click()
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.getByText('Please enter a recovery code').waitFor()
    expect(violations).toEqual([])
  })
})

/** Puts something in each list that an administrator opens. */
async function fillLists() {
  for (const message of ['Who reads this?', 'I have found it, never mind. '.repeat(20)])
    await send('/api/v1/contact-messages', {
      name: 'Vera',
      email: 'vera@people.example',
      message,
      idempotencyKey: crypto.randomUUID(),
    })
  for (const companyName of ['Lampwright System', 'Quillfeather Umbrellas'])
    await send('/api/v1/company-requests', {
      companyName,
      companyWebsite: 'https://quillfeather.example',
    })
  const id = await lampwright()
  await send('/api/v1/interactions', { companyId: id }, await sessionOf('dana'))
}
let filled: Promise<void> | undefined
/** The owner sees everything there is to administer. */
const haveListsFilled = () => {
  filled ??= fillLists()
  return filled
}

const sessionOfOlga = () => sessionOf('olga')
let olgas: ReturnType<typeof sessionOfOlga> | undefined

/** The browser storage of the owner, signed in. */
async function olgasStorage() {
  olgas ??= sessionOfOlga()
  const localStorage = [
    { name: 'cookieConsent', value: 'rejected' },
    { name: 'kettle-auth', value: JSON.stringify(await olgas) },
  ]
  return { cookies: [], origins: [{ origin: running.site.url, localStorage }] }
}

const mainText = (text: string) => (page: Page) => page.getByRole('main').getByText(text).first()

test.concurrent.each([
  ['/admin', mainText('Administrator Access')],
  ['/admin?section=tools', mainText('User Management')],
  ['/admin?section=users', mainText('Dana')],
  ['/admin?section=data', mainText('Import')],
  ['/admin?section=log', mainText('Nothing logged yet')],
  ['/admin?section=analytics', mainText('Interaction Tracking')],
  ['/admin-tracking', (page: Page) => page.getByRole('table').getByText('Lampwright')],
  ['/admin-tools', mainText('Import to Database')],
] as const)('the owner’s pages are accessible: %s', async (path, shown) => {
  await haveListsFilled()
  const prepare = async (page: Page) => {
    await shown(page).waitFor()
    return undefined
  }
  await lookAtScreen(path, prepare, { storageState: await olgasStorage() })
})

test('the owner’s requests, inbox with a message, and question before a suspension are accessible', async () => {
  await haveListsFilled()
  await look(
    '/admin?section=tools',
    async (page, isPhone) => {
      const violations: string[] = []
      const check = async () => {
        await settled(page)
        violations.push(...(await violationsOn(page)), ...(await isTooWide(page)))
      }
      await page.getByRole('button', { name: 'Company Requests' }).click()
      await page.getByRole('dialog').getByText('Quillfeather Umbrellas').waitFor()
      await check()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      const main = page.getByRole('main')
      await main.getByRole('button', { name: /^Contact Messages/ }).click()
      await page.getByRole('dialog').getByRole('listitem').first().waitFor()
      await check()
      // One message for each size, because opening it marks it as read, once.
      const row = page
        .getByRole('dialog')
        .getByRole('listitem')
        .nth(isPhone ? 0 : 1)
      await row.getByRole('button').click()
      await page.getByRole('dialog').getByLabel('Answer').waitFor()
      await check()
      await page.goto('/admin?section=users')
      await page.getByRole('button', { name: 'Manage Dana' }).click()
      await page.getByRole('menuitem', { name: 'Suspend' }).waitFor()
      await check()
      await page.getByRole('menuitem', { name: 'Suspend' }).click()
      await page.getByRole('dialog', { name: 'Suspend Dana?' }).waitFor()
      expect(violations).toEqual([])
    },
    'olga',
  )
})

test('a toast is accessible', () =>
  look('/', async (page) => {
    await page.getByText('Join the conversation!').waitFor()
    await settled(page)
  }))
