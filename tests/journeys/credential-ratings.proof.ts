/**
 * Anonymous ratings: dana gives one, her browser sends it by itself and without credentials, she changes it, and removes it
 * elsewhere.
 */
import { readFile } from 'node:fs/promises'
import type { Page, Request } from 'playwright-core'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { addressHash } from '#app/api/auth/addresses.server.ts'
import { digestsOf, type IssuerList, type ListedKey } from '#app/api/credential/issuer-list.ts'
import { DEMO_PASSWORD } from '#app/identity/accounts/demo-people.server.ts'
import { createSecrets } from '#app/platform/database/secrets.server.ts'
import { ratingTag } from '#app/ratings/rating-tag.server.ts'
import { afterClickGuard, browsingOn, open, signIn, toast } from '../support/browsing.ts'
import { looksFine } from '../support/looks.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'
import { comeBackLater } from './steps/come-back-later.ts'
import { makeRatingsDue, makeRatingsDueNow } from './steps/due-ratings.ts'
import { askSoon, sending, sendSoon, shownWords } from './steps/rating-secret.ts'

const running = withSiteInBrowser(async () => ({ RATE_LIMITS: 'off' }))
const browsing = browsingOn(running, { expected: /status of (400|401|403)/ })

const PATH = '/nestle'
const REFUSED = 'This rating’s proof isn’t valid, or it has expired'
const own = (page: Page) => page.getByRole('region', { name: 'Your rating' })
const stars = (page: Page, category: RegExp, count: number) =>
  page
    .getByRole('group', { name: category })
    .getByRole('radio')
    .nth(count - 1)
    .check({ force: true })

/** What the database has by credential, without account or time, because it stores neither. */
const kept = () =>
  running.world.db.query<{ culture: number | null; tag: string }>(
    sql`select culture, tag from ratings where holder_key_hash is not null`,
  )

/** Every overall rating that the page shows from its first one on, in order. */
async function watchedNumbers(page: Page) {
  const section = page.locator('section[aria-labelledby=rating]')
  await section.getByText('2.0').first().waitFor()
  const seen = await section.evaluateHandle((element) => {
    const numbers: string[] = []
    const note = () => {
      const number = /Overall rating\s*(--|[\d.]{3})/.exec(element.textContent ?? '')?.[1] ?? ''
      if (numbers.at(-1) !== number) numbers.push(number)
    }
    note()
    new MutationObserver(note).observe(element, {
      subtree: true,
      childList: true,
      characterData: true,
    })
    return numbers
  })
  return () => seen.jsonValue()
}

/**
 * What the browser still has to send by itself, and the workers for that.
 * @param dueAt makes it due now
 */
const handedOver = (page: Page, dueAt?: number) =>
  page.evaluate(async (dueAt) => {
    const workers = (await navigator.serviceWorker.getRegistrations()).filter((it) => it.active)
    const cache = await caches.open('kettle-handed-over')
    const ratings: string[] = []
    for (const key of await cache.keys()) {
      const rating = await (await cache.match(key))?.json()
      if (dueAt) await cache.put(key, Response.json({ ...rating, dueAt }))
      ratings.push(JSON.stringify(rating))
    }
    return { ratings, workers: workers.length }
  }, dueAt)
const NOTHING = { ratings: [], workers: 0 }

const hasten = (page: Page) => sendSoon(page, `${PATH}?tab=ratings`)

