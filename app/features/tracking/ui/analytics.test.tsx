import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { daysUpTo, monthsUpTo, weeksUpTo } from '../day-count.ts'
import { Plots } from './analytics.tsx'

const TODAY = '2026-03-14'

const html = renderToStaticMarkup(
  <Plots
    counts={{
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

test('analytics are drawn on the server, without styles that the policy blocks', () => {
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

test('ratings and sign-ups have no day, and say so; few are not told', () => {
  expect(html).toContain('Per month that is over, given or changed: a rating keeps no day.')
  expect(html).toContain('Per week that is over: an account keeps no day.')
  expect(html).toContain('always fewer than 5.')
  expect(html).toContain('12 in all')
})
