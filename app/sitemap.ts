/** Spec §2.1 on one page: path → screen, its flag, what it needs to know. */
import type { ComponentType } from 'react'
import type { Client } from './api/client.ts'
import type { AccountContract } from './features/accounts/account.contract.ts'
import type { AdministrationContract } from './features/administration/administration.contract.ts'
import type { ClaimContract } from './features/claims/claim.contract.ts'
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
import type { EditContract } from './features/companies/edit-company.contract.ts'
import { comparisonQuery } from './features/company-page/compare.data.ts'
import type { ContactContract } from './features/contact/contact.contract.ts'
import type { DashboardContract } from './features/dashboard/dashboard.contract.ts'
import type { DiscussionContract, Thread } from './features/discussions/discussion.contract.ts'
import {
  commentsAddress,
  commentsQuery,
  threadIdOf,
  threadListAddress,
  threadListQuery,
  threadQuery,
} from './features/discussions/discussion.data.ts'
import { topicsQuery } from './features/discussions/own-posts.data.ts'
import type { FollowContract } from './features/following/follow.contract.ts'
import type { Job, JobContract } from './features/jobs/job.contract.ts'
import { jobsQuery } from './features/jobs/job.data.ts'
import { jobListAddress } from './features/jobs/job-list-address.ts'
import { jobIdOf, jobQuery, otherJobsQuery } from './features/jobs/one-job.data.ts'
import type { SavedJobContract } from './features/jobs/saved-job.contract.ts'
import type { NotificationContract } from './features/notifications/notification.contract.ts'
import type { RatingContract } from './features/ratings/rating.contract.ts'
import { notesQuery, ratingsQuery } from './features/ratings/rating.data.ts'
import type { ReplyContract } from './features/replies/reply.contract.ts'
import type { ModerationContract } from './features/reports/report.contract.ts'
import type { RequestContract } from './features/requests/request.contract.ts'
import type { ScrapingContract } from './features/scraping/scraping.contract.ts'
import type { TrackingContract } from './features/tracking/tracking.contract.ts'
import type { SiteConfig, SiteContract } from './session/site.contract.ts'

export type AppContract = SiteContract &
  CompanyContract &
  AccountContract &
  DiscussionContract &
  RatingContract &
  EditContract &
  TrackingContract &
  ModerationContract &
  FollowContract &
  NotificationContract &
  RequestContract &
  ContactContract &
  AdministrationContract &
  ScrapingContract &
  ClaimContract &
  ReplyContract &
  JobContract &
  SavedJobContract &
  DashboardContract
export type AppClient = Client<AppContract>

/** Path and query parameters of an address; on the server those that main.page-key.server.ts reads. */
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
  /** What must be known before the screen can be rendered. */
  data?: (
    api: AppClient,
    address: Address,
    flags: SiteConfig['flags'],
  ) => AnyQuery[] | Promise<AnyQuery[]>
  /** What can only be asked for once `data` is here; the page does without when it does not come. */
  more?: (api: AppClient, address: Address, answers: unknown[]) => Promise<AnyQuery[]>
  /** Looks at the answers of `data`, in their order, and may send elsewhere. */
  redirect?: (address: Address, answers: unknown[]) => string | undefined
}

const home: Screen = {
  module: 'app/features/home/home.screen.tsx',
  load: () => import('./features/home/home.screen.tsx').then((it) => it.HomeScreen),
}
const companies: Screen = {
  module: 'app/features/company-page/companies.screen.tsx',
  load: () =>
    import('./features/company-page/companies.screen.tsx').then((it) => it.CompaniesScreen),
}
const company: Screen = {
  module: 'app/features/company-page/company.screen.tsx',
  load: () => import('./features/company-page/company.screen.tsx').then((it) => it.CompanyScreen),
}
const editCompany: Screen = {
  module: 'app/features/companies/edit-company.screen.tsx',
  load: () =>
    import('./features/companies/edit-company.screen.tsx').then((it) => it.EditCompanyScreen),
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
  module: 'app/features/account-pages/profile.screen.tsx',
  load: () => import('./features/account-pages/profile.screen.tsx').then((it) => it.ProfileScreen),
}
const settings: Screen = {
  module: 'app/features/account-pages/settings.screen.tsx',
  load: () =>
    import('./features/account-pages/settings.screen.tsx').then((it) => it.SettingsScreen),
}
const resetPassword: Screen = {
  module: 'app/features/accounts/reset-password.screen.tsx',
  load: () =>
    import('./features/accounts/reset-password.screen.tsx').then((it) => it.ResetPasswordScreen),
}

