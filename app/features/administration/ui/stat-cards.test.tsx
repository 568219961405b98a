import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ApiProvider } from '../../../api/client.ts'
import { adminStatsQuery } from '../administration.data.ts'
import { StatCards } from './stat-cards.tsx'

const api = (async () => ({})) as never

/** The cards with these many requests that wait; without a number they load. */
function cards(pending?: number) {
  const queryClient = new QueryClient()
  const exactly = (count: number) => ({ count, isExact: true })
  if (pending !== undefined)
    queryClient.setQueryData(adminStatsQuery(api).queryKey, {
      users: exactly(1234),
      companies: exactly(2),
      discussions: exactly(3),
      pendingRequests: exactly(pending),
    })
  const html = renderToString(
    <QueryClientProvider client={queryClient}>
      <ApiProvider value={api}>
        <StatCards />
      </ApiProvider>
    </QueryClientProvider>,
  )
  return [...html.matchAll(/<dt[^>]*>(.*?)<\/dt><dd class="([^"]*)">(.*?)<\/dd>/g)].map(
    ([, name, look = '', shown]) => [name, shown, look.includes('text-danger')],
  )
}

test('Spec §2.10: the cards show "..." while they load', () => {
  expect(cards()).toEqual([
    ['Total Users', '...', false],
    ['Companies', '...', false],
    ['Discussions', '...', false],
    ['Pending Requests', '...', false],
  ])
})

test('Spec §2.10: Pending Requests turns red above zero, and nothing else does', () => {
  expect(cards(0).map(([, , isRed]) => isRed)).toEqual([false, false, false, false])
  expect(cards(1)).toEqual([
    ['Total Users', '1,234', false],
    ['Companies', '2', false],
    ['Discussions', '3', false],
    ['Pending Requests', '1', true],
  ])
})
