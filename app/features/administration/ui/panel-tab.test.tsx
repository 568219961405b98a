/** What stands under a tab of the Admin Panel, as the owner and an administrator see it. Spec §2.10. */
import { beforeEach, expect, test, vi } from 'vitest'
import { rendered } from '../../../../tests/support/rendered.tsx'
import { PanelTab } from './panel-tab.tsx'

const here = { can: [] as string[] }
vi.mock('../../../session/session.data.ts', async (original) => ({
  ...(await original<object>()),
  useSession: () => ({ status: 'signed-in', me: { can: here.can } }),
}))
beforeEach(() => {
  here.can = ['manageCompanyRequests']
})

/** The names of what stands there, and how each is opened. */
const tools = () => {
  const html = rendered(<PanelTab tab="tools" />, { path: '/admin' })
  const spec = html.slice(0, html.indexOf('Also here'))
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

test('Spec §6: to an administrator the requests say who decides on them', () => {
  here.can = []
  expect(tools()).not.toContainEqual(['Company Requests', 'here'])
  expect(rendered(<PanelTab tab="tools" />)).toContain('The owner of the site decides on them')
})