test('dana’s rating shows at once and goes later by itself, and her second device removes it', () =>
  browsing(async (dana) => {
    const presented: Request[] = []
    const issued: string[] = []
    dana.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/my/credential'))
        issued.push(new URL(request.url()).pathname)
      if (/api.*(presented|held)-rating/.test(request.url())) presented.push(request)
    })
    await open(dana, `${PATH}?tab=ratings&rate=yes`)
    await signIn(dana, 'dana')
    await dana.getByText('Even we can’t tell').waitFor()
    await stars(dana, /Culture/, 2)
    await looksFine(dana, 'form')
    await dana.getByRole('button', { name: 'Rate', exact: true }).click()
    await sending(dana).waitFor()
    await expect
      .poll(() => dana.locator('section[aria-labelledby=rating]').textContent())
      .toContain('2.0')
    await looksFine(dana, 'outgoing')
    expect(await kept()).toEqual([])
    expect(presented.filter((it) => it.method() === 'PUT')).toEqual([])

    await hasten(dana)
    const numbers = await watchedNumbers(dana)
    await expect.poll(async () => (await kept()).map((it) => it.culture)).toEqual([2])
    await expect.poll(() => own(dana).textContent()).not.toContain('Sending')
    await toast(dana, 'Thank you for rating Nestlé').waitFor()
    expect(await numbers()).toEqual(['2.0'])

    const [before] = await kept()
    await own(dana).getByRole('link', { name: 'Change' }).click()
    await stars(dana, /Culture/, 5)
    await dana.getByRole('button', { name: 'Save changes' }).click()
    await sending(dana).waitFor()

    // A refused proof is reported, and nothing is requested because of it until she presses.
    await dana.route(/api\/.*presented-rating/, (route) =>
      route.fulfill({ status: 400, json: { error: { code: 'bad-request', message: REFUSED } } }),
    )
    await hasten(dana)
    await own(dana).getByText(`Not sent: ${REFUSED}`).waitFor()
    await looksFine(dana, 'refused')
    await dana.unroute(/api\/.*presented-rating/)
    await own(dana).getByRole('button', { name: 'Try again' }).click()
    await sending(dana).waitFor()
    await hasten(dana)
    await expect.poll(kept).toEqual([{ culture: 5, tag: before?.tag }])
    expect(issued).toEqual(['/api/v1/my/credential'])

    expect(presented.some((it) => it.method() === 'PUT')).toBe(true)
    for (const request of presented)
      for (const header of Object.keys(await request.allHeaders()))
        expect(header).not.toMatch(/authorization|cookie|anonymous|referer/)

    // Her second device has another browser, which can't rate before it has her secret.
    await open(dana, '/settings#your-ratings')
    await dana.getByRole('button', { name: 'Show twelve words' }).click()
    const words = await shownWords(dana)
    await afterClickGuard(dana)
    await dana.getByRole('button', { name: 'I’ve written them down' }).click()
    await toast(dana, 'Your ratings are backed up').waitFor()
    await browsing(async (second) => {
      await open(second, `${PATH}?tab=ratings&rate=yes`)
      await signIn(second, 'dana')
      await stars(second, /Culture/, 1)
      await second.getByRole('button', { name: 'Rate', exact: true }).click()
      const dialog = second.getByRole('dialog')
      await dialog.getByText('Restore your ratings').waitFor()
      await looksFine(second, 'bring')
      await dialog.getByRole('textbox', { name: /Twelve words/ }).fill(words.join(' '))
      await dialog.getByRole('button', { name: 'Restore' }).click()
      await toast(second, 'Your ratings are now on this device').waitFor()
      expect(await kept()).toEqual([{ culture: 5, tag: before?.tag }])

      // It learns what the first one gave some time after she looks at the tab.
      await open(second, `${PATH}?tab=ratings`)
      await own(second).waitFor()
      await askSoon(second, () => own(second).getByText('You rated Nestlé').isVisible())
      await own(second).getByRole('button', { name: 'Remove' }).click()
      await dialog.getByRole('button', { name: 'Remove rating' }).click()
      await own(second).getByText('You removed your rating').waitFor()
      await hasten(second)
      await expect.poll(kept).toEqual([{ culture: null, tag: before?.tag }])
    })
  }))

/** A rating from before they were anonymous: under a tag of the account. */
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

test('ada’s rating under her account stays hers, and goes once the one that names no one is there', async () => {
  const old = await giveUnderAccount('ada@kettle.example')
  const before = (await kept()).length
  await browsing(async (ada) => {
    await open(ada, `${PATH}?tab=ratings`)
    await signIn(ada, 'ada')
    await own(ada).getByText('You rated Nestlé').waitFor()
    // Her first credential needs more than a session that may have been stolen. The rating continues after that.
    await comeBackLater(running.world, ada, `${PATH}?tab=ratings`)
    await own(ada).getByRole('link', { name: 'Change' }).click()
    await stars(ada, /Culture/, 4)
    await ada.getByRole('button', { name: 'Save changes' }).click()
    const proof = ada.getByRole('dialog', { name: 'Confirm it’s you' })
    await proof.getByLabel('Your password').fill(DEMO_PASSWORD)
    await ada.keyboard.press('Enter')
    await sending(ada).waitFor()
    await hasten(ada)
    await expect.poll(async () => (await kept()).length).toBe(before + 1)
    expect(await old()).toBe(1)
    // Long after, with a page open.
    const later = async () => {
      await makeRatingsDueNow(ada)
      return old()
    }
    await expect.poll(later, { interval: 1_000 }).toBeNull()
    await own(ada).getByText('You rated Nestlé').waitFor()
  })
})

