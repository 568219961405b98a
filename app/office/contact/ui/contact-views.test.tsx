/** The contact dialog and a message of the inbox, as they are drawn. Spec §2.9, §2.12. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { ApiProvider } from '#app/api/client.ts'
import { unreadMessage } from '#tests/support/views.ts'
import type { ContactMessage } from '../contact.contract.ts'
import type { ContactFilter } from '../contact.ts'
import { ContactDialog } from './contact-dialog.tsx'
import { InboxFilters } from './inbox-filters.tsx'
import { InboxLink } from './inbox-link.tsx'
import { MessageDetail } from './message-detail.tsx'

vi.mock('#app/kit/session/site.tsx', async (original) => ({
  ...(await original<object>()),
  useSite: () => ({ siteName: 'Samovar' }),
}))
// A window stands outside of the page's flow, where the server draws nothing.
vi.mock('#app/kit/ui/dialog.tsx', async (original) => ({
  ...(await original<object>()),
  Dialog: ({ title, children, footer }: Record<'title' | 'children' | 'footer', ReactNode>) =>
    createElement('section', { 'aria-label': String(title) }, children, footer),
}))

const html = (part: ReactNode) =>
  renderToString(
    <QueryClientProvider client={new QueryClient()}>
      <ApiProvider value={(async () => ({})) as never}>{part}</ApiProvider>
    </QueryClientProvider>,
  )
const textsOf = (name: string, part: string) =>
  [...part.matchAll(new RegExp(`<${name}[^>]*>(.*?)</${name}>`, 'gs'))]
    .map(([, text = '']) => text.replace(/<[^>]+>/g, '').trim())
    .filter(Boolean)

test('Spec §2.9: Contact Us has Name, Email, Message, Cancel and Submit, and a subject that’s preselected', () => {
  const dialog = html(<ContactDialog open onOpenChange={() => {}} />)
  expect(dialog).toContain('<section aria-label="Contact Us">')
  expect(textsOf('label', dialog).map((text) => text.split(/\s/)[0])).toEqual([
    'Name',
    'Email',
    'Message',
    'What',
  ])
  expect(dialog).toMatch(/<option value="general" selected="">A question or an idea</)
  expect(textsOf('button', dialog)).toEqual(['Cancel', 'Submit'])
})

test('Spec §2.9: administrators find Contact Messages in the footer', () => {
  const link = html(<InboxLink className="" />)
  expect(link).toContain('>Contact Messages<')
})

const actions = (status: ContactMessage['status']) =>
  textsOf(
    'button',
    html(
      <MessageDetail
        message={{ ...unreadMessage, status }}
        heading={{ current: null }}
        onMove={() => {}}
        onBack={() => {}}
      />,
    ),
  ).filter((text) => /Archive|Unarchive|Mark|Delete/.test(text))

test.each([
  ['unread', ['Archive', 'Mark Read', 'Delete']],
  ['read', ['Archive', 'Mark Unread', 'Delete']],
  ['archived', ['Unarchive', 'Delete']],
] as const)('Spec §2.12: a message that’s %s offers %j', (status, wanted) => {
  expect(actions(status)).toEqual(wanted)
})

test('Spec §2.12: the inbox has three filters, and one is on', () => {
  const filters = (filter: ContactFilter) =>
    html(
      <InboxFilters
        filter={filter}
        unread={undefined}
        onFilter={() => {}}
        search=""
        onSearch={() => {}}
      />,
    )
  expect(textsOf('button', filters('all'))).toEqual(['All', 'Unread', 'Archived'])
  expect(filters('unread')).toMatch(/<button [^>]*aria-pressed="true"[^>]*>Unread</)
})
