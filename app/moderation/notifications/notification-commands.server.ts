import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'
import type { DataContext } from '#app/platform/database/server-context.server.ts'
import { dayOf, minuteOf } from '#app/platform/days.server.ts'
import { notFound } from '#app/platform/http/refusal.ts'
import { KEPT_DAYS, NOTIFICATION_REFUSALS } from './notification.ts'
import {
  notificationKey,
  notificationKeys,
  type SubjectRow,
  subjectOf,
} from './notification-keys.server.ts'
import { type NotificationSettings, unreadCount } from './notification-queries.server.ts'

const DAY_MINUTES = 1_440

/** @throws Refusal not-found, also for other people's */
export async function markRead(
  ctx: Ctx,
  id: string,
  isRead: boolean,
  settings: NotificationSettings,
) {
  const root = rootOf(ctx)
  const [row] = await ctx.db.query<SubjectRow>(sql`
    select kind, thread_id, comment_id, company_id, event from notifications where id = ${id}`)
  const [own] =
    row && root
      ? await ctx.db.query(sql`
          update notifications set is_read = ${isRead}
           where id = ${id} and key = ${notificationKey(root, subjectOf(row))} returning id`)
      : []
  if (!own) throw notFound(NOTIFICATION_REFUSALS.notFound)
  return unreadCount(ctx, settings)
}

export async function markAllRead(ctx: Ctx, settings: NotificationSettings) {
  const root = rootOf(ctx)
  if (root)
    await ctx.db.query(sql`
      update notifications set is_read = true
       where own_row_key = any (${await notificationKeys(ctx, root)}::bytea[]) and not is_read`)
  return unreadCount(ctx, settings)
}

export async function forgetReader(ctx: DataContext, root: Buffer) {
  await ctx.db.query(sql`
    delete from notifications where own_row_key = any (${await notificationKeys(ctx, root)}::bytea[])`)
}

/** Deletes old news, read or not. */
export async function sweepNotifications({ db, now }: DataContext) {
  const oldest = minuteOf(now()) - KEPT_DAYS * DAY_MINUTES
  await db.query(sql`delete from notifications where minute < ${oldest}`)
  await db.query(sql`delete from used_numbers where until < ${dayOf(now())}::date`)
}