test('ada’s browser refuses a list and quarter of her own, and she decides about new keys', () =>
  browsing(async (ada) => {
    let given: (list: IssuerList) => object = (list) => list
    await ada.route('**/.well-known/kettle-issuer.json', async (route) => {
      const list = (await (await route.fetch()).json()) as IssuerList
      await route.fulfill({ json: given(list) })
    })
    const problem = ada.getByRole('alert')
    const rate = () => ada.getByRole('button', { name: 'Rate', exact: true }).click()
    await open(ada, `${PATH}?tab=ratings&rate=yes`)
    await signIn(ada, 'ada')
    await ada.getByText('Even we can’t tell').waitFor()
    await stars(ada, /Culture/, 3)

    // A list that the site's pages don't name.
    const longer = (list: IssuerList) => [...list.keys, { ...list.keys[0], quarter: '2031-Q1' }]
    const withDigest = (list: IssuerList, keys: ListedKey[]) => ({
      ...list,
      keys,
      digest: digestsOf(keys).at(-1),
    })
    given = (list) => ({ ...withDigest(list, longer(list) as ListedKey[]), quarter: '2031-Q1' })
    await rate()
    await problem.filter({ hasText: 'The site says it’s Q1 of 2031' }).waitFor()
    given = (list) => withDigest(list, list.keys.toReversed())
    await rate()
    await problem.filter({ hasText: 'own pages don' }).waitFor()
    await looksFine(ada, 'foreign-keys')

    // Her browser knows other keys. An operator who restored an old backup has to explain that.
    await ada.evaluate(() =>
      localStorage.setItem('kettle-issuer', JSON.stringify({ digests: ['f'.repeat(64)] })),
    )
    given = (list) => list
    await rate()
    const asked = ada.getByRole('dialog', { name: 'Use this site’s new keys?' })
    await asked.waitFor()
    await looksFine(ada, 'new-keys')
    await asked.getByRole('button', { name: 'Not now' }).click()
    await rate()
    await asked.getByRole('button', { name: 'Use the new keys' }).click()
    await toast(ada, 'Your browser now uses the new keys').waitFor()
    await afterClickGuard(ada)
    await rate()
    // It has the keys, and asks for the secret if another browser of hers made one above.
    await sending(ada)
      .or(ada.getByRole('dialog', { name: 'Restore your ratings' }))
      .waitFor()
  }))

test('olga gets her credential without acting, reveals nothing by it, and hears nothing of it', () =>
  browsing(async (olga) => {
    const sent: string[] = []
    olga.on('request', (request) => {
      if (/\/api\/.*(credential|presented|held)|kettle-issuer/.test(request.url()))
        sent.push(`${request.method()} ${new URL(request.url()).pathname}`)
    })
    const commitments = async () =>
      (await running.world.db.query(sql`select from credential_commitments`)).length
    const before = await commitments()
    await olga.clock.install()
    await open(olga, '/')
    await signIn(olga, 'olga')
    await olga.clock.fastForward('05:00')
    await expect.poll(commitments).toBe(before + 1)
    expect(await olga.getByRole('dialog').count()).toBe(0)
    expect(sent).toEqual([
      // Logging in asks whether the secret is on another device.
      'GET /api/v1/my/credential',
      'GET /.well-known/kettle-issuer.json',
      'GET /api/v1/my/credential',
      'POST /api/v1/my/credential',
    ])
    await open(olga, '/settings#your-ratings')
    await olga.getByText('Only this device can change').waitFor()
    await browsing(async (elsewhere) => {
      // Another of her devices says so once, and opens nothing until she rates there.
      await elsewhere.clock.install()
      await open(elsewhere, '/')
      await signIn(elsewhere, 'olga')
      await toast(elsewhere, 'You may have ratings on another device').waitFor()
      const asked = elsewhere.waitForResponse(/my\/credential/)
      await elsewhere.clock.fastForward('05:00')
      expect((await asked).request().method()).toBe('GET')
      expect(await elsewhere.getByRole('dialog').count()).toBe(0)
      expect(await commitments()).toBe(before + 1)

      // Seven months later, she starts over under no keys that her browser doesn't know, unless she decides to.
      await running.world.db.query(
        sql`update credential_commitments set month = month - interval '7 months'`,
      )
      await elsewhere.evaluate(() =>
        localStorage.setItem('kettle-issuer', JSON.stringify({ digests: ['f'.repeat(64)] })),
      )
      await open(elsewhere, '/settings#your-ratings')
      await elsewhere.getByRole('button', { name: 'I’ve lost my words' }).click()
      await afterClickGuard(elsewhere)
      await elsewhere.getByRole('button', { name: 'Start over' }).click()
      const newKeys = elsewhere.getByRole('dialog', { name: 'Use this site’s new keys?' })
      await newKeys.getByRole('button', { name: 'Use the new keys' }).click()
      await toast(elsewhere, 'Your browser now uses the new keys').waitFor()
      await elsewhere
        .getByRole('dialog', { name: 'Start over' })
        .getByText('aren’t the ones your browser knows')
        .waitFor()
    })
    // Resets her secret for the next test.
    await running.world.db.query(sql`delete from credential_commitments`)
    await running.world.db.query(sql`delete from credential_mailboxes`)
  }))

