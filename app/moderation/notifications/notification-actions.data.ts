/** Marks news and chooses emails. Changes show immediately. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { isLast, mutate } from '#app/api/mutation.ts'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import type { Notification } from './notification.contract.ts'
import {
  type NotificationApi,
  notificationKey,
  notificationsQuery,
  unreadQuery,
} from './notification.data.ts'
import type { Digest } from './notification.ts'

/** The news of one reader. */
export interface Inbox {
  api: NotificationApi
  queryClient: QueryClient
  reader: string
}

const changeNotifications = (
  { api, queryClient, reader }: Inbox,
  change: (it: Notification) => Notification,
) =>
  queryClient.setQueryData(
    notificationsQuery(api, reader).queryKey,
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          notifications: page.notifications.map(change),
        })),
      },
  )

const changeUnread = ({ api, queryClient, reader }: Inbox, change: (unread: number) => number) =>
  queryClient.setQueryData(
    unreadQuery(api, reader).queryKey,
    (it) => it && { unread: Math.max(change(it.unread), 0) },
  )

/** @throws ApiError, after undoing it on the screen */
export async function markRead(inbox: Inbox, notification: Notification, isRead: boolean) {
  if (notification.isRead === isRead) return
  await mark(
    inbox,
    () =>
      inbox.api('PUT /api/v1/notifications/{id}/read', {
        params: { id: notification.id },
        body: { isRead },
      }),
    () => {
      changeNotifications(inbox, (it) => (it.id === notification.id ? { ...it, isRead } : it))
      changeUnread(inbox, (unread) => unread + (isRead ? -1 : 1))
    },
  )
}

/** @throws ApiError, after undoing it on the screen */
export const markAllRead = (inbox: Inbox) =>
  mark(
    inbox,
    () => inbox.api('POST /api/v1/notifications/read'),
    () => {
      changeNotifications(inbox, (it) => (it.isRead ? it : { ...it, isRead: true }))
      changeUnread(inbox, () => 0)
    },
  )

/** One after the other, so the last answer's count stays. */
const mark = (inbox: Inbox, send: () => Promise<{ unread: number }>, show: () => void) =>
  mutate(inbox.queryClient, {
    subject: 'news',
    mutationFn: send,
    onMutate: show,
    onSuccess: ({ unread }) => {
      if (isLast(inbox.queryClient, 'news')) changeUnread(inbox, () => unread)
    },
    onError: () => {
      inbox.queryClient.invalidateQueries({ queryKey: notificationKey(inbox.reader) })
    },
  })

export const digestQuery = (api: NotificationApi) =>
  queryOptions({
    queryKey: [MY_KEY, 'digest'],
    queryFn: ({ signal }) => api('GET /api/v1/my/digest', { signal }),
  })

/** @throws ApiError, after restoring the former choice */
export function chooseDigest(
  { api, queryClient }: { api: NotificationApi; queryClient: QueryClient },
  digest: Digest,
) {
  const { queryKey } = digestQuery(api)
  const before = queryClient.getQueryData(queryKey)
  const subject = 'digest'
  return mutate(queryClient, {
    subject,
    mutationFn: () => api('PUT /api/v1/my/digest', { body: { digest } }),
    onMutate: () => queryClient.setQueryData(queryKey, { digest }),
    onSuccess: (chosen) => {
      if (isLast(queryClient, subject)) queryClient.setQueryData(queryKey, chosen)
    },
    onError: () => {
      if (isLast(queryClient, subject)) queryClient.setQueryData(queryKey, before)
    },
  })
}
