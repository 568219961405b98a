/** What the server sends, byte by byte: pages, refusals, headers. No browser involved. */
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#app/api/contract.ts'
import { discussionContract } from '#app/community/discussions/discussion.contract.ts'
import { companyReplyContract } from '#app/community/replies/reply.contract.ts'
import { decisionContract } from '#app/community/reports/decision.contract.ts'
import { noteByKeyContract, reportContract } from '#app/community/reports/report.contract.ts'
import { roomContract, roomReportContract } from '#app/community/rooms/room.contract.ts'
import { badgeContract } from '#app/companies/badges/badge.contract.ts'
import { claimContract } from '#app/companies/claims/claim.contract.ts'
import { seatContract } from '#app/companies/claims/seats/seat.contract.ts'
import { companyContract } from '#app/companies/company.contract.ts'
import { editContract } from '#app/companies/edits/edit-company.contract.ts'
import { followContract } from '#app/companies/following/follow.contract.ts'
import { addedCompanyContract, importsContract } from '#app/companies/importing/imports.contract.ts'
import { mergeContract } from '#app/companies/merging/merge.contract.ts'
import { requestContract } from '#app/companies/requests/request.contract.ts'
import { scrapingContract } from '#app/companies/scraping/scraping.contract.ts'
import { trackingContract } from '#app/companies/tracking/tracking.contract.ts'
import { accountContract } from '#app/identity/accounts/account.contract.ts'
import { invitationContract } from '#app/identity/accounts/sign-up/invitation.contract.ts'
import { credentialContract } from '#app/identity/credentials/credential.contract.ts'
import { jobContract, savedJobContract } from '#app/jobs/job.contract.ts'
import { siteContract } from '#app/kit/session/session.contract.ts'
import { spamCheckContract } from '#app/kit/spam-check/spam-check.contract.ts'
import { moderationContract } from '#app/moderation/moderation.contract.ts'
import { notificationContract } from '#app/moderation/notifications/notification.contract.ts'
import { administrationContract } from '#app/office/administration/administration.contract.ts'
import { contactContract } from '#app/office/contact/contact.contract.ts'
import { dashboardContract } from '#app/office/dashboard/dashboard.contract.ts'
import { benefitsContract } from '#app/ratings/benefits/benefits.contract.ts'
import { interviewContract } from '#app/ratings/interviews/interview.contract.ts'
import { payContract } from '#app/ratings/pay/pay.contract.ts'
import { presentedContract } from '#app/ratings/presented/presented.contract.ts'
import { ratingContract } from '#app/ratings/rating.contract.ts'
import { exportContract, myPageContract } from '#app/site/account-pages/account-pages.contract.ts'
import { homeContract } from '#app/site/home/home.contract.ts'
import { siteSettingsContract } from '#app/site/site-settings/site-settings.contract.ts'
import { staticPageContract } from '#app/site/static-pages/static-page.contract.ts'
import { slow } from '../support/amounts.ts'
import { type Site, startSite } from '../support/server.ts'
import { openWorld, type World } from '../support/site-in-browser.ts'

/** On the embedded database, as `npm start` runs without settings. */
let site: Site
let world: World
beforeAll(async () => {
  ;[site, world] = await Promise.all([startSite(), openWorld()])
})
afterAll(async () => {
  await site?.stop()
  await world?.db.close()
})

interface BuildInfo {
  buildTime: string
  timestamp: number
  version: string
  files: Record<string, string>
}
const digestOf = (bytes: Uint8Array) =>
  `sha256-${createHash('sha256').update(bytes).digest('base64')}`

const get = (path: string, options: RequestInit = {}) =>
  fetch(site.url + path, { redirect: 'manual', ...options })

