/** Files that programs look for: robots.txt, the sitemap in parts, security.txt. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DataContext } from '#app/platform/database/server-context.server.ts'
import { DAY_MS, dayOf } from '#app/platform/days.server.ts'
import { escaped } from '#app/platform/http/html.server.ts'
import type { Http } from '#app/platform/http/http.server.ts'
import {
  createNetworkLimit,
  networkOf,
  requireCapacity,
} from '#app/platform/http/rate-limits.server.ts'
import { notFound } from '#app/platform/http/refusal.ts'
import type { Flag, Flags } from '#app/platform/operations/flags.ts'
import { EARNINGS_PATH, earningsHref } from '#app/ratings/pay/pay.data.ts'
import {
  type ListedAddress,
  listedFilters,
  partEnds,
  type SitemapName,
  sitemapPart,
} from './sitemap-queries.server.ts'

/** Far below the format's 50,000, so repeated requests stay cheap. */
export const PART_SIZE = 10_000
/** The format's limit. The last part grows until we recompute where parts end. */
const PART_MAX = 50_000
const ENDS_KEPT_MS = 3_600_000
const CACHE_CONTROL = 'public, max-age=3600'

/**
 * Pages that crawlers don't need to fetch. Private pages have a tag that asks not to be listed, which only
 * shows once a page is fetched, so this list only has those that every page links to. `$` ends a path.
 * Without it, "/admin" would match a company called Administaff.
 */
export const NOT_CRAWLED = [
  '/api/',
  '/auth/',
  '/functions/',
  '/claims/',
  '/unsubscribe$',
  '/unsubscribe?',
  '/admin$',
  '/admin?',
  '/admin/',
  '/admin-panel$',
  '/admin-tools$',
  '/admin-tracking$',
  '/create-thread$',
  '/create-thread?',
  '/edit-company/',
  '/edit-thread/',
] as const

