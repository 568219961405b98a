/**
 * By what a page is kept: its path, and what its screen makes of the query, in one order. What the
 * screen does not know changes nothing, so it makes no page of its own.
 */

import {
  commentsAddress,
  threadIdOf,
  threadListAddress,
} from '#app/community/discussions/discussion.data.ts'
import { companyListAddress } from '#app/companies/company.data.ts'
import { COMPARE, referencesIn } from '#app/companies/comparison/comparison.ts'
import { jobListAddress } from '#app/jobs/search/job-list-address.ts'
import type { SiteConfig } from '#app/kit/session/site.contract.ts'
import { wantsToRate } from '#app/ratings/ui/rate-link.tsx'
import { type RoutePath, routeOf } from '#app/routes.ts'

/** Of a route: what its screen reads from an address, read as the screen reads it. */
type Reading = (query: URLSearchParams) => object

const companyTab: Reading = (query) => ({
  tab: ['ratings', 'jobs', 'about'].find((tab) => tab === query.get('tab')),
  rate: wantsToRate(query.toString()) ? 'yes' : undefined,
})

/** The pages of any other route are the same whatever is asked. */
const READINGS: Partial<Record<RoutePath, Reading>> = {
  '/companies': (query) =>
    query.get(COMPARE)
      ? { [COMPARE]: referencesIn(query.get(COMPARE)).join(',') || ',' }
      : companyListAddress(Object.fromEntries(query)),
  '/company/:companyId': companyTab,
  '/:companySlug': companyTab,
  '/discussions': (query) => threadListAddress(Object.fromEntries(query)),
  '/thread/:id': (query) => commentsAddress(Object.fromEntries(query)),
  '/create-thread': (query) => ({ company: query.get('company') || undefined }),
  '/jobs': (query) =>
    Object.fromEntries(query).saved ? { saved: 1 } : jobListAddress(Object.fromEntries(query)),
}

/** The key of a page in the cache, and all that is needed to render it. */
export function pageKey(url: string, flags: SiteConfig['flags']): string {
  const mark = url.indexOf('?')
  if (mark < 0) return url
  const path = url.slice(0, mark)
  // With a slash at its end it is sent on, and what it asks for goes along.
  const reading = READINGS[routeOf(withoutSlash(path), flags)?.route.path ?? '/']
  if (!reading) return path
  const read = Object.entries(reading(new URLSearchParams(url.slice(mark))))
  const known = read.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return known.length > 0 ? `${path}?${new URLSearchParams(known)}` : path
}

export const withoutSlash = (path: string) => path.replace(/(?<!\/)\/+$/, '') || '/'

/** Nothing can be at the path: a thread's or a job's without an id. The database need not be asked. */
export function isHopeless(path: string, flags: SiteConfig['flags']) {
  const found = routeOf(path, flags)
  const hasId = found && BY_ID.has(found.route.path)
  return hasId === true && threadIdOf(found.params.id) === threadIdOf(undefined)
}

const BY_ID = new Set<RoutePath>(['/thread/:id', '/jobs/:id'])
