import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiProvider } from '#app/api/client.ts'
import { HOLD_AFTER_REPORTS } from '#app/community/reports/report.ts'
import { RATING_CATEGORIES } from '#app/companies/company.ts'
import { REASON_NAMES } from '#app/identity/accounts/suspension.ts'
import { NotFound } from '#app/kit/session/not-found.tsx'
import { SiteProvider } from '#app/kit/session/site.tsx'
import { ServerAddress } from '#app/kit/ui/address.ts'
import { DELETED_DAYS } from '#app/office/contact/contact.ts'
import { SITE_PAGES } from '../layout/site-pages.ts'
import CompanyRemovals from './company-removals.tab.tsx'
import CookiePreferences from './cookie-preferences.tab.tsx'
import { staticPageQuery } from './static-page.data.ts'
import StaticPageScreen, { goBackOnMobile } from './static-page.screen.tsx'
import { namesIn, namesOf, OUR_PAGES, readStaticPages, staticPage } from './static-page.server.ts'
import WhatIsKept from './what-is-kept.tab.tsx'

const SITE = {
  siteName: 'Samovar',
  siteUrl: 'https://samovar.example',
  contactDomain: 'samovar.example',
  privacyEmail: 'privacy@samovar.example' as string | null,
  legalEmail: 'legal@samovar.example' as string | null,
  pressEmail: 'press@samovar.example' as string | null,
  operator: null as string | null,
  ratingBatch: 5,
  legalNoticeHours: 24,
  hasLogoSearch: true,
  flags: {
    enableCompanies: true,
    enableDiscussions: true,
    enableJobs: false,
    enableProfile: true,
    enableSettings: true,
    enableNotifications: true,
    enableAlerts: true,
    enableDashboard: true,
  },
  build: { buildTime: '2026-01-15T10:00:00.000Z', timestamp: 1_768_471_200_000 },
}

const TABS: Partial<Record<string, ComponentType>> = {
  '/anonymity': WhatIsKept,
  '/how-moderation-decides': CompanyRemovals,
  '/privacy': CookiePreferences,
}

/** A page as the server renders it. @param folder of the operator's pages */
function htmlOf(
  path: string,
  changed: { enableCompanies?: boolean; enableDiscussions?: boolean; ratingBatch?: number } = {},
  { folder, screen }: { folder?: string; screen?: ReactNode } = {},
) {
  const { ratingBatch = 5, ...flags } = changed
  const site = { ...SITE, ratingBatch, flags: { ...SITE.flags, ...flags } }
  const client = new QueryClient()
  const { queryKey } = staticPageQuery(async () => ({}) as never, path)
  client.setQueryData(queryKey, readStaticPages(site, folder).get(String(queryKey[1])))
  return renderToString(
    <QueryClientProvider client={client}>
      <ApiProvider value={(async () => ({})) as never}>
        <SiteProvider value={site}>
          <ServerAddress value={{ path, search: '' }}>
            {screen ?? <StaticPageScreen Tab={TABS[path]} />}
          </ServerAddress>
        </SiteProvider>
      </ApiProvider>
    </QueryClientProvider>,
  )
}

/** What a person reads. */
const textOf = (html: string) =>
  html
    .replace(/<title>.*?<\/title>/, '')
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')

const chaptersOf = (html: string) =>
  [...html.matchAll(/<section aria-labelledby="([^"]+)".*?<h2 id="\1"[^>]*>(.*?)<\/h2>/g)].map(
    ([, , title]) => textOf(title ?? ''),
  )

const pages = SITE_PAGES.map(({ href, name }) => ({
  path: href,
  title: name,
  html: htmlOf(href),
}))
const htmlAt = (path: string) => pages.find((page) => page.path === path)?.html ?? ''
const [about, anonymity, privacy, terms] = [
  htmlAt('/about'),
  htmlAt('/anonymity'),
  htmlAt('/privacy'),
  htmlAt('/terms'),
]
const notFound = htmlOf('/nowhere', {}, { screen: <NotFound /> })
const others = [{ path: '/nowhere', title: 'Page not found', html: notFound }]