export const robotsText = (siteUrl: string) =>
  [
    'User-agent: *',
    'Allow: /',
    ...NOT_CRAWLED.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${siteUrl}/sitemap.xml`,
    '',
  ].join('\n')

/** Limits per network, far above what search engines and feed readers need. */
const LIMITS = [
  // Twice the number of parts for three million URLs. A part costs the most here.
  { name: 'sitemaps', path: /^\/sitemaps?[./]/, uses: 600, seconds: 600 },
  // A feed reader service fetches for all its users from one network.
  { name: 'feeds', path: /^\/feeds\//, uses: 1_200, seconds: 60 },
]

/** Throttles networks that fetch sitemaps or feeds endlessly, before any query. */
export function limitCrawlers(http: Http, { hasRateLimits }: { hasRateLimits: boolean }) {
  const limits = LIMITS.map(({ path, ...limit }) => ({
    path,
    limit: createNetworkLimit({ ...limit, isOn: hasRateLimits }),
  }))
  http.addHook('onRequest', ({ url, ip }) =>
    requireCapacity(limits.find(({ path }) => path.test(url))?.limit, networkOf(ip)),
  )
}

interface CrawlerParts {
  context: DataContext
  siteUrl: () => string
  flags: Flags
  partSize?: number
}

export function registerCrawlers(
  http: Http,
  { context, siteUrl, flags, partSize = PART_SIZE }: CrawlerParts,
) {
  const endsOf = cachedFor(ENDS_KEPT_MS, context, (name: SitemapName) =>
    partEnds(context, name, partSize),
  )
  const sitemaps = () => SITEMAP_FLAGS.filter(([, flag]) => flags[flag]).map(([name]) => name)

  http.get('/robots.txt', hidden, (_request, reply) =>
    reply
      .header('cache-control', CACHE_CONTROL)
      .type('text/plain; charset=utf-8')
      .send(robotsText(siteUrl())),
  )

  http.get('/sitemap.xml', hidden, async (_request, reply) => {
    const files = ['pages.xml']
    for (const name of sitemaps()) {
      const ends = await endsOf(name)
      for (let part = 1; ends && part <= ends.length + 1; part++) files.push(`${name}-${part}.xml`)
    }
    const entries = files.map(
      (file) => `  <sitemap><loc>${escaped(`${siteUrl()}/sitemaps/${file}`)}</loc></sitemap>\n`,
    )
    return asXml(reply).send(`${XML}<sitemapindex ${SCHEMA}>\n${entries.join('')}</sitemapindex>\n`)
  })

  http.get('/sitemaps/pages.xml', hidden, async (_request, reply) => {
    const pages = await pageAddresses(context, flags)
    return asXml(reply).send(`${OPENING}${urlEntries(pages, siteUrl())}${CLOSING}`)
  })

  http.get<{ Params: { file: string } }>('/sitemaps/:file', hidden, async (request, reply) => {
    const [, name, number] = /^([a-z]+)-([1-9]\d{0,4})\.xml$/.exec(request.params.file) ?? []
    const sitemap = sitemaps().find((it) => it === name)
    const ends = sitemap && (await endsOf(sitemap))
    const part = Number(number)
    if (!sitemap || !ends || part > ends.length + 1) throw notFound('There’s no such sitemap')
    const range = { from: ends[part - 2], to: ends[part - 1] }
    return sendParts(request, reply, urlset(sitemapPart(context, sitemap, range), siteUrl()))
  })
}

const hidden = { schema: { hide: true } }

const SITEMAP_FLAGS: [SitemapName, Flag][] = [
  ['companies', 'enableCompanies'],
  ['pay', 'enableCompanies'],
  ['threads', 'enableDiscussions'],
  ['jobs', 'enableJobs'],
]

/** Static pages, and lists by category and topic. */
async function pageAddresses(context: DataContext, flags: Flags): Promise<ListedAddress[]> {
  const { categories, titles, topics } = await listedFilters(context)
  const filtered = (list: string, name: string, value: string) =>
    `${list}?${new URLSearchParams({ [name]: value })}`
  const paths = [
    '/',
    '/about',
    '/anonymity',
    '/community-rules',
    '/how-moderation-decides',
    '/privacy',
    '/terms',
    ...(flags.enableCompanies
      ? [
          '/companies',
          ...categories.map(({ name }) => filtered('/companies', 'category', name)),
          EARNINGS_PATH,
          ...titles.map(({ key }) => earningsHref(key)),
        ]
      : []),
    ...(flags.enableDiscussions
      ? ['/discussions', ...topics.map(({ slug }) => filtered('/discussions', 'topic', slug))]
      : []),
    ...(flags.enableJobs ? ['/jobs'] : []),
  ]
  return paths.map((path) => ({ path }))
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
const SCHEMA = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
const OPENING = `${XML}<urlset ${SCHEMA}>\n`
const CLOSING = '</urlset>\n'

const urlEntries = (addresses: ListedAddress[], siteUrl: string) =>
  addresses
    .map(({ path, changedOn }) => {
      const changed = changedOn ? `<lastmod>${changedOn}</lastmod>` : ''
      return `  <url><loc>${escaped(siteUrl + path)}</loc>${changed}</url>\n`
    })
    .join('')

async function* urlset(batches: AsyncIterable<ListedAddress[]>, siteUrl: string) {
  yield OPENING
  let left = PART_MAX
  for await (const batch of batches) {
    yield urlEntries(batch.slice(0, left), siteUrl)
    left -= batch.length
    if (left <= 0) break
  }
  yield CLOSING
}

const asXml = (reply: FastifyReply) =>
  reply.header('cache-control', CACHE_CONTROL).type('application/xml; charset=utf-8')

/** Streams. We read the next batch once the last was sent. */
function sendParts({ method }: FastifyRequest, reply: FastifyReply, parts: AsyncIterable<string>) {
  // Without this, HEAD would read a whole sitemap.
  const sent = method === 'HEAD' ? [] : parts
  return asXml(reply).send(Readable.from(sent, { objectMode: false, highWaterMark: 1 }))
}

/** Concurrent calls share one, and we cache the result, but not failures. */
function cachedFor<Name, Answer>(
  ms: number,
  { now }: Pick<DataContext, 'now'>,
  ask: (name: Name) => Promise<Answer>,
) {
  const cache = new Map<Name, { answer: Promise<Answer>; until: number }>()
  return (name: Name) => {
    const found = cache.get(name)
    if (found && found.until > now().getTime()) return found.answer
    const answer = ask(name)
    cache.set(name, { answer, until: now().getTime() + ms })
    answer.catch(() => cache.delete(name))
    return answer
  }
}

/** The format requires an expiry. We generate the file for each request, so it's always half a year ahead. */
const HOLDS_DAYS = 180

const securityText = (contact: string, siteUrl: string, now: Date) =>
  [
    `Contact: ${contact}`,
    `Expires: ${dayOf(new Date(now.getTime() + HOLDS_DAYS * DAY_MS))}T00:00:00.000Z`,
    `Canonical: ${siteUrl}/.well-known/security.txt`,
    'Preferred-Languages: en',
    '',
  ].join('\n')

/**
 * `/.well-known/security.txt` (RFC 9116): where to report vulnerabilities, if configured.
 * @param contact a mailto: or https: URL. Without it, the file doesn't exist
 */
export function registerSecurityFile(
  http: Http,
  {
    contact,
    siteUrl,
    now,
  }: { contact: string | undefined; siteUrl: () => string; now: () => Date },
) {
  if (contact === undefined) return
  http.get('/.well-known/security.txt', { schema: { hide: true } }, (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=86400')
      .type('text/plain; charset=utf-8')
      .send(securityText(contact, siteUrl(), now())),
  )
}
