/** Spec §2.1 on one page: path → screen, its flag, what it needs to know. */
import type { ComponentType } from 'react'
import type { Client } from './api/client.ts'
import type { AccountContract } from './features/accounts/account.contract.ts'
import type { CompanyContract, CompanyPageView } from './features/companies/company.contract.ts'
import {
  categoriesQuery,
  companyListAddress,
  companyListQuery,
  companyQuery,
  highestRatedQuery,
  recentQuery,
  trendingQuery,
} from './features/companies/company.data.ts'
import { companyPath } from './features/companies/company.ts'
import type { SiteConfig, SiteContract } from './features/site/site.contract.ts'

export type AppContract = SiteContract & CompanyContract & AccountContract
export type AppClient = Client<AppContract>

/** Path parameters and the declared query parameters of an address. */
export interface Address {
  path: string
  params: Record<string, string>
  query: Record<string, string | undefined>
}

/** Query options of TanStack Query, of a single answer or of pages. */
// biome-ignore lint/suspicious/noExplicitAny: each has its own types, which only its screen knows
type AnyQuery = any

type ScreenComponent = ComponentType<Record<string, string>>

/** A screen that loads on demand; `module` names its file in the build's manifest. */
export interface Screen {
  module: string
  load: () => Promise<ScreenComponent>
}

export interface Place {
  /** `:name` stands for one segment. */
  pattern: string
  screen: Screen
  flag?: keyof SiteConfig['flags']
  /** Query parameters that change what the server renders; no others reach the page cache. */
  query?: readonly string[]
  /** What must be known before the screen can be rendered. */
  data?: (api: AppClient, address: Address) => AnyQuery[]
  /** Looks at the answers of `data`, in their order, and may send elsewhere. */
  redirect?: (address: Address, answers: unknown[]) => string | undefined
}

const home: Screen = {
  module: 'app/features/home/home.screen.tsx',
  load: () => import('./features/home/home.screen.tsx').then((it) => it.HomeScreen),
}
const companies: Screen = {
  module: 'app/features/companies/companies.screen.tsx',
  load: () => import('./features/companies/companies.screen.tsx').then((it) => it.CompaniesScreen),
}
const company: Screen = {
  module: 'app/features/companies/company.screen.tsx',
  load: () => import('./features/companies/company.screen.tsx').then((it) => it.CompanyScreen),
}
const about: Screen = {
  module: 'app/features/site/about.screen.tsx',
  load: () => import('./features/site/about.screen.tsx').then((it) => it.AboutScreen),
}
const privacy: Screen = {
  module: 'app/features/site/privacy.screen.tsx',
  load: () => import('./features/site/privacy.screen.tsx').then((it) => it.PrivacyScreen),
}
const terms: Screen = {
  module: 'app/features/site/terms.screen.tsx',
  load: () => import('./features/site/terms.screen.tsx').then((it) => it.TermsScreen),
}
const profile: Screen = {
  module: 'app/features/accounts/profile.screen.tsx',
  load: () => import('./features/accounts/profile.screen.tsx').then((it) => it.ProfileScreen),
}
const settings: Screen = {
  module: 'app/features/accounts/settings.screen.tsx',
  load: () => import('./features/accounts/settings.screen.tsx').then((it) => it.SettingsScreen),
}
const resetPassword: Screen = {
  module: 'app/features/accounts/reset-password.screen.tsx',
  load: () =>
    import('./features/accounts/reset-password.screen.tsx').then((it) => it.ResetPasswordScreen),
}

/** A screen that a later part of the project brings; until then it says so. */
const coming = (title: string): Screen => ({
  module: 'app/features/site/coming.screen.tsx',
  load: () =>
    import('./features/site/coming.screen.tsx').then(
      ({ ComingScreen }) =>
        () =>
          ComingScreen({ title }),
    ),
})