const SCREENS = [
  '/',
  '/companies',
  '/companies?category=Banking&sort=a-z',
  '/companies?search=zzqx',
  '/companies?compare=lampwright-systems,nestle',
  '/nestle',
  '/nestle?tab=ratings',
  '/lampwright-systems?tab=ratings',
  '/lampwright-systems?tab=ratings&rate=yes',
  '/nestle?tab=about',
  '/about',
  '/about-us',
  '/anonymity',
  '/community-rules',
  '/how-moderation-decides',
  '/privacy',
  '/privacy-policy',
  '/terms',
  '/terms-of-service',
  '/discussions',
  '/discussions?sort=new',
  '/discussions?sort=top&period=all&topic=pay',
  '/discussions?search=zzqx',
  '/create-thread',
  '/edit-thread/1',
  '/my-discussions',
  '/profile',
  '/settings',
  '/settings/badge',
  '/nestle/room',
  '/notifications',
  '/alerts',
  '/dashboard',
  '/reset-password',
  '/sign-up/invitation',
  '/admin',
  '/admin?section=users',
  '/admin-panel',
  '/admin/moderation',
  '/admin/settings',
  '/admin-tracking',
  '/admin-tools',
  '/delete-post',
]

describe('Spec §2.1: every path of the sitemap', () => {
  test.each(SCREENS)('%s is a complete page before any script runs', async (path) => {
    const answer = await get(path)
    const html = await answer.text()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(html).toMatch(/<title>[^<]+ – (Kettle|anonymous)/)
    expect(html).toMatch(/<meta name="description" content="[^"]{20,}"/)
    expect(html.match(/<h1/g)).toHaveLength(1)
    expect(html).not.toContain('Loading...')
    // The content security policy blocks style attributes, and inline scripts except for the one it names.
    expect(html).not.toMatch(/ style="/)
    const policy = answer.headers.get('content-security-policy')
    const scripts = [...html.matchAll(/<script([^>]*)>(.*?)<\/script>/gs)]
    // External scripts wait in a template.
    const running = scripts.filter(
      ([, kind = '']) => !/type="application\/(ld\+)?json"| src="/.test(kind),
    )
    expect(running).toHaveLength(1)
    const hash = createHash('sha256').update(running[0]?.[2] ?? '')
    expect(policy).toContain(`'sha256-${hash.digest('base64')}'`)
  })

  test.each([
    '/jobs',
    '/post-job',
    '/no/such/page',
    '/no-such-company',
    '/company/no-such-company',
    '/edit-company/1',
    '/edit-company/00000000-0000-4000-8000-000000000000',
    '/thread/1',
    '/thread/00000000-0000-4000-8000-000000000000',
  ])('%s is the not-found page', async (path) => {
    const answer = await get(path)
    expect(answer.status).toBe(404)
    const html = await answer.text()
    expect(html).toContain('404')
    expect(html).toContain('Return to Home')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  slow.test('a part that’s switched off is the not-found page, and no menu names it', async () => {
    const small = await startSite({
      env: { ...world.env, ENABLE_DISCUSSIONS: 'false', ENABLE_JOBS: 'true' },
    })
    try {
      expect((await fetch(`${small.url}/discussions`)).status).toBe(404)
      expect((await fetch(`${small.url}/jobs`)).status).toBe(200)
      const home = await (await fetch(small.url)).text()
      expect(home).not.toContain('href="/discussions"')
      expect(home).toContain('href="/jobs"')
    } finally {
      await small.stop()
    }
  })
})

describe('S13: a company lives at its slug', () => {
  test.each([
    ['/company/nestle', '/nestle'],
    ['/company/nestle?tab=about', '/nestle?tab=about'],
    ['/Nestle', '/nestle'],
    ['/Nestl%C3%A9', '/nestle'],
    ['/companies/', '/companies'],
  ])('%s redirects to %s for good', async (path, target) => {
    const answer = await get(path)
    expect(answer.status).toBe(301)
    expect(answer.headers.get('location')).toBe(target)
  })

  test('a company’s id redirects there, too', async () => {
    const company = (await (await get('/api/v1/companies/by-slug/nestle')).json()) as { id: string }
    const answer = await get(`/company/${company.id}`)
    expect(answer.headers.get('location')).toBe('/nestle')
    expect(
      ((await (await get(`/api/v1/companies/${company.id}`)).json()) as { name: string }).name,
    ).toBe('Nestlé')
  })

  test('a company’s page for changes is there before any script runs', async () => {
    const company = (await (await get('/api/v1/companies/by-slug/nestle')).json()) as { id: string }
    const answer = await get(`/edit-company/${company.id}`)
    expect(answer.status).toBe(200)
    const html = await answer.text()
    expect(html).toMatch(/<h1[^>]*>Edit Nestlé<\/h1>/)
    expect(html.match(/<h1/g)).toHaveLength(1)
  })

  test('a company’s page names its own address and the company in its head', async () => {
    const html = await (await get('/nestle')).text()
    expect(html).toMatch(/<title>Nestlé[^<]*<\/title>/)
    expect(html).toMatch(/<link rel="canonical" href="http[^"]+\/nestle"\/>/)
  })
})

describe('bad input', () => {
  const long = 'a'.repeat(100_000)
  test.each([
    ['GET', '/%ff', 400],
    ['GET', '/a%00b', 400],
    ['GET', '/companies?search=%00', 400],
    ['GET', '/companies?search=%E0%A4%A', 400],
    ['GET', '/%2e%2e%2f%2e%2e%2fetc/passwd', 404],
    ['GET', '//evil.example/', 404],
    ['GET', '//evil.example', 404],
    ['GET', '/companies?after=garbage', 404],
    ['POST', '/companies', 405],
    ['DELETE', '/', 405],
    ['GET', '/api/v1/nothing', 404],
    ['PATCH', '/api/v1/me/profile', 400],
    ['GET', '/api/v1/threads/nonsense', 400],
    ['GET', '/api/v1/threads/00000000-0000-4000-8000-000000000000', 404],
    ['GET', '/api/v1/threads/00000000-0000-4000-8000-000000000000/mine', 404],
    ['GET', '/api/v1/threads/nonsense/live', 404],
    ['GET', '/api/v1/threads?sort=sideways', 400],
    ['GET', '/api/v1/threads?after=garbage', 400],
    ['GET', '/api/v1/threads?company=acme', 400],
    ['GET', `/api/v1/threads?search=${'a'.repeat(201)}`, 400],
    ['POST', '/api/v1/threads', 400],
    ['DELETE', '/api/v1/threads/00000000-0000-4000-8000-000000000000', 404],
    ['DELETE', '/api/v1/comments/00000000-0000-4000-8000-000000000000', 404],
    ['GET', '/api/v1/me/export', 401],
    ['GET', '/api/v1/me/deletion', 405],
    ['GET', '/api/v1/companies/not-an-id', 400],
    ['GET', '/api/v1/companies/00000000-0000-4000-8000-000000000000', 404],
    ['GET', '/api/v1/companies/by-slug/nobody', 404],
    ['GET', `/api/v1/companies/by-slug/${'a'.repeat(500)}`, 414],
    ['GET', '/api/v1/companies?limit=-1', 400],
    ['GET', '/api/v1/companies?limit=1e9', 400],
    ['GET', '/api/v1/companies?limit=ten', 400],
    ['GET', '/api/v1/companies?after=garbage', 400],
    ['GET', '/api/v1/companies?sort=sideways', 400],
    ['GET', '/api/v1/companies?search=a&search=b', 400],
    ['GET', `/api/v1/companies?search=${'a'.repeat(101)}`, 400],
    ['GET', '/api/v1/companies/suggest', 400],
    ['GET', '/api/v1/companies/suggest?text=%01%02', 400],
    ['POST', '/api/v1/companies', 405],
    ['PUT', '/api/v1/config', 405],
    ['POST', '/api/v1/contact-messages', 400],
    ['GET', '/api/v1/contact-messages?filter=sideways', 400],
    ['PUT', '/api/v1/contact-messages/nonsense/status', 400],
    ['POST', '/api/v1/company-requests', 400],
    ['GET', '/api/v1/company-requests?before=garbage', 400],
    ['DELETE', '/api/v1/company-requests/nonsense', 400],
    ['GET', `/api/v1/administration/users?search=${'a'.repeat(255)}`, 400],
    ['POST', '/api/v1/administration/users/nonsense/suspend', 401],
    ['GET', '/api/v1/clicks?ids=nonsense', 400],
    ['POST', '/api/v1/imports', 401],
    ['GET', '/functions/v1/scrape-market-movers', 405],
    ['POST', '/functions/v1/scrape-market-movers', 400],
    ['POST', '/functions/v1/notify-company-request', 401],
    ['GET', '/functions/v1/nothing', 404],
    ['GET', `/api/v1/config?x=${'a'.repeat(6_000)}`, 400],
    ['GET', `/?x=${long}`, 431],
  ])('%s %.60s is a %i', async (method, path, status) => {
    const answer = await get(path, { method })
    expect(answer.status).toBe(status)
    const text = await answer.text()
    expect(text).not.toMatch(/\bat .*\.[jt]s:\d/)
    if (answer.headers.get('content-type')?.startsWith('application/json'))
      expect(JSON.parse(text)).toEqual({
        error: {
          code: expect.stringMatching(/^[a-z-]+$/),
          message: expect.stringMatching(/.{10,}/),
        },
      })
    else expect(text).toContain('404')
  })

  test('a body of the wrong type, or that’s not JSON, does no harm', async () => {
    for (const [type, body] of [
      ['text/plain', 'x'],
      ['application/json', '{"broken'],
      ['application/x-unknown', long],
    ] as const) {
      const answer = await get('/api/v1/companies', {
        method: 'POST',
        body,
        headers: { 'content-type': type },
      })
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
    }
  })

  test('bytes that aren’t HTTP at all get an answer, and the connection closes', async () => {
    const { hostname, port } = new URL(site.url)
    const answer = await new Promise<string>((resolve) => {
      let text = ''
      const socket = connect(Number(port), hostname, () => socket.write('GARBAGE\r\n\r\n'))
      socket.on('data', (part) => {
        text += part
      })
      socket.on('close', () => resolve(text))
    })
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request/)
    expect(answer).toContain('content-security-policy')
  })
})

describe('every answer', () => {
  test.each(['/', '/nope', '/api/v1/config', '/api/v1/nope', '/healthz', '/favicon.svg', '/%ff'])(
    'the answer of %s has the security headers',
    async (path) => {
      // Twice, because a page's second response comes from the cache.
      for (const answer of [await get(path), await get(path)]) {
        const policy = answer.headers.get('content-security-policy') ?? ''
        expect(policy).toContain("default-src 'self'")
        expect(policy).toContain("frame-ancestors 'none'")
        expect(policy).not.toContain('unsafe')
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
        expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
        expect(answer.headers.get('strict-transport-security')).toBeNull()
      }
    },
  )

  slow.test(
    'every answer says that only https can be used if the site’s address is https',
    async () => {
      const https = await startSite({
        env: { ...world.env, SITE_URL: 'https://kettle.example' },
      })
      try {
        const answer = await fetch(https.url)
        expect(answer.headers.get('strict-transport-security')).toMatch(/max-age=\d{8}/)
        expect(await answer.text()).toContain(
          '<link rel="canonical" href="https://kettle.example/"/>',
        )
      } finally {
        await https.stop()
      }
    },
  )

  test('an unchanged page is 304 without a body', async () => {
    const etag = (await get('/about')).headers.get('etag') ?? ''
    const again = await get('/about', { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
  })

  test('HEAD gets the same answer as GET, without a body', async () => {
    for (const path of ['/', '/nope', '/api/v1/config']) {
      const [head, whole] = [await get(path, { method: 'HEAD' }), await get(path)]
      expect(head.status).toBe(whole.status)
      expect(await head.text()).toBe('')
    }
  })

  test('unknown query parameters don’t make another page', async () => {
    const etag = (await get('/about')).headers.get('etag')
    expect((await get('/about?utm_source=x&y=1')).headers.get('etag')).toBe(etag)
  })
})

describe('discussions', () => {
  async function firstThread() {
    const { threads } = (await (await get('/api/v1/threads?sort=top&period=all')).json()) as {
      threads: { id: string; path: string; title: string }[]
    }
    if (!threads[0]) throw new Error('The demo world has no thread')
    return threads[0]
  }

  test('a thread is a complete page before any script runs, at its readable address', async () => {
    const { id, path, title } = await firstThread()
    for (const other of [`/thread/${id}`, `/thread/${id}-another-tail`]) {
      const answer = await get(other)
      expect(answer.status).toBe(301)
      expect(answer.headers.get('location')).toBe(encodeURI(path))
    }
    const answer = await get(encodeURI(path))
    expect(answer.status).toBe(200)
    const html = await answer.text()
    expect(html.match(/<h1/g)).toHaveLength(1)
    expect(html).toMatch(/<link rel="canonical" href="http[^"]+\/thread\//)
    expect(html).not.toMatch(/ style="/)
    expect(html).not.toContain('Loading...')
    expect(html).toContain(`${title.slice(0, 12).replaceAll("'", '&#x27;')}`)
  })

  test('no page, list or feed of the demo world has an author key or an anonymous id', async () => {
    const { id, path } = await firstThread()
    for (const address of [
      '/discussions',
      encodeURI(path),
      '/api/v1/threads',
      `/api/v1/threads/${id}`,
      `/api/v1/threads/${id}/comments`,
      `/api/v1/threads/${id}/mine`,
    ]) {
      const text = await (
        await get(address, { headers: { 'x-anonymous-id': `anon-${'ab'.repeat(16)}` } })
      ).text()
      expect(text, address).not.toMatch(/author_?key|anon-[0-9a-f]{32}/i)
      // A keyed hash is 43 characters of base64url.
      expect(text, address).not.toMatch(/"[A-Za-z0-9_-]{43}"/)
    }
  })

  test('a post needs an author, and a visitor’s needs a spam check', async () => {
    const post = (headers: Record<string, string>) =>
      get('/api/v1/threads', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({
          title: 'A title that is long enough',
          body: 'Text',
          idempotencyKey: crypto.randomUUID(),
        }),
      })
    expect((await post({})).status).toBe(401)
    expect((await post({ 'x-anonymous-id': `anon-${'ab'.repeat(16)}` })).status).toBe(403)
    expect((await post({ authorization: 'Bearer nonsense' })).status).toBe(401)
  })
})

/** What isn't JSON has no contract. */
const OUTSIDE = [
  '/api/v1/threads/{id}/live',
  '/api/v1/companies/{id}/logo',
  '/api/v1/companies/{id}/ratings.csv',
  '/api/v1/companies/{id}/pay.csv',
  '/api/v1/companies/{id}/dashboard.csv',
  '/api/v1/views',
  '/api/v1/administration/log.csv',
  '/api/v1/administration/settings/{name}/picture',
  '/api/v1/analytics.csv',
  '/api/v1/clicks.csv',
  '/api/v1/imports',
  '/api/v1/imports/columns',
  '/api/v1/imports/template.csv',
  '/api/v1/imports/trial',
]

describe('for machines', () => {
  test('/healthz, /readyz and /build-info.json answer', async () => {
    expect(await (await get('/healthz')).json()).toEqual({ status: 'ok' })
    expect(await (await get('/readyz')).json()).toEqual({
      status: 'ok',
      database: 'ok',
      migrations: 'ok',
      queue: 'ok',
      writes: 'ok',
      lastWriteSeconds: expect.any(Number),
      disk: expect.stringMatching(/^(ok|low)$/),
      rounds: 'ok',
      news: 'ok',
      limits: 'alone',
    })
    const info = (await (await get('/build-info.json?t=1')).json()) as BuildInfo
    const { buildTime, timestamp, version } = info
    expect(new Date(buildTime).getTime()).toBe(timestamp)
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    const build = { buildTime, timestamp }
    expect(await (await get('/build-time.json?t=1')).json()).toEqual(build)
    expect(await (await get('/api/v1/config')).json()).toMatchObject({ siteName: 'Kettle', build })
  })

  test('/build-info.json lists each served file with the digest of what’s sent', async () => {
    const { files } = (await (await get('/build-info.json')).json()) as BuildInfo
    const client = join(import.meta.dirname, '../../dist/client')
    const sent: Record<string, string> = {}
    for (const file of readdirSync(client, { recursive: true, withFileTypes: true })) {
      const path = join(file.parentPath, file.name).slice(client.length)
      const answer = file.isFile() && (await get(path))
      if (answer && answer.status === 200)
        sent[path] = digestOf(new Uint8Array(await answer.arrayBuffer()))
    }
    const { '/build-info.json': info, '/build-time.json': time, ...others } = sent
    expect([info, time]).toEqual([expect.any(String), expect.any(String)])
    expect(files).toEqual(others)
  })

  test('a page’s scripts and styles have the digests of their files', async () => {
    const { files } = (await (await get('/build-info.json')).json()) as BuildInfo
    for (const path of ['/', '/nestle', '/create-thread']) {
      const html = await (await get(path)).text()
      const loaded = [
        ...html.matchAll(/(\/assets\/[^"| ]+)(?:\||" integrity=")(sha256-[^"| ]+)/g),
      ].map(([, file = '', digest]) => ({ file, digest }))
      expect(loaded).toHaveLength(html.split('/assets/').length - 1)
      for (const { file, digest } of loaded) expect(digest, file).toBe(files[file])
    }
  })

  test('the OpenAPI document names every endpoint, and the page to browse it opens', async () => {
    const document = (await (await get('/api/openapi.json')).json()) as { paths: object }
    const paths = Object.keys(document.paths).sort()
    expect(paths.filter((path) => path.startsWith('/auth/'))).toEqual([
      '/auth/v1/.well-known/jwks.json',
      '/auth/v1/admin/users',
      '/auth/v1/admin/users/{id}',
      '/auth/v1/factors',
      '/auth/v1/factors/recover',
      '/auth/v1/factors/recovery-codes',
      '/auth/v1/factors/{id}',
      '/auth/v1/factors/{id}/challenge',
      '/auth/v1/factors/{id}/verify',
      '/auth/v1/health',
      '/auth/v1/logout',
      '/auth/v1/reauthenticate',
      '/auth/v1/recover',
      '/auth/v1/resend',
      '/auth/v1/settings',
      '/auth/v1/signup',
      '/auth/v1/token',
      '/auth/v1/user',
      '/auth/v1/verify',
    ])
    const contracts = {
      ...siteContract,
      ...spamCheckContract,
      ...companyContract,
      ...editContract,
      ...mergeContract,
      ...addedCompanyContract,
      ...importsContract,
      ...accountContract,
      ...invitationContract,
      ...exportContract,
      ...myPageContract,
      ...discussionContract,
      ...moderationContract,
      ...reportContract,
      ...decisionContract,
      ...noteByKeyContract,
      ...notificationContract,
      ...credentialContract,
      ...badgeContract,
      ...roomContract,
      ...roomReportContract,
      ...ratingContract,
      ...presentedContract,
      ...payContract,
      ...interviewContract,
      ...benefitsContract,
      ...followContract,
      ...homeContract,
      ...staticPageContract,
      ...siteSettingsContract,
      ...trackingContract,
      ...requestContract,
      ...contactContract,
      ...administrationContract,
      ...scrapingContract,
      ...claimContract,
      ...seatContract,
      ...companyReplyContract,
      ...dashboardContract,
      ...jobContract,
      ...savedJobContract,
    }
    // Jobs are off unless a setting turns them on, and then their endpoints don't exist.
    const promised = Object.entries<Endpoint>(contracts).flatMap(([endpoint, { flag }]) =>
      flag === 'enableJobs' ? [] : [endpoint.split(' ')[1]],
    )
    expect(paths.filter((path) => path.startsWith('/api/'))).toEqual(
      [...new Set([...promised, ...OUTSIDE])].sort(),
    )
    // Spec §7.3: these three and no others.
    expect(paths.filter((path) => path.startsWith('/functions/'))).toEqual([
      '/functions/v1/import-companies-custom',
      '/functions/v1/notify-company-request',
      '/functions/v1/scrape-market-movers',
    ])
    expect((await get('/api/docs/')).status).toBe(200)
  })

  test('no log line has an address, a user agent or a search', async () => {
    await get('/api/v1/companies/suggest?text=somethingprivate', {
      headers: { 'user-agent': 'VeryOwnBrowser/1.0' },
    })
    await get('/%ff?somethingprivate')
    expect(site.logs()).not.toMatch(/somethingprivate|VeryOwnBrowser|remoteAddress/)
  })
})
