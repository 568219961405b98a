/**
 * What the head of every page of the site says, rendered as a visitor's page on a real database: a
 * place without a row here fails. And what is moved, was removed, or never was.
 */

import { load } from 'cheerio'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { createCaller } from '#app/api/call.server.ts'
import { DEEPEST } from '#app/community/discussions/comments/comment-branches.ts'
import { deleteComment } from '#app/community/discussions/comments/comment-commands.server.ts'
import { discussionContract } from '#app/community/discussions/discussion.contract.ts'
import { commentsQuery, threadQuery } from '#app/community/discussions/discussion.data.ts'
import { discussionHandlers } from '#app/community/discussions/feature.server.ts'
import {
  deleteThread,
  editThread,
} from '#app/community/discussions/threads/thread-commands.server.ts'
import { companyContract } from '#app/companies/company.contract.ts'
import { insertCompanies } from '#app/companies/company-commands.server.ts'
import { companyById } from '#app/companies/company-queries.server.ts'
import { applyCompanyChanges } from '#app/companies/edits/change-commands.server.ts'
import { companyHandlers } from '#app/companies/feature.server.ts'
import { mergeCompany, undoMerge } from '#app/companies/merging/merge-commands.server.ts'
import { jobHandlers } from '#app/jobs/feature.server.ts'
import { jobContract } from '#app/jobs/job.contract.ts'
import { removePost } from '#app/moderation/decision-commands.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { createHttp, type Http } from '#app/platform/http/http.server.ts'
import { createPageCache } from '#app/platform/http/page-cache.server.ts'
import { readConfig } from '#app/platform/operations/config.server.ts'
import { createQueue } from '#app/platform/queue/queue.server.ts'
import { benefitsContract } from '#app/ratings/benefits/benefits.contract.ts'
import { benefitsHandlers } from '#app/ratings/benefits/feature.server.ts'
import { ratingHandlers } from '#app/ratings/feature.server.ts'
import { interviewHandlers } from '#app/ratings/interviews/feature.server.ts'
import { interviewContract } from '#app/ratings/interviews/interview.contract.ts'
import { payHandlers } from '#app/ratings/pay/feature.server.ts'
import { payContract } from '#app/ratings/pay/pay.contract.ts'
import { publishPay } from '#app/ratings/pay/pay-publication.server.ts'
import { ratingContract } from '#app/ratings/rating.contract.ts'
import { ROUTES, routeOf } from '#app/routes.ts'
import type { Person } from '#tests/people.ts'
import { openPolicies } from '#tests/support/api.ts'
import { NOW, testSecrets, withDatabase } from '#tests/support/database.ts'
import { testIssuer } from '#tests/support/issuer.ts'
import { payOf } from '#tests/support/pay.ts'
import { rate } from '#tests/support/raters.ts'
import { addComment, searchingFreely, startThread, unlimited } from '#tests/support/unlimited.ts'
import { staticPageHandlers } from '../static-pages/feature.server.ts'
import { staticPageContract } from '../static-pages/static-page.contract.ts'
import { readStaticPages } from '../static-pages/static-page.server.ts'
import type { AppClient } from './app-client.ts'
import { hydrateQueries } from './prepare.ts'
import { pageKey, renderPage } from './render.server.tsx'

/** As the build has it (vite.config.ts). */
vi.mock('@tanstack/react-query', () => import('./server-queries.server.ts'))

const { as, outside } = withDatabase()

const SITE = 'https://samovar.example'
const config = readConfig({ LOG_LEVEL: 'silent', ENABLE_JOBS: 'true' })
const site = {
  siteName: 'Samovar & Co',
  siteUrl: SITE,
  contactDomain: 'samovar.example',
  ratingBatch: 5,
  legalNoticeHours: 24,
  hasLogoSearch: true,
  flags: config.flags,
  build: { buildTime: NOW.toISOString(), timestamp: NOW.getTime() },
}
const ASSETS = { entry: { path: '' }, styles: [], preloads: () => [], firstScript: '' }
const MIN_SHOWN = 2
const RATINGS = { minShown: MIN_SHOWN, ratingBatch: 1 }
/** Ends a script element, were it not escaped. */
const TITLE = 'Why </script><script>alert(1)</script> on Fridays?'

