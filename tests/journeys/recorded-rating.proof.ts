/**
 * What an observer of the network sees of a rating: every request from dana's browser, from the company's page until after
 * it was sent.
 */
import type { BrowserContext, Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { holderKeyOf } from '#app/api/credential/holder-keys.ts'
import { browsingOn, open, signIn } from '../support/browsing.ts'
import { withSiteInBrowser } from '../support/site-in-browser.ts'
import { arrived, secretIn, sending, sendSoon } from './steps/rating-secret.ts'

const running = withSiteInBrowser(async () => ({ RATE_LIMITS: 'off' }))
const browsing = browsingOn(running)

interface Sent {
  method: string
  path: string
  body: string
  headers: Record<string, string>
}

/**
 * Every request of all tabs, in order.
 * @returns those since the last call
 */
function record(context: BrowserContext) {
  const sent: Promise<Sent>[] = []
  context.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    const of = { method: request.method(), path: pathname + search, body: request.postData() ?? '' }
    sent.push(request.allHeaders().then((headers) => ({ ...of, headers })))
  })
  return () => Promise.all(sent.splice(0))
}

const isPresented = ({ path }: Sent) => path.endsWith('/presented-rating')
const saysWho = ({ headers }: Sent) =>
  ['authorization', 'cookie', 'x-anonymous-id'].some((name) => name in headers)
/** As it would be logged. */
const shown = ({ method, path, body }: Sent) => `${method} ${path} ${body}`

/** Everything by which requests may name a company: its ID, its slug, its notes. */
async function namesOf(slug: string) {
  const rows = await running.world.db.query<{ name: string }>(sql`
    select id::text as name from companies where slug = ${slug}
    union all select slug from companies where slug = ${slug}
    union all select id::text from public_ratings
               where company_id = (select id from companies where slug = ${slug})`)
  return rows.map(({ name }) => name)
}

const names = (words: string[]) => (sent: Sent) => {
  const text = decodeURIComponent(`${sent.path} ${sent.body} ${sent.headers.referer ?? ''}`)
  return text.split(/[^\w-]+/).some((word) => words.includes(word))
}

/** The key of this secret's holder for this company. */
const keyOf = (secret: string | undefined, companyId: string) =>
  Buffer.from(holderKeyOf(Buffer.from(secret ?? '', 'base64url'), companyId)).toString('base64url')

const star = (page: Page, category: RegExp, count: number) =>
  page
    .getByRole('group', { name: category })
    .getByRole('radio')
    .nth(count - 1)
    .check({ force: true })
const own = (page: Page) => page.getByRole('region', { name: 'Your rating' })
const kept = async () =>
  (await running.world.db.query(sql`select from ratings where holder_key_hash is not null`)).length

test('nothing that identifies dana, and no key of hers, names the company from form to rating and after', () =>
  browsing(async (dana) => {
    const [id = '', ...words] = await namesOf('nestle')
    const isAbout = names([id, ...words])
    await open(dana, '/')
    await signIn(dana, 'dana')
    const taken = record(dana.context())
    await open(dana, '/nestle')
    await dana.getByRole('link', { name: 'Rate Nestlé' }).waitFor()
    await taken()

    await dana.getByRole('link', { name: 'Rate Nestlé' }).click()
    await star(dana, /Culture/, 2)
    await star(dana, /Work-life/i, 4)
    await dana.getByRole('textbox', { name: /What should people know/ }).fill('It rains inside.')
    await dana.getByRole('button', { name: 'Rate', exact: true }).click()
    await sending(dana).waitFor()
    await own(dana).getByText('You rated Nestlé').waitFor()

    // She browses meanwhile: another page, a second tab, back, the same page again.
    await open(dana, '/companies?search=nest')
    await dana
      .getByRole('link', { name: /Nestlé/ })
      .first()
      .waitFor()
    const second = await dana.context().newPage()
    await open(second, '/nestle?tab=ratings')
    await own(second).getByText('You rated Nestlé').waitFor()
    await second.getByRole('link', { name: 'Discussions' }).first().click()
    await dana.goBack()
    await own(dana).getByText('You rated Nestlé').waitFor()
    await dana.reload()
    const before = await taken()

    await sendSoon(dana, '/')
    await expect.poll(kept).toBe(1)
    // Leaving a page before the response would rightly send it again.
    await arrived(dana)
    await open(dana, '/nestle?tab=ratings')
    await own(dana).getByText('You rated Nestlé').waitFor()
    await open(dana, '/nestle?tab=ratings&rate=yes')
    await dana.getByRole('heading', { name: 'Change your rating' }).waitFor()
    await open(second, '/nestle?tab=ratings')
    await own(second).getByText('You rated Nestlé').waitFor()
    const after = await taken()

    const all = [...before, ...after]
    expect(all.filter(saysWho).length).toBeGreaterThan(0)
    expect(all.filter((sent) => saysWho(sent) && isAbout(sent)).map(shown)).toEqual([])
    expect(all.filter(({ headers }) => headers.referer).map(shown)).toEqual([])
    const key = keyOf(await secretIn(dana), id)
    expect(all.filter(({ path, body }) => /^\/api.*held/.test(path) || body.includes(key))).toEqual(
      [],
    )
    // The rating itself: once, after all requests with the account, and without credentials.
    expect(before.filter(isPresented)).toEqual([])
    const [presented, ...more] = after.filter(isPresented)
    expect(more).toEqual([])
    expect(presented && saysWho(presented)).toBe(false)
    expect(JSON.parse(presented?.body ?? '{}')).toMatchObject({ rating: { culture: 2 } })
    for (const issuing of all.filter(({ path }) => path.includes('/my/credential')))
      expect(names([id, ...words])(issuing)).toBe(false)
  }))

test('a form that’s the first page opened, and closed again, doesn’t name the company either', () =>
  browsing(async (ada) => {
    const isAbout = names(await namesOf('amd'))
    await open(ada, '/')
    await signIn(ada, 'ada')
    const taken = record(ada.context())
    await open(ada, '/amd?tab=ratings&rate=yes')
    await star(ada, /Culture/, 3)
    await ada.getByRole('button', { name: 'Cancel' }).click()
    await ada.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' })
    await open(ada, '/amd?tab=ratings')
    await ada.getByRole('link', { name: /^Rate/ }).first().waitFor()
    const all = await taken()
    expect(all.filter((sent) => saysWho(sent) && isAbout(sent)).map(shown)).toEqual([])
    expect(all.filter(({ path }) => /^\/api.*held/.test(path)).map(shown)).toEqual([])
  }))