describe.each([...pages, ...others])('$path', ({ title, html }) => {
  test('the page has a title and a description for its head', () => {
    expect(html).toContain(`<title>${title} – Samovar</title>`)
    expect(html).toMatch(/<meta name="description" content="[^"]{20,160}"/)
  })

  test('the page has one main heading', () => {
    expect(html.match(/<h1[\s>]/g)).toHaveLength(1)
  })

  test('the page has no style attribute or script, which the content security policy blocks', () => {
    expect(html).not.toMatch(/\sstyle=/)
    expect(html).not.toContain('<script')
  })

  test('the page uses this site’s name, not the default one', () => {
    expect(html).not.toContain('Kettle')
    expect(html).not.toContain('kettle.example')
  })

  test('the page has each id once, and its own links all lead somewhere', () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, target] of html.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target)
  })
})

describe('Spec §2.17: About Us, Privacy Policy and Terms of Service', () => {
  test.each(pages)('$path has its title and a close button that leads home by itself', (page) => {
    expect(page.html).toMatch(new RegExp(`<h1[^>]*>${page.title}</h1>`))
    const close = page.html.match(/<a [^>]*aria-label="Close"[^>]*>/)?.[0]
    expect(close).toContain('href="/"')
  })

  test.each(pages)('$path gives search engines one address', ({ path, html }) => {
    expect(html).toContain(`<link rel="canonical" href="https://samovar.example${path}"/>`)
  })

  test.each([
    ['privacy policy', privacy],
    ['terms', terms],
  ])('the %s is effective May 22, 2025', (_, html) => {
    expect(html).toContain('Effective May 22, 2025')
  })

  test('Spec §9: the minimum age is 13', () => {
    expect(textOf(terms)).toContain('You must be 13 or older')
    expect(textOf(privacy)).toContain('for people aged 13 and older')
  })

  test('the privacy policy covers every subject', () => {
    expect(chaptersOf(privacy)).toEqual(
      expect.arrayContaining([
        'Data we collect',
        'How we use it',
        'Anonymous posting',
        'Cookies and analytics',
        'Sharing',
        'Your rights',
        'Children under 13',
        'Updates to this policy',
        'Contact',
      ]),
    )
  })

  test('the parts of a chapter are one level below it', () => {
    expect(privacy.match(/<h3>/g)).toHaveLength(17)
    expect(privacy).not.toMatch(/<h[4-6]/)
  })

  test('the terms cover anonymous posting, data, updates and contact', () => {
    expect(chaptersOf(terms)).toEqual(
      expect.arrayContaining([
        'Anonymous posting',
        'Your data',
        'Updates to these terms',
        'Contact',
      ]),
    )
  })

  test.each(['privacy', 'legal', 'press'])(
    'the privacy policy and the terms say where to write: %s',
    (who) => {
      for (const html of [privacy, terms])
        expect(html).toContain(`href="mailto:${who}@samovar.example"`)
    },
  )

  test('long pages have contents that name every chapter, and short ones have none', () => {
    for (const html of [privacy, terms]) {
      const contents = html.match(/<nav aria-labelledby="contents".*?<\/nav>/)?.[0] ?? ''
      expect(chaptersOf(html).length).toBeGreaterThan(9)
      for (const chapter of chaptersOf(html)) expect(textOf(contents)).toContain(chapter)
    }
    expect(about).not.toContain('aria-labelledby="contents"')
  })

  test('About Us says what the site is, names the four things rated, and links to companies', () => {
    expect(chaptersOf(about)).toEqual([
      'What Samovar is',
      'How anonymity works, in five points',
      'The four things people rate',
      'What we never do',
      'Press',
    ])
    for (const { name } of RATING_CATEGORIES) expect(textOf(about)).toContain(name)
    expect(about).toContain('href="/companies"')
    expect(about).toContain('href="mailto:press@samovar.example"')
  })

  test('About Us doesn’t link to companies if they’re switched off', () => {
    const html = htmlOf('/about', { enableCompanies: false })
    expect(html).not.toContain('href="/companies"')
  })
})

