/** News: replies, mentions, decisions and alerts, and what each says. Runs in the browser too: no I/O here. */
import { type ModerationEvent, reasonName } from '#app/community/reports/report.ts'
import { upTo } from '#app/kit/ui/number.ts'

export const NOTIFICATION_KINDS = [
  'reply',
  'mention',
  'company-reply',
  'moderation',
  'alert',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** What happened at a company that one follows; a job may be one that somebody waits for anywhere. */
export const ALERT_EVENTS = ['thread', 'rating', 'policy', 'job'] as const
export type AlertEvent = (typeof ALERT_EVENTS)[number]
/** New threads of one company that are counted; beyond that, nobody counts any more. */
export const ALERT_THREADS_MAX = 50
/** The same of jobs. */
export const ALERT_JOBS_MAX = 50
/** Comments that a piece of news remembers, so that it goes with them; more, it only counts. */
export const NEWS_COMMENTS_MAX = 50

export const DIGESTS = ['off', 'daily', 'weekly'] as const
export type Digest = (typeof DIGESTS)[number]

/** Read or not, news older than this goes. */
export const KEPT_DAYS = 90
/** People named in one comment who are told; who names more, tells the first of them. */
export const MENTIONS_MAX = 10

/** What a sentence needs to know of it. */
export interface Told {
  kind: NotificationKind
  event: ModerationEvent | AlertEvent | null
  reason: string | null
  count: number
  isAboutComment: boolean
  by: string | null
  company: { name: string } | null
  score: { from: number; to: number } | null
}

/** A sentence in pieces: plain and set off in turn, the first one plain. */
export function sentenceOf(told: Told): string[] {
  const { kind, count, by } = told
  const what = told.isAboutComment ? 'comment' : 'thread'
  if (kind === 'moderation') return [decisionEventText(told, what)]
  if (kind === 'alert') return alertText(told)
  if (kind === 'company-reply')
    return ['', told.company?.name ?? 'The company', ' replied to your thread']
  if (count === 1)
    return ['', by ?? 'Someone', kind === 'mention' ? ' mentioned you' : ` replied to your ${what}`]
  const words = kind === 'mention' ? `${count} mentions of you` : `${count} replies to your ${what}`
  // How many people wrote them is not known, and need not be.
  return by ? [`${words}, the last by `, by] : [words]
}

function decisionEventText({ event, reason }: Told, what: string): string {
  const why = reason === null ? '' : `: ${reasonName(reason)}`
  switch (event) {
    case 'held':
      return `Your ${what} is hidden until a moderator has looked at it`
    case 'removed':
      return `Your ${what} was removed${why}`
    case 'restored':
      return `Your ${what} is shown again`
    case 'locked':
      return `Your ${what} was locked. No one can reply to it now.`
    case 'moved':
      return `Your ${what} was moved to where it belongs`
    case 'appeal-declined':
      return `Your ${what} stays removed: your appeal was declined`
    case 'suspended':
      return `You can’t post for a while${why}`
    default:
      return `A moderator looked at your ${what}`
  }
}

function alertText({ event, count, company, score }: Told): string[] {
  const name = company?.name ?? ''
  switch (event) {
    case 'thread':
      return [`${fresh(count, 'thread', ALERT_THREADS_MAX)} about `, name]
    case 'rating':
      return [
        'Rating of ',
        name,
        score ? ` moved from ${score.from.toFixed(1)} to ${score.to.toFixed(1)}` : ' moved',
      ]
    case 'policy':
      return ['', name, ' changed its office policy']
    case 'job':
      return [`${fresh(count, 'job', ALERT_JOBS_MAX)} at `, name]
    default:
      return ['News about ', name]
  }
}

/** Nobody counts further than to `most`. */
function fresh(count: number, what: 'thread' | 'job', most: number) {
  if (count === 1) return `New ${what}`
  return count < most ? `${count} new ${what}s` : `${most} or more new ${what}s`
}

/** Whether the author can see more, or do something, among the own posts that are not shown. */
export const hasRecourse = ({ event }: Pick<Told, 'event'>) =>
  event === 'held' || event === 'removed' || event === 'appeal-declined' || event === 'suspended'

const dayOf = (time: Date) => new Date(time.getFullYear(), time.getMonth(), time.getDate())

/** "Today", "Yesterday", else the date; days as the reader's clock has them. */
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

/** Neighbours of one day together, in their order. */
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

/** What the bell shows: at most two figures. */
export const shownUnread = (unread: number) => upTo(unread, 99)
