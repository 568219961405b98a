/** News: replies, mentions, decisions and alerts, and what each says. Runs in the browser too: no I/O here. */

import type { ModerationEvent } from '#app/community/reports/report.ts'
import { reasonName } from '#app/identity/accounts/suspension.ts'
import { upTo } from '#app/kit/ui/format.ts'

export const NOTIFICATION_KINDS = [
  'reply',
  'mention',
  'company-reply',
  'moderation',
  'alert',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** News of a company you follow. A job may also match a job alert. */
export const ALERT_EVENTS = ['thread', 'rating', 'policy', 'job'] as const
export type AlertEvent = (typeof ALERT_EVENTS)[number]
/** The most new threads of a company that an alert counts. */
export const ALERT_THREADS_MAX = 50
/** The most new jobs that an alert counts. */
export const ALERT_JOBS_MAX = 50
/** How many comments a row remembers, so it disappears along with them. It only counts the rest. */
export const NEWS_COMMENTS_MAX = 50

export const NOTIFICATION_REFUSALS = { notFound: 'This notification doesn’t exist' } as const

export const DIGESTS = ['off', 'daily', 'weekly'] as const
export type Digest = (typeof DIGESTS)[number]

export const KEPT_DAYS = 90
/** How many of the people named in a comment get a notification. */
export const MENTIONS_MAX = 10

/** What a sentence needs to know about a notification. */
export interface NotificationFacts {
  kind: NotificationKind
  event: ModerationEvent | AlertEvent | null
  reason: string | null
  count: number
  isAboutComment: boolean
  by: string | null
  company: { name: string } | null
  score: { from: number; to: number } | null
}

/** A sentence in pieces that alternate between plain and bold, starting with a plain one. */
export function notificationSentence(notification: NotificationFacts): string[] {
  const { kind, count, by } = notification
  const what = notification.isAboutComment ? 'comment' : 'thread'
  if (kind === 'moderation') return [decisionEventText(notification, what)]
  if (kind === 'alert') return alertText(notification)
  if (kind === 'company-reply')
    return ['', notification.company?.name ?? 'The company', ' replied to your thread']
  if (count === 1)
    return ['', by ?? 'Someone', kind === 'mention' ? ' mentioned you' : ` replied to your ${what}`]
  const words = kind === 'mention' ? `${count} mentions of you` : `${count} replies to your ${what}`
  // We don't know how many people wrote them.
  return by ? [`${words}, the latest from `, by] : [words]
}

function decisionEventText({ event, reason }: NotificationFacts, what: string): string {
  const why = reason === null ? '' : `: ${reasonName(reason)}`
  switch (event) {
    case 'held':
      return `Your ${what} is hidden until a moderator reviews it`
    case 'removed':
      return `Your ${what} was removed${why}`
    case 'restored':
      return `Your ${what} is visible again`
    case 'locked':
      return `Your ${what} was locked. No one can reply to it now.`
    case 'moved':
      return `Your ${what} was moved to the right place`
    case 'appeal-declined':
      return `Your appeal was declined, so your ${what} stays removed`
    case 'suspended':
      return `You can’t post for a while${why}`
    default:
      return `A moderator reviewed your ${what}`
  }
}

function alertText({ event, count, company, score }: NotificationFacts): string[] {
  const name = company?.name ?? ''
  switch (event) {
    case 'thread':
      return [`${newText(count, 'thread', ALERT_THREADS_MAX)} about `, name]
    case 'rating':
      return [
        '',
        name,
        score
          ? `’s rating moved from ${score.from.toFixed(1)} to ${score.to.toFixed(1)}`
          : '’s rating moved',
      ]
    case 'policy':
      return ['', name, ' changed its office policy']
    case 'job':
      return [`${newText(count, 'job', ALERT_JOBS_MAX)} at `, name]
    default:
      return ['News about ', name]
  }
}

function newText(count: number, what: 'thread' | 'job', most: number) {
  if (count === 1) return `New ${what}`
  return count < most ? `${count} new ${what}s` : `${most} or more new ${what}s`
}

/** Whether the list of hidden posts shows the author more about it, or something they can do. */
export const hasRecourse = ({ event }: Pick<NotificationFacts, 'event'>) =>
  event === 'held' || event === 'removed' || event === 'appeal-declined' || event === 'suspended'

const dayOf = (time: Date) => new Date(time.getFullYear(), time.getMonth(), time.getDate())

/** "Today", "Yesterday" or the date, by the reader's clock. */
export function dayName(iso: string, now: Date): string {
  const day = dayOf(new Date(iso))
  const daysAgo = Math.round((dayOf(now).getTime() - day.getTime()) / 86_400_000)
  if (daysAgo <= 0) return 'Today'
  if (daysAgo === 1) return 'Yesterday'
  return day.toLocaleDateString('en', {
    weekday: daysAgo < 7 ? 'long' : undefined,
    month: 'long',
    day: 'numeric',
    year: day.getFullYear() === now.getFullYear() ? undefined : 'numeric',
  })
}

/** Groups neighbors by day, in their order. */
export function byDay<Item extends { at: string }>(items: readonly Item[], now: Date) {
  const days: { name: string; items: Item[] }[] = []
  for (const item of items) {
    const name = dayName(item.at, now)
    const last = days.at(-1)
    if (last?.name === name) last.items.push(item)
    else days.push({ name, items: [item] })
  }
  return days
}

/** Shows at most two digits. */
export const shownUnread = (unread: number) => upTo(unread, 99)
