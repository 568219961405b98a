/** Pages don't request again what they already have: for visitors and members, however old the page or wrong the clock. */
import type { CDPSession, Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import { browsingOn, open, signIn, userButton, whenAlive } from '../support/browsing.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'

const running = withSiteInBrowser(async () => ({ PROOF_OF_WORK: '50', RATE_LIMITS: 'off' }))
const browsing = browsingOn(running)

const DAY_MS = 86_400_000
/** The live stream starts within this time, after all other requests. */
const SETTLED_MS = 4_000

let thread: string
let polled: string
let company: string
beforeAll(async () => {
  const { db } = running.world
  const [found] = await db.query<{ thread: string; polled: string; company: string }>(sql`
    select (select id from threads where comments > 3 and not is_locked and company_id is not null
                                     and not exists (select from polls where thread_id = threads.id)
             order by comments desc, id limit 1) as thread,
           (select thread_id from polls order by thread_id limit 1) as polled,
           (select slug from companies where slug = 'lampwright-systems') as company`)
  thread = await addressOf(`/thread/${found?.thread}`)
  polled = await addressOf(`/thread/${found?.polled}`)
  company = `/${found?.company}`
})

/** Where a page is after its redirect, cached by the site. */
const addressOf = async (path: string) =>
  new URL((await fetch(running.site.url + path)).url).pathname
const liveOf = (path: string) => `/api/v1/threads/${path.slice('/thread/'.length, 44)}/live`

/** The page's requests to the site's own API from now on. */
function askedBy(page: Page) {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/(api|auth|functions)\//.test(pathname)) asked.push(`${request.method()} ${pathname}`)
  })
  return asked
}

/** What comes over the network from now on, rather than from the browser's cache. */
async function sentBy(page: Page) {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const sent = new Map<string, string>()
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    const { protocol, pathname } = new URL(request.url)
    if (protocol.startsWith('http')) sent.set(requestId, pathname)
  })
  session.on('Network.requestServedFromCache', ({ requestId }) => sent.delete(requestId))
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.fromDiskCache) sent.delete(requestId)
  })
  return () => [...sent.values()].sort()
}

describe('vera, who did nothing in this browser, requests only the live stream', () => {
  const AGES = { fresh: 0, '31 s old': 31_000, '6 minutes old': 6 * 60_000 }
  const CLOCKS = { '2 days ahead': 2 * DAY_MS, '2 days behind': -2 * DAY_MS }
  test.concurrent.each(Object.entries({ ...AGES, ...CLOCKS }))(
    'of a thread that is, by her clock, %s',
    (_, ms) =>
      browsing(async (page) => {
        // To a browser, an old page and a wrong clock are the same: its clock differs from the page's.
        await page.clock.setSystemTime(Date.now() + ms)
        const asked = askedBy(page)
        await open(page, thread)
        await expect.poll(() => asked).toContain(`GET ${liveOf(thread)}`)
        await page.waitForTimeout(SETTLED_MS)
        expect(asked).toEqual([`GET ${liveOf(thread)}`])
        // It still works.
        const vote = page.getByRole('button', { name: /^Upvote/ }).first()
        await vote.click()
        await expect.poll(() => asked.some((it) => it.startsWith('PUT '))).toBe(true)
      }),
  )

  test.concurrent.each([
    ['the start page', () => '/'],
    ['all companies', () => '/companies'],
    ['all discussions', () => '/discussions'],
    ['a company', () => company],
    ['its ratings', () => `${company}?tab=ratings`],
  ])('of %s, whatever her clock says', (_, path) =>
    browsing(async (page) => {
      await page.clock.setSystemTime(Date.now() + 2 * DAY_MS)
      const asked = askedBy(page)
      await open(page, path())
      await page.waitForTimeout(SETTLED_MS)
      // Views of a company are counted, so the page sends one, but it requests nothing.
      expect(asked.filter((it) => it !== 'POST /api/v1/views')).toEqual([])
    }),
  )

  test('of a poll, whose results she looks at', () =>
    browsing(async (page) => {
      const asked = askedBy(page)
      await open(page, polled)
      const show = page.getByRole('button', { name: 'Show results' })
      if (await show.count()) await show.click()
      await page.getByText('%').first().waitFor()
      await page.waitForTimeout(SETTLED_MS)
      expect(asked).toEqual([`GET ${liveOf(polled)}`])
    }))
})

