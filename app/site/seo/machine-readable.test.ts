/**
 * What pages tell search engines, held against the properties that Google's pages "Discussion forum",
 * "Employer aggregate rating", "Organization", "Breadcrumb" and "Sitelinks search box" list. The schemas
 * are strict: whatever is not named here does not get out.
 */

import { createElement, Fragment } from 'react'
import { renderToString } from 'react-dom/server'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Comment, Thread } from '#app/community/discussions/discussion.contract.ts'
import type { CompanyPageView } from '#app/companies/company.contract.ts'
import { NO_FACTS } from '#app/companies/edits/company-facts.ts'
import { scoreText } from '#app/kit/ui/score.tsx'
import { markdownHtml } from '#app/kit/writing/markdown.ts'
import type { TitlePay } from '#app/ratings/pay/pay.contract.ts'
import {
  companyThings,
  feedLink,
  homeThings,
  openGraph,
  payThings,
  readHead,
  SHARE_PICTURE,
  structuredData,
  threadThings,
} from './machine-readable.server.ts'

const typed = <Shape extends z.ZodRawShape>(type: string, shape: Shape) =>
  z.strictObject({ '@type': z.literal(type), ...shape })
const words = z.string().min(1)
const minute = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/)

/** Required: name, url. Recommended: logo, sameAs, description. */
const Organization = typed('Organization', {
  name: words,
  url: z.httpUrl(),
  sameAs: z.httpUrl().optional(),
  logo: z.httpUrl().optional(),
  description: words.optional(),
  legalName: words.optional(),
})

/** Required: itemReviewed, ratingValue, ratingCount; the scale, though it is the usual one. */
const EmployerAggregateRating = typed('EmployerAggregateRating', {
  itemReviewed: Organization,
  ratingValue: z.string().regex(/^[1-5]\.\d$/),
  bestRating: z.literal(5),
  worstRating: z.literal(1),
  ratingCount: z.number().int().positive(),
})

/** Required: author with its name, datePublished, text. */
const post = {
  text: words,
  author: typed('Person', { name: words }),
  datePublished: minute,
}
const CommentThing: z.ZodType = typed('Comment', {
  ...post,
  comment: z.lazy(() => z.array(CommentThing).min(1).optional()),
})
const DiscussionForumPosting = typed('DiscussionForumPosting', {
  ...post,
  comment: z.array(CommentThing).min(1).optional(),
  headline: words,
  url: z.httpUrl(),
  about: Organization.pick({ '@type': true, name: true, url: true }).optional(),
  keywords: z.array(words).min(1).optional(),
  interactionStatistic: typed('InteractionCounter', {
    interactionType: z.literal('https://schema.org/CommentAction'),
    userInteractionCount: z.number().int().nonnegative(),
  }),
})

/** Required of each: position, name, item. At least two. */
const BreadcrumbList = typed('BreadcrumbList', {
  itemListElement: z
    .array(typed('ListItem', { position: z.number(), name: words, item: z.httpUrl() }))
    .min(2)
    .refine((items) => items.every(({ position }, n) => position === n + 1)),
})

const WebSite = typed('WebSite', {
  name: words,
  url: z.httpUrl(),
  potentialAction: typed('SearchAction', {
    target: typed('EntryPoint', { urlTemplate: z.string().includes('{search_term_string}') }),
    'query-input': z.literal('required name=search_term_string'),
  }).optional(),
})

/** Of schema.org: what an occupation earns in one place. */
const Occupation = typed('Occupation', {
  name: words,
  occupationLocation: typed('City', { name: words }),
  estimatedSalary: z.array(
    typed('MonetaryAmountDistribution', {
      name: z.enum(['base', 'total']),
      currency: z.string().length(3),
      duration: z.literal('P1Y'),
      percentile25: z.number(),
      median: z.number(),
      percentile75: z.number(),
    }),
  ),
})

const Data = z.strictObject({
  '@context': z.literal('https://schema.org'),
  '@graph': z.array(
    z.union([
      Organization,
      EmployerAggregateRating,
      DiscussionForumPosting,
      BreadcrumbList,
      WebSite,
      Occupation,
    ]),
  ),
})
const issuesOf = (things: Parameters<typeof structuredData>[0]) =>
  Data.safeParse(JSON.parse(JSON.stringify(structuredData(things)))).error?.issues ?? []