describe('the privacy policy tells the truth about what is stored (S4–S8 and S16–S20)', () => {
  test.each([
    [
      '4: the anonymous secret',
      'only your browser keeps the secret itself. We keep a keyed hash of it',
    ],
    ['5: the author keys', 'made with a key that we keep outside the database'],
    ['41: no key in two threads', 'they differ from thread to thread'],
    ['5: the pseudonym', 'Between threads, the pseudonyms have nothing to do with each other'],
    ['5: moderators', 'sees the post, not the person'],
    [
      '6: no addresses',
      'No network (IP) address and no browser name (user agent), in tables or in logs',
    ],
    ['6: no clock', 'No list of where you’re logged in, and no time of any login'],
    ['6: minutes', 'the time of a post, to the minute'],
    ['7: e-mail', 'your email address, encrypted, with a keyed hash of it'],
    ['15: requests', 'If you’re logged in, the request belongs to your account'],
    ['15: whom requests are shown to', 'the owner of the site sees your address next to it'],
    ['6: contact messages', 'and the hour, but without an account or a browser'],
    ['58: roles', 'whether you’re an employer, a moderator or an administrator'],
    [
      '60: the file of a message',
      'the subject you chose, the hour by which we answer a legal notice',
    ],
    ['60: the file of a message', 'the administrator who looks after it, and the labels they gave'],
    ['60: the file of a message', 'they see its title or name, looked up each time'],
    ['7: addresses of messages', 'We encrypt your address, and keep a keyed hash to find it by'],
    ['18: visitors of a day', 'The next day, only a number is left'],
    ['28: the log of administrators', 'keeps the usernames of accounts they deleted'],
    ['16: ratings', 'No account, and no exact date'],
    ['18: clicks', 'We compute that pseudonym with a key that changes every day'],
    ['19: logos', 'Your browser gets them only from us'],
    ['20: analytics', 'Analytics is off unless two things are true'],
    ['20: before consent', 'nothing optional is set and nothing from others loads'],
    ['20: what it could do', 'Like any code in a page, it could also read what’s on the page'],
    ['20: taken back', 'its cookies are removed, and its code doesn’t load again'],
  ])('the privacy policy has decision %s', (_, sentence) => {
    expect(textOf(privacy)).toContain(sentence)
  })

  test.each([
    ['the operator', 'anyone who controls it and its key can do the same'],
    ['a court', 'make us compute what can be computed'],
    ['writing', 'Posts under different pseudonyms can be compared by their style'],
    ['one author key in a thread', 'to find the ones under your pseudonym'],
  ])('the privacy policy says where anonymity ends: %s', (_, sentence) => {
    expect(textOf(privacy)).toContain(sentence)
  })

  test.each([
    'isAdmin',
    'anonymousUserId',
    'userRequestEmail',
    'cookieConsent',
    'cookiePreferences',
    'last_build_time',
    'theme',
    'kettle-draft:…',
    'kettle-contact:…',
    'kettle-badge:…',
    'kettle-signup',
    'kettle-signup-page',
  ])('Spec §3: the privacy policy names what the browser stores: %s', (key) => {
    expect(privacy).toMatch(new RegExp(`<code[^>]*>${key}</code>`))
  })
})

test('Spec §4: consent can be reopened from the privacy policy, which has no footer', () => {
  expect(privacy).toMatch(/<button[^>]*aria-haspopup="dialog"[^>]*>Cookie Preferences<\/button>/)
})

