/** robots.txt and the sitemap on a real database: what's listed, in which parts, and what isn't. */
import { randomBytes } from 'node:crypto'
import Fastify from 'fastify'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import type { Http } from '#app/platform/http/http.server.ts'
import { readConfig } from '#app/platform/operations/config.server.ts'
import { publishPay } from '#app/ratings/pay/pay-publication.server.ts'
import { withDatabase } from '#tests/support/database.ts'
import { payOf } from '#tests/support/pay.ts'
import { NOT_CRAWLED, registerCrawlers, robotsText } from './crawler-files.server.ts'

const { as } = withDatabase()

const SITE = 'https://kettle.example'
const { flags } = readConfig({ ENABLE_JOBS: 'true' })

/** The files as a crawler gets them. */
function crawl(ctx: Ctx, { partSize = 10, switched = {} as Partial<typeof flags> } = {}) {
  const http = Fastify() as unknown as Http
  registerCrawlers(http, {
    context: ctx,
    siteUrl: () => SITE,
    flags: { ...flags, ...switched },
    partSize,
  })
  const get = (url: string) => http.inject({ url })
  return {
    get,
    http,
    async locations(url: string) {
      const answer = await get(url)
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['content-type']).toBe('application/xml; charset=utf-8')
      return [...answer.body.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, at]) =>
        at?.replace(SITE, ''),
      )
    },
  }
}

async function company({ db }: Ctx, name: string, demo = false) {
  const slug = name.toLowerCase()
  const [row] = await db.query<{ id: string }>(sql`
    insert into companies (name, name_key, slug, demo, category)
    values (${name}, ${slug}, ${slug}, ${demo}, 'Tea & more') returning id`)
  return row?.id as string
}

const MINUTE = Math.floor(Date.parse('2026-03-01T12:00Z') / 60_000)
const DAY = 1_440

/** Threads of these titles, a day apart. */
const threads = ({ db }: Ctx, titles: string[], fromDay = 0) =>
  db.query<{ id: string; title: string }>(sql`
    insert into threads (title, body, html, excerpt, key, own_row_key, author_name, is_visitor,
                         posted_minute, idempotency_key)
    select title, '', '', '', decode(md5(title), 'hex'), decode(md5(title || n), 'hex'), 'Candid Otter', false, ${MINUTE}::integer + (n - 1 + ${fromDay}) * ${DAY},
           gen_random_uuid()
      from unnest(${titles}::text[]) with ordinality as given (title, n)
    returning id, title`)

const titlesIn = (locations: (string | undefined)[]) =>
  locations.map((at) => at?.replace(/^\/thread\/.{37}/, ''))

describe('robots.txt', () => {
  test('robots.txt names the sitemap at the site’s address, and what needn’t be fetched', () =>
    as('vera', async (ctx) => {
      const answer = await crawl(ctx).get('/robots.txt')
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
      expect(answer.body).toBe(robotsText(SITE))
      expect(answer.body).toMatch(/^User-agent: \*\nAllow: \/\nDisallow: /)
      expect(answer.body).toMatch(/\n\nSitemap: https:\/\/kettle\.example\/sitemap\.xml\n$/)
      for (const path of ['/api/', '/auth/', '/admin$', '/admin-tools$'])
        expect(answer.body).toContain(`\nDisallow: ${path}\n`)
    }))

  test('robots.txt doesn’t hide a company whose name begins like one of our words', () => {
    const isOpen = (path: string) =>
      !NOT_CRAWLED.some((rule) =>
        rule.endsWith('$') ? path === rule.slice(0, -1) : path.startsWith(rule),
      )
    for (const path of ['/administaff', '/admin-panels-inc', '/api-makers', '/unsubscribed'])
      expect(isOpen(path)).toBe(true)
    for (const path of ['/admin', '/admin?section=users', '/admin/moderation', '/api/v1/threads'])
      expect(isOpen(path)).toBe(false)
  })
})

