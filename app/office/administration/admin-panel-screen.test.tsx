/** What the Admin Panel shows, and what it says when its numbers don't load. Spec §2.10, §8. */
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { currentToasts, dismissToast } from '#app/kit/ui/toast.ts'
import { rendered } from '#tests/support/rendered.tsx'
import AdminPanelScreen from './admin-panel.screen.tsx'
import { adminStatsQuery } from './administration.data.ts'

const { can, navigate } = vi.hoisted(() => ({ can: { now: [] as string[] }, navigate: vi.fn() }))
vi.mock('#app/kit/session/session.data.ts', async (original) => ({
  ...(await original<object>()),
  useSession: () => ({ status: 'signed-in', me: { can: can.now } }),
  useIsKnown: () => true,
}))
vi.mock('#app/kit/ui/address.ts', async (original) => ({
  ...(await original<object>()),
  navigate,
}))
// The server has no effects: here they come after the drawing, as in a browser.
vi.mock('react', async (original) => ({
  ...(await original<object>()),
  useEffect: (effect: () => void) => queueMicrotask(effect),
}))
beforeEach(() => {
  can.now = ['openAdminPanel', 'moderate']
  navigate.mockClear()
  dismissToast()
  vi.stubGlobal('document', { activeElement: null })
})

const shown = () => currentToasts().filter(({ open }) => open)
const panel = (queryClient?: QueryClient) =>
  rendered(<AdminPanelScreen />, { path: '/admin-panel', queryClient })

test('Spec §2.10: the panel has its title, subtitle and badge, four numbers and four tabs', () => {
  const html = panel()
  expect(html).toMatch(/<h1[^>]*>Admin Panel<\/h1>/)
  expect(html).toContain('>Manage your platform with comprehensive admin tools</p>')
  expect(html).toContain('Administrator Access')
  expect([...html.matchAll(/<dt[^>]*>(.*?)<\/dt>/g)].map(([, name]) => name)).toEqual([
    'Total Users',
    'Companies',
    'Discussions',
    'Pending Requests',
  ])
  const tabs = html.match(/<nav aria-label="Admin Panel".*?<\/nav>/s)?.[0] ?? ''
  expect([...tabs.matchAll(/<a [^>]*>(.*?)<\/a>/g)].map(([, name]) => name)).toEqual([
    'Navigation',
    'Admin Tools',
    'Content',
    'Analytics',
  ])
})

test('Spec §8: a destructive toast says that the numbers couldn’t be loaded', async () => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retryOnMount: false } } })
  const failed = async () => {
    throw new Error('No')
  }
  await queryClient.prefetchQuery({
    ...adminStatsQuery(failed as never),
    retry: false,
  })
  panel(queryClient)
  await expect.poll(shown).toMatchObject([
    {
      title: 'Error',
      description: 'Failed to load admin statistics',
      variant: 'destructive',
    },
  ])
})

test('Spec §2.10, §8: a member lands on the home page and reads why', async () => {
  can.now = ['rate']
  panel()
  await expect.poll(() => navigate.mock.calls).toEqual([['/', { replace: true }]])
  expect(shown()).toMatchObject([{ title: 'Unauthorized' }])
})

test('a moderator lands on the moderation page, without a toast', async () => {
  can.now = ['rate', 'moderate']
  panel()
  await expect.poll(() => navigate.mock.calls).toEqual([['/admin/moderation', { replace: true }]])
  expect(shown()).toEqual([])
})
