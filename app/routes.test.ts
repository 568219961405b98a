import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { RESERVED_SLUGS } from '#app/companies/company.ts'
import { readConfig } from '#app/platform/operations/config.server.ts'
import { modulesOf, type Route } from '#app/site/pages/route.ts'
import { ROUTES, routeOf } from './routes.ts'

const { flags } = readConfig({})

test.each([
  ['/', undefined],
  ['/companies', 'enableCompanies'],
  ['/company/:companyId', 'enableCompanies'],
  ['/:companySlug', 'enableCompanies'],
  ['/edit-company/:companyId', 'enableCompanies'],
  ['/discussions', 'enableDiscussions'],
  ['/thread/:id', 'enableDiscussions'],
  ['/create-thread', 'enableDiscussions'],
  ['/edit-thread/:id', 'enableDiscussions'],
  ['/my-discussions', 'enableDiscussions'],
  ['/jobs', 'enableJobs'],
  ['/post-job', 'enableJobs'],
  ['/profile', 'enableProfile'],
  ['/settings', 'enableSettings'],
  ['/settings/account', undefined],
  ['/notifications', 'enableNotifications'],
  ['/alerts', 'enableAlerts'],
  ['/about', undefined],
  ['/about-us', undefined],
  ['/anonymity', undefined],
  ['/community-rules', undefined],
  ['/how-moderation-decides', undefined],
  ['/privacy', undefined],
  ['/privacy-policy', undefined],
  ['/terms', undefined],
  ['/terms-of-service', undefined],
  ['/reset-password', undefined],
  ['/admin', undefined],
  ['/admin-panel', undefined],
  ['/admin-tracking', undefined],
  ['/delete-post', undefined],
  // S12.
  ['/admin-tools', undefined],
  ['/dashboard', 'enableDashboard'],
])('Spec §2.1: %s is there, under the flag %s', (pattern, flag) => {
  const route = ROUTES.find((it) => it.path === pattern)
  expect(route).toBeDefined()
  expect(route?.flag).toBe(flag)
})

test('Spec §2.1: two addresses of one page show the same page', () => {
  const screenAt = (path: string) => routeOf(path, flags)?.route.screen
  expect(screenAt('/about-us')).toBe(screenAt('/about'))
  expect(screenAt('/privacy-policy')).toBe(screenAt('/privacy'))
  expect(screenAt('/terms-of-service')).toBe(screenAt('/terms'))
  const asksFor = (path: string) => {
    const route: Route | undefined = routeOf(path, flags)?.route
    const queries = route?.data?.((async () => {}) as never, { path, params: {}, query: {} }, flags)
    return queries?.page?.queryKey
  }
  expect(asksFor('/about-us')).toEqual(asksFor('/about'))
  expect(asksFor('/privacy-policy')).toEqual(asksFor('/privacy'))
  expect(asksFor('/terms-of-service')).toEqual(asksFor('/terms'))
  expect(asksFor('/terms')).not.toEqual(asksFor('/about'))
})

test('S13: no company can take the first word of one of the site’s own paths', () => {
  const words = ROUTES.map(({ path }) => path.split('/')[1] ?? '')
  const own = words.filter((word) => word !== '' && !word.startsWith(':'))
  expect(own.filter((word) => !RESERVED_SLUGS.has(word))).toEqual([])
})

test('S13: a company’s own address doesn’t redirect, whatever its letters', () => {
  const route: Route | undefined = routeOf('/x', flags)?.route
  const redirect = (path: string, slug: string | null) =>
    route?.redirect?.({ path, params: {}, query: {} }, { company: { id: 'an-id', slug } })
  expect(redirect('/acme', 'acme')).toBeUndefined()
  expect(redirect('/Acme', 'acme')).toBe('/acme')
  expect(redirect('/%EC%84%9C%EC%9A%B8', '서울')).toBeUndefined()
  // Only encoded in another way: on its way it may be changed back, and would go round for ever.
  expect(redirect('/%ec%84%9c%ec%9a%b8', '서울')).toBeUndefined()
  expect(redirect('/company/an-id', null)).toBeUndefined()
})

test('every screen’s file is where its route says, so its code can load ahead', () => {
  const opened = ['discussions', 'ratings', 'jobs', 'about'].flatMap((tab) =>
    (ROUTES as Route[]).flatMap((route) =>
      modulesOf(route, { query: { tab }, flags: { ...flags, enableJobs: true } }),
    ),
  )
  expect(opened.filter((path) => !existsSync(path))).toEqual([])
})

test('a company’s page opens the tab in its address, or else the first one', () => {
  const { route } = routeOf('/acme', flags) ?? {}
  if (!route) throw new Error('No such route')
  const opens = (tab: string | undefined, enableJobs = false) =>
    modulesOf(route, { query: { tab }, flags: { ...flags, enableJobs } })[1]
  expect(opens('ratings')).toBe('app/site/company-page/company-ratings.tab.tsx')
  expect(opens('jobs', true)).toBe('app/site/company-page/company-jobs.tab.tsx')
  for (const tab of [undefined, 'jobs', 'nonsense'])
    expect(opens(tab)).toBe('app/site/company-page/company-discussions.tab.tsx')
})

test('a path has one route with its parameters, or none if it’s switched off', () => {
  expect(routeOf('/company/acme', flags)?.params).toEqual({ companyId: 'acme' })
  expect(routeOf('/acm%C3%A9', flags)?.params).toEqual({ companySlug: 'acmé' })
  expect(routeOf('/companies', flags)?.route.path).toBe('/companies')
  expect(routeOf('/jobs', flags)?.route.path).toBe('/:companySlug')
  for (const path of ['//x', '/a/b/c', '/company/', '/%ff', ''])
    expect(routeOf(path, flags)).toBeUndefined()
})