const flags = { enableCompanies: true, enableDiscussions: true } as never
const SITE = { siteName: 'Samovar', siteUrl: 'https://samovar.example', flags }
const ID = '00000000-0000-4000-8000-00000000acee'

const company = (over: Partial<CompanyPageView> = {}): CompanyPageView => ({
  id: ID,
  slug: 'erin-and-sons',
  name: 'Erin & Sons',
  category: 'Tea & more',
  description: 'Makes kettles.',
  logoUrl: '/logos/1.webp',
  demo: false,
  rating: 3.7499,
  threadCount: 2,
  commentCount: 3,
  recentCommentCount: 0,
  trending: false,
  website: 'https://erin.example/',
  createdAt: '2026-01-01T00:00:00Z',
  similar: [],
  ratings: 12,
  categoryRatings: { rto: 1, dei: null, workLife: null, culture: null },
  ...NO_FACTS,
  policy: null,
  policyHistory: [],
  officeDays: null,
  pay: null,
  ...over,
})

describe('a company’s structured data', () => {
  test('a company’s data says who it is, its rating and its place, as Google requires', () => {
    for (const over of [
      {},
      { website: null, description: null, logoUrl: null, slug: null },
      { rating: null, ratings: 0 },
      { rating: 5, ratings: 1 },
      { legalForm: 'GmbH' },
    ])
      expect(issuesOf(companyThings(company(over), SITE))).toEqual([])
  })

  test('a company’s data has its legal name if its form is known, with the form once', () => {
    const legalName = (name: string, legalForm: string | null) =>
      (companyThings(company({ name, legalForm, rating: null }), SITE)[0] as { legalName?: string })
        .legalName
    expect(legalName('Acme', 'GmbH')).toBe('Acme GmbH')
    expect(legalName('Acme gmbh', 'GmbH')).toBe('Acme gmbh')
    expect(legalName('Acme', null)).toBeUndefined()
  })

  test('a company’s data has the number its page shows, and how many people gave it', () => {
    const [rating] = companyThings(company(), SITE)
    expect(rating).toMatchObject({
      '@type': 'EmployerAggregateRating',
      ratingValue: scoreText(3.7499),
      ratingCount: 12,
      itemReviewed: {
        name: 'Erin & Sons',
        url: 'https://samovar.example/erin-and-sons',
        sameAs: 'https://erin.example/',
        logo: 'https://samovar.example/logos/1.webp',
      },
    })
  })

  test.each([
    ['nobody rated it', { rating: null, ratings: 0 }],
    ['too few rated it for a number to be shown', { rating: null, ratings: 4 }],
    ['it is made up', { demo: true }],
  ])('a company’s data has no rating if %s', (_, over) => {
    const things = companyThings(company(over), SITE)
    expect(issuesOf(things)).toEqual([])
    expect(things.map((thing) => thing['@type'])).toEqual(['Organization', 'BreadcrumbList'])
    expect(JSON.stringify(things)).not.toMatch(/rating(Value|Count)/)
  })

  test('a company’s data has the way to it, by its category', () => {
    const [, breadcrumbs] = companyThings(company(), SITE)
    expect(breadcrumbs?.itemListElement).toEqual([
      {
        '@type': 'ListItem',
        position: 1,
        name: 'Companies',
        item: 'https://samovar.example/companies',
      },
      {
        '@type': 'ListItem',
        position: 2,
        name: 'Tea & more',
        item: 'https://samovar.example/companies?category=Tea+%26+more',
      },
      {
        '@type': 'ListItem',
        position: 3,
        name: 'Erin & Sons',
        item: 'https://samovar.example/erin-and-sons',
      },
    ])
  })
})

test('pay has what a title earns in each city, and nothing about other places', () => {
  const numbers = { year: 2026, currency: 'CHF', entries: 10, verified: 0 }
  const quartiles = { base: [60, 70, 80], total: [65, 75, 85], bonus: [5, 5, 5], equity: [0, 0, 0] }
  const areas = ['CH/bern', 'CH/remote', 'CH/elsewhere'].map((area) => ({
    ...{ ...numbers, area },
    quartiles: quartiles as TitlePay['areas'][number]['quartiles'],
  }))
  const things = payThings('nurse', { areas, companies: [] })
  expect(issuesOf(things)).toEqual([])
  expect(things).toMatchObject([
    {
      name: 'Nurse',
      occupationLocation: { name: 'Bern, Switzerland' },
      estimatedSalary: [
        { name: 'base', median: 70 },
        { name: 'total', percentile75: 85 },
      ],
    },
  ])
})

