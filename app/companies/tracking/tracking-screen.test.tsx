/** What an administrator sees of the newest clicks. Spec §2.13. */
import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { rendered } from '#tests/support/rendered.tsx'
import { interactionsQuery } from './analytics.data.ts'
import TrackingScreen from './tracking.screen.tsx'

vi.mock('#app/kit/session/session.data.ts', async (original) => ({
  ...(await original<object>()),
  useSession: () => ({
    status: 'signed-in',
    me: { profile: { id: 'ada' }, can: ['openTracking'] },
  }),
  useIsKnown: () => true,
}))

const click = {
  id: '1',
  companyId: 'c',
  companyName: 'Acme',
  at: '2026-03-14T09:26:00Z',
  userId: '0a1b2c3d',
  isMe: false,
}
function tracking(interactions?: object[]) {
  const queryClient = new QueryClient()
  const { queryKey } = interactionsQuery(vi.fn() as never)
  const updatedAt = Date.parse('2026-03-14T10:00:00Z')
  if (interactions) queryClient.setQueryData(queryKey, { interactions } as never, { updatedAt })
  // Everything is fresh, so nothing is fetched again.
  queryClient.setDefaultOptions({ queries: { staleTime: Number.POSITIVE_INFINITY } })
  return rendered(<TrackingScreen />, { queryClient })
}

test('Spec §2.13: the page has a way back to the companies and one tab, "Clicks"', () => {
  const html = tracking([click])
  expect(html).toContain('<h1')
  expect(html).toContain('Company Interaction Tracking')
  expect(html).toMatch(/<a href="\/companies"[^>]*>(<svg.*?<\/svg>)?Back/)
  const tabs = [...html.matchAll(/<button [^>]*role="tab"[^>]*>([^<]*)</g)]
  expect(tabs.map(([, label]) => label)).toEqual(['Clicks'])
})

test('Spec §2.13: the page says when it was updated, and offers to refresh', () => {
  const html = tracking([click])
  expect(html).toContain('Refresh Data</button>')
  expect(html).toMatch(/Last updated: .*<time dateTime="2026-03-14T10:00:00.000Z">Mar 14, 2026/)
  expect(html).not.toMatch(/Refreshing\.\.\.|Loading interactions\.\.\./)
})

test('Spec §2.13: the page says that it’s loading', () => {
  const html = tracking()
  expect(html).toContain('Loading interactions...')
  expect(html).toMatch(/<button [^>]*disabled=""[^>]*>.*Refreshing\.\.\.<\/button>/)
  expect(html).not.toContain('Last updated')
})

test('Spec §2.13: the page says if no one has clicked', () => {
  expect(tracking([])).toContain('No interaction data found')
})

test('Spec §2.13, §9: the table is at most 600 px high, and scrolls', () => {
  expect(tracking([click])).toMatch(
    /<section aria-label="Clicks"[^>]* class="max-h-\[600px\] overflow-y-auto/,
  )
})

test('Spec §2.13: a click shows its time, its company and its person, or "me" for one’s own', () => {
  const html = tracking([click, { ...click, id: '2', isMe: true }])
  const cells = [...html.matchAll(/<td [^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) =>
    cell
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  )
  const [moment, company] = ['Mar 14, 2026 9:26 AM', 'Acme']
  expect(cells).toEqual([moment, company, '0a1b2c3d', moment, company, 'me'])
  const heads = [...html.matchAll(/<th [^>]*>(.*?)<\/th>/gs)].map(([, head = '']) =>
    head.replace(/<[^>]+>/g, '').replace('&amp;', '&'),
  )
  expect(heads).toEqual(['Date & Time', 'Company', 'User ID'])
})
