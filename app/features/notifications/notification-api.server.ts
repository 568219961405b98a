/** Binds the contract of notifications to queries and commands. */
import type { Handlers } from '../../api/bind.server.ts'
import { chooseDigest, ownDigest } from './digest-commands.server.ts'
import type { NotificationContract } from './notification.contract.ts'
import { markAllRead, markRead } from './notification-commands.server.ts'
import { listNotifications, unreadCount } from './notification-queries.server.ts'

export const notificationHandlers = (): Handlers<NotificationContract> => ({
  'GET /api/v1/notifications': (ctx, { query }) => listNotifications(ctx, query.after),
  'GET /api/v1/notifications/unread': (ctx) => unreadCount(ctx),
  'PUT /api/v1/notifications/{id}/read': (ctx, { params, body }) =>
    markRead(ctx, params.id, body.isRead),
  'POST /api/v1/notifications/read': (ctx) => markAllRead(ctx),
  'GET /api/v1/my/digest': (ctx) => ownDigest(ctx),
  'PUT /api/v1/my/digest': (ctx, { body }) => chooseDigest(ctx, body.digest),
})