const discussions: Screen = {
  module: 'app/features/discussions/discussions.screen.tsx',
  load: () =>
    import('./features/discussions/discussions.screen.tsx').then((it) => it.DiscussionsScreen),
}
const thread: Screen = {
  module: 'app/features/discussions/thread.screen.tsx',
  load: () => import('./features/discussions/thread.screen.tsx').then((it) => it.ThreadScreen),
}
const createThread: Screen = {
  module: 'app/features/discussions/create-thread.screen.tsx',
  load: () =>
    import('./features/discussions/create-thread.screen.tsx').then((it) => it.CreateThreadScreen),
}
const editThread: Screen = {
  module: 'app/features/discussions/edit-thread.screen.tsx',
  load: () =>
    import('./features/discussions/edit-thread.screen.tsx').then((it) => it.EditThreadScreen),
}
const myDiscussions: Screen = {
  module: 'app/features/discussions/my-discussions.screen.tsx',
  load: () =>
    import('./features/discussions/my-discussions.screen.tsx').then((it) => it.MyDiscussionsScreen),
}
const deletePost: Screen = {
  module: 'app/features/discussions/delete-post.screen.tsx',
  load: () =>
    import('./features/discussions/delete-post.screen.tsx').then((it) => it.DeletePostScreen),
}

const notifications: Screen = {
  module: 'app/features/notifications/notifications.screen.tsx',
  load: () =>
    import('./features/notifications/notifications.screen.tsx').then(
      (it) => it.NotificationsScreen,
    ),
}
const alerts: Screen = {
  module: 'app/features/account-pages/alerts.screen.tsx',
  load: () => import('./features/account-pages/alerts.screen.tsx').then((it) => it.AlertsScreen),
}
const moderation: Screen = {
  module: 'app/features/moderation/moderation.screen.tsx',
  load: () =>
    import('./features/moderation/moderation.screen.tsx').then((it) => it.ModerationScreen),
}

const adminPanel: Screen = {
  module: 'app/features/administration/admin-panel.screen.tsx',
  load: () =>
    import('./features/administration/admin-panel.screen.tsx').then((it) => it.AdminPanelScreen),
}
const tracking: Screen = {
  module: 'app/features/tracking/tracking.screen.tsx',
  load: () => import('./features/tracking/tracking.screen.tsx').then((it) => it.TrackingScreen),
}
const adminTools: Screen = {
  module: 'app/features/scraping/admin-tools.screen.tsx',
  load: () =>
    import('./features/scraping/admin-tools.screen.tsx').then((it) => it.AdminToolsScreen),
}

const jobs: Screen = {
  module: 'app/features/jobs/jobs.screen.tsx',
  load: () => import('./features/jobs/jobs.screen.tsx').then((it) => it.JobsScreen),
}
const job: Screen = {
  module: 'app/features/jobs/job.screen.tsx',
  load: () => import('./features/jobs/job.screen.tsx').then((it) => it.JobScreen),
}
const postJob: Screen = {
  module: 'app/features/jobs/post-job.screen.tsx',
  load: () => import('./features/jobs/post-job.screen.tsx').then((it) => it.PostJobScreen),
}
const dashboard: Screen = {
  module: 'app/features/dashboard/dashboard.screen.tsx',
  load: () => import('./features/dashboard/dashboard.screen.tsx').then((it) => it.DashboardScreen),
}

/** A company lives at its slug, whatever address was used to find it. */
const toItsSlug: Place['redirect'] = ({ path }, [answer]) => {
  const company = answer as CompanyPageView | undefined
  const home = company && companyPath(company)
  return home === path ? undefined : home
}

/** A thread or a job lives at its id with its title behind it, so that the address can be read. */
const toItsTitle: Place['redirect'] = ({ path }, [answer]) => {
  const it = answer as Thread | Job | undefined
  const home = it && encodeURI(it.path)
  return home === path ? undefined : home
}

/** What an address shows that leads nowhere, or to what is not shown any more: `sentence` says why. */
export const NOWHERE: Place = {
  pattern: '',
  screen: {
    module: 'app/session/not-found.tsx',
    load: () => import('./session/not-found.tsx').then((it) => it.Nowhere),
  },
}

