import { upTo } from '#app/kit/ui/format.ts'

interface WaitingText {
  one: string
  many: string
  href: string
}

/** Ordered as displayed. */
export const WAITING = {
  reports: { one: 'post to review', many: 'posts to review', href: '/admin/moderation' },
  appeals: { one: 'appeal', many: 'appeals', href: '/admin/moderation?tab=appeals' },
  claims: {
    one: 'employer claim',
    many: 'employer claims',
    href: '/admin-panel?section=claims',
  },
  requests: {
    one: 'company request',
    many: 'company requests',
    href: '/admin-panel?section=tools',
  },
  notices: {
    one: 'overdue legal notice',
    many: 'overdue legal notices',
    href: '/admin-panel?section=tools',
  },
  messages: {
    one: 'unread message',
    many: 'unread messages',
    href: '/admin-panel?section=tools',
  },
  edits: {
    one: 'suggested change',
    many: 'suggested changes',
    href: '/admin-panel?section=edits',
  },
  mails: { one: 'undelivered email', many: 'undelivered emails', href: '/admin-panel#undelivered' },
} as const satisfies Record<string, WaitingText>
export type WaitingKind = keyof typeof WAITING
export const WAITING_KINDS = Object.keys(WAITING) as [WaitingKind, ...WaitingKind[]]

/** We don't count further than this. */
export const WAITING_COUNTED = 1_000

/** The age of the oldest, as exactly as we store its day or hour. */
export interface Age {
  n: number
  unit: 'hour' | 'day'
}

export interface WaitingItem {
  kind: WaitingKind
  count: number
  /** Null if no day is stored. */
  age: Age | null
}

export const shownCount = (count: number) => upTo(count, WAITING_COUNTED - 1)

export const waitingName = ({ kind, count }: Pick<WaitingItem, 'kind' | 'count'>) =>
  count === 1 ? WAITING[kind].one : WAITING[kind].many

/** Completes "the oldest ...". Shows hours for two days. */
export function ageText({ n, unit }: Age) {
  const days = unit === 'day' ? n : Math.floor(n / 24)
  if (unit === 'hour' && n < 48)
    return n < 1 ? 'less than an hour old' : `${n} ${n === 1 ? 'hour' : 'hours'} old`
  if (days < 1) return 'from today'
  return `${days} ${days === 1 ? 'day' : 'days'} old`
}

/** "3 appeals, the oldest 2 days old" */
export const waitingLine = (item: WaitingItem) =>
  `${shownCount(item.count)} ${waitingName(item)}${
    item.age ? `, ${item.count === 1 ? '' : 'the oldest '}${ageText(item.age)}` : ''
  }`

export const totalWaiting = (items: readonly Pick<WaitingItem, 'count'>[]) =>
  items.reduce((sum, { count }) => sum + count, 0)
