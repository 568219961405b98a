/** Spec §2.1 on one page: each path, its screen, its flag, and the data it loads. */

import {
  commentsAddress,
  commentsQuery,
  companyTopicsQuery,
  discussedQuery,
  threadIdOf,
  threadListAddress,
  threadListQuery,
  threadQuery,
  topicsQuery,
} from '#app/community/discussions/discussion.data.ts'
import {
  categoriesQuery,
  companyListAddress,
  companyListQuery,
  companyQuery,
  highestRatedQuery,
  recentQuery,
  trendingQuery,
} from '#app/companies/company.data.ts'
import { companyPath } from '#app/companies/company.ts'
import { jobIdOf, jobQuery, jobsQuery, otherJobsQuery } from '#app/jobs/job.data.ts'
import { jobListAddress } from '#app/jobs/search/job-list-address.ts'
import type { SiteConfig } from '#app/kit/session/session.contract.ts'
import { benefitsQuery } from '#app/ratings/benefits/benefits.data.ts'
import { interviewsQuery } from '#app/ratings/interviews/interview.data.ts'
import { EARNINGS_PATH, payQuery, titlePayQuery } from '#app/ratings/pay/pay.data.ts'
import { notesQuery, ratingsQuery } from '#app/ratings/rating.data.ts'
import { companyTab } from '#app/site/company-page/company-tabs.ts'
import { comparisonQuery } from '#app/site/company-page/compare.data.ts'
import type { AppClient } from '#app/site/pages/app-client.ts'
import { type Address, type Outputs, paramsOf, type Route, route } from '#app/site/pages/route.ts'
import { staticPageQuery } from '#app/site/static-pages/static-page.data.ts'

const company = {
  screen: 'site/company-page/company',
  flag: 'enableCompanies',
  tab: ({ tab }: Address['query'], flags: SiteConfig['flags']) =>
    `site/company-page/company-${companyTab(tab, flags)}`,
  /** Data for the part below the head. */
  more(api: AppClient, { tab }: Address['query'], id: string, flags: SiteConfig['flags']) {
    switch (companyTab(tab, flags)) {
      case 'about':
        return []
      case 'ratings':
        return [
          ratingsQuery(api, id),
          notesQuery(api, id),
          ...(flags.enableDiscussions ? [companyTopicsQuery(api, id)] : []),
        ]
      case 'pay':
        return [payQuery(api, id)]
      case 'interviews':
        return [interviewsQuery(api, id)]
      case 'benefits':
        return [benefitsQuery(api, id)]
      case 'jobs':
        return [jobsQuery(api, { company: id })]
      case 'discussions':
        return flags.enableDiscussions ? [threadListQuery(api, { company: id })] : []
    }
  },
} as const

/** Redirects to the readable URL if the path is really different, not just encoded differently. */
const unlessAt = (path: string, home: string) =>
  decodeURIComponent(home) === decodeURIComponent(path) ? undefined : home

const staticPage = <const Path extends string>(path: Path, widget?: string) =>
  route({
    path,
    screen: 'site/static-pages/static-page',
    tab: widget ? () => `site/static-pages/${widget}` : undefined,
    data: (api) => ({ page: staticPageQuery(api, path) }),
  })

