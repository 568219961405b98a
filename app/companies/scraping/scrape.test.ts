/** A run of the scraper against a site on this machine, a good one and bad ones. */

import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { type Guard, isPublicAddress, MEGABYTE } from '#app/platform/http/public-fetch.server.ts'
import { slow } from '#tests/support/amounts.ts'
import {
  ANVILS,
  KETTLES,
  LANTERNS,
  MOVERS_PATH,
  moversPage,
  openMoversSite,
  row,
  symbolPage,
  symbolPath,
  usualPages,
} from './movers-site.fixture.ts'
import { type Pace, USUAL_PACE } from './polite-fetch.server.ts'
import { firstSentence, type RunParts, scrapeMarketMovers } from './scrape.server.ts'
import type { ScraperResult } from './scraping.ts'

type Site = Awaited<ReturnType<typeof openMoversSite>>
const sites: Site[] = []
afterEach(() => {
  for (const site of sites.splice(0)) site.close()
})
async function open(pages?: Parameters<typeof openMoversSite>[0]) {
  const site = await openMoversSite(pages)
  sites.push(site)
  return site
}

const PACE: Pace = { delayMs: 0, delayMaxMs: 10_000, pageMs: 60_000, wholeMs: 120_000 }
/** For pages that never come. */
const SHORT: Pace = { ...PACE, pageMs: 2_000 }
const never = new AbortController().signal

/** Lets public.test through to this machine, as if it were a public one; all else is as always. */
const asIfPublic = ({ port }: Site): Guard => ({
  isAllowed: (address) => address === '127.0.0.1' || isPublicAddress(address),
  lookup: (name, _options, callback) =>
    name === 'public.test'
      ? callback(null, [{ address: '127.0.0.1', family: 4 }])
      : callback(null, [{ address: '10.0.0.7', family: 4 }]),
  ports: ['', port],
})
/** What the site itself uses, but for names: none leads anywhere. */
const strict: Guard = {
  isAllowed: isPublicAddress,
  lookup: (_name, _options, callback) => callback(null, [{ address: '10.0.0.7', family: 4 }]),
  ports: ['', '80', '443'],
}

const scrape = (site: Site, run: Partial<RunParts> = {}) =>
  scrapeMarketMovers({
    source: {
      name: 'Movers',
      url: `http://public.test:${site.port}${MOVERS_PATH}`,
      isChosen: false,
    },
    limit: 10,
    signal: never,
    guard: asIfPublic(site),
    pace: PACE,
    ...run,
  })

const NOTHING = { category: null, url: null, firstSentence: null }

