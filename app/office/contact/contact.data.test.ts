import { type InfiniteData, QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import type { ContactMessage } from './contact.contract.ts'
import { type InboxQueries, inboxQuery, moveMessage, sendReply } from './contact.data.ts'
import type { ContactFilter, ContactStatus } from './contact.ts'

const message = (id: string, status: ContactStatus): ContactMessage => ({
  id,
  name: id,
  email: `${id}@example.org`,
  message: 'Hello',
  status,
  createdAt: '2026-03-14T09:00:00Z',
  subject: 'general',
  answerBy: null,
  assignee: null,
  isMine: false,
  labels: [],
  links: [],
  answers: [],
})

/** Queries whose lists hold these, by filter. */
function queriesWith(
  lists: Partial<Record<ContactFilter, ContactMessage[]>>,
  answer: unknown = {},
) {
  const queryClient = new QueryClient()
  const api = vi.fn(async () => answer) as unknown as InboxQueries['api']
  const keyOf = (filter: ContactFilter) => inboxQuery(api, filter, '').queryKey
  for (const [filter, messages] of Object.entries(lists))
    queryClient.setQueryData<InfiniteData<{ messages: ContactMessage[]; next: null }, undefined>>(
      keyOf(filter as ContactFilter) as never,
      { pages: [{ messages, next: null }], pageParams: [undefined] },
    )
  const shown = (filter: ContactFilter) =>
    queryClient
      .getQueryData(keyOf(filter))
      ?.pages.flatMap(({ messages }) => messages.map(({ id, status }) => `${id} ${status}`))
  return { queries: { api, queryClient }, shown, keyOf }
}

test('a message that ada opens stays in the unread list while she reads it', async () => {
  const mia = message('mia', 'unread')
  const { queries, shown } = queriesWith({ all: [mia], unread: [mia, message('jo', 'unread')] })
  expect(await moveMessage(queries, mia, 'unread', 'read', true)).toEqual({ isListed: true })
  expect(shown('unread')).toEqual(['mia read', 'jo unread'])
  expect(shown('all')).toEqual(['mia read'])
})

test('an archived message leaves the unread list, stays in all, and refreshes the other lists', async () => {
  const mia = message('mia', 'unread')
  const { queries, shown, keyOf } = queriesWith({ all: [mia], unread: [mia], archived: [] })
  expect(await moveMessage(queries, mia, 'unread', 'archived', false)).toEqual({ isListed: false })
  expect(shown('unread')).toEqual([])
  expect(shown('all')).toEqual(['mia archived'])
  expect(queries.queryClient.getQueryState(keyOf('archived'))?.isInvalidated).toBe(true)
})

test('a deleted message leaves every list, or none if the server refuses', async () => {
  const mia = message('mia', 'read')
  const { queries, shown } = queriesWith({ all: [mia], archived: [message('jo', 'archived')] })
  vi.mocked(queries.api).mockRejectedValueOnce(new Error('no'))
  await expect(moveMessage(queries, mia, 'all', 'deleted', false)).rejects.toThrow('no')
  expect(shown('all')).toEqual(['mia read'])
  await moveMessage(queries, mia, 'all', 'deleted', false)
  expect(shown('all')).toEqual([])
  expect(shown('archived')).toEqual(['jo archived'])
})

test('an answer that’s sent twice appears once below its message', async () => {
  const mia = message('mia', 'read')
  const answer = { id: 'one', administrator: 'Ada', body: 'Hi', day: '2026-03-14', isSent: false }
  const { queries, keyOf } = queriesWith({ all: [mia] }, answer)
  for (let n = 0; n < 2; n++) await sendReply(queries, mia, { text: 'Hi', idempotencyKey: 'one' })
  const pages = queries.queryClient.getQueryData(keyOf('all'))?.pages
  expect(pages?.[0]?.messages[0]?.answers).toEqual([answer])
})