export const ROUTES = [
  route({
    path: '/',
    screen: 'site/home/home',
    data: (api, _address, { enableCompanies, enableDiscussions }) => ({
      trending: enableCompanies ? trendingQuery(api) : undefined,
      recent: enableCompanies ? recentQuery(api) : undefined,
      highestRated: enableCompanies ? highestRatedQuery(api) : undefined,
      discussed: enableDiscussions ? discussedQuery(api) : undefined,
    }),
  }),
  route({
    path: '/companies',
    screen: 'site/company-page/companies',
    flag: 'enableCompanies',
    data: (api, { query }) =>
      query.compare
        ? { comparison: comparisonQuery(api, query.compare) }
        : {
            list: companyListQuery(api, companyListAddress(query)),
            categories: categoriesQuery(api),
          },
    more: (api, _address, { comparison }) =>
      comparison?.companies.flatMap(({ id }) => [payQuery(api, id), benefitsQuery(api, id)]) ?? [],
  }),
  route({
    path: EARNINGS_PATH,
    screen: 'ratings/pay/earnings',
    flag: 'enableCompanies',
    data: (api, { query }) => ({
      pay: query.title ? titlePayQuery(api, query.title) : undefined,
    }),
  }),
  route({
    path: '/company/:companyId',
    screen: company.screen,
    tab: company.tab,
    flag: company.flag,
    data: (api, { params }) => ({ company: companyQuery(api, params.companyId) }),
    more: (api, { query }, it, flags) => company.more(api, query, it.company.id, flags),
    redirect: ({ path }, it) => unlessAt(path, companyPath(it.company)),
  }),
  route({
    path: '/edit-company/:companyId',
    screen: 'companies/edit-company',
    flag: 'enableCompanies',
    data: (api, { params }) => ({ company: companyQuery(api, params.companyId) }),
  }),
  route({
    path: '/discussions',
    screen: 'community/discussions/discussions',
    flag: 'enableDiscussions',
    data: (api, { query }) => ({
      list: threadListQuery(api, threadListAddress(query)),
      topics: topicsQuery(api),
    }),
  }),
  route({
    path: '/thread/:id',
    screen: 'community/discussions/thread',
    flag: 'enableDiscussions',
    data: (api, { params, query }) => ({
      thread: threadQuery(api, threadIdOf(params.id)),
      comments: commentsQuery(api, threadIdOf(params.id), commentsAddress(query)),
    }),
    redirect: ({ path }, { thread }) => unlessAt(path, encodeURI(thread.path)),
  }),
  route({
    path: '/create-thread',
    screen: 'community/discussions/create-thread',
    isFrame: true,
    flag: 'enableDiscussions',
    // If the company is gone, you can still write.
    more: (api, { query }, _answers, flags) =>
      query.company && flags.enableCompanies ? [companyQuery(api, query.company)] : [],
  }),
  route({
    path: '/edit-thread/:id',
    screen: 'community/discussions/edit-thread',
    isFrame: true,
    flag: 'enableDiscussions',
  }),
  route({
    path: '/my-discussions',
    screen: 'site/account-pages/my-discussions',
    isFrame: true,
    flag: 'enableDiscussions',
  }),
  route({
    path: '/jobs',
    screen: 'jobs/jobs',
    flag: 'enableJobs',
    // The browser loads saved jobs itself.
    data: (api, { query }) => ({
      list: query.saved ? undefined : jobsQuery(api, jobListAddress(query)),
    }),
    // The company's name, even if it has no jobs.
    more(api, { query }, _answers, flags) {
      const { company } = jobListAddress(query)
      return company && flags.enableCompanies ? [companyQuery(api, company)] : []
    },
  }),
  route({
    path: '/jobs/:id',
    screen: 'jobs/job',
    flag: 'enableJobs',
    data: (api, { params }) => ({ job: jobQuery(api, jobIdOf(params.id)) }),
    more: (api, _address, { job }) => [otherJobsQuery(api, job.company.id)],
    redirect: ({ path }, { job }) => unlessAt(path, encodeURI(job.path)),
  }),
  route({ path: '/post-job', screen: 'jobs/post-job', isFrame: true, flag: 'enableJobs' }),
  route({
    path: '/profile',
    screen: 'site/account-pages/profile',
    isFrame: true,
    flag: 'enableProfile',
  }),
  route({
    path: '/settings',
    screen: 'site/account-pages/settings',
    isFrame: true,
    flag: 'enableSettings',
  }),
  // What people with an account need (export, deletion), even if settings are off.
  route({ path: '/settings/account', screen: 'site/account-pages/settings', isFrame: true }),
  route({
    path: '/settings/badge',
    screen: 'companies/badges/badge',
    isFrame: true,
    flag: 'enableCompanies',
  }),
  route({
    path: '/notifications',
    screen: 'moderation/notifications/notifications',
    isFrame: true,
    flag: 'enableNotifications',
  }),
  route({
    path: '/alerts',
    screen: 'site/account-pages/alerts',
    isFrame: true,
    flag: 'enableAlerts',
  }),
  route({
    path: '/dashboard',
    screen: 'office/dashboard/dashboard',
    isFrame: true,
    flag: 'enableDashboard',
  }),
  staticPage('/about'),
  staticPage('/about-us'),
  staticPage('/anonymity', 'what-is-kept'),
  staticPage('/community-rules'),
  staticPage('/how-moderation-decides', 'company-removals'),
  staticPage('/privacy', 'cookie-preferences'),
  staticPage('/privacy-policy', 'cookie-preferences'),
  staticPage('/terms'),
  staticPage('/terms-of-service'),
  route({ path: '/reset-password', screen: 'identity/accounts/reset-password', isFrame: true }),
  route({
    path: '/sign-up/invitation',
    screen: 'identity/accounts/sign-up/invitation',
    isFrame: true,
  }),
  route({ path: '/admin', screen: 'office/administration/admin-panel', isFrame: true }),
  route({ path: '/admin-panel', screen: 'office/administration/admin-panel', isFrame: true }),
  route({ path: '/admin/moderation', screen: 'moderation/moderation', isFrame: true }),
  route({ path: '/admin/settings', screen: 'site/site-settings/site-settings', isFrame: true }),
  route({ path: '/admin-tracking', screen: 'companies/tracking/tracking', isFrame: true }),
  route({ path: '/admin-tools', screen: 'companies/scraping/admin-tools', isFrame: true }),
  route({ path: '/delete-post', screen: 'community/discussions/delete-post', isFrame: true }),
  // Cached pages contain nothing from rooms. The browser loads it anonymously.
  route({
    path: '/:companySlug/room',
    screen: 'community/rooms/room',
    isFrame: true,
    flag: 'enableDiscussions',
    otherFlag: 'enableCompanies',
    data: (api, { params }) => ({ company: companyQuery(api, params.companySlug) }),
  }),
  route({
    path: '/:companySlug/room/:threadId',
    screen: 'community/rooms/room',
    isFrame: true,
    flag: 'enableDiscussions',
    otherFlag: 'enableCompanies',
    data: (api, { params }) => ({ company: companyQuery(api, params.companySlug) }),
  }),
  // Last, because any other single word may be a company.
  route({
    path: '/:companySlug',
    screen: company.screen,
    tab: company.tab,
    flag: company.flag,
    data: (api, { params }) => ({ company: companyQuery(api, params.companySlug) }),
    more: (api, { query }, it, flags) => company.more(api, query, it.company.id, flags),
    redirect: ({ path }, it) => unlessAt(path, companyPath(it.company)),
  }),
]

