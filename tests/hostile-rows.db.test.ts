/**
 * Rows that are already in a database, however they got there: titles and names made to break a page, and rows that can't be
 * shown at all. Every page, list, feed, sitemap and file is still complete.
 */
import { load } from 'cheerio'
import sql, { raw } from 'sql-template-tag'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { threadPath } from '#app/community/discussions/discussion.ts'
import { companyPath } from '#app/companies/company.ts'
import { jobPath } from '#app/jobs/job.ts'
import { cutText } from '#app/kit/writing/text.ts'
import { renderPage } from '#app/site/pages/render.server.tsx'
import {
  childrenOf,
  parseXml,
  textOf,
} from '../app/community/discussions/feeds/strict-xml.fixture.ts'
import { type Endpoints, openEndpoints } from './endpoints/endpoints.ts'
import { headersOf, settleWorld, type World } from './endpoints/world.ts'
import { hostileTexts } from './fuzz/hostile-texts.ts'
import { amount } from './support/amounts.ts'
import { withDatabase } from './support/database.ts'

/** As the build has it (vite.config.ts). */
vi.mock('@tanstack/react-query', () => import('#app/site/pages/server-queries.server.ts'))

const { as, outside } = withDatabase()
const ASSETS = { entry: { path: '' }, styles: [], preloads: () => [], firstScript: '' }
const TITLES = amount(60, 1_000)
const NAMES = amount(20, 150)
const MINUTE = 29_000_000

let endpoints: Endpoints
let world: World
let company: string
let threads: { id: string; title: string }[]
let companies: { id: string; name: string; slug: string | null }[]
let jobs: { id: string; title: string }[]

beforeAll(async () => {
  endpoints = await openEndpoints([], {
    pages: (key, site, api) => renderPage(key, site, api, ASSETS, ''),
  })
  const db = outside()
  world = await settleWorld(endpoints, db, (name) => as(name, async ({ actor }) => actor))
  // Slugs that our rules would never create. What's stored must be shown.
  companies = await db.query(sql`
    insert into companies (name, name_key, slug, category, description)
    select name, lower(name), case when n % 3 > 0 then left(name, 80) || n end, 'Tea', name
      from unnest(${hostileTexts(NAMES, { longest: 120 })}::text[]) with ordinality as given (name, n)
    returning id, name, slug`)
  company = companies[0]?.id as string
  threads = await db.query(sql`
    insert into threads (title, body, html, excerpt, key, own_row_key, author_name, is_visitor, topics,
                         company_id, posted_minute, idempotency_key)
    select title, title, '<p>Text.</p>', title, decode(md5(title || n), 'hex'),
           decode(md5('mine' || title || n), 'hex'), left(title, 24), n % 2 = 0, '{pay}', ${company},
           ${MINUTE} + n, gen_random_uuid()
      from unnest(${hostileTexts(TITLES, { shortest: 8 })}::text[]) with ordinality as given (title, n)
    returning id, title`)
  jobs = await db.query(sql`
    insert into job_postings (company_id, company_name, title, description, html, excerpt,
      remote_policy, employment_type, salary_minimum, salary_maximum, salary_currency,
      salary_period, apply_link, status, posted_date, valid_through, idempotency_key)
    select ${company}, left(title, 100), title, title, '<p>Text.</p>', title,
           'remote', 'full-time', 50000, 60000, 'EUR', 'year', 'https://acme.example', 'open',
           '2026-03-14', '2026-05-13', gen_random_uuid()
      from unnest(${hostileTexts(NAMES, { shortest: 4, longest: 100 })}::text[]) as given (title)
    returning id, title`)
})

const get = async (url: string, who = 'vera') => {
  const {
    statusCode: status,
    headers,
    body,
  } = await endpoints.http.inject({
    url,
    headers: headersOf(world.browsers[who]),
  })
  return { status, headers, body }
}

/** All rows of a list that continues with `after`. */
async function allOf<Row>(url: string, rows: string, who = 'olga') {
  const found: Row[] = []
  for (let after: string | null = ''; after !== null; ) {
    const answer = await get(`${url}${after && `&after=${encodeURIComponent(after)}`}`, who)
    expect([url, answer.status]).toEqual([url, 200])
    const page = JSON.parse(answer.body)
    found.push(...page[rows])
    after = page.next ?? null
  }
  return found
}
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id).sort()

/** A complete page: its head, its text, its data for programs and for the browser. */
async function pageAt(url: string) {
  const { status, headers, body } = await get(url)
  if (status !== 200) return `${status} ${headers.location ?? ''} at ${url}`
  const $ = load(body)
  for (const data of $('script[type$="json"]').toArray()) JSON.parse($(data).text())
  const isWhole = $('title').text() !== '' && $('h1').length === 1 && body.endsWith('</html>')
  return isWhole ? 200 : `half a page at ${url}`
}
const all = async <Row>(rows: Row[], addressOf: (row: Row) => string) => {
  const answers = new Set<unknown>()
  for (const row of rows) answers.add(await pageAt(addressOf(row)))
  return [...answers]
}

