/** What stands on the page of Admin Tools. Spec §2.14. */
import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { rendered } from '#tests/support/rendered.tsx'
import AdminToolsScreen from './admin-tools.screen.tsx'
import { adminToolsQuery } from './scraping.data.ts'

vi.mock('#app/kit/session/session.data.ts', async (original) => ({
  ...(await original<object>()),
  useSession: () => ({ status: 'signed-in', me: { profile: { id: 'ada' }, can: [] } }),
}))

function adminTools() {
  const queryClient = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } },
  })
  const { queryKey } = adminToolsQuery(vi.fn() as never)
  queryClient.setQueryData(queryKey, { sourceName: 'TradingView', mayRun: true } as never)
  return rendered(<AdminToolsScreen />, { queryClient })
}

test('Spec §2.14: the page has its title, a card for the scraper with its button, and the results below', () => {
  const html = adminTools()
  expect(html).toMatch(/<h1[^>]*>Admin Tools<\/h1>/)
  expect(html).toMatch(/<h2[^>]*>Market movers<\/h2>/)
  expect(html).toMatch(/Run TradingView Scraper<\/button>/)
  expect(html).toContain('<textarea')
  expect(html).toContain('Import to Database</button>')
})

test('Spec §2.14: "Back to Companies" leads there', () => {
  expect(adminTools()).toMatch(/<a href="\/companies"[^>]*>(<svg.*?<\/svg>)?Back to Companies<\/a>/)
})