let http: Http
let api: AppClient
/** Statements that pages asked so far. */
let statements = 0
let world: Awaited<ReturnType<typeof settleWorld>>

beforeAll(async () => {
  const contextOf = contexts()
  const vera = await contextOf('vera')
  const query: Database['query'] = (...asked) => {
    statements++
    return vera.db.query(...asked)
  }
  const visitor: Ctx = { ...vera, db: { ...vera.db, query } }
  const counts = { count: () => {} } as never
  const searches = searchingFreely
  const pages = readStaticPages({ ...config, ratingBatch: 5, siteName: site.siteName })
  const bound = [
    { contract: companyContract, handlers: companyHandlers(searches) },
    {
      contract: discussionContract,
      handlers: discussionHandlers({ issuer: testIssuer, searches, untrustedLimits: unlimited }),
    },
    { contract: ratingContract, handlers: ratingHandlers(RATINGS) },
    { contract: payContract, handlers: payHandlers(testIssuer) },
    { contract: interviewContract, handlers: interviewHandlers(testIssuer) },
    { contract: benefitsContract, handlers: benefitsHandlers(testIssuer) },
    {
      contract: jobContract,
      handlers: jobHandlers({ ...config, siteUrl: () => SITE, counts, searches }),
    },
    { contract: staticPageContract, handlers: staticPageHandlers(() => pages) },
  ]
  api = createCaller({
    bound,
    contextOf: async () => visitor,
    policies: openPolicies(),
  })
  http = await createHttp({
    config,
    pages: {
      keyOf: (url) => pageKey(url, site.flags),
      cache: createPageCache((key) => renderPage(key, site, api, ASSETS, ''), {
        headers: [],
        keeps: false,
      }),
    },
  })
  await http.ready()
  world = await settleWorld(contextOf)
})

const contexts = () => {
  const db = outside()
  const queue = createQueue(db, { now: () => NOW })
  return async (name: Person): Promise<Ctx> => ({
    db,
    events: [],
    now: () => NOW,
    network: '127.0.0.1',
    secrets: testSecrets,
    queue,
    actor: await as(name, async ({ actor }) => actor),
  })
}

