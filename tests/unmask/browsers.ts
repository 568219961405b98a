/** People with real browsers, who all come one evening over HTTP/2, so the observer sees what pages really send. */
import { type Browser, chromium, type Page, type Request } from 'playwright-core'
import { digestsOf, type IssuerList } from '#app/api/credential/issuer-list.ts'
import { open } from '../support/browsing.ts'
import { findChromium } from '../support/chromium.ts'
import { answeredAt } from '../support/site-in-browser.ts'
import type { Observer } from './observer.ts'
import type { MovedSite } from './site.ts'

const MINUTE_MS = 60_000
/** How far the clocks move at a time while a browser is open. */
const STEP_MS = 2_000
/** The credential arrives within five minutes after logging in. Then they rate one employer after another. */
const RATING_MS = 6 * MINUTE_MS
const NEXT_RATING_MS = 1.5 * MINUTE_MS
/** How long people stay, which is longer than the pause. */
const STAYING_MS = 4 * MINUTE_MS

/** The stars for culture. The other questions stay empty. */
export const STARS_IN_BROWSERS = 3

export interface Visitor {
  person: number
  /** The response to logging in. */
  session: object
  /** Paths of the companies they rate. */
  companies: string[]
  at: number
  /** Whether they get a list of issuer keys that no one else gets. */
  hasOwnList: boolean
}

export interface Browsers {
  visit(visitor: Visitor): Promise<void>
  /** Moves the site's clock, and each page's. */
  moveTo(moment: number): Promise<void>
  /** People whose page refused the issuer keys. */
  refusing: Set<number>
  close(): Promise<void>
}

interface Visit {
  page: Page
  plan: { at: number; act: () => Promise<unknown> }[]
}

export function openBrowsers(
  observer: Observer,
  site: MovedSite,
  onRated: (person: number, company: string, rating: string) => void,
): Browsers {
  const visits = new Set<Visit>()
  const refusing = new Set<number>()
  let browser: Promise<Browser> | undefined
  let now = 0
  return {
    refusing,
    async visit({ person, session, companies, at, hasOwnList }) {
      browser ??= launch()
      const state = answeredAt(observer.secureUrl)
      state.origins[0]?.localStorage.push({ name: 'kettle-auth', value: JSON.stringify(session) })
      const context = await (await browser).newContext({
        ...{ baseURL: observer.secureUrl, ignoreHTTPSErrors: true, storageState: state },
        reducedMotion: 'reduce',
      })
      const page = await context.newPage()
      await page.clock.install({ time: at })
      // Service workers send most ratings, so listening to the page isn't enough.
      const sent: Promise<void>[] = []
      context.on('request', (request) => {
        const [, company] = /companies\/([\w-]+)\/presented-rating$/.exec(request.url()) ?? []
        if (company) sent.push(noteAnswer(request, company))
      })
      const noteAnswer = async (request: Request, company: string) => {
        const response = await request.response()
        const { rating } = (await response?.json().catch(() => ({}))) ?? {}
        if (rating) onRated(person, company, rating.id)
      }
      if (hasOwnList) await giveOwnList(page)
      // Half of the browsers act like Firefox and Safari, where no worker sends ratings.
      if (person % 2 === 0)
        await page.addInitScript(() => Reflect.deleteProperty(self, 'SyncManager'))
      await open(page, companies[0] as string)
      const rating = companies.map((path, n) => ({
        at: at + RATING_MS + n * NEXT_RATING_MS,
        act: async () => {
          await rate(page, path)
          const refusal = page.getByRole('alert').filter({ hasText: 'own pages don' })
          await page.getByText('Sending…').or(refusal).first().waitFor()
          if (await refusal.isVisible()) refusing.add(person)
        },
      }))
      const visit: Visit = { page, plan: rating }
      const leaving = async () => {
        // On a busy machine, an answer may still be on its way.
        await Promise.all(sent)
        await context.close()
        visits.delete(visit)
      }
      const endsAt = (rating.at(-1)?.at ?? at) + STAYING_MS
      visit.plan.push({ at: endsAt - STAYING_MS / 2, act: () => open(page, '/') })
      visit.plan.push({ at: endsAt, act: leaving })
      visits.add(visit)
    },
    async moveTo(moment) {
      for (now = visits.size > 0 ? now : moment; now < moment; ) {
        // Loading a page takes time, for everyone.
        now = Math.min(moment, Math.max(now + STEP_MS, site.now()))
        await site.moveTo(now)
        await Promise.all([...visits].map(keepUp))
        for (const visit of visits) await act(visit)
        if (visits.size === 0) now = moment
      }
      await site.moveTo(moment)
    },
    close: async () => (await browser)?.close(),
  }

  async function keepUp({ page }: Visit) {
    const behind = now - (await page.evaluate(() => Date.now()))
    if (behind > 0) await page.clock.runFor(behind)
  }

  async function act({ plan }: Visit) {
    while (plan[0] && plan[0].at <= now) await plan.shift()?.act()
  }
}

const launch = () =>
  chromium.launch({
    executablePath: findChromium() ?? undefined,
    // Ignore certificate errors, because a self-signed certificate allows no service worker.
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--ignore-certificate-errors'],
  })

async function rate(page: Page, path: string) {
  await open(page, `${path}?tab=ratings&rate=yes`)
  await page
    .getByRole('group', { name: /Culture/ })
    .getByRole('radio')
    .nth(STARS_IN_BROWSERS - 1)
    .check({ force: true })
  await page.getByRole('button', { name: 'Rate', exact: true }).click()
}

/** A valid chain, but the site's pages don't name its digest. */
const giveOwnList = (page: Page) =>
  page.route('**/.well-known/kettle-issuer.json', async (route) => {
    const list = (await (await route.fetch()).json()) as IssuerList
    const keys = list.keys.toReversed()
    await route.fulfill({ json: { ...list, keys, digest: digestsOf(keys).at(-1) } })
  })