describe('a run', () => {
  test('Spec §3: a run finds each company’s category, url, logo, firstSentence and error', async () => {
    const site = await open()
    const logo = (symbol: string) => `http://public.test:${site.port}/logos/${symbol}.svg`
    expect(await scrape(site)).toEqual({
      error: null,
      results: [
        {
          company: 'Anvil Works, Inc.',
          category: 'Producer Manufacturing',
          url: 'https://anvilworks.example/',
          logo: logo('ANVL'),
          firstSentence: 'Anvil Works, Inc. makes anvils for coyotes.',
          error: null,
        },
        {
          company: 'Kettle & Söhne AG',
          category: 'Consumer Durables',
          url: 'http://www.kettlesohne.example/',
          logo: logo('KTTL'),
          firstSentence: 'Kettle & Söhne AG engages in “warm” drinks.',
          error: null,
        },
        {
          company: 'Lantern Health Corp.',
          category: 'Health Technology',
          url: 'https://lantern-health.example/about',
          logo: logo('LTRN'),
          firstSentence: 'Lantern Health Corp. lights the way.',
          error: null,
        },
      ],
    })
    expect(site.asked).toEqual([
      '/robots.txt',
      MOVERS_PATH,
      symbolPath(ANVILS),
      symbolPath(KETTLES),
      symbolPath(LANTERNS),
    ])
  })

  test('Spec §9: a run reads no more than the limit', async () => {
    const many = Array.from({ length: 25 }, (_, i) => ({ ...ANVILS, symbol: `A${i}` }))
    const site = await open(usualPages(many))
    expect((await scrape(site, { limit: 10 })).results).toHaveLength(10)
    expect((await scrape(site, { limit: 2 })).results).toHaveLength(2)
    expect(site.asked.filter((path) => path.startsWith('/symbols/'))).toHaveLength(12)
  })

  test('a run says how many companies there are, and each as it comes', async () => {
    const told: (number | string)[] = []
    const { results } = await scrape(await open(), {
      onFound: (found) => told.push(found),
      onResult: ({ company }: ScraperResult) => told.push(company),
    })
    expect(told).toEqual([3, ...results.map(({ company }) => company)])
  })

  test('a run waits between two requests, and as long as the site asks, up to a limit', async () => {
    const times: number[] = []
    const page = (html: string) => (_request: unknown, response: ServerResponse) => {
      times.push(performance.now())
      response.end(html)
    }
    const site = await open({
      '/robots.txt': 'User-agent: *\nCrawl-delay: 0.15',
      [MOVERS_PATH]: page(moversPage([row(ANVILS)])),
      [symbolPath(ANVILS)]: page(symbolPage(ANVILS)),
    })
    await scrape(site)
    const [list = 0, symbol = 0] = times
    expect(symbol - list).toBeGreaterThan(140)
    times.length = 0
    site.pages['/robots.txt'] = ''
    await scrape(site, { pace: { ...PACE, delayMs: 80 } })
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(70)

    times.length = 0
    site.pages['/robots.txt'] = 'User-agent: *\nCrawl-delay: 3600'
    expect((await scrape(site, { pace: { ...PACE, delayMaxMs: 60 } })).error).toBeNull()
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(50)
    expect(USUAL_PACE).toMatchObject({ delayMs: 1_000, delayMaxMs: 10_000 })
  })

  test('a run ends when its caller leaves', async () => {
    const gone = new AbortController()
    const site = await open()
    const { results } = await scrape(site, {
      signal: gone.signal,
      onResult: () => gone.abort(),
    })
    expect(results.map(({ error }) => error)).toEqual([
      null,
      'Time ran out before we could read this page',
      'Time ran out before we could read this page',
    ])
    expect(site.asked).not.toContain(symbolPath(KETTLES))
  })
})

describe('robots.txt', () => {
  test('a run obeys robots.txt for the list', async () => {
    const site = await open({ ...usualPages(), '/robots.txt': 'User-agent: *\nDisallow: /markets' })
    expect(await scrape(site)).toEqual({
      results: [],
      error: 'We couldn’t read Movers. The site asks programs not to read this page (robots.txt).',
    })
    expect(site.asked).toEqual(['/robots.txt'])
  })

  test('a run obeys robots.txt for a symbol and for a redirect’s target', async () => {
    const site = await open({
      ...usualPages(),
      '/robots.txt': 'User-agent: KettleBot\nDisallow: /symbols/NASDAQ-ANVL\nDisallow: /secret',
      [symbolPath(KETTLES)]: (_request, response) =>
        response.writeHead(302, { location: '/secret' }).end(),
      '/secret': symbolPage(KETTLES),
    })
    const { results, error } = await scrape(site)
    const sentence = 'The site asks programs not to read this page (robots.txt)'
    expect(error).toBeNull()
    expect(results.map((result) => result.error)).toEqual([sentence, sentence, null])
    expect(results[0]).toMatchObject({ company: 'Anvil Works, Inc.', ...NOTHING })
    expect(site.asked).not.toContain('/secret')
    expect(site.asked).not.toContain(symbolPath(ANVILS))
  })

  test('a broken robots.txt forbids everything, and a missing one nothing', async () => {
    const site = await open({
      ...usualPages(),
      '/robots.txt': (_request, response) => response.writeHead(503).end(),
    })
    expect((await scrape(site)).results).toEqual([])
    expect(site.asked).toEqual(['/robots.txt'])
    site.pages['/robots.txt'] = (_request, response) => response.writeHead(403).end()
    expect((await scrape(site)).results).toHaveLength(3)
  })
})

