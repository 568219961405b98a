/** One row per number, with its days. */
import { statedDays } from '#app/companies/edits/company-policy.ts'
import { csvText } from '#app/companies/tracking/tracking-files.server.ts'
import type { DashboardView } from './dashboard.contract.ts'
import { FEWER } from './dashboard.ts'

export function dashboardCsv(view: DashboardView): string {
  const { ratings, threads, comments, followers, office, jobs } = view
  const stated = office.policy && statedDays(office.policy)
  return csvText([
    ['what', 'from', 'to', 'number', 'of ratings'],
    ...ratings.spans.flatMap(({ from, to, ratings, score, parts, officeDays }) => [
      ['score', from, to, score, ratings],
      ...parts.map(({ key, mean, ratings }) => [key, from, to, mean, ratings]),
      ...(officeDays
        ? [['office days actual', from, to, officeDays.mean, officeDays.ratings]]
        : []),
    ]),
    ...threads.spans.map(({ from, to, n }) => ['threads', from, to, n, '']),
    ...comments.spans.map(({ from, to, n }) => ['comments', from, to, n, '']),
    ['followers', followers.since ?? '', '', followers.n ?? FEWER, ''],
    ['office days stated', office.policy?.since ?? '', '', stated ?? '', ''],
    ...(jobs?.spans.flatMap(({ from, to, views, applies }) => [
      ['job views', from, to, views, ''],
      ['job applies', from, to, applies, ''],
    ]) ?? []),
  ])
}
