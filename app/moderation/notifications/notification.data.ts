import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import type { NotificationContract } from './notification.contract.ts'

export type NotificationApi = Client<NotificationContract>

const ASKED_EVERY_MS = 60_000
/** The page already requested it. See pages/my-page.ts. */
const HALF_A_MINUTE = 30_000

/** @param reader from `useReader`: each reader has their own news */
export const notificationKey = (reader: string) => [MY_KEY, 'notifications', reader] as const

export const unreadQuery = (api: NotificationApi, reader: string) =>
  queryOptions({
    queryKey: [...notificationKey(reader), 'unread'],
    queryFn: ({ signal }) => api('GET /api/v1/notifications/unread', { signal }),
    staleTime: HALF_A_MINUTE,
  })

/** Refetches immediately, when you come back to the tab, and every minute, but never while the tab is hidden. */
export const watchedUnreadQuery = (api: NotificationApi, reader: string) => ({
  ...unreadQuery(api, reader),
  refetchInterval: ASKED_EVERY_MS,
  refetchIntervalInBackground: false,
  refetchOnWindowFocus: 'always' as const,
})

export const notificationsQuery = (api: NotificationApi, reader: string) =>
  infiniteQueryOptions({
    queryKey: [...notificationKey(reader), 'list'],
    queryFn: async ({ pageParam: after, signal, client }) => {
      const page = await api('GET /api/v1/notifications', { query: { after }, signal })
      // The bell immediately shows what the page shows.
      client.setQueryData(unreadQuery(api, reader).queryKey, { unread: page.unread })
      return page
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    refetchOnWindowFocus: true,
  })
