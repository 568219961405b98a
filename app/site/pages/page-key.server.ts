/**
 * A page's cache key: its path, and the query as its screen reads it, in a fixed order. Unknown
 * query parameters don't make a separate page.
 */

import {
  commentsAddress,
  threadIdOf,
  threadListAddress,
} from '#app/community/discussions/discussion.data.ts'
import { companyListAddress } from '#app/companies/company.data.ts'
import { COMPARE_PARAM, referencesIn } from '#app/companies/company.ts'
import { jobListAddress } from '#app/jobs/search/job-list-address.ts'
import type { SiteConfig } from '#app/kit/session/session.contract.ts'
import { isArea } from '#app/ratings/pay/areas.ts'
import { EARNINGS_PATH, wantsToGivePay } from '#app/ratings/pay/pay.data.ts'
import { TITLE_KEYS } from '#app/ratings/pay/titles.ts'
import { wantsToRate } from '#app/ratings/ui/rate-link.tsx'
import { type RoutePath, routeOf } from '#app/routes.ts'

/** What a route's screen reads from a URL. */
type Reading = (query: URLSearchParams) => object

const companyTab: Reading = (query) => ({
  tab: ['ratings', 'pay', 'interviews', 'benefits', 'jobs', 'about'].find(
    (tab) => tab === query.get('tab'),
  ),
  rate: wantsToRate(query.toString()) ? 'yes' : undefined,
  give: wantsToGivePay(query.toString()) ? 'yes' : undefined,
})

/** Other routes ignore the query. */
const READINGS: Partial<Record<RoutePath, Reading>> = {
  '/companies': (query) =>
    query.get(COMPARE_PARAM)
      ? { [COMPARE_PARAM]: referencesIn(query.get(COMPARE_PARAM)).join(',') || ',' }
      : companyListAddress(Object.fromEntries(query)),
  [EARNINGS_PATH]: (query) => ({
    title: TITLE_KEYS.find((title) => title === query.get('title')),
    area: [query.get('area') ?? ''].find(isArea),
  }),
  '/company/:companyId': companyTab,
  '/:companySlug': companyTab,
  '/discussions': (query) => threadListAddress(Object.fromEntries(query)),
  '/thread/:id': (query) => commentsAddress(Object.fromEntries(query)),
  '/create-thread': (query) => ({ company: query.get('company') || undefined }),
  '/jobs': (query) =>
    Object.fromEntries(query).saved ? { saved: 1 } : jobListAddress(Object.fromEntries(query)),
}

/** The key of a page in the cache, and what rendering it needs. */
export function pageKey(url: string, flags: SiteConfig['flags']): string {
  const mark = url.indexOf('?')
  if (mark < 0) return url
  const path = url.slice(0, mark)
  // A trailing slash redirects and keeps the query.
  const reading = READINGS[routeOf(withoutSlash(path), flags)?.route.path ?? '/']
  if (!reading) return path
  const read = Object.entries(reading(new URLSearchParams(url.slice(mark))))
  const known = read.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return known.length > 0 ? `${path}?${new URLSearchParams(known)}` : path
}

export const withoutSlash = (path: string) => path.replace(/(?<!\/)\/+$/, '') || '/'

/** A thread or job without a valid ID can't exist, so we don't ask the database. */
export function cannotExist(path: string, flags: SiteConfig['flags']) {
  const found = routeOf(path, flags)
  const hasId = found && BY_ID.has(found.route.path)
  return hasId === true && threadIdOf(found.params.id) === threadIdOf(undefined)
}

const BY_ID = new Set<RoutePath>(['/thread/:id', '/jobs/:id'])