const thread = (over: Partial<Thread> = {}): Thread => ({
  id: ID,
  path: `/thread/${ID}-a-thread-für-tea`,
  title: 'A thread für tea',
  excerpt: '',
  company: { id: 'of-company', name: 'Erin & Sons', path: '/erin-and-sons' },
  topics: [{ slug: 'pay', name: 'Pay' }],
  author: { name: 'Candid Otter', isVisitor: true },
  badge: null,
  postedAt: '2026-03-14T09:26Z',
  score: -3,
  comments: 4,
  hasPoll: false,
  isLocked: false,
  isPinned: false,
  lockNote: null,
  slowMinutes: null,
  match: null,
  html: markdownHtml('It is **true** & <b>bold</b>.\n\n- one\n- two'),
  isEdited: false,
  poll: null,
  companyReply: null,
  related: [],
  ...over,
})
const comment = (id: string, parentId: string | null, over: Partial<Comment> = {}): Comment => ({
  id,
  parentId,
  depth: 0,
  author: { name: `Author of ${id}`, isVisitor: false },
  badge: null,
  isOp: false,
  html: `<p>Text of ${id}</p>`,
  postedAt: '2026-03-14T09:30Z',
  isEdited: false,
  isDeleted: false,
  score: 0,
  replies: 0,
  removal: null,
  ...over,
})
const STUB = { author: null, html: '', isDeleted: true }

describe('a thread’s structured data', () => {
  test('a thread’s data has its text, its author’s shown name and its minute, as Google requires', () => {
    const comments = [comment('a', null), comment('b', 'a'), comment('c', 'b'), comment('d', null)]
    for (const over of [{}, { company: null, topics: [], html: '' }])
      for (const shown of [comments, []])
        expect(issuesOf(threadThings(thread(over), shown, SITE))).toEqual([])
    const [posting] = threadThings(thread(), comments, SITE)
    expect(posting).toMatchObject({
      headline: 'A thread für tea',
      text: 'It is true & <b>bold</b>.\none\ntwo',
      url: `https://samovar.example/thread/${ID}-a-thread-f%C3%BCr-tea`,
      author: { '@type': 'Person', name: 'Anonymous · Candid Otter' },
      datePublished: '2026-03-14T09:26Z',
      interactionStatistic: { userInteractionCount: 4 },
      comment: [
        {
          text: 'Text of a',
          author: { name: 'Author of a' },
          comment: [{ text: 'Text of b', comment: [{ text: 'Text of c' }] }],
        },
        { text: 'Text of d' },
      ],
    })
  })

  test('a thread’s data leaves out deleted and removed comments, and keeps their answers in place', () => {
    const comments = [
      comment('a', null),
      comment('gone', 'a', STUB),
      comment('b', 'gone'),
      comment('held', null, { author: null, removal: { state: 'held', reason: null }, html: '' }),
      comment('c', 'held'),
      comment('d', 'not on this page'),
    ]
    const things = threadThings(thread(), comments, SITE)
    expect(issuesOf(things)).toEqual([])
    expect(things[0]?.comment).toMatchObject([
      { text: 'Text of a', comment: [{ text: 'Text of b' }] },
      { text: 'Text of c' },
      { text: 'Text of d' },
    ])
  })

  test('a thread’s data has no id of a person, company or comment', () => {
    const told = JSON.stringify(
      threadThings(thread(), [comment('id-of-comment', null, { html: '<p>x</p>' })], SITE),
    ).replaceAll('Author of id-of-comment', '')
    expect(told).not.toContain('id-of-comment')
    expect(told).not.toContain('of-company')
    // That of the thread stands in its address, and nowhere else.
    expect(told.replaceAll(`/thread/${ID}-`, '')).not.toContain(ID)
  })

  test('a thread’s data can have a thousand nested answers', () => {
    const deep = Array.from({ length: 1_000 }, (_, n) =>
      comment(`c${n}`, n === 0 ? null : `c${n - 1}`),
    )
    expect(JSON.stringify(threadThings(thread(), deep, SITE))).toContain('Text of c999')
  })

  test('a thread’s data has its title if it has no text', () => {
    expect(threadThings(thread({ html: '' }), [], SITE)[0]?.text).toBe('A thread für tea')
  })
})

