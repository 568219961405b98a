/** What becomes of a message that is sent, and of the inbox when the server refuses. Spec §2.9, §2.12, §8. */
import { QueryClient } from '@tanstack/react-query'
import { createElement, type ReactNode } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { currentToasts, dismissToast } from '#app/kit/ui/toast.ts'
import { rendered } from '#tests/support/rendered.tsx'
import { unreadMessage } from '#tests/support/views.ts'
import type { ContactMessage } from '../contact.contract.ts'
import { inboxQuery, moveMessage, sendContactForm } from '../contact.data.ts'
import { ContactDialog } from './contact-dialog.tsx'
import { Inbox, InboxDialog } from './inbox.tsx'

vi.mock('../contact.data.ts', async (original) => ({
  ...(await original<object>()),
  sendContactForm: vi.fn(),
  moveMessage: vi.fn(),
}))
// A window stands outside of the page's flow, where the server draws nothing.
vi.mock('#app/kit/ui/dialog.tsx', async (original) => ({
  ...(await original<object>()),
  Dialog: ({ title, children, footer }: Record<string, ReactNode>) =>
    createElement('section', { 'aria-label': String(title) }, children, footer),
}))
const form = vi.hoisted(() => ({ send: async () => {} }))
vi.mock('#app/kit/forms/form.tsx', async (original) => ({
  ...(await original<object>()),
  useForm: ({ send }: typeof form) => {
    form.send = send
    return { form: {}, errors: {}, isBusy: false }
  },
}))
/** Opens a message of the list. */
const list = vi.hoisted(() => ({ open: async (_: object) => {} }))
vi.mock('./inbox-list.tsx', async (original) => {
  const { InboxList, ...others } = await original<typeof import('./inbox-list.tsx')>()
  return {
    ...others,
    InboxList: (props: Parameters<typeof InboxList>[0]) => {
      list.open = props.onOpen as unknown as typeof list.open
      return InboxList(props)
    },
  }
})
// The server has no effects: here they come after the drawing, as in a browser.
vi.mock('react', async (original) => ({
  ...(await original<object>()),
  useEffect: (effect: () => void) => queueMicrotask(effect),
}))

const kept = new Map<string, string>()
beforeEach(() => {
  dismissToast()
  kept.clear()
  vi.mocked(sendContactForm).mockReset()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  vi.stubGlobal('document', { getElementById: () => null, addEventListener: () => {} })
})
const said = () => currentToasts().filter(({ open }) => open)

describe('Spec §2.9, §8: a message', () => {
  const typed = () => {
    for (const field of ['name', 'email', 'message']) kept.set(`kettle-contact:${field}`, 'Hello')
  }
  const onOpenChange = vi.fn()
  beforeEach(() => {
    onOpenChange.mockReset()
    typed()
    rendered(<ContactDialog open onOpenChange={onOpenChange} />)
  })

  test('the form thanks dana for her message, clears and closes', async () => {
    await form.send()
    expect(said()).toMatchObject([
      {
        title: 'Message Received',
        description: 'Thank you for reaching out! We will contact you as soon as possible.',
      },
    ])
    expect([...kept.keys()]).toEqual([])
    expect(onOpenChange.mock.calls).toEqual([[false]])
  })

  test('a failed message leaves the form and its dialog open, with a destructive toast', async () => {
    vi.mocked(sendContactForm).mockRejectedValue(new Error('No'))
    await expect(form.send()).rejects.toThrow('No')
    expect(said()).toMatchObject([
      {
        title: 'Error',
        description: 'There was a problem sending your message. Please try again.',
        variant: 'destructive',
      },
    ])
    expect(kept.size).toBe(3)
    expect(onOpenChange).not.toHaveBeenCalled()
  })
})

/** With this answer for all messages, or this failure. */
async function inboxWith(answer: ContactMessage[] | Error) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retryOnMount: false } } })
  await queryClient.prefetchInfiniteQuery({
    ...inboxQuery(vi.fn() as never, 'all', ''),
    retry: false,
    queryFn: async () => {
      if (answer instanceof Error) throw answer
      return { messages: answer, next: null }
    },
  })
  return queryClient
}

describe('Spec §2.12, §8: the inbox', () => {
  test('the inbox has its title, says if it’s empty, and asks to select a message', async () => {
    const html = rendered(<InboxDialog open onOpenChange={() => {}} />, {
      queryClient: await inboxWith([]),
    })
    expect(html).toContain('<section aria-label="Contact Message Inbox">')
    for (const text of ['No messages found', 'Your inbox is empty', 'Select a message to view'])
      expect(html).toContain(text)
  })

  test('an inbox that can’t load says so, also in a destructive toast', async () => {
    const html = rendered(<Inbox />, { queryClient: await inboxWith(new Error('No')) })
    expect(html).toContain('Failed to load contact messages')
    await expect.poll(said).toMatchObject([
      {
        title: 'Error',
        description: 'Failed to load contact messages',
        variant: 'destructive',
      },
    ])
  })

  test('an opened message is marked read, and a failed change is a destructive toast', async () => {
    rendered(<Inbox />, { queryClient: await inboxWith([unreadMessage]) })
    vi.mocked(moveMessage).mockResolvedValueOnce({ isListed: true })
    await list.open(unreadMessage)
    expect(vi.mocked(moveMessage).mock.calls[0]?.slice(1)).toEqual([
      unreadMessage,
      'all',
      'read',
      true,
    ])
    expect(said()).toMatchObject([{ title: 'Message marked as read' }])
    vi.mocked(moveMessage).mockRejectedValueOnce(new Error('No'))
    await list.open(unreadMessage)
    expect(said()).toMatchObject([
      {
        title: 'Error',
        description: 'Failed to update message status',
        variant: 'destructive',
      },
    ])
  })
})