async function settleWorld(contextOf: (name: Person) => Promise<Ctx>) {
  const [dana, ada, olga] = [
    await contextOf('dana'),
    await contextOf('ada'),
    await contextOf('olga'),
  ]
  const { db } = dana
  const company = async (name: string, slug: string | null, isDemo = false) => {
    const key = name.toLowerCase()
    const [row] = await db.query<{ id: string }>(sql`
      insert into companies (name, name_key, slug, category, website, demo)
      values (${name}, ${key}, ${slug}, 'Tea', 'https://acme.example', ${isDemo}) returning id`)
    return row?.id as string
  }
  const acme = await company('Acme & Sons', 'acme-and-sons')
  await db.query(sql`insert into company_old_slugs (slug, company_id) values ('acme', ${acme})`)
  const bare = await company('???', null)
  await company('Barely rated', 'barely-rated')
  await company('Lampwright', 'lampwright', true)

  const given = { officeDays: null, relation: 'current', era: null, note: '' } as const
  const stars = { rto: 2, dei: null, workLife: 4, culture: 5 } as const
  for (const rater of [dana, ada]) await rate(rater, acme, { ...given, ...stars }, RATINGS)
  const [{ id: barely } = { id: '' }] = await db.query<{ id: string }>(
    sql`select id from companies where slug = 'barely-rated'`,
  )
  await rate(dana, barely, { ...given, ...stars }, RATINGS)
  await payOf(dana, barely, 10)
  await publishPay(dana)

  const start = (title: string, topics: string[] = []) =>
    startThread(dana, {
      title,
      body: 'I was there, and it is **true** </script>.',
      topics,
      name: 'username',
      companyId: acme,
      idempotencyKey: crypto.randomUUID(),
    })
  const thread = await start(TITLE, ['pay'])
  const removed = await start('A thread that was removed')
  const held = await start('A thread that is held')
  const deleted = await start('A thread that was deleted')
  const say = (who: Ctx, body: string, parentId?: string) =>
    addComment(who, thread.id, {
      body,
      parentId,
      name: 'pseudonym',
      idempotencyKey: crypto.randomUUID(),
    })
  const comment = await say(ada, 'Somebody comes on Fridays')
  await say(dana, 'I do', comment.id)
  const stub = await say(ada, 'Words that were taken back')
  await say(dana, 'Why not?', stub.id)
  await deleteComment(ada, stub.id)
  const spam = await say(ada, 'Words that were removed')
  const moderator = { ...olga }
  const spamming = { reason: 'spam' as const, note: '' }
  await removePost(moderator, { kind: 'comment', id: spam.id }, spamming)
  await removePost(moderator, { kind: 'thread', id: removed.id }, spamming)
  await db.query(sql`update threads set hidden = 'held' where id = ${held.id}`)
  const reported = await say(dana, 'Words that many reported')
  await db.query(sql`update comments set hidden = 'held' where id = ${reported.id}`)
  await say(dana, 'Words of **her own** & a "<" more')
  await deleteThread(dana, deleted.id)

  const [job] = await db.query<{ id: string }>(sql`
    insert into job_postings (company_id, company_name, title, description, html, excerpt,
      remote_policy, employment_type, salary_minimum, salary_maximum, salary_currency,
      salary_period, apply_link, status, posted_date, valid_through, idempotency_key)
    values (${acme}, 'Acme & Sons', 'Head of steam', 'Boils.', '<p>Boils.</p>', 'Boils.',
      'remote', 'full-time', 50000, 60000, 'EUR', 'year', 'https://acme.example', 'open',
      '2026-03-14', '2026-05-13', gen_random_uuid()) returning id`)
  /** Something with two addresses, and how it comes from one to the other. */
  async function moves(what: string) {
    if (what === 'a thread') {
      const { id, path } = await start('North office heating')
      const title = (title: string) => () =>
        editThread(dana, id, { title, body: 'It is cold.', topics: [] })
      return {
        first: path,
        second: path.replace(/heating$/, 'heat'),
        there: title('North office heat'),
        back: title('North office heating'),
      }
    }
    if (what === 'a job') {
      const title = (title: string) => () =>
        db.query(sql`update job_postings set title = ${title} where id = ${job?.id}`)
      return {
        first: `/jobs/${job?.id}-head-of-steam`,
        second: `/jobs/${job?.id}-head-of-water`,
        there: title('Head of water'),
        back: title('Head of steam'),
      }
    }
    const [one, two] = await insertCompanies(dana, [
      { name: `${what} one`, category: 'Tea' },
      { name: `${what} two`, category: 'Tea' },
    ])
    const [first, second] = [`/${one?.slug}`, `/${two?.slug}`]
    if (what === 'a company') {
      const rename = (name: string) => async () => {
        const now = await companyById(ada, one?.id ?? '')
        await applyCompanyChanges(ada, now.id, now.slug, { name: { from: now.name, to: name } })
      }
      return { first, second: '/renamed', there: rename('Renamed'), back: rename(`${what} one`) }
    }
    return {
      first,
      second,
      there: () => mergeCompany(ada, { from: one?.id ?? '', into: two?.id ?? '' }),
      back: async () => {
        const [edit] = await db.query<{ id: number }>(
          sql`select id from company_edits where company_id = ${two?.id} order by id desc limit 1`,
        )
        await undoMerge(ada, edit?.id ?? 0)
      },
    }
  }
  return {
    moves,
    acme,
    bare,
    thread: encodeURI(thread.path),
    threadId: thread.id,
    comment: comment.id,
    removed: removed.path,
    held: held.path,
    deleted: deleted.path,
    job: `/jobs/${job?.id}-head-of-steam`,
  }
}

const get = async (url: string) => {
  const { statusCode: status, headers, body } = await http.inject({ url })
  return {
    status,
    location: headers.location,
    caching: headers['cache-control'],
    html: body,
    head: headOf(body),
  }
}

