/** A badge: dana confirms her work address, and shows where she works with a rating, a comment and a thread. D64. */
import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { quarterOf } from '#app/api/credential/quarter.ts'
import { badgeShows, roomOpens } from '#app/companies/badges/badge.ts'
import { showBadges } from '#app/companies/badges/post-badges.server.ts'
import { createSiteIssuer } from '#app/identity/credentials/issuer-keys.server.ts'
import { createSecrets } from '#app/platform/database/secrets.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { createQueue } from '#app/platform/queue/queue.server.ts'
import { events } from '#tests/support/events.ts'
import { browsingOn, open, signIn } from '../support/browsing.ts'
import { badgeFor, holderFor } from '../support/holders.ts'
import { looksFine } from '../support/looks.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { settledRater } from '../support/raters.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'
import { sending } from './steps/rating-secret.ts'

let post: MailServer
const running = withSiteInBrowser(async () => {
  post = await startMailServer()
  const settings = { RATE_LIMITS: 'off', RATING_BATCH: '1' }
  return { ...settings, SMTP_URL: post.url }
})
afterAll(() => post?.stop())
const browsing = browsingOn(running, { expected: /status of (400|409)/ })
const PATH = '/nestle'
const DOMAIN = 'nestle.com'

const kept = () =>
  running.world.db.query<{ domain: string }>(
    sql`select badge_domain as domain from ratings where badge_domain is not null`,
  )

/** As if two minutes had passed. */
async function hasten(page: Page) {
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage).filter((it) => it.startsWith('kettle-rated:'))) {
      const rated = JSON.parse(localStorage.getItem(key) ?? '{}')
      for (const one of Object.values<{ dueAt?: number }>(rated)) if (one.dueAt) one.dueAt = 1
      localStorage.setItem(key, JSON.stringify(rated))
    }
  })
  await open(page, `${PATH}?tab=ratings`)
}

/**
 * These colleagues get a badge, and then night falls.
 * @returns how many domains that opens
 */
async function colleagues(first: number, last: number) {
  const { db, env } = running.world
  const secrets = createSecrets(env.SECRET_KEY as string)
  const now = () => new Date()
  const base = { db, now, secrets, queue: createQueue(db, { now }), events }
  const issuer = createSiteIssuer({ db, secrets, now })
  const [company] = await db.query<{ id: string }>(
    sql`select id from companies where slug = 'nestle'`,
  )
  for (let n = first; n <= last; n++) {
    const actor = { role: 'member', userType: null, account: { isEmailConfirmed: true } }
    const ctx = await settledRater({ ...base, network: '', actor } as never, n)
    const quarter = quarterOf(todayOf(base))
    const holder = await holderFor(ctx, issuer, { quarter })
    await badgeFor(ctx, issuer, {
      holder,
      companyId: company?.id as string,
      domain: DOMAIN,
      email: `colleague${n}@nestle.com`,
    })
  }
  await issuer.stop()
  return showBadges(base)
}