describe('how we keep you anonymous', () => {
  test('the page takes two minutes to read, and links to all of it', () => {
    // 230 words a minute.
    expect(textOf(anonymity).split(' ').length).toBeLessThan(2 * 230)
    expect(anonymity).toContain('href="/privacy"')
  })

  test.each(['anonymity', 'privacy'])(
    'the %s page says that numbers change together if they do',
    (name) => {
      const page = (ratingBatch: number) => textOf(htmlOf(`/${name}`, { ratingBatch }))
      expect(page(5)).toContain('so no one can tell when you')
      expect(page(1)).not.toContain('so no one can tell when you')
    },
  )

  test.each([
    ['what could be computed', 'they can connect an account with what it wrote'],
    ['one’s own words', 'can be enough for a colleague'],
    ['who watches the network', 'Don’t use your employer’s network'],
    ['small companies', 'four stars and a month can be evidence'],
  ])('the page says what anonymity can’t do: %s', (_, sentence) => {
    expect(textOf(anonymity)).toContain(sentence)
  })
})

test('the privacy policy and the sweep agree on how long deleted messages stay', () => {
  expect(textOf(privacy)).toContain(`gone for good ${DELETED_DAYS} days later`)
})

test('the moderation page has the real numbers, and the reasons that reports offer', () => {
  const page = htmlAt('/how-moderation-decides')
  expect(textOf(page)).toContain(`when ${HOLD_AFTER_REPORTS} members with a confirmed address`)
  expect(textOf(page)).toContain('for 1, 7, 30 or 90 days')
  for (const reason of Object.values(REASON_NAMES)) expect(page).toContain(`<li>${reason}</li>`)
  expect(page).toContain('What moderators removed')
  const without = htmlOf('/how-moderation-decides', { enableDiscussions: false })
  expect(without).not.toContain('What moderators removed')
})

describe('placeholders', () => {
  const sources = SITE_PAGES.map(({ href }) => readFileSync(`${OUR_PAGES}${href}.md`, 'utf8'))

  test('every placeholder is used on a page', () => {
    const used = new Set(sources.flatMap(namesIn))
    expect(namesOf(SITE).filter((name) => !used.has(name))).toEqual([])
  })

  test('no page has a placeholder left, whatever is switched off', () => {
    for (const { href } of SITE_PAGES)
      for (const changed of [
        {},
        { enableCompanies: false, enableDiscussions: false, ratingBatch: 1 },
      ])
        expect(textOf(htmlOf(href, changed))).not.toMatch(/[{}]/)
  })

  test('a site’s name is just text, whatever it looks like', () => {
    const siteName = 'A *bold* [name](/x) <b> & {siteName}'
    const { chapters } = staticPage(sources[0] ?? '', { ...SITE, siteName })
    expect(chapters[0]?.title).toBe(`What ${siteName} is`)
    expect(chapters[0]?.blocks[0]?.html).toContain(
      'A *bold* [name](/x) &lt;b&gt; &amp; {siteName} is for the second one.',
    )
  })
})