function headOf(html: string) {
  const [head = ''] = html.split('</head>')
  const all = (tag: RegExp) => [...head.matchAll(tag)].map(([, value = '']) => unescaped(value))
  const meta = (name: string) =>
    all(new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`, 'g'))
  return {
    titles: all(/<title>([^<]*)<\/title>/g),
    canonical: all(/<link rel="canonical" href="([^"]*)"/g),
    feeds: all(/<link rel="alternate" type="application\/atom\+xml"[^>]*href="([^"]*)"/g),
    robots: meta('robots'),
    descriptions: meta('description'),
    meta,
  }
}
const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/&#(?:x27|39);/g, "'")
    .replaceAll('&amp;', '&')

interface Row {
  /** With {…} from the world. */
  url: string
  /** Without the site's name. */
  title: string
  /** Undefined: search engines are asked not to list it. */
  canonical?: string
  type?: 'article'
  things?: string[]
  feed?: string
}

/** Every route, and the other lists and orders of it. */
const ROWS: Record<string, Row[]> = {
  '/': [
    {
      url: '/',
      title: 'Samovar & Co – anonymous workplace community',
      canonical: '/',
      things: ['WebSite'],
      feed: '/feeds/discussions.atom',
    },
    {
      url: '/?utm=x',
      title: 'Samovar & Co – anonymous workplace community',
      canonical: '/',
      things: ['WebSite'],
      feed: '/feeds/discussions.atom',
    },
  ],
  '/companies/pay': [
    { url: '/companies/pay', title: 'What would I earn?', canonical: '/companies/pay' },
    {
      url: '/companies/pay?title=nurse',
      title: 'Nurse: what would I earn?',
      canonical: '/companies/pay?title=nurse',
      things: ['Occupation'],
    },
    {
      url: '/companies/pay?title=nurse&area=CH/bern',
      title: 'Nurse: what would I earn?',
      canonical: '/companies/pay?title=nurse',
    },
  ],
  '/companies': [
    { url: '/companies', title: 'Companies', canonical: '/companies' },
    { url: '/companies?sort=a-z', title: 'Companies', canonical: '/companies' },
    {
      url: '/companies?category=Tea&sort=newest',
      title: 'Companies in Tea',
      canonical: '/companies?category=Tea',
    },
    { url: '/companies?category=None', title: 'Companies in None' },
    { url: '/companies?search=acme', title: 'Companies' },
    { url: '/companies?compare=acme-and-sons', title: 'Compare Acme & Sons' },
  ],
  '/company/:companyId': [
    {
      url: '/company/{bare}',
      title: '???: what it’s like to work there',
      canonical: '/company/{bare}',
      things: ['Organization', 'BreadcrumbList'],
      feed: '/feeds/company/{bare}.atom',
    },
  ],
  '/:companySlug': [
    {
      url: '/acme-and-sons',
      title: 'Acme & Sons: what it’s like to work there',
      canonical: '/acme-and-sons',
      things: ['EmployerAggregateRating', 'BreadcrumbList'],
      feed: '/feeds/company/{acme}.atom',
    },
    {
      url: '/acme-and-sons?tab=about',
      title: 'Acme & Sons: what it’s like to work there',
      canonical: '/acme-and-sons',
      feed: '/feeds/company/{acme}.atom',
    },
    {
      url: '/barely-rated',
      title: 'Barely rated: what it’s like to work there',
      canonical: '/barely-rated',
      things: ['Organization', 'BreadcrumbList'],
      feed: '/feeds/company/',
    },
    {
      url: '/acme-and-sons?tab=pay',
      title: 'Acme & Sons: what it’s like to work there',
      canonical: '/acme-and-sons',
      feed: '/feeds/company/{acme}.atom',
    },
    {
      url: '/barely-rated?tab=pay',
      title: 'Barely rated: what people earn there',
      canonical: '/barely-rated?tab=pay',
      things: ['Organization', 'BreadcrumbList'],
      feed: '/feeds/company/',
    },
    {
      url: '/lampwright',
      title: 'Lampwright: what it’s like to work there',
      feed: '/feeds/company/',
    },
  ],
  '/discussions': [
    {
      url: '/discussions',
      title: 'Discussions',
      canonical: '/discussions',
      feed: '/feeds/discussions.atom',
    },
    {
      url: '/discussions?sort=top&period=all&topic=pay',
      title: 'Pay and benefits: discussions',
      canonical: '/discussions?topic=pay',
      feed: '/feeds/topic/pay.atom',
    },
    {
      url: '/discussions?company={acme}',
      title: 'Discussions about Acme & Sons',
      canonical: '/discussions?company={acme}',
      feed: '/feeds/company/{acme}.atom',
    },
    { url: '/discussions?topic=no-such', title: 'Discussions', feed: '/feeds/topic/no-such.atom' },
    { url: '/discussions?search=fridays', title: 'Discussions', feed: '/feeds/discussions.atom' },
  ],
  '/thread/:id': [
    {
      url: '{thread}',
      title: TITLE,
      canonical: '{thread}',
      type: 'article',
      things: ['DiscussionForumPosting', 'BreadcrumbList'],
    },
    { url: '{thread}?sort=new', title: TITLE, canonical: '{thread}', type: 'article' },
    { url: '{thread}?below={comment}', title: TITLE, canonical: '{thread}', type: 'article' },
  ],
  '/jobs': [
    { url: '/jobs', title: 'Jobs', canonical: '/jobs' },
    {
      url: '/jobs?company={acme}',
      title: 'Jobs at Acme & Sons',
      canonical: '/jobs?company={acme}',
    },
  ],
  '/jobs/:id': [
    {
      url: '{job}',
      title: 'Head of steam at Acme & Sons',
      canonical: '{job}',
      things: ['JobPosting'],
    },
  ],
  '/about': [{ url: '/about', title: 'About Us', canonical: '/about' }],
  '/about-us': [{ url: '/about-us', title: 'About Us', canonical: '/about' }],
  '/anonymity': [
    { url: '/anonymity', title: 'How we keep you anonymous', canonical: '/anonymity' },
  ],
  '/community-rules': [
    { url: '/community-rules', title: 'Community rules', canonical: '/community-rules' },
  ],
  '/how-moderation-decides': [
    {
      url: '/how-moderation-decides',
      title: 'How moderation decides',
      canonical: '/how-moderation-decides',
    },
  ],
  '/privacy': [{ url: '/privacy', title: 'Privacy Policy', canonical: '/privacy' }],
  '/privacy-policy': [{ url: '/privacy-policy', title: 'Privacy Policy', canonical: '/privacy' }],
  '/terms': [{ url: '/terms', title: 'Terms of Service', canonical: '/terms' }],
  '/terms-of-service': [
    { url: '/terms-of-service', title: 'Terms of Service', canonical: '/terms' },
  ],
  '/edit-company/:companyId': [{ url: '/edit-company/{acme}', title: 'Edit Acme & Sons' }],
  '/create-thread': [{ url: '/create-thread', title: 'Create thread' }],
  '/edit-thread/:id': [{ url: '/edit-thread/{threadId}', title: 'Edit thread' }],
  '/my-discussions': [{ url: '/my-discussions', title: 'My discussions' }],
  '/post-job': [{ url: '/post-job', title: 'Post a job' }],
  '/profile': [{ url: '/profile', title: 'Profile' }],
  '/settings': [{ url: '/settings', title: 'Settings' }],
  '/settings/account': [{ url: '/settings/account', title: 'Settings' }],
  '/:companySlug/room': [{ url: '/{acme}/room', title: 'Acme & Sons’s room' }],
  '/:companySlug/room/:threadId': [{ url: '/{acme}/room/1', title: 'Acme & Sons’s room' }],
  '/settings/badge': [{ url: '/settings/badge', title: 'Show that you work there' }],
  '/notifications': [{ url: '/notifications', title: 'Notifications' }],
  '/alerts': [{ url: '/alerts', title: 'Alerts' }],
  '/dashboard': [{ url: '/dashboard', title: 'Dashboard' }],
  '/reset-password': [{ url: '/reset-password', title: 'Reset Your Password' }],
  '/sign-up/invitation': [{ url: '/sign-up/invitation', title: 'Invitation' }],
  '/admin': [{ url: '/admin', title: 'Admin Panel' }],
  '/admin-panel': [{ url: '/admin-panel', title: 'Admin Panel' }],
  '/admin/moderation': [{ url: '/admin/moderation', title: 'Moderation' }],
  '/admin/settings': [{ url: '/admin/settings', title: 'Site settings' }],
  '/admin-tracking': [{ url: '/admin-tracking', title: 'Company Interaction Tracking' }],
  '/admin-tools': [{ url: '/admin-tools', title: 'Admin Tools' }],
  '/delete-post': [{ url: '/delete-post', title: 'Delete post' }],
}

/** Fills in the ids of the world. */
const at = (text: string) =>
  text.replace(/\{(\w+)\}/g, (_, name) => String(world[name as keyof typeof world]))

const rows = Object.entries(ROWS).flatMap(([pattern, each]) =>
  each.map((row) => ({ pattern, ...row })),
)

test('every route has its row', () => {
  expect(Object.keys(ROWS).sort()).toEqual(ROUTES.map(({ path }) => path).sort())
})

describe.each(rows)('the head of $url', (row) => {
  let page: Awaited<ReturnType<typeof get>>
  beforeAll(async () => {
    page = await get(at(row.url))
  })

  test('the page has one title and one description of its own', () => {
    expect(page.status).toBe(200)
    expect(routeOf(at(row.url).split('?')[0] ?? '', site.flags)?.route.path).toBe(row.pattern)
    const title = row.pattern === '/' ? row.title : `${row.title} – Samovar & Co`
    expect(page.head.titles).toEqual([title])
    expect(page.head.descriptions).toHaveLength(1)
    expect(page.head.descriptions[0]?.length).toBeGreaterThan(20)
  })

  test('the page is complete, with no part left for the browser to render', () => {
    // How React marks a part the server couldn't finish.
    expect(page.html).not.toMatch(/<!--\$[!?]-->/)
  })

  test('the page names one address, or asks not to be listed', () => {
    if (row.canonical !== undefined) {
      expect(page.head.canonical).toEqual([SITE + at(row.canonical)])
      expect(page.head.robots).toEqual([])
    } else expect(page.head.robots).toEqual([expect.stringMatching(/^noindex/)])
  })

  test('the page says the same when its address is shared', () => {
    const { meta, descriptions } = page.head
    expect(meta('og:title')).toEqual([row.title])
    expect(meta('og:description')).toEqual(descriptions)
    expect(meta('og:type')).toEqual([row.type ?? 'website'])
    expect(meta('og:site_name')).toEqual(['Samovar & Co'])
    expect(meta('og:image')).toEqual([`${SITE}/share.png`])
    expect(meta('twitter:card')).toEqual(['summary_large_image'])
    const [address = '', ...more] = meta('og:url')
    expect(more).toEqual([])
    if (row.canonical !== undefined) expect(address).toBe(SITE + at(row.canonical))
    else expect(address).toMatch(/^https:\/\/samovar\.example\/[^?]*$/)
  })

  test('the page links its feed once, and has its structured data safely in a script', () => {
    const feeds = row.feed === undefined ? [] : [expect.stringContaining(at(row.feed))]
    expect(page.head.feeds).toEqual(feeds)
    const blocks = [
      ...page.html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs),
    ].map(([, json = '']) => JSON.parse(json))
    const things = blocks.flatMap((block) => block['@graph'] ?? [block])
    expect(things.map((thing) => thing['@type'])).toEqual(row.things ?? [])
    expect(page.html).not.toContain('<script>alert')
  })
})

describe('structured data', () => {
  const dataOf = async (url: string) => {
    const { html } = await get(url)
    const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '{}'
    return { html, json, things: JSON.parse(json)['@graph'] }
  }

  test('a company’s data has the number its page shows', async () => {
    const { html, things } = await dataOf('/acme-and-sons')
    const [rating] = things
    expect(rating).toMatchObject({ ratingValue: '3.7', ratingCount: 2 })
    expect(html).toContain(`Rated ${rating.ratingValue} out of 5`)
  })

  test('a thread’s data has what everyone sees, and nothing removed or deleted', async () => {
    const { json, things } = await dataOf(world.thread)
    expect(things[0]).toMatchObject({
      headline: TITLE,
      text: 'I was there, and it is true </script>.',
      author: { '@type': 'Person', name: 'Dana' },
      datePublished: '2026-03-14T09:26Z',
      comment: [{ text: 'Somebody comes on Fridays', comment: [{ text: 'I do' }] }, {}, {}],
    })
    expect(json).not.toMatch(/taken back|were removed|author_?key|session|anon-|@kettle/i)
    const ids = json.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []
    expect(new Set(ids)).toEqual(new Set([world.threadId]))
  })
})

describe('a moved page redirects', () => {
  test.each([
    ['a company’s id', '/company/{acme}', '/acme-and-sons'],
    ['a company’s slug below /company', '/company/acme-and-sons', '/acme-and-sons'],
    ['a former slug', '/acme', '/acme-and-sons'],
    ['a former slug below /company', '/company/acme', '/acme-and-sons'],
    ['upper case', '/Acme-And-Sons', '/acme-and-sons'],
    ['a slash at the end', '/acme-and-sons/', '/acme-and-sons'],
    ['a slash at the end of a list', '/companies/?sort=a-z', '/companies?sort=a-z'],
    ['a tab of a former slug', '/acme?tab=ratings', '/acme-and-sons?tab=ratings'],
    ['a thread without its title', '/thread/{threadId}', '{thread}'],
    ['a thread with another title', '/thread/{threadId}-before', '{thread}'],
    ['a thread’s upper-case id', '/thread/{UPPER}', '{thread}'],
  ])('%s', async (_, from, to) => {
    const url = at(from.replace('{UPPER}', world.threadId.toUpperCase()))
    expect(await get(url)).toMatchObject({ status: 301, location: at(to), caching: 'no-store' })
  })
})

describe('a page that’s renamed and renamed back is found by browsers that saw the redirect', () => {
  /** Goes where it is sent, and keeps what it may keep of that, as a browser does. */
  function browser() {
    const kept = new Map<string, string>()
    return async (url: string) => {
      const seen: string[] = []
      for (let at = url; seen.length < 5; ) {
        seen.push(at)
        const known = kept.get(at)
        const answer = known === undefined ? await get(at) : { status: 301, location: known }
        if (answer.status < 300 || answer.status >= 400) return [answer.status, at]
        at = String(answer.location)
        if (answer.status !== 302 && 'caching' in answer && answer.caching !== 'no-store')
          kept.set(seen.at(-1) as string, at)
      }
      return ['endless', ...seen]
    }
  }

  test.each(['a thread', 'a job', 'a company', 'a merged company'])('%s', async (what) => {
    const { first, second, there, back } = await world.moves(what)
    const visit = browser()
    expect(await visit(first)).toEqual([200, first])
    await there()
    expect(await visit(first)).toEqual([200, second])
    expect(await visit(second)).toEqual([200, second])
    await back()
    // Where there were two companies, there are two again.
    const [home, other] = what === 'a merged company' ? [first, second] : [first, first]
    expect(await visit(first)).toEqual([200, home])
    expect(await visit(second)).toEqual([200, other])
  })
})

describe('an address that a browser would read as another site’s', () => {
  // As they come in a request; a client of ours would tidy them first.
  test.each([
    '/\\evil.example/',
    '//evil.example/',
    '/\\/evil.example/',
    'https://evil.example/a/',
  ])('an address that looks like another site’s doesn’t redirect: %s', async (key) => {
    const page = await renderPage(key, site, (async () => ({})) as never, ASSETS, '')
    expect(page).not.toHaveProperty('location')
    expect(page.status).toBe(404)
  })
})

describe('a page’s data for the browser', () => {
  const hydrated = async (url: string) => {
    const { QueryClient } =
      await vi.importActual<typeof import('@tanstack/react-query')>('@tanstack/react-query')
    const { html } = await get(url)
    const $ = load(html)
    const json = $('#page-state').text()
    const queryClient = new QueryClient()
    hydrateQueries(queryClient, JSON.parse(json), {
      getElementById: (id) =>
        ({
          querySelector: (part: string) => ({ innerHTML: $(`[id="${id}"] ${part}`).html() }),
        }) as never,
    })
    return { json, queryClient }
  }
  /** As a browser would write them. */
  const asWritten = (comments: { html: string }[]) =>
    comments.map((comment) => ({ ...comment, html: load(comment.html, null, false).html() }))

  test('a thread’s page brings all its comments’ data, however nested, held, removed or deleted', async () => {
    const { json, queryClient } = await hydrated(world.thread)
    const answered = await api('GET /api/v1/threads/{id}/comments', {
      params: { id: world.threadId },
      query: { sort: 'best' },
    })
    const { queryKey } = commentsQuery(api, world.threadId, {})
    const data = queryClient.getQueryData(queryKey)
    expect(data?.pages).toHaveLength(1)
    expect(data?.pages[0]?.next).toBe(answered.next)
    expect(data?.pages[0]?.comments).toEqual(asWritten(answered.comments))
    expect(answered.comments.map(({ removal }) => removal?.state)).toContain('held')
    expect(answered.comments.map(({ removal }) => removal?.state)).toContain('removed')
    expect(answered.comments.some(({ isDeleted }) => isDeleted)).toBe(true)
    expect(answered.comments.some(({ depth }) => depth > 0)).toBe(true)
    expect(queryClient.getQueryData(threadQuery(api, world.threadId).queryKey)?.title).toBe(TITLE)
    // The text isn't sent twice.
    expect(json).not.toContain('Somebody comes on Fridays')
    expect(json).not.toMatch(/taken back|were removed|many reported/)
  })

  test('a page brings the words of a comment that’s too deep to show', async () => {
    const dana = await contexts()('dana')
    let parentId = world.comment
    for (let depth = 1; depth <= DEEPEST + 1; depth++) {
      const body = `Level ${depth}`
      const idempotencyKey = crypto.randomUUID()
      const { id } = await addComment(dana, world.threadId, {
        body,
        parentId,
        name: 'pseudonym',
        idempotencyKey,
      })
      parentId = id
    }
    const { json, queryClient } = await hydrated(world.thread)
    const { queryKey } = commentsQuery(api, world.threadId, {})
    const words = queryClient
      .getQueryData(queryKey)
      ?.pages.flatMap(({ comments }) => comments.map(({ html }) => html))
    expect(words).toContain(`<p>Level ${DEEPEST}</p>`)
    expect(words).toContain(`<p>Level ${DEEPEST + 1}</p>`)
    expect(json).toContain(`Level ${DEEPEST + 1}`)
    expect(json).not.toContain(`Level ${DEEPEST}<`)
  })
})

describe('a made-up address', () => {
  const asked = async (url: string) => {
    const before = statements
    const page = await get(url)
    return { ...page, statements: statements - before }
  }

  test.each([
    '/thread/no-such-thing',
    '/jobs/no-such-thing',
    '/wp-content/plugins/login.php',
    '/discussions/2024/best-of',
    '/companies/edit/all',
    '/a/b/c/d',
  ])('a path that no page can have doesn’t reach the database: %s', async (url) => {
    expect(await asked(url)).toMatchObject({ status: 404, statements: 0 })
  })

  test('a path that a company could have costs one statement, and says the same as any other', async () => {
    const one = await asked('/made-up-company')
    const other = await asked('/another-one.php')
    expect([one, other].map(({ status }) => status)).toEqual([404, 404])
    expect([one, other].map(({ statements }) => statements)).toEqual([1, 1])
    expect(other.html).toBe(one.html)
    expect(one.html).not.toContain('made-up')
  })

  test('a made-up address marks its entry and has its footer like any page below it', async () => {
    const current = (html: string) => /<a href="([^"]*)" aria-current="page"/.exec(html)?.[1]
    const plain = await get('/made-up/address')
    const below = await get('/discussions/made/up')
    const edit = await get('/discussions/edit')
    expect([plain, below, edit].map(({ html }) => current(html))).toEqual([
      undefined,
      '/discussions',
      '/discussions',
    ])
    expect([plain, below, edit].map(({ html }) => html.includes('<footer'))).toEqual([
      false,
      false,
      true,
    ])
  })
})

describe('pages that don’t show', () => {
  test('a removed thread answers 410, and asks not to be listed', async () => {
    const { status, html, head } = await get(world.removed)
    expect(status).toBe(410)
    expect(html).toContain('This thread was removed by a moderator: Spam or advertising')
    expect(head).toMatchObject({ robots: ['noindex'], canonical: [] })
    expect(head.meta('og:title')).toEqual([])
  })

  test.each([
    // The moderators can restore it.
    ['a held thread', 'held'],
    // Nothing is kept of it, not even that it was there.
    ['a thread that its author deleted', 'deleted'],
  ] as const)('%s isn’t found: 404', async (_, name) => {
    const { status, head, html } = await get(world[name])
    expect(status).toBe(404)
    expect(head).toMatchObject({ robots: ['noindex'], canonical: [] })
    expect(head.meta('og:title')).toEqual([])
    expect(html).not.toContain('ld+json')
  })
})