test('dana confirms her work address, shows it, and is seen once ten have a badge', () =>
  browsing(async (dana) => {
    await open(dana, PATH)
    await signIn(dana, 'dana')
    await dana.getByRole('link', { name: 'Work here? Get a badge' }).click()
    await dana.getByRole('heading', { name: 'Show that you work there' }).waitFor()
    await dana.getByText('Your employer may see that you got an email from Kettle.').waitFor()
    await dana.getByText('Nestlé').first().waitFor()
    await dana.getByLabel('Work email').fill('dana@gmail.com')
    await dana.getByRole('button', { name: 'Send the code' }).click()
    await dana.getByText('Anyone can have an address at gmail.com').waitFor()
    await looksFine(dana, 'badge-ask')
    await dana.getByLabel('Work email').fill('dana@nestle.com')
    await dana.getByRole('button', { name: 'Send the code' }).click()
    await dana.getByRole('heading', { name: 'Check your work email' }).waitFor()
    const mail = await post.next()
    expect(mail).toMatchObject({ to: ['dana@nestle.com'], subject: 'Your Kettle code' })
    await looksFine(dana, 'badge-code')
    const code = /^([\dA-Z]{3} [\dA-Z]{3})$/m.exec(mail.text)?.[1] ?? ''
    const wrong = code.startsWith('A') ? 'BBBBBB' : 'AAAAAA'
    await dana.getByLabel('Code').fill(wrong)
    await dana.getByText('That’s not the code we sent').waitFor()
    // The phone dropped the tab while she read her mail.
    await open(dana, '/settings/badge')
    await dana.getByLabel('Code').fill(code.toLowerCase())
    await dana.getByRole('heading', { name: 'You can now show that you work at Nestlé' }).waitFor()
    await dana.getByText(badgeShows()).waitFor()
    await dana.getByText(roomOpens()).waitFor()
    await looksFine(dana, 'badge-kept')

    await dana.getByRole('link', { name: 'Rate Nestlé' }).click()
    await dana
      .getByRole('group', { name: /Culture/ })
      .getByRole('radio')
      .nth(1)
      .check({ force: true })
    await dana.getByRole('textbox', { name: /What should people know/ }).fill('The coffee is good.')
    await dana.getByRole('checkbox', { name: /verified employee of Nestlé/ }).check()
    await dana.getByRole('checkbox', { name: /verified employee/ }).scrollIntoViewIfNeeded()
    await looksFine(dana, 'badge-rating')
    await dana.getByRole('button', { name: 'Rate', exact: true }).click()
    await sending(dana).waitFor()
    await hasten(dana)
    await expect.poll(kept).toEqual([{ domain: DOMAIN }])
    await dana.getByText('It has your badge. Not enough colleagues have one yet').waitFor()
    await looksFine(dana, 'badge-own-rating')

    await open(dana, '/create-thread')
    await dana.getByRole('textbox', { name: 'Title' }).fill('How is the coffee at your place?')
    await dana.getByRole('checkbox', { name: /Works at Nestlé/ }).check()
    await dana.getByText(badgeShows()).waitFor()
    await looksFine(dana, 'badge-composer')
    await dana.getByRole('button', { name: 'Post thread' }).click()
    await dana.getByRole('heading', { name: 'How is the coffee at your place?' }).waitFor()
    await dana.getByText('Badge: not enough colleagues yet').waitFor()
    await dana.getByRole('button', { name: 'Be the first to comment' }).click()
    await dana.getByRole('textbox', { name: 'Your comment' }).fill('Here it is good.')
    await dana.getByRole('checkbox', { name: /Works at Nestlé/ }).check()
    await dana.getByRole('button', { name: 'Comment', exact: true }).click()
    await expect.poll(() => dana.getByText('Badge: not enough colleagues yet').count()).toBe(2)
    await looksFine(dana, 'badge-waits')
    const thread = new URL(dana.url()).pathname

    await browsing(async (vera) => {
      await open(vera, thread)
      await vera.getByText('Here it is good.').waitFor()
      expect(await vera.getByText(/Badge:|Works at/).count()).toBe(0)
      expect(await colleagues(1, 9)).toBe(1)
      await expect
        .poll(async () => {
          await open(vera, thread)
          return vera.getByText('Works at Nestlé').count()
        })
        .toBe(2)
      await looksFine(vera, 'badge-shown')
      await open(vera, `${PATH}?tab=ratings`)
      await vera.getByRole('article').getByText('Verified employee').waitFor()
      await vera.getByLabel('Written by').selectOption({ label: 'Verified employees' })
      await expect.poll(() => vera.getByRole('article').count()).toBe(1)
      await looksFine(vera, 'badge-notes')
      await open(vera, '/discussions?sort=new')
      await vera.getByRole('link', { name: 'With a badge' }).click()
      await vera.getByRole('link', { name: 'How is the coffee at your place?' }).waitFor()
      await expect.poll(() => vera.getByRole('article').count()).toBe(1)
      await looksFine(vera, 'badge-list')
    })

    // Its room opens once thirty have a badge.
    await open(dana, PATH)
    await dana.getByRole('link', { name: 'Nestlé’s room' }).waitFor()
    expect(await dana.getByRole('link', { name: 'Work here?' }).count()).toBe(0)
    await dana.getByRole('link', { name: 'Nestlé’s room' }).click()
    await dana.getByText('Not enough colleagues yet').waitFor()
    await dana.getByText(roomOpens()).waitFor()
    await dana.getByRole('button', { name: 'Copy a text for colleagues' }).waitFor()
    await looksFine(dana, 'room-closed')
    await colleagues(10, 29)
    await open(dana, '/nestle/room')
    await dana.getByText('No posts yet').waitFor()
    await looksFine(dana, 'room-empty')
    await dana.getByRole('button', { name: 'Start a thread' }).click()
    await dana.getByRole('textbox', { name: 'Title' }).fill('Who else has to move to Vevey?')
    const said = 'My team hears it on Friday. **Nothing** is decided, they say.'
    await dana.getByRole('textbox', { name: 'Text' }).fill(said)
    await dana.getByRole('button', { name: 'Show “My team” in the text' }).waitFor()
    await looksFine(dana, 'room-composer')
    await dana.getByRole('button', { name: 'Post thread' }).click()
    await dana.getByRole('heading', { name: 'Who else has to move to Vevey?' }).waitFor()
    await dana.getByRole('textbox', { name: 'Your comment' }).fill('I ask for a frend.')
    await dana.getByRole('button', { name: 'Comment', exact: true }).click()
    const comment = dana.getByRole('listitem').filter({ hasText: 'I ask for a' })
    await comment.getByText('You').waitFor()
    await comment.getByRole('button', { name: 'Edit' }).click()
    await dana.getByRole('textbox', { name: 'Edit your post' }).fill('I ask for a friend.')
    await dana.getByRole('button', { name: 'Save' }).click()
    await comment.getByText('edited').waitFor()
    const room = new URL(dana.url()).pathname
    const names = await dana.locator('ol > li > p > span:first-child').allTextContents()
    expect(new Set(names).size).toBe(1)

    // No one else can see that it exists, with or without an account.
    for (const who of ['', 'erin', 'ada'] as const)
      await browsing(async (other) => {
        await open(other, PATH)
        if (who) await signIn(other, who)
        expect(await other.getByRole('link', { name: 'Nestlé’s room' }).count()).toBe(0)
        await open(other, room)
        await other
          .getByRole('heading', { name: who ? 'Nestlé’s room' : 'Nestlé’s room' })
          .waitFor()
        if (who) await other.getByText('You need the badge').waitFor()
        expect(await other.getByText('Vevey').count()).toBe(0)
        if (who === 'erin') await looksFine(other, 'room-no-badge')
      })
    const { url } = running.site
    for (const path of [
      '/',
      '/nestle',
      '/discussions?sort=new',
      '/sitemap.xml',
      '/feed.xml',
      room,
      '/discussions?search=Vevey',
    ])
      expect(await (await fetch(url + path)).text(), path).not.toMatch(
        /move to Vevey|Nothing is decided/,
      )

    await open(dana, '/nestle/room')
    await dana.getByRole('link', { name: 'Who else has to move to Vevey?' }).waitFor()
    await looksFine(dana, 'room-list')
    await dana.getByRole('link', { name: 'Who else has to move to Vevey?' }).click()
    await comment.getByText('You').waitFor()
    await looksFine(dana, 'room-thread')
    await comment.getByRole('button', { name: 'Delete' }).click()
    await dana.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await comment.waitFor({ state: 'detached' })

    for (const name of ['Your ratings', 'Your badges']) {
      await open(dana, `/settings#${name.toLowerCase().replace(' ', '-')}`)
      await expect
        .poll(async () => (await dana.getByRole('heading', { name }).boundingBox())?.y)
        .toBeLessThan(300)
    }
    const settings = dana.getByRole('region', { name: 'Your badges' })
    await settings.getByText('Valid until').waitFor()
    await looksFine(dana, 'badge-settings')
    await settings.getByRole('button', { name: /Forget the badge/ }).click()
    await settings.getByText('Valid until').waitFor({ state: 'detached' })
  }))
