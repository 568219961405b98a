/** The owner's list of requests in each of its states. Spec §2.11. */
import { QueryClient } from '@tanstack/react-query'
import { createElement, type ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { currentToasts, dismissToast } from '#app/kit/ui/toast.ts'
import { rendered } from '#tests/support/rendered.tsx'
import type { CompanyRequest } from '../request.contract.ts'
import { requestsQuery } from '../review.data.ts'
import { RequestsDialog } from './requests-dialog.tsx'

// A window stands outside of the page's flow, where the server draws nothing; what is asked is closed.
vi.mock('#app/kit/ui/dialog.tsx', () => ({
  Dialog: ({ open, title, children }: { open: boolean; title: string; children: ReactNode }) =>
    open ? createElement('section', { 'aria-label': title }, children) : null,
}))
/** The drawn buttons' handlers, by their label. */
const press = vi.hoisted(() => new Map<string, () => void>())
vi.mock('#app/kit/ui/button.tsx', async (original) => {
  const { Button, ...others } = await original<typeof import('#app/kit/ui/button.tsx')>()
  return {
    ...others,
    Button: (props: Parameters<typeof Button>[0]) => {
      press.set(String(props.children), () => props.onClick?.({} as never))
      return Button(props)
    },
  }
})

const api = (async () => ({})) as never
const acme: CompanyRequest = {
  id: '00000000-0000-4000-8000-000000000001',
  companyName: 'Acme',
  companyWebsite: null,
  status: 'pending',
  requesterEmail: 'Anonymous',
  notify: false,
  createdOn: '2026-03-14',
  company: null,
  duplicates: [],
}

/** With this list, after this failure, or while it loads. */
async function dialog(list?: CompanyRequest[] | Error) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retryOnMount: false } } })
  const query = requestsQuery(api)
  if (list)
    await queryClient.prefetchInfiniteQuery({
      ...query,
      retry: false,
      queryFn: async () => {
        if (list instanceof Error) throw list
        return { total: list.length, requests: list, next: null }
      },
    })
  return rendered(<RequestsDialog open onOpenChange={() => {}} />, { queryClient })
}

test('Spec §2.11: the dialog has its title, and says that it’s loading', async () => {
  const html = await dialog()
  expect(html).toContain('<section aria-label="Company Requests Management">')
  expect(html).toContain('>Loading requests...<')
  expect(html).not.toMatch(/No company requests found|Try Again/)
})

test('Spec §2.11: the dialog counts the requests', async () => {
  const html = await dialog([acme])
  expect(html).toContain('>Total requests: 1<')
  expect(html).toContain('Requested by: Anonymous')
  expect(html).not.toMatch(/Loading requests|No company requests found|Try Again/)
})

test('Spec §2.11: the dialog says if there are no requests', async () => {
  const html = await dialog([])
  expect(html).toContain('>Total requests: 0<')
  expect(html).toContain('No company requests found')
})

test('Spec §2.11: a list that can’t load says why, and can be tried again', async () => {
  const html = await dialog(new Error('No connection'))
  expect(html).toContain('Error loading requests: No connection')
  expect(html).toMatch(/>Try Again<\/button>/)
})

test('Spec §2.11: Refresh shows a toast', async () => {
  dismissToast()
  await dialog([])
  press.get('Refresh')?.()
  expect(currentToasts().filter(({ open }) => open)).toMatchObject([
    { title: 'Refreshing requests...' },
  ])
})
