import { describe, expect, test } from 'vitest'
import { ANVILS, KETTLES, moversPage, row, symbolPage } from './movers-site.fixture.ts'
import { factsIn, symbolsIn } from './stock-pages.server.ts'

const AT = 'https://movers.test/markets/'
const found = (...rows: string[]) => symbolsIn(moversPage(rows), AT)

describe('the page of market movers', () => {
  test('a row with a link to a symbol has its name, page and logo', () => {
    expect(found(row(ANVILS), row(KETTLES))).toEqual([
      {
        symbol: 'ANVL',
        name: 'Anvil Works, Inc.',
        page: 'https://movers.test/symbols/NASDAQ-ANVL/',
        logo: 'https://movers.test/logos/ANVL.svg',
      },
      {
        symbol: 'KTTL',
        name: 'Kettle & Söhne AG',
        page: 'https://movers.test/symbols/NASDAQ-KTTL/',
        logo: 'https://movers.test/logos/KTTL.svg',
      },
    ])
  })

  test('each symbol counts once, and rows without one don’t count', () => {
    const again = row(ANVILS, '/symbols/NASDAQ-ANVL/?from=movers#chart')
    const empty = '<tr></tr><tr><td>Ad</td></tr><tr><td><a href="/ideas/ANVL/">Idea</a></td></tr>'
    expect(found(empty, row(ANVILS), again, empty).map(({ symbol }) => symbol)).toEqual(['ANVL'])
  })

  test('links outside of the rows are the site’s own', () => {
    expect(symbolsIn('<nav><a href="/symbols/SPX/">S&P 500</a></nav><ul></ul>', AT)).toEqual([])
    expect(symbolsIn('', AT)).toEqual([])
    expect(symbolsIn('\0<<<table><tr><td><a href="http://[">x', AT)).toEqual([])
  })

  test.each([
    ['a hyphen in the title', '<a href="/symbols/A/" title="A - Alpha Co">A</a>', 'Alpha Co'],
    ['a second link', '<a href="/symbols/A/">A</a><a href="/symbols/A/">Alpha Co</a>', 'Alpha Co'],
    ['a text beside', '<a href="/symbols/A/">A</a><small>D</small><i>Alpha Co</i>', 'Alpha Co'],
    ['an own title', '<a href="/symbols/A/">A</a><sup title="Alpha Co">Al…</sup>', 'Al…'],
    ['nowhere', '<a href="/symbols/A/">A</a><small>·</small>', 'A'],
    ['a name with a dash', '<a href="/symbols/A/" title="A − Alpha – Beta">A</a>', 'Alpha – Beta'],
    ['a symbol in the path', '<a href="/symbols/NYSE-A/"></a>', 'A'],
  ])('a row has its name in %s', (_, cell, name) => {
    expect(found(`<tr><td>${cell}</td><td>Strong buy of everything</td></tr>`)[0]?.name).toBe(name)
  })

  test('rows of other markup count as rows', () => {
    const html = '<div role="row"><div role="cell"><a href="/en/symbols/A">A</a></div></div>'
    expect(symbolsIn(html, AT)[0]?.page).toBe('https://movers.test/en/symbols/A')
  })

  test('a link or logo that isn’t on the web is ignored', () => {
    expect(found('<tr><td><a href="javascript:/symbols/A/">A</a></td></tr>')).toEqual([])
    const [listed] = found(
      '<tr><td><img src="data:image/png;base64,x"><a href="/symbols/A/">A</a></td></tr>',
    )
    expect(listed?.logo).toBeNull()
  })
})

describe('a symbol’s own page', () => {
  const facts = (html: string) => factsIn(html, 'https://movers.test/symbols/A/')

  test('a symbol’s page has sector and description in its data, and the website beside its label', () => {
    expect(facts(symbolPage(ANVILS))).toEqual({
      name: 'Anvil Works, Inc.',
      category: 'Producer Manufacturing',
      website: 'https://anvilworks.example/',
      logo: null,
      description: ANVILS.description,
    })
  })

  test('JSON-LD counts if it’s about the company', () => {
    const html = `<script type="application/ld+json">[
      {"@type":"BreadcrumbList","name":"Crumbs","description":"A list.","url":"https://movers.test/"},
      {"@graph":[{"@type":"Corporation","name":"Alpha","description":"Makes A.",
        "sameAs":["https://alpha.example"],"logo":{"@type":"ImageObject","url":"/a.png"}}]}]</script>`
    expect(facts(html)).toEqual({
      name: 'Alpha',
      category: null,
      website: 'https://alpha.example/',
      logo: 'https://movers.test/a.png',
      description: 'Makes A.',
    })
  })

  test.each([
    ['dl', '<dl><dt>Sector</dt><dd>Retail</dd><dt>Website</dt><dd>https://a.example</dd></dl>'],
    [
      'table',
      '<tr><th>Sector:</th><td>Retail</td></tr><tr><th>Website:</th><td><a href="https://a.example">a</a></td></tr>',
    ],
  ])('a symbol’s page has its labels in a %s', (kind, html) => {
    const found = facts(kind === 'table' ? `<table>${html}</table>` : html)
    expect(found).toMatchObject({ category: 'Retail', website: 'https://a.example/' })
  })

  test('a symbol’s page without data has at least the description for search engines', () => {
    const og =
      '<meta property="og:description" content="Of og."><meta name="description" content="M.">'
    expect(facts(og).description).toBe('Of og.')
    expect(facts('<meta name="description" content="Of meta.">').description).toBe('Of meta.')
    expect(facts('<h1>Alpha</h1>')).toEqual({
      name: 'Alpha',
      category: null,
      website: null,
      logo: null,
      description: null,
    })
  })

  test('a dash is no value, and a website has to be one', () => {
    expect(facts('<dl><dt>Sector</dt><dd>—</dd></dl>').category).toBeNull()
    for (const website of [
      'javascript:alert(1)',
      'ftp://a.example',
      '/symbols/B/',
      'data:text/html,x',
    ])
      expect(
        facts(`<div><span>Website</span><a href="${website}">x</a></div>
          <script type="application/json">{"web_site_url":"${website}"}</script>`).website,
      ).toBeNull()
  })

  test('broken data, endless depth and JavaScript’s own names do no harm', () => {
    const deep = `${'['.repeat(5_000)}{"sector":"Deep"}${']'.repeat(5_000)}`
    expect(
      facts(`<script type="application/json">{"sector":</script>
        <script type="application/json">{"__proto__":{"sector":"P"},"constructor":null}</script>
        <script type="application/json">${deep}</script>`).category,
    ).toBe('P')
    const nested = '<div>'.repeat(30_000)
    expect(facts(nested).category).toBeNull()
  })
})