describe('the sitemap', () => {
  test('the index names the parts, and each address is in exactly one', () =>
    as('vera', async (ctx) => {
      const titles = Array.from({ length: 1_217 }, (_, n) => `Thread number ${n + 1}`)
      const all = await threads(ctx, titles)
      const { locations } = crawl(ctx, { partSize: 450, switched: { enableCompanies: false } })
      expect(await locations('/sitemap.xml')).toEqual([
        '/sitemaps/pages.xml',
        '/sitemaps/threads-1.xml',
        '/sitemaps/threads-2.xml',
        '/sitemaps/threads-3.xml',
      ])
      const parts = []
      for (const n of [1, 2, 3]) parts.push(await locations(`/sitemaps/threads-${n}.xml`))
      expect(parts.map(({ length }) => length)).toEqual([450, 450, 317])
      expect(titlesIn(parts.flat())).toEqual(
        titles.map((title) => title.toLowerCase().replaceAll(' ', '-')),
      )
      expect(new Set(parts.flat()).size).toBe(all.length)
    }))

  test('the sitemap has no empty part, neither after full ones nor without content', () =>
    as('vera', async (ctx) => {
      await ctx.db.query(sql`delete from companies`)
      const nothing = crawl(ctx)
      expect(await nothing.locations('/sitemap.xml')).toEqual(['/sitemaps/pages.xml'])
      expect((await nothing.get('/sitemaps/threads-1.xml')).statusCode).toBe(404)
      await threads(
        ctx,
        Array.from({ length: 20 }, (_, n) => `Thread number ${n}`),
      )
      const { locations, get } = crawl(ctx)
      expect(await locations('/sitemap.xml')).toEqual([
        '/sitemaps/pages.xml',
        '/sitemaps/threads-1.xml',
        '/sitemaps/threads-2.xml',
      ])
      expect((await get('/sitemaps/threads-3.xml')).statusCode).toBe(404)
    }))

  test('posts newer than the measured parts are in the last one', () =>
    as('vera', async (ctx) => {
      await threads(
        ctx,
        Array.from({ length: 11 }, (_, n) => `Thread number ${n}`),
      )
      const { locations } = crawl(ctx)
      expect(await locations('/sitemaps/threads-2.xml')).toHaveLength(1)
      await threads(ctx, ['A later thread'], 11)
      expect(titlesIn(await locations('/sitemaps/threads-2.xml'))).toContain('a-later-thread')
    }))

  test('the sitemap leaves out hidden and removed threads', () =>
    as('vera', async (ctx) => {
      await threads(ctx, ['A shown thread', 'A held thread', 'A removed thread'])
      await ctx.db.query(sql`update threads set hidden = 'held' where title = 'A held thread'`)
      await ctx.db.query(sql`update threads set hidden = 'removed' where title like '%removed%'`)
      const listed = await crawl(ctx).locations('/sitemaps/threads-1.xml')
      expect(titlesIn(listed)).toEqual(['a-shown-thread'])
    }))

  test('a thread’s date is that of its last visible comment, without a minute', () =>
    as('vera', async (ctx) => {
      const [quiet, busy] = await threads(ctx, ['A quiet thread', 'A busy thread'])
      const comment = (
        day: number,
        place: number,
        more: { hidden?: string; isDeleted?: boolean },
      ) =>
        ctx.db.query(sql`
          insert into comments (thread_id, key, own_row_key, author_name, is_visitor, body, html,
                                posted_minute, place, hidden, is_deleted, idempotency_key)
          values (${busy?.id}, ${randomBytes(16)}, ${randomBytes(16)}, 'Candid Otter', false, '', '', ${MINUTE + day * DAY}, ${place},
                  ${more.hidden ?? null}, ${more.isDeleted ?? false}, gen_random_uuid())`)
      await comment(5, 1, {})
      await comment(6, 2, { hidden: 'removed' })
      await comment(7, 3, { isDeleted: true })
      const { body } = await crawl(ctx).get('/sitemaps/threads-1.xml')
      expect(body).toContain(`${quiet?.id}-a-quiet-thread</loc><lastmod>2026-03-01</lastmod>`)
      expect(body).toContain(`${busy?.id}-a-busy-thread</loc><lastmod>2026-03-06</lastmod>`)
      expect(body).not.toMatch(/T\d\d:\d\d|key|Otter/)
    }))

  test('the sitemap has companies at their own addresses without a date, and no made-up ones', () =>
    as('vera', async (ctx) => {
      await ctx.db.query(sql`delete from companies`)
      await company(ctx, 'Acme')
      await company(ctx, '서울')
      await company(ctx, 'Lampwright', true)
      const bare = await company(ctx, '???')
      await ctx.db.query(sql`update companies set slug = null where id = ${bare}`)
      const { get, locations } = crawl(ctx)
      expect((await locations('/sitemaps/companies-1.xml')).sort()).toEqual(
        ['/%EC%84%9C%EC%9A%B8', '/acme', `/company/${bare}`].sort(),
      )
      expect((await get('/sitemaps/companies-1.xml')).body).not.toContain('lastmod')
    }))

  test('many companies added at one moment are in one part each', () =>
    as('vera', async (ctx) => {
      await ctx.db.query(sql`delete from companies`)
      await ctx.db.query(sql`
        insert into companies (name, name_key, slug)
        select 'C' || n, 'c' || n, 'c' || n
          from generate_series(1, 345) n`)
      const { locations } = crawl(ctx, { partSize: 150 })
      const listed = []
      for (const n of [1, 2, 3]) listed.push(...(await locations(`/sitemaps/companies-${n}.xml`)))
      expect(listed).toHaveLength(345)
      expect(new Set(listed).size).toBe(345)
    }))

  test('the pages include lists of categories, and of topics that people write about', () =>
    as('vera', async (ctx) => {
      await company(ctx, 'Acme')
      await threads(ctx, ['About what they pay', 'A held one about moving'])
      await ctx.db.query(sql`update threads set topics = '{pay}' where title like 'About%'`)
      await ctx.db.query(
        sql`update threads set topics = '{remote}', hidden = 'held' where title like 'A held%'`,
      )
      const pages = await crawl(ctx).locations('/sitemaps/pages.xml')
      expect(pages).toEqual(
        expect.arrayContaining([
          '/',
          '/about',
          '/anonymity',
          '/community-rules',
          '/how-moderation-decides',
          '/privacy',
          '/terms',
          '/companies',
          '/jobs',
        ]),
      )
      expect(pages).toContain('/companies?category=Tea+%26+more')
      expect(pages.filter((at) => at?.startsWith('/discussions'))).toEqual([
        '/discussions',
        '/discussions?topic=pay',
      ])
    }))

  test('the sitemap has companies’ pay once it’s public, and the titles that people give', () =>
    as('vera', async (ctx) => {
      await ctx.db.query(sql`delete from companies`)
      await payOf(ctx, await company(ctx, 'Acme'), 10)
      await payOf(ctx, await company(ctx, 'Globex'), 9)
      await payOf(ctx, await company(ctx, 'Lampwright', true), 10, 'cook')
      expect((await crawl(ctx).get('/sitemaps/pay-1.xml')).statusCode).toBe(404)
      await publishPay(ctx)
      const { locations } = crawl(ctx)
      expect(await locations('/sitemap.xml')).toContain('/sitemaps/pay-1.xml')
      expect(await locations('/sitemaps/pay-1.xml')).toEqual(['/acme?tab=pay'])
      const pages = await locations('/sitemaps/pages.xml')
      expect(pages.filter((at) => at?.startsWith('/companies/'))).toEqual([
        '/companies/pay',
        '/companies/pay?title=cook',
        '/companies/pay?title=nurse',
      ])
    }))

  test('the sitemap lists only open jobs', () =>
    as('vera', async (ctx) => {
      const companyId = await company(ctx, 'Acme')
      const job = (title: string, status: string, lastDay: string) =>
        ctx.db.query(sql`
          insert into job_postings (company_id, company_name, title, description, html, excerpt,
            remote_policy, employment_type, salary_minimum, salary_maximum, salary_currency,
            salary_period, apply_link, status, posted_date, valid_through, idempotency_key)
          values (${companyId}, 'Acme', ${title}, '', '', '', 'remote', 'full-time', 1, 2, 'EUR',
            'year', 'https://acme.example', ${status}, ${status === 'draft' ? null : '2026-01-01'},
            ${status === 'draft' ? null : lastDay}, gen_random_uuid())`)
      await job('Head of steam', 'open', '2026-03-14')
      await job('Past', 'open', '2026-03-13')
      await job('Filled', 'filled', '2026-05-01')
      await job('Draft', 'draft', '2026-05-01')
      const listed = await crawl(ctx).locations('/sitemaps/jobs-1.xml')
      expect(listed.map((at) => at?.replace(/^\/jobs\/.{37}/, ''))).toEqual(['head-of-steam'])
    }))

  test('the sitemap leaves out what’s switched off, with its parts', () =>
    as('vera', async (ctx) => {
      await company(ctx, 'Acme')
      await threads(ctx, ['A shown thread'])
      const { get, locations } = crawl(ctx, {
        switched: { enableDiscussions: false, enableCompanies: false, enableJobs: false },
      })
      expect(await locations('/sitemap.xml')).toEqual(['/sitemaps/pages.xml'])
      expect(await locations('/sitemaps/pages.xml')).toEqual([
        '/',
        '/about',
        '/anonymity',
        '/community-rules',
        '/how-moderation-decides',
        '/privacy',
        '/terms',
      ])
      for (const part of ['threads-1', 'companies-1', 'jobs-1'])
        expect((await get(`/sitemaps/${part}.xml`)).statusCode).toBe(404)
    }))

  test.each(['threads-0', 'threads-2', 'threads-99999', 'threads-1e1', 'accounts-1', 'x'])(
    'the sitemap has no /sitemaps/%s.xml',
    (file) =>
      as('vera', async (ctx) => {
        await threads(ctx, ['A shown thread'])
        expect((await crawl(ctx).get(`/sitemaps/${file}.xml`)).statusCode).toBe(404)
      }),
  )

  test('HEAD reads no rows', () =>
    as('vera', async (ctx) => {
      await threads(ctx, ['A shown thread'])
      const { get, http } = crawl(ctx)
      await get('/sitemap.xml')
      const asked: string[] = []
      const query = ctx.db.query
      ctx.db.query = ((statement: { sql: string }, ...rest: []) => {
        asked.push(statement.sql)
        return query.call(ctx.db, statement as never, ...rest)
      }) as never
      const answer = await http.inject({ method: 'HEAD', url: '/sitemaps/threads-1.xml' })
      expect(answer.statusCode).toBe(200)
      // A walk would go on behind the answer.
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(asked).toEqual([])
    }))

  test('the site reads a part in batches', () =>
    as('vera', async (ctx) => {
      const titles = Array.from({ length: 2_001 }, (_, n) => `Thread number ${n}`)
      await threads(ctx, titles)
      const { get } = crawl(ctx, { partSize: 10_000 })
      await get('/sitemap.xml')
      let batches = 0
      const query = ctx.db.query
      ctx.db.query = ((...given: []) => {
        batches++
        return (query as (...given: unknown[]) => unknown).apply(ctx.db, given)
      }) as never
      await get('/sitemaps/threads-1.xml')
      expect(batches).toBe(3)
    }))
})
