/** What screens do before they appear or instead of it, and what's around them. */
import { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { beforeEach, expect, test, vi } from 'vitest'
import { companyContract } from '#app/companies/company.contract.ts'
import { editContract } from '#app/companies/edits/edit-company.contract.ts'
import { type Consent, PENDING } from '#app/kit/consent/consent.ts'
import { ConsentBanner } from '#app/kit/consent/ui/consent-banner.tsx'
import type { SiteConfig } from '#app/kit/session/session.contract.ts'
import { UpdateBadge } from '#app/kit/updates/ui/update-badge.tsx'
import { routeOf } from '#app/routes.ts'
import { Root } from '#app/site/pages/root.tsx'
import { loadScreen } from '#app/site/pages/route.ts'

// What only the browser knows replaces what the server says.
vi.mock('react', async (original) => {
  const react = await original<typeof import('react')>()
  return {
    ...react,
    useSyncExternalStore: ((watch, now, onServer) =>
      react.useSyncExternalStore(watch, now, onServer ?? now)) as typeof react.useSyncExternalStore,
  }
})

const here: { consent: Consent } = { consent: PENDING }
vi.mock('#app/kit/consent/consent.data.ts', async (original) => ({
  ...(await original<object>()),
  useConsent: () => here.consent,
}))
beforeEach(() => {
  here.consent = PENDING
})

const flags = Object.fromEntries(
  [
    'Companies',
    'Discussions',
    'Jobs',
    'Profile',
    'Settings',
    'Notifications',
    'Alerts',
    'Dashboard',
  ].map((name) => [`enable${name}`, true]),
) as SiteConfig['flags']
const site: SiteConfig = {
  siteName: 'Samovar',
  siteUrl: 'https://samovar.example',
  contactDomain: 'samovar.example',
  ratingBatch: 5,
  legalNoticeHours: 24,
  hasLogoSearch: true,
  flags,
  build: { buildTime: '2026-01-15T10:00:00.000Z', timestamp: 1_768_471_200_000 },
} as SiteConfig

const page = (path: string) =>
  renderToString(
    createElement(Root, {
      api: (async () => ({})) as never,
      queryClient: new QueryClient(),
      site,
      ssrAddress: { path, search: '' },
    }),
  )
const main = (html: string) => html.slice(html.indexOf('<main'), html.indexOf('</main>'))

test('Spec §2.1: a screen whose code hasn’t loaded says "Loading..."', async () => {
  expect(main(page('/about'))).toContain('Loading...')
  const { route } = routeOf('/about', flags) ?? {}
  if (!route) throw new Error('No such route')
  await loadScreen(route, { query: {}, flags })
  expect(main(page('/about'))).not.toContain('Loading...')
  expect(main(page('/about'))).toContain('About Us')
})

const banner = () => renderToString(createElement(ConsentBanner))

test('Spec §2.2, §2.18: the banner shows while consent is pending, and not after any answer', () => {
  const labels = [...banner().matchAll(/<button [^>]*?(disabled="")?[^>]*>([^<]+)<\/button>/g)]
  expect(labels.map(([, disabled, label]) => [label, disabled])).toEqual([
    ['Accept All', undefined],
    ['Reject All', undefined],
    ['Customize', undefined],
  ])
  for (const consentStatus of ['accepted', 'rejected', 'customized'] as const) {
    here.consent = { ...PENDING, consentStatus }
    expect(banner()).toBe('')
  }
})

test('Spec §2.19: the badge says when the site was published, unless a broken certificate comes first', () => {
  vi.stubGlobal('location', new URL('https://samovar.example/companies?x=1'))
  const badge = (certificate: string, fallbackUrl?: string) =>
    renderToString(
      createElement(UpdateBadge, {
        fallbackUrl,
        updates: {
          watch: () => () => {},
          retry: async () => {},
          current: () => ({
            published: site.build,
            isNew: false,
            isHidden: false,
            reloader: 'idle',
            certificate,
          }),
        } as never,
      }),
    )
  expect(badge('ok')).toMatch(/Last published:.*<time [^>]*2026-01-15.*aria-label="Refresh"/s)
  expect(badge('ok')).not.toContain('SSL')
  const broken = badge('certificate-issue', 'https://samovar.host.example')
  expect(broken).toContain('SSL Certificate Issue')
  expect(broken).not.toContain('Last published:')
  expect(broken).toMatch(/<a href="https:\/\/samovar\.host\.example\/companies\?x=1"/)
  expect(broken).toMatch(/<button [^>]*>.*Retry.*<\/button>/s)
  // S21.
  expect(badge('certificate-issue')).not.toContain('<a ')
})

test('S49: one endpoint deletes a company, and wants its name', () => {
  const endpoints = Object.keys({ ...companyContract, ...editContract })
  const deletion = 'DELETE /api/v1/companies/{id}'
  expect(endpoints.filter((it) => it.startsWith('DELETE '))).toEqual([deletion])
  const { query } = companyContract[deletion]
  expect(query.safeParse({}).success).toBe(false)
  expect(query.safeParse({ name: 'Acme' }).success).toBe(true)
})
