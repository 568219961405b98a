import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { daysUpTo, monthsUpTo, weeksUpTo } from '../day-count.ts'
import { Plots } from './analytics.tsx'

const TODAY = '2026-03-14'

const html = renderToStaticMarkup(
  <Plots
    counts={{
      since: '2025-12-01',
      days: daysUpTo(TODAY).map((day, i) => ({
        day,
        visitors: i,
        threads: 0,
        comments: 2,
        requests: 0,
        clicks: 1,
      })),
      signUps: weeksUpTo(TODAY).map((from, i) => ({ from, n: i === 3 ? 12 : null })),
      ratings: monthsUpTo(TODAY).map((from) => ({ from, n: null })),
    }}
  />,
)

test('the server draws analytics without styles that the policy blocks', () => {
  expect(html.match(/<svg/g)).toHaveLength(7)
  expect(html).not.toContain(' style=')
})

test('each plot says what it shows, and has its numbers as a table', () => {
  expect(html).toContain(
    'aria-label="Visitors per day, Dec 15, 2025 to Mar 14, 2026: 4,005 in all, at most 89 (Mar 14, 2026)."',
  )
  expect(html.match(/<table/g)).toHaveLength(7)
  expect(html).toContain('Mar 14, 2026 (so far)')
})

test('ratings and sign-ups say that they have no day, and few show no number', () => {
  expect(html).toContain(
    'Ratings given or changed, per full month. We don’t store the day of a rating.',
  )
  expect(html).toContain('Per full week. We don’t store the day an account was created.')
  expect(html).toContain('always fewer than 5.')
  expect(html).toContain('12 in all')
})

test('a new site says since when it has numbers, and shows no zeros', () => {
  const fresh = (since: string | null, visitors: number) =>
    renderToStaticMarkup(
      <Plots
        counts={{
          since,
          days: daysUpTo(TODAY).map((day) => ({
            day,
            visitors: day === TODAY ? visitors : 0,
            threads: 0,
            comments: 0,
            requests: 0,
            clicks: 0,
          })),
          signUps: weeksUpTo(TODAY).map((from) => ({ from, n: null })),
          ratings: monthsUpTo(TODAY).map((from) => ({ from, n: null })),
        }}
      />,
    )
  const said = (html: string) =>
    ['tomorrow', 'next week', 'next month'].map(
      (when) => html.match(new RegExp(`>From ${when}<`, 'g'))?.length ?? 0,
    )
  expect(said(fresh(null, 0))).toEqual([5, 1, 1])
  expect(fresh(null, 0)).not.toMatch(/<svg|>0</)
  // What was counted today is shown.
  expect(said(fresh(TODAY, 3))).toEqual([4, 1, 1])
  // Since Monday of the week before: a whole week is over, and no month.
  expect(said(fresh('2026-03-02', 0))).toEqual([0, 0, 1])
})
