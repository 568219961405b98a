/** The form for a missing company and a request in the owner's list, as they are drawn. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, test, vi } from 'vitest'
import { ApiProvider } from '#app/api/client.ts'
import type { CompanyRequest } from '../request.contract.ts'
import { RequestCard } from './request-card.tsx'
import { RequestDialog } from './request-dialog.tsx'
import { RequestsButton } from './requests-button.tsx'

vi.mock('#app/kit/session/session.data.ts', async (original) => ({
  ...(await original<object>()),
  useSession: () => ({ status: 'signed-out' }),
  authenticator: {},
}))
// A window stands outside of the page's flow, where the server draws nothing.
vi.mock('#app/kit/ui/dialog.tsx', async (original) => ({
  ...(await original<object>()),
  Dialog: (props: Record<'title' | 'description' | 'children' | 'footer', ReactNode>) =>
    createElement(
      'section',
      { 'aria-label': String(props.title) },
      createElement('p', null, props.description),
      props.children,
      props.footer,
    ),
}))
const html = (part: ReactNode) =>
  renderToString(
    <QueryClientProvider client={new QueryClient()}>
      <ApiProvider value={(async () => ({})) as never}>{part}</ApiProvider>
    </QueryClientProvider>,
  ).replaceAll('&#x27;', "'")
const textsOf = (name: string, part: string) =>
  [...part.matchAll(new RegExp(`<${name}[^>]*>(.*?)</${name}>`, 'gs'))]
    .map(([, text = '']) => text.replace(/<[^>]+>/g, '').trim())
    .filter(Boolean)

test('Spec §2.8: the form has a name, a website, a wish to be notified, Cancel and Submit', () => {
  const dialog = html(<RequestDialog open onOpenChange={() => {}} />)
  expect(dialog).toContain('<section aria-label="Request a Company">')
  expect(dialog).toContain("Don't see the company you're looking for?")
  // Your Email comes with the wish, and not before.
  expect(textsOf('label', dialog)).toEqual([
    'Company Name *',
    'Website (optional)',
    'Notify me when this company is added',
  ])
  expect(dialog).toMatch(/<input [^>]*type="url"[^>]*name="companyWebsite"/)
  expect(textsOf('button', dialog)).toEqual(['Cancel', 'Submit'])
})

const request: CompanyRequest = {
  id: '00000000-0000-4000-8000-000000000001',
  companyName: 'Acme',
  companyWebsite: 'acme.com',
  status: 'pending',
  requesterEmail: 'vera@people.example',
  notify: false,
  createdOn: '2026-03-14',
  company: null,
  duplicates: [],
}

describe('Spec §2.11: a request', () => {
  test('a request shows its name, requester, status, day, website and Delete', () => {
    const card = html(
      <RequestCard request={request} isRemoving={false} onRemove={() => {}} onDecided={() => {}} />,
    )
    const text = card.replace(/<!--.*?-->/g, '').replace(/<[^>]+>/g, '|')
    for (const shown of [
      '|Acme|',
      '|Requested by: vera@people.example|',
      '|Status: |Pending|',
      '|Created: |',
      '|Delete|',
    ])
      expect(text).toContain(shown)
    expect(card).toMatch(/<time dateTime="2026-03-14">/)
    expect(card).toMatch(/<a href="https:\/\/acme\.com" target="_blank"[^>]*>acme\.com<\/a>/)
  })

  test('a button labeled "Company Requests" opens the dialog of requests', () => {
    expect(textsOf('button', html(<RequestsButton />))[0]).toMatch(/^Company Requests/)
  })
})
