/** Ratings that name nobody: dana gives one, it goes by itself and apart, she changes it, and takes it away elsewhere. */
import { readFile } from 'node:fs/promises'
import type { Page, Request } from 'playwright-core'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { addressHash } from '../../app/auth/addresses.server.ts'
import { ratingTag } from '../../app/features/ratings/rating-tag.server.ts'
import { createSecrets } from '../../app/server/secrets.server.ts'
import { afterClickGuard, browsingOn, open, signIn, toast } from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { sendSoon, shownWords } from '../support/rating-secret.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const running = withSiteInBrowser(async () => ({ RATE_LIMITS: 'off' }))
const browsing = browsingOn(running, { expected: /status of (400|401|403)/ })
const PATIENTLY = { timeout: 60_000 }

const PATH = '/nestle'
const own = (page: Page) => page.getByRole('region', { name: 'Your rating' })
const stars = (page: Page, category: RegExp, count: number) =>
  page
    .getByRole('group', { name: category })
    .getByRole('radio')
    .nth(count - 1)
    .check({ force: true })

/** What the database has by credentials: neither account nor time is asked for, as neither is there. */
const kept = () =>
  running.world.db.query<{ culture: number | null; tag: string }>(
    sql`select culture, tag from ratings where holder is not null`,
  )

const hasten = (page: Page) => sendSoon(page, `${PATH}?tab=ratings`)

test('dana rates at once for herself; it goes later and apart; her second device takes it away', () =>
  browsing(async (dana) => {
    const presented: Request[] = []
    dana.on('request', (request) => {
      if (/api.*(presented|held)-rating/.test(request.url())) presented.push(request)
    })
    await open(dana, `${PATH}?tab=ratings&rate=yes`)
    await signIn(dana, 'dana')
    await dana.getByText('not even we can tell').waitFor()
    await stars(dana, /Culture/, 2)
    await looksFine(dana, 'form')
    await dana.getByRole('button', { name: 'Rate', exact: true }).click()
    await toast(dana, 'Thank you for rating Nestlé').waitFor(PATIENTLY)
    await own(dana).getByText('Your browser sends it within two minutes').waitFor()
    await expect
      .poll(() => dana.locator('section[aria-labelledby=rating]').textContent(), PATIENTLY)
      .toContain('2.0')
    await looksFine(dana, 'outgoing')
    expect(await kept()).toEqual([])
    expect(presented.filter((it) => it.method() === 'PUT')).toEqual([])

    await hasten(dana)
    await expect.poll(async () => (await kept()).map((it) => it.culture), PATIENTLY).toEqual([2])
    await expect
      .poll(() => own(dana).textContent(), PATIENTLY)
      .not.toContain('Your browser sends it')
    expect(await dana.locator('section[aria-labelledby=rating]').textContent()).toContain('2.0')

    const [before] = await kept()
    await own(dana).getByRole('link', { name: 'Change' }).click()
    await stars(dana, /Culture/, 5)
    await dana.getByRole('button', { name: 'Save changes' }).click()
    await own(dana).getByText('Your browser sends it within two minutes').waitFor()
    await hasten(dana)
    await expect.poll(kept, PATIENTLY).toEqual([{ culture: 5, tag: before?.tag }])

    expect(presented.some((it) => it.method() === 'PUT')).toBe(true)
    for (const request of presented)
      for (const header of Object.keys(await request.allHeaders()))
        expect(header).not.toMatch(/authorization|cookie|anonymous|referer/)

    // Her second device has another browser: it cannot rate before it has her secret.
    await open(dana, '/settings#your-ratings')
    await dana.getByRole('button', { name: 'Keep for other devices' }).click()
    const words = await shownWords(dana)
    await afterClickGuard(dana)
    await dana.getByRole('button', { name: 'I have written them down' }).click()
    await toast(dana, 'Kept for your other devices').waitFor(PATIENTLY)
    await browsing(async (second) => {
      await open(second, `${PATH}?tab=ratings&rate=yes`)
      await signIn(second, 'dana')
      await stars(second, /Culture/, 1)
      await second.getByRole('button', { name: 'Rate', exact: true }).click()
      const dialog = second.getByRole('dialog')
      await dialog.getByText('Bring your ratings here').waitFor(PATIENTLY)
      await looksFine(second, 'bring')
      await dialog.getByRole('textbox', { name: /Twelve words/ }).fill(words.join(' '))
      await dialog.getByRole('button', { name: 'Bring them here' }).click()
      await toast(second, 'This device has your ratings now').waitFor(PATIENTLY)
      expect(await kept()).toEqual([{ culture: 5, tag: before?.tag }])

      await open(second, `${PATH}?tab=ratings`)
      await own(second).getByRole('button', { name: 'Remove' }).click()
      await dialog.getByRole('button', { name: 'Remove rating' }).click()
      await own(second).getByText('You took back your rating').waitFor(PATIENTLY)
      await hasten(second)
      await expect.poll(kept, PATIENTLY).toEqual([{ culture: null, tag: before?.tag }])
    })
  }))