describe('a second visit to a thread', () => {
  /** In a new tab, as when people come back. */
  async function again(page: Page, isHere: (page: Page) => Promise<unknown>, path = thread) {
    await page.waitForTimeout(SETTLED_MS)
    const second = await page.context().newPage()
    const sent = await sentBy(second)
    await open(second, path)
    await isHere(second)
    await expect.poll(sent).toContain(liveOf(path))
    await second.waitForTimeout(SETTLED_MS)
    return sent()
  }

  test('takes a visitor the page and the live stream', () =>
    browsing(async (page) => {
      await open(page, thread)
      expect(await again(page, async () => {})).toEqual([liveOf(thread), thread].sort())
    }))

  test('takes a visitor who voted one request more, for what is theirs', () =>
    browsing(async (page) => {
      // Another thread than the visitors above voted on, because only five from a network count for one post.
      await open(page, polled)
      const vote = page.getByRole('button', { name: /^Upvote/ }).first()
      const answered = page.waitForResponse((it) => it.request().method() === 'PUT')
      await vote.click()
      expect((await answered).status()).toBe(200)
      // From now on, a page also needs the bell, whose scripts load once.
      await open(page, polled)
      const sent = await again(
        page,
        (second) => second.locator('[aria-label^="Upvote"][aria-pressed=true]').first().waitFor(),
        polled,
      )
      expect(sent).toEqual(['/api/v1/my-page', liveOf(polled), polled].sort())
    }))

  test('takes dana three requests, too, and shows her what is hers', () =>
    browsing(async (page) => {
      await open(page, thread)
      await signIn(page, 'dana')
      const save = page.getByRole('article').first().getByRole('button', { name: /^Save/ })
      await save.click()
      const sent = await again(page, (second) => userButton(second).waitFor())
      expect(sent).toEqual(['/api/v1/my-page', liveOf(thread), thread].sort())
    }))
})

test('text removed since an old page was made disappears once the live stream has said so', () =>
  browsing(async (page) => {
    const { db } = running.world
    const old = await (await fetch(running.site.url + thread)).text()
    const id = thread.slice('/thread/'.length, 44)
    const [last] = await db.query<{ id: string; body: string }>(sql`
      select id, body from comments comment
       where thread_id = ${id} and hidden is null and not is_deleted
         and not exists (select from comments where parent_id = comment.id)
       order by id limit 1`)
    await db.query(sql`delete from comments where id = ${last?.id}`)
    await db.query(sql`update threads set comments = comments - 1 where id = ${id}`)
    await page.route(running.site.url + thread, (route) =>
      route.fulfill({ contentType: 'text/html; charset=utf-8', body: old }),
    )
    const gone = page.locator(`#comment-${last?.id}`)
    await page.goto(thread)
    await gone.waitFor({ state: 'attached' })
    await whenAlive(page)
    await gone.waitFor({ state: 'detached' })
  }))

test.each([
  ['page', ''],
  ['ratings', '?tab=ratings'],
])('a phone on a slow network gets a company’s %s in few requests', (_, tab) =>
  browsing(
    async (page) => {
      const session = await page.context().newCDPSession(page)
      await session.send('Network.enable')
      await session.send('Network.clearBrowserCache')
      const speed = { downloadThroughput: 50_000, uploadThroughput: 50_000, latency: 150 }
      await session.send('Network.emulateNetworkConditions', { offline: false, ...speed })
      const sent = new Map<string, string>()
      const bytes = new Map<string, number>()
      session.on('Network.requestWillBeSent', ({ requestId, request }) => {
        sent.set(requestId, request.url)
      })
      session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
        bytes.set(requestId, encodedDataLength)
      })
      // What a browser says of such a network, though not of an emulated one.
      await page.addInitScript(() =>
        Object.defineProperty(navigator, 'connection', { value: { effectiveType: '3g' } }),
      )
      await page.goto(company + tab)
      await whenAlive(page)
      // The dock loads last, with what it imports.
      await page.getByRole('region', { name: 'About this version' }).waitFor()
      await expect
        .poll(() => [...sent].filter(([id, url]) => !bytes.has(id) && url.includes('/assets/')))
        .toEqual([])
      const files = [...sent].map(([id, url]) => `${bytes.get(id)} ${url}`)
      const total = [...bytes.values()].reduce((sum, n) => sum + n, 0)
      expect(files.length, files.join('\n')).toBeLessThanOrEqual(25)
      expect(total, files.join('\n')).toBeLessThanOrEqual(200_000)
    },
    { viewport: { width: 390, height: 844 } },
  ),
)
