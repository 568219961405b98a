/** What stands under a tab of the Admin Panel, as the owner and an administrator see it. Spec §2.10. */
import { beforeEach, expect, test, vi } from 'vitest'
import { rendered } from '#tests/support/rendered.tsx'
import { PanelTab } from '../admin-panel.screen.tsx'
import type { Tab } from '../panel-items.ts'

const here = { can: [] as string[] }
vi.mock('#app/kit/session/session.data.ts', async (original) => ({
  ...(await original<object>()),
  useSession: () => ({ status: 'signed-in', me: { can: here.can } }),
}))
beforeEach(() => {
  here.can = ['manageCompanyRequests']
})

/** The names of what stands there, and how each is opened. */
const tools = () => entriesOf('tools')
function entriesOf(tab: Tab) {
  const html = rendered(<PanelTab tab={tab} />, { path: '/admin' })
  const [spec = ''] = html.split('Also here')
  return [...spec.matchAll(/<(a|button|p) ([^>]*)>(.*?)<\/\1>/gs)].flatMap(
    ([, element, attributes = '', inner = '']) => {
      const [, name = ''] = inner.replace(/<svg.*?<\/svg>/gs, '').match(/([A-Z][\w ]+)/) ?? []
      if (element === 'p') return []
      if (element === 'button') return [[name, 'here']]
      const [, href = ''] = attributes.match(/href="([^"?]*)/) ?? []
      return [[name, href, attributes.includes('target="_blank"') ? 'new tab' : 'this tab']]
    },
  )
}

test('Spec §2.10: the owner has five tools, two of them in place and three in a new tab', () => {
  expect(tools()).toEqual([
    ['User Management', '/admin', 'new tab'],
    ['Company Requests', 'here'],
    ['Contact Messages', 'here'],
    ['Analytics Tracking', '/admin-tracking', 'new tab'],
    ['Data Management', '/admin', 'new tab'],
  ])
})

test.each([
  [
    'navigation',
    ['Home', '/', 'this tab'],
    ['Companies', '/companies', 'this tab'],
    ['Discussions', '/discussions', 'this tab'],
  ],
  [
    'content',
    ['Manage Companies', '/companies', 'this tab'],
    ['Moderate Discussions', '/discussions', 'this tab'],
  ],
  [
    'analytics',
    ['User Activity Report', '/admin-tracking', 'new tab'],
    ['Interaction Tracking', '/admin-tracking', 'new tab'],
  ],
] as [Tab, ...string[][]][])('Spec §2.10: the links of the tab %s', (tab, ...links) => {
  expect(entriesOf(tab)).toEqual(links)
})

test('Spec §6: ada, who can’t open the requests, reads that they’re the owner’s', () => {
  here.can = []
  expect(tools()).not.toContainEqual(['Company Requests', 'here'])
  expect(rendered(<PanelTab tab="tools" />)).toMatch(
    />Company Requests<\/p><p [^>]*>Only the site’s owner can open these\. OWNER_EMAIL sets who that is\.</,
  )
})