describe('a source that’s broken', () => {
  const listOf = (answer: Site['pages'][string]) => open({ ...usualPages(), [MOVERS_PATH]: answer })

  test.each<[string, Site['pages'][string], string]>([
    ['without a table', '<h1>Hello</h1>', 'There are no companies on Movers’s page.'],
    [
      'of empty rows',
      moversPage(['<tr></tr>', '<tr><td></td></tr>']),
      'There are no companies on Movers’s page.',
    ],
    [
      'that is no page',
      Buffer.from([0, 1, 2, 255, 254]),
      'There are no companies on Movers’s page.',
    ],
    [
      'that fails',
      (_, response) => response.writeHead(500).end('no'),
      'We couldn’t read Movers. The page returned status 500.',
    ],
    ['that hangs', () => {}, 'We couldn’t read Movers. The page took too long.'],
    [
      'that trickles',
      (_, response) => void response.write('<table>'),
      'We couldn’t read Movers. The page took too long.',
    ],
    [
      'that goes in circles',
      (_, response) => response.writeHead(302, { location: MOVERS_PATH }).end(),
      'We couldn’t read Movers. The page redirects too many times.',
    ],
    [
      'that breaks off',
      (request) => request.socket.destroy(),
      'We couldn’t read Movers. We couldn’t reach the page.',
    ],
    [
      'that leads into our own house',
      (_, response) => response.writeHead(302, { location: 'http://localhost/' }).end(),
      'We couldn’t read Movers. The address is on a private network, which we don’t access.',
    ],
    [
      'that leads off the web',
      (_, response) => response.writeHead(302, { location: 'ftp://public.test/' }).end(),
      'We couldn’t read Movers. The address isn’t on the public web.',
    ],
  ])('a source %s gets a sentence', async (_, answer, error) => {
    expect(await scrape(await listOf(answer), { pace: SHORT })).toEqual({ results: [], error })
  })

  test('a source that sends 1 GB is stopped early', async () => {
    let sent = 0
    const site = await listOf((request, response) => {
      const chunk = Buffer.alloc(64 * 1024, 'a')
      const more = () => {
        while (!response.destroyed && sent < 1024 * MEGABYTE) {
          sent += chunk.length
          if (!response.write(chunk)) return response.once('drain', more)
        }
      }
      request.once('close', () => response.destroy())
      more()
    })
    expect(await scrape(site, { pace: { ...PACE, pageMs: 5_000 } })).toEqual({
      results: [],
      error: 'We couldn’t read Movers. The page is too long.',
    })
    expect(sent).toBeLessThan(60 * MEGABYTE)
  })

  test('Spec §3: a symbol that can’t be read says why, and the others are read', async () => {
    const site = await open({
      ...usualPages(),
      [symbolPath(ANVILS)]: (_request, response) => response.writeHead(500).end(),
      [symbolPath(LANTERNS)]: () => {},
    })
    const { results, error } = await scrape(site, { pace: SHORT })
    expect(error).toBeNull()
    expect(results.map((result) => [result.company, result.error])).toEqual([
      ['Anvil Works, Inc.', 'The page returned status 500'],
      ['Kettle & Söhne AG', null],
      ['Lantern Health Corp.', 'The page took too long'],
    ])
  })

  test('a source without a single readable symbol is an error', async () => {
    const site = await open({ [MOVERS_PATH]: moversPage([row(ANVILS), row(KETTLES)]) })
    const { results, error } = await scrape(site)
    expect(results.map((result) => result.error)).toEqual(
      Array(2).fill('The page returned status 404'),
    )
    expect(error).toBe('We couldn’t read any company’s page. The page returned status 404.')
  })

  slow.test('a source that hangs on every page is left when the time is over', async () => {
    const site = await open({
      [MOVERS_PATH]: moversPage([row(ANVILS), row(KETTLES), row(LANTERNS)]),
      ...Object.fromEntries([ANVILS, KETTLES, LANTERNS].map((it) => [symbolPath(it), () => {}])),
    })
    const { results } = await scrape(site, { pace: { ...PACE, pageMs: 2_000, wholeMs: 3_000 } })
    expect(results.map(({ error }) => error)).toEqual([
      'The page took too long',
      'Time ran out before we could read this page',
      'Time ran out before we could read this page',
    ])
  })

  test('a source’s websites that are invalid or internal are left out', async () => {
    const odd = [
      'javascript:alert(1)',
      'http://127.0.0.1/',
      'https://intranet/',
      'http://a.example:8080/',
    ]
    const movers = odd.map((website, i) => ({ ...ANVILS, symbol: `A${i}`, website }))
    const { results } = await scrape(await open(usualPages(movers)))
    expect(results.map(({ url, error }) => [url, error])).toEqual(odd.map(() => [null, null]))
  })

  test.each([
    ['Latin-1 that says so', 'latin1', 'text/html; charset=ISO-8859-1', ''],
    ['Latin-1 that says so in its head', 'latin1', 'text/html', '<meta charset="latin1">'],
    ['Latin-1 that says nothing', 'latin1', 'text/html', ''],
    ['Latin-1 that claims to be what nobody knows', 'latin1', 'text/html; charset=klingon', ''],
    ['UTF-8 that claims to be Latin-1', 'utf8', 'text/html; charset=ISO-8859-1', ''],
    ['UTF-16', 'utf16le', 'text/html', '\ufeff'],
  ] as const)('%s is read correctly', async (_, encoding, type, before) => {
    const html = `${before}<table>${row(KETTLES).replaceAll('−', '-')}</table>`
    const site = await listOf((_request, response) => {
      response.setHeader('content-type', type)
      response.end(Buffer.from(html, encoding))
    })
    expect((await scrape(site)).results[0]?.company).toBe('Kettle & Söhne AG')
  })
})