/** As ratings were given before: under a tag of the account. */
async function giveUnderAccount(email: string) {
  const { db, env } = running.world
  const secrets = createSecrets(env.SECRET_KEY as string)
  const [account] = await db.query<{ id: string }>(
    sql`select id from accounts where email_hash = ${addressHash(secrets, email)}`,
  )
  const [company] = await db.query<{ id: string }>(
    sql`select id from companies where slug = 'nestle'`,
  )
  const tag = ratingTag({ secrets }, account?.id as string, company?.id as string)
  await db.query(sql`
    insert into ratings (company_id, tag, month, culture, note, note_html)
    values (${company?.id}, ${tag}, '2026-01-01', 1, '', '')`)
  return async () => {
    const [old] = await db.query<{ culture: number | null }>(
      sql`select culture from ratings where tag = ${tag}`,
    )
    return old?.culture
  }
}

test('what ada gave under her account is hers still, and goes once the one that names nobody is there', async () => {
  const old = await giveUnderAccount('ada@kettle.example')
  const before = (await kept()).length
  await browsing(async (ada) => {
    await open(ada, `${PATH}?tab=ratings`)
    await signIn(ada, 'ada')
    await own(ada).getByText('You rated Nestlé').waitFor(PATIENTLY)
    await own(ada).getByRole('link', { name: 'Change' }).click()
    await stars(ada, /Culture/, 4)
    await ada.getByRole('button', { name: 'Save changes' }).click()
    await own(ada).getByText('Your browser sends it within two minutes').waitFor()
    await hasten(ada)
    await expect.poll(async () => (await kept()).length, PATIENTLY).toBe(before + 1)
    expect(await old()).toBe(1)
    await hasten(ada)
    await expect.poll(old, PATIENTLY).toBeNull()
    await own(ada).getByText('You rated Nestlé').waitFor()
  })
})

test('olga takes her ratings along when she leaves: her file has them, and her browser keeps nothing', async () => {
  const begun = (await kept()).length
  const hers = async () => (await kept()).slice(begun).map(({ culture }) => culture)
  const inBrowser = (page: Page) =>
    page.evaluate(() =>
      Object.keys(localStorage).filter((key) => /^kettle-(holder|rated):/.test(key)),
    )
  await browsing(async (olga) => {
    await open(olga, '/')
    await signIn(olga, 'olga')
    for (const path of ['/nestle', '/amd']) {
      await open(olga, `${path}?tab=ratings&rate=yes`)
      await stars(olga, /Culture/, 3)
      await olga.getByRole('button', { name: 'Rate', exact: true }).click()
      await toast(olga, 'Thank you for rating').waitFor(PATIENTLY)
    }
    await hasten(olga)
    await expect.poll(hers, PATIENTLY).toEqual([3, 3])

    await open(olga, '/settings')
    const [download] = await Promise.all([
      olga.waitForEvent('download'),
      olga.getByRole('button', { name: 'Download my data' }).click(),
    ])
    const file = JSON.parse(await readFile(await download.path(), 'utf8'))
    expect(file.ratingsOfThisBrowser).toMatchObject([
      { company: 'AMD', culture: 3, isSent: true },
      { company: 'Nestlé', culture: 3, isSent: true },
    ])
    expect(file.posts.ratings).toEqual([])

    await olga.getByRole('button', { name: 'Delete account' }).click()
    const dialog = olga.getByRole('dialog')
    await dialog.getByRole('radio', { name: /Remove it too/ }).check()
    await dialog.getByText('the 2 ratings of yours that it knows of').waitFor()
    await looksFine(olga, 'leaving')
    await dialog.getByLabel(/to confirm/).fill(file.account.username)
    await afterClickGuard(olga)
    await dialog.getByRole('button', { name: 'Delete for good' }).click()
    await toast(olga, 'Account deleted', 'Your ratings follow in a moment').waitFor(PATIENTLY)
    await expect.poll(hers, PATIENTLY).toEqual([null, null])
    await expect.poll(() => inBrowser(olga), PATIENTLY).toEqual([])
  })
})
