/**
 * What it costs a phone to rate so that nobody learns who did: somebody's first rating, which gets the credential, beside
 * the next one, and the proof that is sent later on. On a processor four times as slow.
 */
import pg from 'pg'
import type { Page } from 'playwright-core'
import { launchChromium, whenAlive } from '../tests/support/chromium.ts'
import { makeRatingsDueNow } from '../tests/support/due-ratings.ts'
import { onSlow, PHONE, TIMES_SLOWER } from './intent.ts'
import { type Bench, type Figure, median } from './measure.ts'
import { type Program, startBuiltSite } from './program.ts'
import { signUp } from './writing.ts'

const PEOPLE = 7
/** A page of somebody who is signed in listens all the time, so the network is never silent. */
const SETTLE_MS = 2_000
const THANKS = 'Thank you for rating'
/** Mails are confirmed by their link, which a bench has no mailbox for. */
const CONFIRMED = 'update accounts set is_email_confirmed = true where not is_email_confirmed'

export const credentials: Bench = {
  name: 'credentials',
  async run({ databaseUrl }) {
    const url = await databaseUrl()
    const site = await startBuiltSite({ DATABASE_URL: url, STARTER: 'none', RATE_LIMITS: 'off' })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const browser = await launchChromium()
    try {
      const { rows: companies } = await client.query<{ slug: string }>(
        'select slug from companies where slug is not null order by id limit 2',
      )
      const [one, other] = companies.map(({ slug }) => slug) as [string, string]
      const firsts: number[] = []
      const nexts: number[] = []
      const sendings: Sending[] = []
      for (let n = 0; n < PEOPLE; n++) {
        const session = await signUp(site.url)
        await client.query(CONFIRMED)
        await onSlow(
          browser,
          site,
          { ...PHONE, storageState: keptOf(site, session) },
          async (page) => {
            firsts.push(await rate(page, one))
            nexts.push(await rate(page, other))
            sendings.push(await send(page))
          },
        )
      }
      return figuresOf(firsts, nexts, sendings)
    } finally {
      await browser.close()
      await client.end()
      await site.stop()
    }
  },
}

function figuresOf(firsts: number[], nexts: number[], sendings: Sending[]): Figure[] {
  const name = (what: string) => `${what}, ${TIMES_SLOWER} times slower`
  return [
    { name: name('a rating: tap to thanks'), measured: median(nexts), unit: 'ms' },
    {
      name: name('its proof, later'),
      // Two are sent.
      measured: median(sendings.map(({ busy }) => busy)) / 2,
      unit: 'ms',
      budget: { most: 400 },
    },
    {
      name: name('proofs: longest time in which the page does not answer'),
      measured: median(sendings.map(({ longest }) => longest)),
      unit: 'ms',
    },
    {
      name: name("a person's first, with its credential: more until the thanks"),
      measured: median(firsts) - median(nexts),
      unit: 'ms',
      budget: { most: 400 },
    },
  ]
}

/** What a browser keeps of somebody who is signed in and has answered about cookies. */
const keptOf = (site: Program, session: object) => ({
  cookies: [],
  origins: [
    {
      origin: site.url,
      localStorage: [
        { name: 'kettle-auth', value: JSON.stringify(session) },
        { name: 'cookieConsent', value: 'rejected' },
      ],
    },
  ],
})

/** From the tap on the button to the frame with the thanks. */
async function rate(page: Page, slug: string): Promise<number> {
  await page.goto(`/${slug}?tab=ratings&rate=yes`)
  await whenAlive(page)
  await page.getByRole('group', { name: /Culture/ }).waitFor()
  await page.waitForTimeout(SETTLE_MS)
  const stars = page.getByRole('group', { name: /Culture/ }).getByRole('radio')
  await stars.first().check({ force: true })
  const button = page.getByRole('button', { name: 'Rate', exact: true })
  return button.evaluate(
    (button: HTMLElement, thanks) =>
      new Promise<number>((resolve) => {
        const began = performance.now()
        const look = () =>
          document.body.textContent.includes(thanks)
            ? resolve(performance.now() - began)
            : requestAnimationFrame(look)
        button.click()
        look()
      }),
    THANKS,
  )
}

interface Sending {
  /** Of all tasks that are long enough to be noticed, together. */
  busy: number
  longest: number
}

/** Two minutes have passed for what waits in this browser. */
async function send(page: Page): Promise<Sending> {
  await page.waitForTimeout(SETTLE_MS)
  await page.evaluate(() => {
    const noted = globalThis as unknown as { tasks: number[] }
    noted.tasks = []
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) noted.tasks.push(duration)
    }).observe({ type: 'longtask' })
  })
  const isSent = (answer: { url(): string; ok(): boolean }) =>
    answer.url().endsWith('/presented-rating') && answer.ok()
  const sent = page.waitForResponse(isSent).then(() => page.waitForResponse(isSent))
  await makeRatingsDueNow(page)
  await sent
  await page.waitForTimeout(1_000)
  const tasks = await page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks)
  return { busy: tasks.reduce((sum, one) => sum + one, 0), longest: Math.max(...tasks) }
}
