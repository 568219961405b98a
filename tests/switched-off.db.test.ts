/**
 * Spec §1: nothing mentions what's switched off. This checks every page as people see it, with everything that opens on it,
 * every email, feed and file, under each flag: none of their links leads to something that doesn't exist.
 */
import { load } from 'cheerio'
import { createElement, type FunctionComponent, type ReactNode } from 'react'
import { prerenderToNodeStream } from 'react-dom/static'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { createClient } from '#app/api/client.ts'
import type { Parts } from '#app/api/feature.server.ts'
import type { SiteConfig } from '#app/kit/session/session.contract.ts'
import type { Session } from '#app/kit/session/session.data.ts'
import { features } from '#app/main.features.server.ts'
import { unsubscribeToken } from '#app/moderation/notifications/digest-choice.server.ts'
import { createMailSender } from '#app/platform/mail/mail-tasks.server.ts'
import { FLAGS, type Flag } from '#app/platform/operations/flags.ts'
import { NOWHERE, ROUTES } from '#app/routes.ts'
import type { AppClient, AppContract } from '#app/site/pages/app-client.ts'
import { prepare } from '#app/site/pages/prepare.ts'
import { renderPage } from '#app/site/pages/render.server.tsx'
import { Root } from '#app/site/pages/root.tsx'
import { QueryClient } from '#app/site/pages/server-queries.server.ts'
import { openEndpoints } from './endpoints/endpoints.ts'
import { headersOf, settleWorld, type World } from './endpoints/world.ts'
import { OWNER_EMAIL } from './people.ts'
import { amount } from './support/amounts.ts'
import { testSecrets, withDatabase } from './support/database.ts'

/** Who's looking, what a page still needs to load, and which code is still loading. */
const page = vi.hoisted(() => ({
  session: { status: 'signed-out' } as Session,
  wanted: new Map<string, { queryKey: readonly unknown[]; initialPageParam?: unknown }>(),
  coming: [] as Promise<unknown>[],
  /** Where each dialog first appeared. It only opens there. */
  opened: new Map<unknown, string>(),
  address: '',
}))

vi.mock('@tanstack/react-query', async () => {
  const standIn = await import('#app/site/pages/server-queries.server.ts')
  const noting =
    <Asked extends { queryKey: readonly unknown[] }, Result extends { isLoading: boolean }>(
      use: (asked: Asked) => Result,
    ) =>
    (asked: Asked) => {
      const result = use(asked)
      if (result.isLoading) page.wanted.set(JSON.stringify(asked.queryKey), asked)
      return result
    }
  const useQuery = noting(standIn.useQuery)
  return {
    ...standIn,
    useQuery,
    useInfiniteQuery: noting(standIn.useInfiniteQuery),
    useQueries: ({ queries }: Parameters<typeof standIn.useQueries>[0]) => queries.map(useQuery),
  }
})
vi.mock('#app/kit/session/session.data.ts', async (original) => ({
  ...(await original<object>()),
  useSession: () => page.session,
  useSessionKey: () => page.session.me?.profile?.id ?? page.session.status,
  useIsKnown: () => true,
  UnveilWhenKnown: () => null,
  useReader: () => page.session.me?.profile?.id ?? page.session.status,
}))
/** Dialogs are open once for each person, and code is there as soon as it's been needed once. */
vi.mock('#app/kit/ui/lazy-component.tsx', () => {
  const eager = (isDialog: boolean) => (load: () => Promise<FunctionComponent<object>>) => {
    let Content: FunctionComponent<object> | undefined
    const Component = (props: object) => {
      const { opened, address, coming } = page
      if (isDialog && !opened.has(load)) opened.set(load, address)
      if (isDialog && opened.get(load) !== address) return null
      if (Content) return createElement(Content, { ...props, ...(isDialog && { open: true }) })
      coming.push(
        load().then((loaded) => {
          Content = loaded
        }),
      )
      return null
    }
    return Object.assign(Component, { preload: {} })
  }
  return { lazyComponent: eager(false), lazyDialog: eager(true) }
})
const inPlace = ({ children, footer }: { children?: ReactNode; footer?: ReactNode }) =>
  createElement('div', {}, children, footer)
vi.mock('#app/kit/ui/dialog.tsx', () => ({ Dialog: inPlace, useOpenCount: () => 0 }))
vi.mock('#app/kit/ui/drawer.tsx', () => ({ Drawer: inPlace }))
vi.mock('#app/kit/ui/menu.tsx', () => ({
  Menu: inPlace,
  MenuItem: inPlace,
  MenuGroup: inPlace,
  MenuSeparator: inPlace,
  MenuLink: ({ href, children }: { href: string; children: ReactNode }) =>
    createElement('a', { href }, children),
}))