describe('the home page’s structured data', () => {
  test('the home page’s data has the site’s name and how to search it', () => {
    expect(issuesOf(homeThings(SITE))).toEqual([])
    expect(homeThings(SITE)).toMatchObject([
      {
        name: 'Samovar',
        url: 'https://samovar.example/',
        potentialAction: {
          target: { urlTemplate: 'https://samovar.example/companies?search={search_term_string}' },
        },
      },
    ])
  })

  test('the home page’s data has no search if companies are switched off', () => {
    const things = homeThings({ ...SITE, flags: { enableCompanies: false } as never })
    expect(issuesOf(things)).toEqual([])
    expect(things[0]).not.toHaveProperty('potentialAction')
  })
})

const site = { siteName: 'Salt & "Pepper"', siteUrl: 'https://kettle.example' }
const hostile = `</title><script>alert("1 & 'one'")</script>`

/** What React writes at the start of a page with these in its head. */
const markupOf = (
  title: string,
  description: string,
  ...more: ReturnType<typeof createElement>[]
) =>
  renderToString(
    createElement(
      Fragment,
      {},
      createElement('title', {}, title),
      createElement('meta', { name: 'description', content: description }),
      ...more,
      createElement('p', {}, 'text'),
    ),
  )

test('a head is read exactly as React writes it', () => {
  const markup = markupOf(
    hostile,
    hostile,
    createElement('link', { rel: 'canonical', href: 'https://kettle.example/?a=1&b="2"' }),
  )
  expect(readHead(markup)).toEqual({
    title: hostile,
    description: hostile,
    canonical: 'https://kettle.example/?a=1&b="2"',
    isListed: true,
    hasFeed: false,
  })
})

test.each(['noindex', 'noindex, follow'])('a page with "%s" asks not to be listed', (content) => {
  expect(readHead(markupOf('', '', createElement('meta', { name: 'robots', content })))).toEqual({
    title: '',
    description: '',
    canonical: undefined,
    isListed: false,
    hasFeed: false,
  })
})

test('a shared address shows the title without the site’s name, which has its own tag', () => {
  const head = readHead(markupOf(`A thread – ${site.siteName}`, 'What it says'))
  const tags = openGraph(head, { site, path: '/a', type: 'article' }).join('')
  expect(tags).toContain('<meta property="og:title" content="A thread">')
  expect(tags).toContain('content="Salt &amp; &quot;Pepper&quot;"')
  expect(tags).toContain('<meta property="og:url" content="https://kettle.example/a">')
})

test('no text that people write ends an attribute', () => {
  const head = readHead(markupOf(hostile, hostile))
  const tags = [
    ...openGraph(head, { site, path: '/"><script>', type: 'website' }),
    feedLink(hostile, '/feeds/"><script>.atom'),
  ]
  for (const tag of tags) {
    expect(tag).toMatch(/^<[^<>]*>$/)
    expect(tag.split('"').length - 1).toBe((tag.split('="').length - 1) * 2)
  }
})

test('a page’s picture is the administrators’, if they chose one', () => {
  const head = readHead('<title>About</title>')
  const tagsWith = (sharePicture?: string) =>
    openGraph(head, { site: { ...SITE, sharePicture }, path: '/about', type: 'website' }).join('')
  expect(tagsWith()).toContain(`"og:image" content="${SITE.siteUrl}/share.png"`)
  const theirs = tagsWith('/brand/share-0123456789abcdef.jpeg')
  expect(theirs).toContain(`"og:image" content="${SITE.siteUrl}/brand/share-0123456789abcdef.jpeg"`)
  expect(theirs).toContain('"og:image:alt" content="Samovar"')
})

test('the shared picture exists in its stated size, and is light', async () => {
  const picture = sharp(`app/kit/ui/public${SHARE_PICTURE.path}`)
  const { width, height, format } = await picture.metadata()
  expect({ width, height, format }).toEqual({ width: 1200, height: 630, format: 'png' })
  expect((await picture.toBuffer()).length).toBeLessThan(300_000)
})