describe('our own house', () => {
  const source = (url: string, isChosen: boolean) => ({ name: 'Movers', url, isChosen })

  test('an internal source is refused unless the operator names it', async () => {
    const site = await open()
    for (const guard of [strict, undefined]) {
      const run = {
        source: source(site.url, false),
        guard: guard && { ...guard, ports: [site.port] },
      }
      const { results, error } = await scrape(site, run)
      expect(results).toEqual([])
      expect(error).toMatch(/private network|isn’t on the public web/)
    }
    expect(site.asked).toEqual([])
  })

  test('an internal source works if the operator’s own setting names it', async () => {
    const site = await open()
    const { results, error } = await scrape(site, { source: source(site.url, true), guard: strict })
    expect(error).toBeNull()
    expect(results.map((result) => result.error)).toEqual([null, null, null])
  })

  test('an internal source allows no link or redirect to another server', async () => {
    const other = await open({ '/symbols/SECRET/': symbolPage(ANVILS), '/': symbolPage(ANVILS) })
    const site = await open({
      [MOVERS_PATH]: moversPage([
        row(ANVILS, `${other.origin}/symbols/SECRET/`),
        row(KETTLES),
        row(LANTERNS, 'http://169.254.169.254/symbols/KEYS/'),
        row({ ...ANVILS, symbol: 'HOME' }),
      ]),
      [symbolPath(KETTLES)]: (_request, response) =>
        response.writeHead(302, { location: `${other.origin}/` }).end(),
      [symbolPath({ ...ANVILS, symbol: 'HOME' })]: symbolPage(ANVILS),
    })
    const openPorts = { ...strict, ports: ['', '80', '443', other.port] }
    for (const guard of [strict, openPorts]) {
      const { results } = await scrape(site, { source: source(site.url, true), guard })
      expect(results.map(({ error }) => error === null)).toEqual([false, false, false, true])
    }
    expect(other.asked).toEqual([])
  })

  test('an internal source’s name doesn’t allow its other names', async () => {
    const site = await open({
      [MOVERS_PATH]: moversPage([row(ANVILS, 'http://localhost:PORT/symbols/A/')]),
    })
    site.pages[MOVERS_PATH] = String(site.pages[MOVERS_PATH]).replace('PORT', site.port)
    const guard = { ...strict, ports: ['', site.port] }
    const { results } = await scrape(site, { source: source(site.url, true), guard })
    expect(results[0]?.error).toBe('The address is on a private network, which we don’t access')
    expect(site.asked).toEqual(['/robots.txt', MOVERS_PATH])
  })
})

test.each([
  ['Acme Corp. engages in anvils. It was founded in 1920.', 'Acme Corp. engages in anvils.'],
  ['Acme, Inc. Is a maker of anvils. It sells.', 'Acme, Inc. Is a maker of anvils.'],
  ['U.S. Steel makes steel! Really.', 'U.S. Steel makes steel!'],
  ['J. P. Morgan & Co. Holds banks. More.', 'J. P. Morgan & Co. Holds banks.'],
  ['One sentence without an end', 'One sentence without an end'],
  ['  Spaces \n and\u200b lines.  Two. ', 'Spaces and lines.'],
  ['It costs 3.5 million. Yes.', 'It costs 3.5 million.'],
  ['', ''],
])('%s', (text, first) => expect(firstSentence(text, 500)).toBe(first))

test('a long sentence is cut after a word', () => {
  const cut = firstSentence(`Acme makes ${'anvils and '.repeat(100)}more.`, 500)
  expect(cut.length).toBeLessThanOrEqual(500)
  expect(cut).toMatch(/ (anvils|and)…$/)
})