const { as, outside } = withDatabase()
const SITE = 'http://kettle.test'
const ASSETS = { entry: { path: '' }, styles: [], preloads: () => [], firstScript: '' }
let world: World

beforeAll(async () => {
  const endpoints = await openEndpoints()
  world = await settleWorld(endpoints, outside(), (name) => as(name, async ({ actor }) => actor))
  await endpoints.http.inject({
    method: 'PUT',
    url: '/api/v1/my/digest',
    headers: headersOf(world.browsers.mona),
    payload: { digest: 'daily' },
  })
  await endpoints.http.close()
})

const siteWithout = async (off: Flag[]) => {
  const endpoints = await openEndpoints(off, {
    pages: (key, given, api) => renderPage(key, given, api, ASSETS, ''),
  })
  endpoints.use(outside())
  const site: SiteConfig = (await endpoints.http.inject({ url: '/api/v1/config' })).json()
  return { endpoints, site }
}

/** Addresses under a route that shows several things. */
const MORE: Record<string, string[]> = {
  '/companies': ['?compare=erin-and-sons,emil-works', '?search=nothing-like-it', '?after=x'],
  '/:companySlug': ['?tab=ratings', '?tab=ratings&rate=yes', '?tab=about', '?tab=jobs'],
  '/discussions': ['?company={company}', '?search=nothing-like-it'],
  '/my-discussions': ['?tab=comments', '?tab=saved', '?tab=drafts', '?tab=moderation'],
  '/create-thread': ['?company={company}'],
  '/jobs': ['?saved=1', '?search=nothing-like-it', '?company={company}'],
  '/post-job': ['?company={company}', '?company={company}&new=1', '?job={draft}'],
  '/dashboard': ['?company={company}'],
  '/settings/badge': ['?company={company}'],
  '/admin-panel': ['tools', 'content', 'analytics', 'users', 'claims', 'data', 'log', 'edits'].map(
    (section) => `?section=${section}`,
  ),
  '/admin/moderation': ['appeals', 'decisions', 'watch-list', 'templates', 'limits'].map(
    (tab) => `?tab=${tab}`,
  ),
  '/delete-post': ['?title=x'],
}
const named = (address: string) =>
  address.replaceAll(/\{(\w+)\}/g, (_, name) => world.names[name] ?? name)
const ADDRESSES = ROUTES.flatMap(({ path }) => {
  const filled = path
    .replace('/thread/:id', '/thread/{thread}')
    .replace('/edit-thread/:id', '/edit-thread/{thread}')
    .replace('/jobs/:id', '/jobs/{job}')
    .replace(':companyId', '{company}')
    .replace(':companySlug', 'erin-and-sons')
    .replace(':threadId', '{thread}')
  return [filled, ...(MORE[path] ?? []).map((search) => filled + search)]
}).concat('/nowhere/at-all', '/nowhere-at-all')

/** The people a page differs for: mona wrote much of the content, erin represents the company, olga owns the site. */
function lookersAt(address: string) {
  if (address === '/') return ['vera', 'mona', 'erin', 'olga']
  if (/^\/admin[-/]/.test(address)) return ['olga']
  if (/^\/(erin-and-sons|companies|edit-company|thread)\b/.test(address)) return ['mona', 'olga']
  if (/^\/(post-job|dashboard|settings|alerts|notifications)\b/.test(address))
    return ['mona', 'erin']
  const route = ROUTES.find(
    ({ path }) => path === address.split('?')[0]?.replace(/[^/]{36}/, ':id'),
  )
  return route && !route.isFrame && !route.data ? [] : ['mona']
}

const sessions = new Map<string, Session>()
async function sessionOf(who: string, api: AppClient): Promise<Session> {
  const me = sessions.has(who) ? undefined : await api('GET /api/v1/me')
  if (me) sessions.set(who, me.profile?.id ? { status: 'signed-in', me } : { status: 'signed-out' })
  return sessions.get(who) as Session
}