/** A company lives at its slug, whatever address was used to find it. */
const toItsSlug: Place['redirect'] = ({ path }, [answer]) => {
  const company = answer as CompanyPageView | undefined
  const home = company && companyPath(company)
  return home === path ? undefined : home
}

export const SITEMAP: readonly Place[] = [
  {
    pattern: '/',
    screen: home,
    data: (api) => [trendingQuery(api), recentQuery(api), highestRatedQuery(api)],
  },
  {
    pattern: '/companies',
    screen: companies,
    flag: 'enableCompanies',
    query: ['search', 'category', 'sort', 'after'],
    data: (api, address) => [
      companyListQuery(api, companyListAddress(address.query)),
      categoriesQuery(api),
    ],
  },
  {
    pattern: '/company/:companyId',
    screen: company,
    flag: 'enableCompanies',
    query: ['tab'],
    data: (api, { params }) => [companyQuery(api, params.companyId ?? '')],
    redirect: toItsSlug,
  },
  { pattern: '/edit-company/:companyId', screen: coming('Edit company'), flag: 'enableCompanies' },
  { pattern: '/discussions', screen: coming('Discussions'), flag: 'enableDiscussions' },
  { pattern: '/thread/:id', screen: coming('Thread'), flag: 'enableDiscussions' },
  { pattern: '/create-thread', screen: coming('Create thread'), flag: 'enableDiscussions' },
  { pattern: '/edit-thread/:id', screen: coming('Edit thread'), flag: 'enableDiscussions' },
  { pattern: '/my-discussions', screen: coming('My discussions'), flag: 'enableDiscussions' },
  { pattern: '/jobs', screen: coming('Jobs'), flag: 'enableJobs' },
  { pattern: '/post-job', screen: coming('Post job'), flag: 'enableJobs' },
  { pattern: '/profile', screen: profile, flag: 'enableProfile' },
  { pattern: '/settings', screen: settings, flag: 'enableSettings' },
  { pattern: '/notifications', screen: coming('Notifications'), flag: 'enableNotifications' },
  { pattern: '/alerts', screen: coming('Alerts'), flag: 'enableAlerts' },
  { pattern: '/dashboard', screen: coming('Dashboard'), flag: 'enableDashboard' },
  { pattern: '/about', screen: about },
  { pattern: '/about-us', screen: about },
  { pattern: '/privacy', screen: privacy },
  { pattern: '/privacy-policy', screen: privacy },
  { pattern: '/terms', screen: terms },
  { pattern: '/terms-of-service', screen: terms },
  { pattern: '/reset-password', screen: resetPassword },
  { pattern: '/admin', screen: coming('Admin Panel') },
  { pattern: '/admin-panel', screen: coming('Admin Panel') },
  { pattern: '/admin-tracking', screen: coming('Company Interaction Tracking') },
  { pattern: '/admin-tools', screen: coming('Admin Tools') },
  { pattern: '/delete-post', screen: coming('Delete Post') },
  // Last: any other single word may be a company.
  {
    pattern: '/:companySlug',
    screen: company,
    flag: 'enableCompanies',
    query: ['tab'],
    data: (api, { params }) => [companyQuery(api, params.companySlug ?? '')],
    redirect: toItsSlug,
  },
]

/** The place of a path and its parameters; undefined for a path that leads nowhere. */
export function placeOf(path: string, flags: SiteConfig['flags']) {
  for (const place of SITEMAP) {
    if (place.flag && !flags[place.flag]) continue
    const params = paramsOf(place.pattern, path)
    if (params) return { place, params }
  }
  return undefined
}

function paramsOf(pattern: string, path: string) {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [i, segment] of wanted.entries()) {
    const value = given[i] ?? ''
    if (segment.startsWith(':')) {
      if (value === '') return undefined
      try {
        params[segment.slice(1)] = decodeURIComponent(value)
      } catch {
        return undefined
      }
    } else if (segment !== value) return undefined
  }
  return params
}