test('erin closes her tab too soon, her browser sends her rating, and her next visit thanks her', () =>
  browsing(async (erin) => {
    const before = (await kept()).length
    await open(erin, '/amd?tab=ratings&rate=yes')
    await signIn(erin, 'erin')
    await stars(erin, /Culture/, 4)
    await erin.getByRole('button', { name: 'Rate', exact: true }).click()
    await sending(erin).waitFor()
    await expect.poll(async () => (await handedOver(erin)).workers).toBe(1)

    // As if two minutes had passed after she left. A browser without a window starts nothing by itself.
    await makeRatingsDue(erin)
    const { ratings } = await handedOver(erin, 1)
    expect(ratings).toEqual([expect.not.stringContaining('erin')])
    await erin.goto('about:blank')
    const devtools = await erin.context().newCDPSession(erin)
    const worker = new Promise<string>((resolve) =>
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [it] }) => {
        if (it) resolve(it.registrationId)
      }),
    )
    await devtools.send('ServiceWorker.enable')
    await devtools.send('ServiceWorker.dispatchSyncEvent', {
      origin: running.site.url,
      registrationId: await worker,
      tag: 'rating',
      lastChance: false,
    })
    await expect.poll(async () => (await kept()).length).toBe(before + 1)

    const sent: string[] = []
    erin.on('request', (it) => void (it.method() === 'PUT' && sent.push(it.url())))
    await open(erin, '/')
    await toast(erin, 'Thank you for rating AMD', 'Others see it with the next update').waitFor()
    expect(sent).toEqual([])
    await expect.poll(() => handedOver(erin)).toEqual(NOTHING)
  }))

test('olga leaves with her ratings: her file has them, and her browser keeps nothing', async () => {
  // Rows have no time, and are stored where they last changed. Hers are the new ones.
  const before = (await kept()).map(({ tag }) => tag)
  const hers = async () =>
    (await kept()).filter(({ tag }) => !before.includes(tag)).map(({ culture }) => culture)
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
      await sending(olga).waitFor()
    }
    await hasten(olga)
    await expect.poll(hers).toEqual([3, 3])
    // Her browser knows that both have arrived.
    await expect
      .poll(() => olga.evaluate(() => Object.values(localStorage).join()))
      .not.toContain('"outgoing"')

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
    await dialog.getByRole('radio', { name: /Remove them too/ }).check()
    await dialog.getByText('the 2 ratings and other entries it knows').waitFor()
    await looksFine(olga, 'leaving')
    await dialog.getByLabel(/to confirm/).fill(file.account.username)
    await afterClickGuard(olga)
    await dialog.getByRole('button', { name: 'Delete permanently' }).click()
    await toast(olga, 'Account deleted', 'We’re removing your ratings now').waitFor()
    await expect.poll(hers).toEqual([null, null])
    await expect.poll(() => inBrowser(olga)).toEqual([])
    expect(await handedOver(olga)).toEqual(NOTHING)
  })
})