/** Everything that someone sees at an address once all of it has loaded. */
async function drawn(address: string, { endpoints, site }: Here, who: string) {
  const [path = '', search = ''] = address.split('?')
  const refused: string[] = []
  const api = createClient<AppContract>(async ({ method, url }) => {
    const { statusCode: status, body } = await endpoints.http.inject({
      method: method as 'GET',
      url,
      headers: headersOf(world.browsers[who]),
    })
    if (body.includes('There’s nothing here')) refused.push(url)
    return { status, json: JSON.parse(body) }
  })
  page.address = `${address} ${who}`
  page.session = await sessionOf(who, api)
  const queryClient = new QueryClient()
  const { status } = await prepare({ path, search }, site.flags, queryClient as never, api)
  const missing = status === 200 ? undefined : { path }
  if (missing)
    await prepare({ path: NOWHERE.path, search: '' }, site.flags, queryClient as never, api)
  const asked = new Set<string>()
  for (;;) {
    page.wanted.clear()
    const { prelude } = await prerenderToNodeStream(
      createElement(Root, {
        api,
        queryClient: queryClient as never,
        site,
        missing,
        ssrAddress: { path, search },
      }),
    )
    let html = ''
    for await (const chunk of prelude) html += chunk
    const open = [...page.wanted].filter(([key]) => !asked.has(key))
    const coming = page.coming.splice(0)
    if (open.length + coming.length === 0) return { html, refused }
    await Promise.all([
      ...coming,
      ...open.map(([key, query]) => {
        asked.add(key)
        return 'initialPageParam' in query
          ? queryClient.prefetchInfiniteQuery(query)
          : queryClient.prefetchQuery(query)
      }),
    ])
  }
}

type Here = Awaited<ReturnType<typeof siteWithout>>