describe('an address that the site doesn’t have', () => {
  const without = { ...SITE, privacyEmail: null, legalEmail: null, pressEmail: null }
  const pages = readStaticPages(without)
  const htmlIn = (name: string) => JSON.stringify(pages.get(name))

  test('a missing address is named nowhere, and the rest still reads well', () => {
    for (const { href } of SITE_PAGES) {
      expect(htmlIn(href.slice(1))).not.toMatch(/mailto|\[\]\(|@|ask us at/i)
      expect(htmlIn(href.slice(1))).not.toMatch(/<(li|p)>\s*<\//)
    }
    expect(htmlIn('about')).not.toContain('Writing about workplaces')
    expect(htmlIn('terms')).toContain(
      'We remove only what breaks these terms or what the law makes us remove.</li>',
    )
    expect(htmlIn('terms')).toContain(
      'You can stop at any time'.length > 0 ? 'We may close the account' : '',
    )
  })

  test('the pages name the operator if there is one', () => {
    expect(htmlIn('terms')).not.toContain('Who runs this site')
    const named = readStaticPages({ ...SITE, operator: 'Tea *Ltd*, 1 Pot Lane' })
    for (const page of ['terms', 'privacy'])
      expect(JSON.stringify(named.get(page))).toContain('Who runs this site: Tea *Ltd*, 1 Pot Lane')
  })

  test('a missing address takes only its own sentence or item along', () => {
    const text = (body: string) => `---\ndescription: x\n---\n\nx\n\n## X {#x}\n\n${body}\n`
    const { chapters } = staticPage(
      text(
        'First. Write to {legalEmail},\nplease. “Last.”\n\n- Press: {pressEmail}\n- Ask {privacyEmail}. Or {legalEmail}!\n- Stay.',
      ),
      { ...without, privacyEmail: 'p@samovar.example' },
    )
    const html = chapters[0]?.blocks[0]?.html ?? ''
    expect(textOf(html)).toBe(' First. “Last.” Ask p@samovar.example . Stay. ')
  })
})

describe('the operator’s own pages', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kettle-pages-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const put = (name: string, text: string) => writeFileSync(join(folder, `${name}.md`), text)
  const terms = (body: string) =>
    `---\r\ndescription: What we of {siteName} agree on.\r\neffective: March 1, 2027\r\n---\r\n\r\nBe kind.\r\n\r\n## Rules {#rules}\r\n\r\n${body}\r\n`

  test('the operator’s pages replace ours, with the same placeholders', () => {
    put('terms', terms('Write to {legalEmail}.\n\n| a | b |\n|---|---|\n| 1 | {minimumAge} |'))
    const html = htmlOf('/terms-of-service', {}, { folder })
    expect(html).toContain('<title>Terms of Service – Samovar</title>')
    expect(html).toContain('content="What we of Samovar agree on."')
    expect(html).toContain('Effective March 1, 2027')
    expect(chaptersOf(html)).toEqual(['Rules'])
    expect(html).toContain('<a href="mailto:legal@samovar.example">legal@samovar.example</a>')
    expect(html).toContain('<td>13</td>')
    expect(htmlOf('/privacy', {}, { folder })).toBe(privacy)
  })

  test('the operator’s pages win over administrators’ texts, which other pages show with their day', () => {
    put('terms', terms('Of the file.'))
    const written = { value: terms('Of {effective}.'), day: '2027-04-02' }
    const onFailure = vi.fn()
    const pages = (value = written.value) =>
      readStaticPages(SITE, folder, { get: () => ({ ...written, value }), onFailure })
    expect(pages().get('terms')).toMatchObject({ effective: 'March 1, 2027' })
    expect(JSON.stringify(pages().get('terms'))).toContain('Of the file.')
    expect(pages().get('about')).toMatchObject({ changed: 'April 2, 2027' })
    expect(JSON.stringify(pages().get('about'))).toContain('Of April 2, 2027.')
    onFailure.mockClear()
    expect(pages('broken').get('about')).toEqual(readStaticPages(SITE).get('about'))
    expect(onFailure).toHaveBeenCalledWith('about')
  })

  test('the operator’s pages have no markup but Markdown', () => {
    put('terms', terms('<script>alert(1)</script> <b style="x">b</b> [x](javascript:alert(1))'))
    const html = htmlOf('/terms', {}, { folder })
    expect(html).not.toMatch(/<script|<b |href="javascript/)
    expect(textOf(html)).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  })

  test.each([
    ['a placeholder that is none', 'terms', terms('We are {company}.'), '{company} is unknown'],
    [
      'one that is not for a title',
      'terms',
      terms('x\n\n## {legalEmail} {#x}\n\nx'),
      '{legalEmail}',
    ],
    ['a condition without an end', 'terms', terms('{if companies}\nx'), '{end}'],
    ['no description', 'terms', 'Be kind.\n\n## Rules {#rules}\n\nx', 'description'],
    ['no chapter', 'terms', terms('').replace('## Rules {#rules}', ''), '## Contact {#contact}'],
    ['an id twice', 'terms', terms('x\n\n## More {#rules}\n\nx'), 'the same {#id}'],
    ['a chapter that is too long', 'terms', terms('long '.repeat(5_000)), 'too long'],
    ['no way back from consent', 'privacy', terms('x'), '{cookiePreferences}'],
    ['a part of another page', 'terms', terms('{whatIsKept}'), 'belongs to another page'],
    ['a name that no page has', 'imprint', terms('x'), 'no page has that name'],
  ])('%s stops the start with a sentence', (_, name, text, reason) => {
    put(name, text)
    expect(() => readStaticPages(SITE, folder)).toThrow(
      expect.objectContaining({
        name: 'ConfigError',
        message: expect.stringContaining(reason),
      }),
    )
    expect(() => readStaticPages(SITE, folder)).toThrow(name)
  })
})

test.each([
  'Names of private individuals',
  'Threats',
  'Confidential trade secrets',
  'Made-up experience',
  'one rating per member and company',
  'Employers have no power over what people say here',
  'We don’t remove criticism for being criticism',
  'Every removal goes into a removal log',
])('the terms have the house rule: %s', (rule) => {
  expect(textOf(terms)).toContain(rule)
})

describe('Spec §2.17: the not-found page', () => {
  test('the not-found page has its exact text', () => {
    expect(notFound).toMatch(/<h1[^>]*>404<\/h1>/)
    expect(textOf(notFound)).toContain("Oops! We couldn't find the page you're looking for.")
  })

  test('the not-found page leads home', () => {
    expect(notFound).toMatch(/<a [^>]*href="\/"[^>]*>Return to Home<\/a>/)
  })
})

test.each([['not-found page', notFound]])('search engines mustn’t list the %s', (_, html) => {
  expect(html).toContain('<meta name="robots" content="noindex"/>')
})

describe('Spec §2.17: the close button goes back on mobile', () => {
  afterEach(() => vi.unstubAllGlobals())

  function click(browser: { width: number; canGoBack?: boolean; loaded?: string; at?: string }) {
    vi.stubGlobal('matchMedia', () => ({ matches: browser.width < 768 }))
    if (browser.canGoBack !== undefined)
      vi.stubGlobal('navigation', { canGoBack: browser.canGoBack })
    vi.stubGlobal('performance', {
      getEntriesByType: () => (browser.loaded ? [{ name: browser.loaded }] : []),
    })
    vi.stubGlobal('location', { pathname: browser.at ?? '/privacy' })
    const history = { back: vi.fn() }
    vi.stubGlobal('history', history)
    const event = { preventDefault: vi.fn() }
    goBackOnMobile(event)
    const wentBack = history.back.mock.calls.length === 1
    expect(event.preventDefault).toHaveBeenCalledTimes(wentBack ? 1 : 0)
    return wentBack ? 'back' : 'home'
  }

  test('the close button goes back if the page before this one is ours', () => {
    expect(click({ width: 767, canGoBack: true })).toBe('back')
  })

  test('the close button leads home if this page is the first', () => {
    expect(click({ width: 767, canGoBack: false })).toBe('home')
  })

  test('the close button leads home on a desktop, whatever came before', () => {
    expect(click({ width: 768, canGoBack: true })).toBe('home')
  })

  test('the close button goes back within loaded pages if the browser doesn’t say what came before', () => {
    expect(click({ width: 390, loaded: 'https://samovar.example/companies' })).toBe('back')
    expect(click({ width: 390, loaded: 'https://samovar.example/privacy' })).toBe('home')
    expect(click({ width: 390 })).toBe('home')
  })
})