describe('hostile titles', () => {
  test('each thread with a hostile title has its page', async () => {
    expect(await all(threads, (thread) => encodeURI(threadPath(thread)))).toEqual([200])
  })

  test('each company with a hostile name has its page', async () => {
    // HTTP clients resolve these as folders, so they can't be requested.
    const reachable = companies.filter(({ slug }) => !/^\.+\d*$/.test(slug ?? ''))
    expect(await all(reachable, companyPath)).toEqual([200])
  })

  test('each job with a hostile title has its page', async () => {
    expect(await all(jobs, (job) => encodeURI(jobPath(job)))).toEqual([200])
  })

  test.each([
    '/',
    '/discussions',
    '/discussions?sort=new',
    '/companies',
    '/companies?sort=a-z',
    '/jobs',
  ])('a list’s page is complete: %s', async (url) => expect(await pageAt(url)).toBe(200))

  test('the lists have all hostile titles', async () => {
    const listed = await allOf<{ id: string }>('/api/v1/threads?sort=new', 'threads')
    expect(idsOf(listed)).toEqual(expect.arrayContaining(idsOf(threads)))
    const found = await allOf<{ id: string }>('/api/v1/companies?sort=a-z&limit=100', 'companies')
    expect(idsOf(found)).toEqual(expect.arrayContaining(idsOf(companies)))
    const open = await allOf<{ id: string }>('/api/v1/jobs?sort=newest', 'jobs')
    expect(idsOf(open)).toEqual(expect.arrayContaining(idsOf(jobs)))
  })

  test('the sitemaps have all hostile titles, and are well-formed', async () => {
    const xml = async (url: string) => parseXml((await get(url)).body.replace('UTF-8', 'utf-8'))
    const files = childrenOf(await xml('/sitemap.xml'), 'sitemap').map((it) => textOf(it, 'loc'))
    const listed: string[] = []
    for (const file of files)
      for (const it of childrenOf(await xml(new URL(file).pathname), 'url')) {
        expect(URL.canParse(textOf(it, 'loc'))).toBe(true)
        listed.push(textOf(it, 'loc').replace('http://kettle.test', ''))
      }
    const wanted = [
      ...threads.map((thread) => encodeURI(threadPath(thread))),
      ...companies.map(companyPath),
      ...jobs.map((job) => encodeURI(jobPath(job))),
    ]
    expect(wanted.filter((path) => !listed.includes(path))).toEqual([])
  })

  test('the feeds are well-formed, and have each hostile title while it’s newest', async () => {
    for (let n = threads.length; n > 0; n -= 30) {
      await outside().query(
        sql`update threads set hidden = 'held' where posted_minute > ${MINUTE + n} and hidden is null`,
      )
      for (const feed of ['discussions', `company/${company}`, 'topic/pay']) {
        const entries = childrenOf(parseXml((await get(`/feeds/${feed}.atom`)).body), 'entry')
        expect([feed, entries.length]).toEqual([feed, Math.min(30, n)])
        for (const entry of entries)
          expect(URL.canParse(childrenOf(entry, 'link')[0]?.attributes.href ?? '')).toBe(true)
      }
    }
    await outside().query(sql`update threads set hidden = null where posted_minute > ${MINUTE}`)
  })

  test('a search finds each hostile title', async () => {
    const paths = [
      'threads?search=',
      'companies?search=',
      'companies/suggest?search=',
      'jobs?search=',
    ]
    for (const { title } of threads.slice(0, 40))
      for (const path of paths) {
        const { status } = await get(`/api/v1/${path}${encodeURIComponent(cutText(title, 40))}`)
        expect([200, 400]).toContain(status)
      }
  })

  test('the data for administrators, members and programs is complete', async () => {
    const reads = endpoints.routes.filter(
      ({ method, url, schema }) =>
        method === 'GET' && !url.includes(':') && !url.includes('*') && schema.summary,
    )
    expect(reads.length).toBeGreaterThan(40)
    for (const who of ['olga', 'erin', 'dana'])
      for (const { url } of reads) {
        const { status, headers, body } = await get(url, who)
        expect([who, url, status < 500]).toEqual([who, url, true])
        if (String(headers['content-type']).includes('json')) JSON.parse(body)
      }
  })
})

describe('a list leaves out a row that can’t be shown, and has the others', () => {
  /** Breaks one row, and says how many rows a response has before and after. */
  async function withBroken(table: string, change: string, url: string, rows: string) {
    const before = (await allOf<object>(url, rows)).length
    const undo: unknown[] = []
    await outside()
      .transaction(async (db) => {
        endpoints.use(db)
        await db.query(sql`update ${raw(table)} set ${raw(change)}`)
        undo.push((await allOf<object>(url, rows)).length)
        throw undo
      })
      .catch((error) => {
        if (error !== undo) throw error
      })
      .finally(() => endpoints.use(outside()))
    return [before, undo[0]]
  }

  test.each([
    [
      'a message',
      'contact_messages',
      `email_sealed = 'broken' where id = (select id from contact_messages limit 1)`,
      '/api/v1/contact-messages?filter=all',
      'messages',
    ],
    [
      'a request',
      'company_requests',
      `requester_email = 'broken' where id = (select id from company_requests where requester_email is not null limit 1)`,
      '/api/v1/company-requests',
      'requests',
    ],
    [
      'an account',
      'accounts',
      `email_sealed = 'broken' where id = (select account_id from profiles limit 1)`,
      '/api/v1/administration/users',
      'users',
    ],
  ])('%s', async (_, table, change, url, rows) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const [before, after] = await withBroken(table, change, url, rows)
    expect(after).toBe(Number(before) - 1)
  })
})
