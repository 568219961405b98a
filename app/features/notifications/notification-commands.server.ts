/** Writes of one's own news, and what becomes of old ones. */
import sql from 'sql-template-tag'
import type { Ctx } from '../../auth/context.server.ts'
import type { DataContext } from '../../server/context.server.ts'
import { notFound } from '../../server/refusal.ts'
import { minuteOf } from '../reports/report.ts'
import { KEPT_DAYS } from './notification.ts'
import { ALL_NEWS, type NewsSettings, unreadCount } from './notification-queries.server.ts'

const DAY_MINUTES = 1_440

/** @throws Refusal not-found, also for everybody else's */
export async function markRead(
  ctx: Ctx,
  id: string,
  isRead: boolean,
  settings: NewsSettings = ALL_NEWS,
) {
  const [own] = await ctx.db.query(sql`
    update notifications set is_read = ${isRead}
     where id = ${id} and author_key = ${ctx.actor.authorKey} returning id`)
  if (!own) throw notFound('This notification does not exist')
  return unreadCount(ctx, settings)
}

export async function markAllRead(ctx: Ctx, settings: NewsSettings = ALL_NEWS) {
  await ctx.db.query(sql`
    update notifications set is_read = true
     where author_key = ${ctx.actor.authorKey} and not is_read`)
  return unreadCount(ctx, settings)
}

/** What goes with an account. */
export async function forgetReader({ db }: Pick<DataContext, 'db'>, authorKey: string) {
  await db.query(sql`delete from notifications where author_key = ${authorKey}`)
}

/** Read or not, old news goes. */
export async function sweepNotifications({ db, now }: DataContext) {
  const oldest = minuteOf(now()) - KEPT_DAYS * DAY_MINUTES
  await db.query(sql`delete from notifications where minute < ${oldest}`)
}
