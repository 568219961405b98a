/** Binds the contract of notifications to queries and commands. */
import type { Handlers } from '#app/api/bind.server.ts'
import { chooseDigest, ownDigest } from './digest-commands.server.ts'
import type { NotificationContract } from './notification.contract.ts'
import { markAllRead, markRead } from './notification-commands.server.ts'
import {
  ALL_NEWS,
  listNotifications,
  type NewsSettings,
  unreadCount,
} from './notification-queries.server.ts'

export const notificationHandlers = (
  settings: NewsSettings = ALL_NEWS,
): Handlers<NotificationContract> => ({
  'GET /api/v1/notifications': (ctx, { query }) => listNotifications(ctx, query.after, settings),
  'GET /api/v1/notifications/unread': (ctx) => unreadCount(ctx, settings),
  'PUT /api/v1/notifications/{id}/read': (ctx, { params, body }) =>
    markRead(ctx, params.id, body.isRead, settings),
  'POST /api/v1/notifications/read': (ctx) => markAllRead(ctx, settings),
  'GET /api/v1/my/digest': (ctx) => ownDigest(ctx),
  'PUT /api/v1/my/digest': (ctx, { body }) => chooseDigest(ctx, body.digest),
})
