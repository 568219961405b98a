import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { RATING_CATEGORIES } from '#app/companies/company.ts'
import { NotFound } from '#app/kit/session/not-found.tsx'
import { SiteProvider } from '#app/kit/session/site.data.ts'
import { ServerAddress } from '#app/kit/ui/address.ts'
import { DELETED_DAYS } from '#app/office/contact/contact.ts'
import AboutScreen from './about.screen.tsx'
import AnonymityScreen from './anonymity.screen.tsx'
import CommunityRulesScreen from './community-rules.screen.tsx'
import HowModerationDecidesScreen from './how-moderation-decides.screen.tsx'
import PrivacyScreen from './privacy.screen.tsx'
import TermsScreen from './terms.screen.tsx'
import { goBackOnMobile } from './ui/static-page.tsx'

const flags = {
  enableCompanies: true,
  enableDiscussions: true,
  enableJobs: false,
  enableProfile: true,
  enableSettings: true,
  enableNotifications: true,
  enableAlerts: true,
  enableDashboard: true,
}

/** As the server renders it. */
function htmlOf(
  screen: ReactNode,
  path: string,
  changed: { enableCompanies?: boolean; ratingBatch?: number } = {},
) {
  const { ratingBatch = 5, ...changedFlags } = changed
  const site = {
    siteName: 'Samovar',
    siteUrl: 'https://samovar.example',
    contactDomain: 'samovar.example',
    ratingBatch,
    legalNoticeHours: 24,
    flags: { ...flags, ...changedFlags },
    build: { buildTime: '2026-01-15T10:00:00.000Z', timestamp: 1_768_471_200_000 },
  }
  return renderToString(
    <SiteProvider value={site}>
      <ServerAddress value={{ path, search: '' }}>{screen}</ServerAddress>
    </SiteProvider>,
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

const pages = [
  { path: '/about', title: 'About Us', html: htmlOf(<AboutScreen />, '/about') },
  {
    path: '/anonymity',
    title: 'How we keep you anonymous',
    html: htmlOf(<AnonymityScreen />, '/anonymity'),
  },
  { path: '/privacy', title: 'Privacy Policy', html: htmlOf(<PrivacyScreen />, '/privacy') },
  { path: '/terms', title: 'Terms of Service', html: htmlOf(<TermsScreen />, '/terms') },
  {
    path: '/community-rules',
    title: 'Community rules',
    html: htmlOf(<CommunityRulesScreen />, '/community-rules'),
  },
  {
    path: '/how-moderation-decides',
    title: 'How moderation decides',
    html: htmlOf(<HowModerationDecidesScreen />, '/how-moderation-decides'),
  },
]
const others = [
  { path: '/nowhere', title: 'Page not found', html: htmlOf(<NotFound />, '/nowhere') },
]
const [about, anonymity, privacy, terms] = pages.map(({ html }) => html) as [
  string,
  string,
  string,
  string,
]
const [notFound] = others.map(({ html }) => html) as [string]

describe.each([...pages, ...others])('$path', ({ title, html }) => {
  test('has a title and a description for the head', () => {
    expect(html).toContain(`<title>${title} – Samovar</title>`)
    expect(html).toMatch(/<meta name="description" content="[^"]{20,160}"/)
  })

  test('has one main heading', () => {
    expect(html.match(/<h1[\s>]/g)).toHaveLength(1)
  })

  test('holds no style attribute and no script, which the content security policy blocks', () => {
    expect(html).not.toMatch(/\sstyle=/)
    expect(html).not.toContain('<script')
  })

  test('says the name of this site, not the name that it has by default', () => {
    expect(html).not.toContain('Kettle')
    expect(html).not.toContain('kettle.example')
  })

  test('has each id once, and every link within the page leads somewhere', () => {
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

  test.each(pages)('$path is known to search engines under one address', ({ path, html }) => {
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
    expect(textOf(privacy)).toContain('for people of 13 and older')
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

  test('long pages have a table of contents that names every chapter, short ones none', () => {
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
      'The four things that people rate',
      'What we never do',
      'Press',
    ])
    for (const { name } of RATING_CATEGORIES) expect(textOf(about)).toContain(name)
    expect(about).toContain('href="/companies"')
    expect(about).toContain('href="mailto:press@samovar.example"')
  })

  test('About Us does not lead to companies where they are switched off', () => {
    const html = htmlOf(<AboutScreen />, '/about', { enableCompanies: false })
    expect(html).not.toContain('href="/companies"')
  })
})

describe('the privacy policy tells the truth about what is stored (S4–S8 and S16–S20)', () => {
  test.each([
    ['4: the anonymous secret', 'it stays your browser’s alone: we keep only a keyed hash of it'],
    ['5: the author keys', 'made with a key that is kept outside of the database'],
    ['41: no key in two threads', 'they differ from thread to thread'],
    ['5: the pseudonym', 'Between threads the pseudonyms have nothing to do with each other'],
    ['5: moderators', 'sees the post, not the person'],
    [
      '6: no addresses',
      'No network (IP) address and no browser name (user agent), in tables or in logs',
    ],
    ['6: no clock', 'No list of where you are signed in, and no time of any sign-in'],
    ['6: minutes', 'the time to the minute'],
    ['7: e-mail', 'Your e-mail address, encrypted, with a keyed hash of it'],
    ['15: requests', 'If you are signed in, the request belongs to your account'],
    ['15: whom requests are shown to', 'the owner of the site sees your address beside it'],
    ['6: contact messages', 'and the hour, and without account or browser'],
    ['58: roles', 'whether you are an employer, a moderator or an administrator'],
    ['60: the file of a message', 'the subject that you chose, of a legal notice the hour until'],
    ['60: the file of a message', 'which administrator looks after it, the labels that they gave'],
    ['60: the file of a message', 'looked up anew each time, the title of a thread or the name of'],
    ['7: addresses of messages', 'your address, encrypted, with a keyed hash to find it by'],
    ['18: visitors of a day', 'the next day only a number is left'],
    ['28: the log of administrators', 'keeps the usernames of accounts that they deleted'],
    ['16: ratings', 'No account and no finer time'],
    ['18: clicks', 'a pseudonym for you that is computed with a key that changes every day'],
    ['19: logos', 'Your browser asks nobody but us'],
    ['20: analytics', 'Analytics is off unless two things are true'],
    ['20: before consent', 'nothing optional is set and nothing from others loads'],
    ['20: what it could do', 'As any code in a page it could also read what the page holds'],
    ['20: taken back', 'its cookies are removed, and its code does not load again'],
  ])('decision %s', (_, sentence) => {
    expect(textOf(privacy)).toContain(sentence)
  })

  test.each([
    ['the operator', 'whoever controls it and its key can do the same'],
    ['a court', 'make us compute what can be computed'],
    ['writing', 'Posts under different pseudonyms can be compared by their style'],
    ['one author key in a thread', 'leads to those under your pseudonym'],
  ])('and about where anonymity ends: %s', (_, sentence) => {
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
    'kettle-signup',
    'kettle-signup-page',
  ])('Spec §3: it names what the browser stores: %s', (key) => {
    expect(privacy).toMatch(new RegExp(`<code[^>]*>${key}</code>`))
  })
})

test('Spec §4: consent can be reopened from the privacy policy, which has no footer', () => {
  expect(privacy).toMatch(/<button[^>]*aria-haspopup="dialog"[^>]*>Cookie Preferences<\/button>/)
})

describe('how we keep you anonymous', () => {
  test('is read in two minutes, and leads on to all of it', () => {
    // 230 words a minute.
    expect(textOf(anonymity).split(' ').length).toBeLessThan(2 * 230)
    expect(anonymity).toContain('href="/privacy"')
  })

  test.each([
    ['anonymity', <AnonymityScreen key="anonymity" />],
    ['privacy', <PrivacyScreen key="privacy" />],
  ])('and %s says that numbers move together, where they do', (path, screen) => {
    const page = (ratingBatch: number) => textOf(htmlOf(screen, `/${path}`, { ratingBatch }))
    expect(page(5)).toContain('so that nobody can tell when you')
    expect(page(1)).not.toContain('so that nobody can tell when you')
  })

  test.each([
    ['what could be computed', 'an account can be connected with what it wrote'],
    ['one’s own words', 'can be enough for a colleague'],
    ['who watches the network', 'Do not use your employer’s network'],
    ['small companies', 'four stars and a month can be evidence'],
  ])('says what it cannot do: %s', (_, sentence) => {
    expect(textOf(anonymity)).toContain(sentence)
  })
})

test('the privacy policy says how long deleted messages stay as the sweep does', () => {
  expect(textOf(privacy)).toContain(`gone for good ${DELETED_DAYS} days later`)
})

test.each([
  'Names of private individuals',
  'Threats',
  'Confidential trade secrets',
  'Made-up experience',
  'one rating per member and company',
  'Employers have no power over what people say here',
  'Critical content is not removed for being critical',
  'Every removal is entered in a removal log',
])('the terms hold the rule of the house: %s', (rule) => {
  expect(textOf(terms)).toContain(rule)
})

describe('Spec §2.17: the not-found page', () => {
  test('says so to the letter', () => {
    expect(notFound).toMatch(/<h1[^>]*>404<\/h1>/)
    expect(textOf(notFound)).toContain("Oops! We couldn't find the page you're looking for.")
  })

  test('leads home', () => {
    expect(notFound).toMatch(/<a [^>]*href="\/"[^>]*>Return to Home<\/a>/)
  })
})

test.each([['not-found page', notFound]])(
  'search engines are asked not to list the %s',
  (_, html) => {
    expect(html).toContain('<meta name="robots" content="noindex"/>')
  },
)

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

  test('when the page before this one is ours', () => {
    expect(click({ width: 767, canGoBack: true })).toBe('back')
  })

  test('it leads home when this page is the first', () => {
    expect(click({ width: 767, canGoBack: false })).toBe('home')
  })

  test('it leads home on a desktop, whatever came before', () => {
    expect(click({ width: 768, canGoBack: true })).toBe('home')
  })

  test('a browser that does not tell what came before goes back within what it loaded', () => {
    expect(click({ width: 390, loaded: 'https://samovar.example/companies' })).toBe('back')
    expect(click({ width: 390, loaded: 'https://samovar.example/privacy' })).toBe('home')
    expect(click({ width: 390 })).toBe('home')
  })
})
