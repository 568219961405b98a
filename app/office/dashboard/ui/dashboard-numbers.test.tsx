import { expect, test } from 'vitest'
import { rendered } from '#tests/support/rendered.tsx'
import type { DashboardView } from '../dashboard.contract.ts'
import {
  CATEGORY_WITHHELD,
  COUNTED_SOON,
  EXAMPLE_TEXT,
  FEWER,
  TOO_FEW_PEOPLE,
} from '../dashboard.ts'
import { DashboardNumbers } from './dashboard-numbers.tsx'

const NOTHING = {
  company: { id: '00000000-0000-4000-8000-00000000c001', name: 'Erin and Sons', path: '/erin' },
  weeks: '12' as const,
  from: '2025-12-15',
  until: '2026-03-08',
  coming: {
    week: { from: '2026-03-09', to: '2026-03-15', on: '2026-03-17' },
    month: { from: '2026-02-01', to: '2026-02-28', on: '2026-04-07' },
  },
  ratings: { spans: [], inAll: null, change: null, parts: [] },
  threads: { spans: [], n: null },
  comments: { spans: [], n: null },
  followers: { n: null, since: null },
  office: { policy: null, actual: null },
  jobs: null,
} satisfies DashboardView

test('the dashboard says “fewer than five people” in place of a number', () => {
  const page = rendered(<DashboardNumbers view={NOTHING} />)
  const [cards, plots] = [6, 7]
  expect(page.split(TOO_FEW_PEOPLE)).toHaveLength(1 + plots)
  expect(page.split(FEWER)).toHaveLength(1 + cards + plots)
  expect(page).not.toContain('Job views')
})

test('a new dashboard says what it’ll count when, and shows an example marked as one', () => {
  const page = rendered(<DashboardNumbers view={NOTHING} />)
  expect(page).toContain('We’ll count the week of Mar 9 – 15, 2026 on Mar 17, 2026')
  expect(page).toContain('We’ll count the ratings of Feb 2026 on Apr 7, 2026')
  const plots = page.match(/<svg role="img" aria-label="[^"]*/g) ?? []
  expect(plots).toHaveLength(3)
  for (const plot of plots) expect(plot).toContain('Example: ')
  expect(page.split(EXAMPLE_TEXT)).toHaveLength(1 + 3)
  const full = {
    ...NOTHING,
    threads: { spans: [{ from: '2025-12-29', to: '2026-01-04', n: 6 }], n: 6 },
  }
  expect(rendered(<DashboardNumbers view={full} />).split(EXAMPLE_TEXT)).toHaveLength(3)
})

test('a new dashboard doesn’t claim a number before the first count', () => {
  const page = rendered(<DashboardNumbers view={NOTHING} isCounted={false} />)
  const [cards, plots] = [6, 7]
  expect(page.split(COUNTED_SOON)).toHaveLength(1 + cards + plots)
  expect(page).not.toContain(FEWER)
  expect(page.split(EXAMPLE_TEXT)).toHaveLength(1 + 3)
})

test('the server draws the plots, and adds words and tables', () => {
  const page = rendered(
    <DashboardNumbers
      view={{
        ...NOTHING,
        threads: {
          spans: [
            // Begins before the range.
            { from: '2025-11-03', to: '2025-12-28', n: 8 },
            { from: '2025-12-29', to: '2026-01-04', n: 6 },
          ],
          n: 14,
        },
        ratings: {
          ...NOTHING.ratings,
          spans: [
            {
              from: '2026-01-01',
              to: '2026-01-31',
              ratings: 6,
              score: 3.5,
              parts: [{ key: 'rto', mean: 2, ratings: 6 }],
              officeDays: null,
            },
            {
              from: '2026-02-01',
              to: '2026-02-28',
              ratings: 5,
              score: 4,
              parts: [],
              officeDays: null,
            },
          ],
          inAll: { mean: 3.7, ratings: 11 },
          change: 0.5,
          parts: [{ key: 'rto', mean: 2, ratings: 6 }],
        },
      }}
    />,
  )
  expect(page).toContain(
    'Threads per week, Nov 3, 2025 – Jan 4, 2026: 14 in all, at most 6 a week (Dec 29, 2025 – Jan 4, 2026).',
  )
  expect(page).toContain(
    'All categories: from 3.5 (Jan 2026) to 4.0 (Feb 2026), between 3.5 and 4.0.',
  )
  expect(page).toContain('Return to office, Jan 2026: 2.0.')
  expect(page).toContain('+0.5 from the previous months')
  expect(page).toContain('Show as a table')
  expect(page.split(CATEGORY_WITHHELD)).toHaveLength(1 + 3)
  expect(page).not.toContain('style=')
  expect(page).not.toContain('NaN')
})
