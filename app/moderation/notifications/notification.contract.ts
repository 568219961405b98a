/** People's own news. It belongs to an author key, which never leaves the server. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { After, Uuid } from '#app/api/schemas.ts'
import { MODERATION_EVENTS } from '#app/community/reports/report.ts'
import { ALERT_EVENTS, DIGESTS, NOTIFICATION_KINDS } from './notification.ts'

const Notification = z.object({
  id: Uuid,
  kind: z.enum(NOTIFICATION_KINDS),
  event: z
    .enum([...MODERATION_EVENTS, ...ALERT_EVENTS])
    .nullable()
    .describe('For moderation and alerts'),
  reason: z.string().nullable().describe('The moderator’s reason'),
  count: z
    .number()
    .int()
    .describe('Replies, mentions, new threads or new jobs since it was last read'),
  isRead: z.boolean(),
  at: z.string().describe('To the minute'),
  isAboutComment: z
    .boolean()
    .describe('Whether it’s about this person’s comment, not their thread'),
  thread: z
    .object({
      id: Uuid,
      title: z.string(),
      path: z.string(),
      isMuted: z.boolean().describe('Whether you’ve muted it'),
    })
    .nullable()
    .describe('For alerts, the latest new thread'),
  company: z
    .object({ id: Uuid, name: z.string(), path: z.string() })
    .nullable()
    .describe('For alerts, and for a company’s reply'),
  job: z
    .object({ id: Uuid, title: z.string(), path: z.string() })
    .nullable()
    .describe('For alerts, the latest new job'),
  score: z
    .object({ from: z.number(), to: z.number() })
    .nullable()
    .describe('For alerts, how the rating moved'),
  href: z.string(),
  by: z.string().nullable().describe('The name of the last author in that thread'),
  excerpt: z.string(),
})
export type Notification = z.output<typeof Notification>

const Unread = z.object({ unread: z.number().int() })
const DigestChoice = z.object({ digest: z.enum(DIGESTS) })

export const notificationContract = {
  'GET /api/v1/notifications': {
    summary: 'News about your posts and what you follow, newest first',
    query: After,
    ok: Unread.extend({ notifications: z.array(Notification), next: z.string().nullable() }),
    flag: 'enableNotifications',
    access: 'ownData',
  },
  'GET /api/v1/notifications/unread': {
    summary: 'How many notifications are unread',
    ok: Unread,
    flag: 'enableNotifications',
    access: 'ownData',
  },
  'PUT /api/v1/notifications/{id}/read': {
    summary: 'Mark as read, or as unread again',
    params: z.object({ id: Uuid }),
    body: z.object({ isRead: z.boolean() }),
    ok: Unread,
    flag: 'enableNotifications',
    access: 'ownData',
    changes: 'nothing',
  },
  'POST /api/v1/notifications/read': {
    summary: 'Mark everything as read',
    ok: Unread,
    flag: 'enableNotifications',
    access: 'ownData',
    changes: 'nothing',
  },
  'GET /api/v1/my/digest': {
    summary: 'How often you get news by email',
    ok: DigestChoice,
    flag: 'enableNotifications',
    access: 'signedIn',
  },
  'PUT /api/v1/my/digest': {
    summary: 'Choose how often you get news by email',
    body: DigestChoice,
    ok: DigestChoice,
    flag: 'enableNotifications',
    access: 'signedIn',
  },
} satisfies Contract

export type NotificationContract = typeof notificationContract