export type RoutePath = (typeof ROUTES)[number]['path']

/** The results of a route's `data` queries. */
export type OutputsAt<Path extends RoutePath> =
  Extract<(typeof ROUTES)[number], { path: Path }> extends Route<Path, infer Asked>
    ? Outputs<Asked>
    : never

/** The route of paths without a page. `sentence` says why, if something was removed. */
export const NOWHERE: Route = { path: '', screen: 'site/layout/not-found' }

/** The route of a path, with its parameters. Undefined if there's none. */
export const routeOf = (path: string, flags: SiteConfig['flags']) =>
  matchIn(
    ROUTES.filter((route) => isOn(route, flags)),
    path,
  )

function matchIn(routes: typeof ROUTES, path: string) {
  for (const route of routes) {
    const params = paramsOf(route, path)
    if (params) return { route, params }
  }
  return undefined
}

const isOn = ({ flag, otherFlag }: Route, flags: SiteConfig['flags']) =>
  (!flag || flags[flag]) && (!otherFlag || flags[otherFlag])

/** Makes a function that returns a URL of the site, or undefined if its part is off. */
export function reachOf(flags: SiteConfig['flags']) {
  const off = ROUTES.filter((route) => !isOn(route, flags))
  return (href: string) => {
    const path = href.split(/[?#]/)[0] ?? ''
    // Lists call this for each row, and few routes are off.
    if (!matchIn(off, path)) return href
    const first = matchIn(ROUTES, path)
    return first && isOn(first.route, flags) ? href : undefined
  }
}