/** What a company's page shows below its head; discussions are the first tab. */
const companyTab: Place['more'] = async (api, { query }, [answer]) => {
  const { id } = answer as CompanyPageView
  if (query.tab === 'about') return []
  if (query.tab === 'ratings') return [ratingsQuery(api, id), notesQuery(api, id)]
  if (query.tab === 'jobs') return [jobsQuery(api, { company: id })]
  return [threadListQuery(api, { company: id })]
}

export const SITEMAP: readonly Place[] = [
  {
    pattern: '/',
    screen: home,
    data: (api, _address, flags) =>
      flags.enableCompanies ? [trendingQuery(api), recentQuery(api), highestRatedQuery(api)] : [],
  },
  {
    pattern: '/companies',
    screen: companies,
    flag: 'enableCompanies',
    data: (api, { query }) =>
      query.compare
        ? [comparisonQuery(api, query.compare)]
        : [companyListQuery(api, companyListAddress(query)), categoriesQuery(api)],
  },
  {
    pattern: '/company/:companyId',
    screen: company,
    flag: 'enableCompanies',
    data: (api, { params }) => [companyQuery(api, params.companyId ?? '')],
    more: companyTab,
    redirect: toItsSlug,
  },
  {
    pattern: '/edit-company/:companyId',
    screen: editCompany,
    flag: 'enableCompanies',
    data: (api, { params }) => [companyQuery(api, params.companyId ?? '')],
  },
  {
    pattern: '/discussions',
    screen: discussions,
    flag: 'enableDiscussions',
    data: (api, { query }) => [threadListQuery(api, threadListAddress(query)), topicsQuery(api)],
  },
  {
    pattern: '/thread/:id',
    screen: thread,
    flag: 'enableDiscussions',
    data: (api, { params, query }) => {
      const id = threadIdOf(params.id)
      return [threadQuery(api, id), commentsQuery(api, id, commentsAddress(query))]
    },
    redirect: toItsTitle,
  },
  {
    pattern: '/create-thread',
    screen: createThread,
    flag: 'enableDiscussions',
    // A company that is not there any more is no reason not to write.
    more: async (api, { query }) => (query.company ? [companyQuery(api, query.company)] : []),
  },
  { pattern: '/edit-thread/:id', screen: editThread, flag: 'enableDiscussions' },
  { pattern: '/my-discussions', screen: myDiscussions, flag: 'enableDiscussions' },
  {
    pattern: '/jobs',
    screen: jobs,
    flag: 'enableJobs',
    // Saved ones are asked for in the browser.
    data: (api, { query }) => (query.saved ? [] : [jobsQuery(api, jobListAddress(query))]),
    // The name of the one company, also where it has no jobs.
    more: async (api, { query }) => {
      const { company } = jobListAddress(query)
      return company ? [companyQuery(api, company)] : []
    },
  },
  {
    pattern: '/jobs/:id',
    screen: job,
    flag: 'enableJobs',
    data: (api, { params }) => [jobQuery(api, jobIdOf(params.id))],
    more: async (api, _address, [answer]) => [otherJobsQuery(api, (answer as Job).company.id)],
    redirect: toItsTitle,
  },
  { pattern: '/post-job', screen: postJob, flag: 'enableJobs' },
  { pattern: '/profile', screen: profile, flag: 'enableProfile' },
  { pattern: '/settings', screen: settings, flag: 'enableSettings' },
  { pattern: '/notifications', screen: notifications, flag: 'enableNotifications' },
  { pattern: '/alerts', screen: alerts, flag: 'enableAlerts' },
  { pattern: '/dashboard', screen: dashboard, flag: 'enableDashboard' },
  { pattern: '/about', screen: about },
  { pattern: '/about-us', screen: about },
  { pattern: '/privacy', screen: privacy },
  { pattern: '/privacy-policy', screen: privacy },
  { pattern: '/terms', screen: terms },
  { pattern: '/terms-of-service', screen: terms },
  { pattern: '/reset-password', screen: resetPassword },
  { pattern: '/admin', screen: adminPanel },
  { pattern: '/admin-panel', screen: adminPanel },
  { pattern: '/admin/moderation', screen: moderation },
  { pattern: '/admin-tracking', screen: tracking },
  { pattern: '/admin-tools', screen: adminTools },
  { pattern: '/delete-post', screen: deletePost },
  // Last: any other single word may be a company.
  {
    pattern: '/:companySlug',
    screen: company,
    flag: 'enableCompanies',
    data: (api, { params }) => [companyQuery(api, params.companySlug ?? '')],
    more: companyTab,
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