/** Where HTML, XML and text link to within the site. */
function linksIn(text: string) {
  const $ = load(text)
  $('#page-state').remove()
  const marked = ['href', 'action'].flatMap((name) =>
    $(`[${name}]`)
      .map((_, element) => $(element).attr(name))
      .get(),
  )
  const written = [...$.html().matchAll(/http:\/\/kettle\.test[^\s"'<>)]*/g)].map(([url]) => url)
  return [...marked, ...written]
    .map((link) => link.replaceAll('&amp;', '&').replace(/[.,]$/, ''))
    .map((link) => (link.startsWith(SITE) ? link.slice(SITE.length) || '/' : link))
    .filter((link) => /^\/(?!\/)/.test(link) && !/\.(svg|png)$/.test(link))
    .map((link) => link.split('#')[0] as string)
}

/** What no page says if you can't do it, or read it. */
const UNSAID: Partial<Record<Flag, RegExp>> = {
  enableCompanies: /\b(search|look|find)\b[^.]{0,20} compan(y|ies)\b[^.]*/i,
  enableDiscussions: /(\b\d[\d,.]* (discussion|comment)s?\b|most discussed|mid-rant)/i,
}
const textOf = (html: string) => {
  const $ = load(html)
  $('script, svg').remove()
  const described = $('meta[name=description]').attr('content')
  $('*').append(' ')
  return `${described} ${$.root().text()}`.replaceAll(/\s+/g, ' ')
}

const unsaidIn = (html: string, off: Flag[]) =>
  off.flatMap((flag) => UNSAID[flag]?.exec(textOf(html))?.[0] ?? [])

/** What programs request, and the pages behind links in emails. */
const FILES = [
  '/robots.txt',
  '/sitemap.xml',
  '/sitemaps/pages.xml',
  '/sitemaps/companies-1.xml',
  '/sitemaps/threads-1.xml',
  '/sitemaps/jobs-1.xml',
  '/feeds/discussions.atom',
  '/feeds/company/erin-and-sons.atom',
  '/unsubscribe?token={unsubscribe}',
  '/unsubscribe?token=x',
  '/claims/news-off?token={newsOff}',
  '/claims/confirm?token={claimLink}',
  '/claims/confirm?token=x',
]

/** One of each email that the site sends. */
async function mails({ endpoints, site }: Here) {
  const { base, ratings } = endpoints
  const sent: { subject: string; html: string; text: string }[] = []
  const mailer = createMailSender({
    mailer: { send: async (mail) => void sent.push(mail) },
    secrets: testSecrets,
    hasRateLimits: false,
  })({ id: 'a job', attempt: 1 })
  const auth = { siteName: site.siteName, siteUrl: () => SITE, ownerEmail: OWNER_EMAIL }
  const parts = {
    base,
    config: { ...site, ratings, hasRateLimits: false },
    auth: { ...auth, adminSecondFactor: 'offered' },
  } as unknown as Parts
  const seal = (it: object) => testSecrets.seal(JSON.stringify(it))
  const { names } = world
  const sealedEmail = testSecrets.seal('mona@people.example')
  const ada = (await as('ada', async ({ actor }) => actor)).account?.id as string
  const [ask] = await outside().query<{ id: string }>(
    sql`select id from company_requests where notify limit 1`,
  )
  const [feed] = await outside().query<{ id: string }>(sql`
    insert into job_feeds (account_id, address, scope, due_at, paused)
    values (${ada}, 'https://jobs.example/feed.xml', 'of tests', ${base.now()}, 'failures')
    on conflict (scope) do update set paused = excluded.paused returning id`)
  const decided = ['approved', 'declined', 'revoked', 'removed', 'offered', 'handed-over']
  const account = ['signup', 'recovery', 'password_changed', 'email_changed', 'factor_added']
  const payloads: Record<string, object[]> = {
    'badge-code': [{ sealed: seal({ to: 'm@erin.example', code: 'ABC123' }) }],
    'waiting-mail': [
      {
        sealedEmail: testSecrets.seal('ada@kettle.example'),
        unsubscribe: unsubscribeToken(testSecrets, ada, 'waiting'),
      },
    ],
    'backup-mail': [],
    'job-feed-paused': [{ feedId: feed?.id }],
    'digest-mail': [
      {
        sealedEmail,
        unsubscribe: names.unsubscribe,
        ...{ replies: 1, mentions: 1, decisions: 1, alerts: 1, jobs: 1 },
      },
    ],
    'claim-decided': decided.map((decision) => ({
      sealed: seal({ decision, email: 'm@people.example', company: 'Erin', answer: '' }),
    })),
    'claim-link': [{ claimId: names.mailClaim }],
    'seat-invitation': [{ invitationId: names.invitation }],
    'company-request-approved': [{ companyId: names.company, sealedEmail }],
    'company-request-notice': [{ requestId: ask?.id }],
    'contact-answer': [],
    'account-mail': account.map((purpose) => ({ purpose, sealedEmail })),
    'company-news': [{ claimId: names.erins, threads: [names.thread], notes: [names.note] }],
  }
  for (const feature of features)
    for (const { kind, send } of feature.mails ?? []) {
      const given = payloads[kind]
      if (!given) throw new Error(`No mail of the kind ${kind} is made here`)
      for (const payload of given) await send(parts, mailer, payload)
    }
  return sent
}

/** Each flag by itself in the proof. Other runs combine two whose pages don't link to each other. */
const OFF: Flag[][] = amount(
  [['enableDiscussions', 'enableDashboard']],
  FLAGS.map((flag) => [flag]),
)

describe.each(OFF)('without %s', (...off) => {
  test('no page, file or mail links to missing parts, requests them, or mentions them', async () => {
    // The names of the finder's keys depend on it.
    vi.stubGlobal('navigator', { platform: 'Linux' })
    const here = await siteWithout(off)
    const found = new Map<string, Set<string>>()
    const note = (where: string, links: string[]) => {
      for (const link of links) {
        const from = found.get(link) ?? new Set()
        found.set(link, from.add(where))
      }
    }
    const asksForNothing: string[] = []
    const said: string[] = []
    for (const who of amount(['mona', 'olga'], ['vera', 'mona', 'erin', 'olga'])) {
      page.opened.clear()
      for (const address of ADDRESSES.map(named))
        if (lookersAt(address).includes(who)) {
          const { html, refused } = await drawn(address, here, who)
          note(`${address} (${who})`, linksIn(html))
          asksForNothing.push(...refused.map((url) => `${address} (${who}) asks ${url}`))
          // The confirmation of a company's deletion says what stays.
          if (who === 'olga' && address.startsWith('/edit-company')) continue
          said.push(...unsaidIn(html, off).map((words) => `${address} (${who}): ${words}`))
        }
    }
    for (const url of [...FILES, ...ADDRESSES].map(named)) {
      const { body, statusCode } = await here.endpoints.http.inject({ url })
      if (statusCode !== 200) continue
      note(url, linksIn(body))
      said.push(...unsaidIn(body, off).map((words) => `${url}: ${words}`))
    }
    for (const { subject, html, text } of await mails(here))
      note(subject, [...linksIn(html), ...linksIn(text)])

    const dead: string[] = []
    for (const [link, from] of found) {
      const { statusCode } = await here.endpoints.http.inject({ url: link })
      if (statusCode === 404)
        dead.push(`${link} (${statusCode}): ${[...from].slice(0, 4).join(', ')}`)
    }
    await here.endpoints.http.close()
    expect({ dead, asksForNothing, said }).toEqual({ dead: [], asksForNothing: [], said: [] })
  })
})

test('mona can take her data along and leave, even without settings and profile', async () => {
  vi.stubGlobal('navigator', { platform: 'Linux' })
  const here = await siteWithout(['enableSettings', 'enableProfile'])
  page.opened.clear()
  const { html } = await drawn('/settings/account', here, 'mona')
  expect(html).toContain('Download my data')
  expect(html).toContain('Delete account')
  expect(html).not.toContain('Appearance')
  const headers = headersOf(world.browsers.mona)
  const { statusCode } = await here.endpoints.http.inject({ url: '/api/v1/me/export', headers })
  expect(statusCode).toBe(200)
  page.opened.clear()
  expect(linksIn((await drawn('/', here, 'mona')).html)).toContain('/settings/account')
  await here.endpoints.http.close()
})
