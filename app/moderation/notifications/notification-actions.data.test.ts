import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import type { Notification } from './notification.contract.ts'
import { type NotificationApi, notificationsQuery, unreadQuery } from './notification.data.ts'
import {
  chooseDigest,
  digestQuery,
  type Inbox,
  markAllRead,
  markRead,
} from './notification-actions.data.ts'

const unread = { id: 'a', isRead: false } as Notification
const read = { id: 'b', isRead: true } as Notification

function inboxOf(api: unknown) {
  const queryClient = new QueryClient()
  const inbox: Inbox = { api: api as NotificationApi, queryClient, reader: 'dana' }
  const list = notificationsQuery(inbox.api, 'dana').queryKey
  const bell = unreadQuery(inbox.api, 'dana').queryKey
  queryClient.setQueryData(list, {
    pages: [{ notifications: [unread, read], next: null, unread: 7 }],
    pageParams: [undefined],
  })
  queryClient.setQueryData(bell, { unread: 7 })
  const seen = () => ({
    read: queryClient
      .getQueryData(list)
      ?.pages.flatMap(({ notifications }) => notifications.map(({ isRead }) => isRead)),
    bell: queryClient.getQueryData(bell)?.unread,
  })
  return { inbox, seen }
}

test('dana marks news as read, and the list and the bell show it at once', async () => {
  const { inbox, seen } = inboxOf(async () => ({ unread: 4 }))
  const marking = markRead(inbox, unread, true)
  expect(seen()).toEqual({ read: [true, true], bell: 6 })
  await marking
  // Other tabs read, too: the server knows the number.
  expect(seen().bell).toBe(4)
})

test('dana marks news as unread again', async () => {
  const { inbox, seen } = inboxOf(async () => ({ unread: 8 }))
  const marking = markRead(inbox, read, false)
  expect(seen()).toEqual({ read: [false, false], bell: 8 })
  await marking
})

test('dana’s browser sends nothing for what’s already read', async () => {
  const api = vi.fn()
  await markRead(inboxOf(api).inbox, read, true)
  expect(api).not.toHaveBeenCalled()
})

test('two marks are sent in order, and the last answer counts', async () => {
  const sent: boolean[] = []
  const { inbox, seen } = inboxOf(async (_: string, { body }: { body: { isRead: boolean } }) => {
    sent.push(body.isRead)
    return { unread: body.isRead ? 6 : 7 }
  })
  const first = markRead(inbox, unread, true)
  const second = markRead(inbox, { ...unread, isRead: true }, false)
  await Promise.all([first, second])
  expect(sent).toEqual([true, false])
  expect(seen()).toEqual({ read: [false, true], bell: 7 })
})

test('dana marks everything as read at once, and a failure asks the server how it is', async () => {
  const { inbox, seen } = inboxOf(vi.fn().mockRejectedValue(new Error('refused')))
  const asked = vi.spyOn(inbox.queryClient, 'invalidateQueries')
  const marking = markAllRead(inbox)
  expect(seen()).toEqual({ read: [true, true], bell: 0 })
  await expect(marking).rejects.toThrow('refused')
  expect(asked).toHaveBeenCalledWith({ queryKey: ['me', 'notifications', 'dana'] })
})

test('a refused choice of mails changes back', async () => {
  const queryClient = new QueryClient()
  const api = vi.fn().mockRejectedValue(new Error('refused')) as unknown as NotificationApi
  const { queryKey } = digestQuery(api)
  queryClient.setQueryData(queryKey, { digest: 'off' })
  const choosing = chooseDigest({ api, queryClient }, 'daily')
  expect(queryClient.getQueryData(queryKey)).toEqual({ digest: 'daily' })
  await expect(choosing).rejects.toThrow('refused')
  expect(queryClient.getQueryData(queryKey)).toEqual({ digest: 'off' })
})
