import { expect, test } from 'vitest'
import {
  byDay,
  dayName,
  hasRecourse,
  type NotificationFacts,
  notificationSentence,
  shownUnread,
} from './notification.ts'

const told: NotificationFacts = {
  kind: 'reply',
  event: null,
  reason: null,
  count: 1,
  isAboutComment: false,
  by: 'Candid Heron',
  company: null,
  score: null,
}
const words = (more: Partial<NotificationFacts>) =>
  notificationSentence({ ...told, ...more }).join('')

test('a reply names who wrote it, and the post it answers', () => {
  expect(notificationSentence(told)).toEqual(['', 'Candid Heron', ' replied to your thread'])
  expect(words({ isAboutComment: true })).toBe('Candid Heron replied to your comment')
  expect(words({ by: null })).toBe('Someone replied to your thread')
})

test('several replies are counted, without the number of people', () => {
  expect(words({ count: 5 })).toBe('5 replies to your thread, the latest from Candid Heron')
  expect(words({ count: 5, by: null })).toBe('5 replies to your thread')
  expect(words({ kind: 'mention', count: 2 })).toBe(
    '2 mentions of you, the latest from Candid Heron',
  )
  expect(words({ kind: 'mention' })).toBe('Candid Heron mentioned you')
})

test('a decision says what happened, and why', () => {
  const decided = { kind: 'moderation', by: null } as const
  expect(words({ ...decided, event: 'removed', reason: 'spam', isAboutComment: true })).toBe(
    'Your comment was removed: Spam or advertising',
  )
  expect(words({ ...decided, event: 'restored' })).toBe('Your thread is visible again')
  expect(words({ ...decided, event: 'suspended', reason: 'threat' })).toBe(
    'You can’t post for a while: Threat or violence',
  )
})

test('an alert says what happened at which company', () => {
  const alert = { kind: 'alert', by: null, company: { name: 'Acme' } } as const
  expect(notificationSentence({ ...told, ...alert, event: 'thread' })).toEqual([
    'New thread about ',
    'Acme',
  ])
  expect(words({ ...alert, event: 'thread', count: 3 })).toBe('3 new threads about Acme')
  expect(words({ ...alert, event: 'thread', count: 50 })).toBe('50 or more new threads about Acme')
  expect(words({ ...alert, event: 'rating', score: { from: 3.9, to: 4 } })).toBe(
    'Acme’s rating moved from 3.9 to 4.0',
  )
  expect(words({ ...alert, event: 'policy' })).toBe('Acme changed its office policy')
  expect(words({ ...alert, event: 'job' })).toBe('New job at Acme')
  expect(words({ ...alert, event: 'job', count: 2 })).toBe('2 new jobs at Acme')
  expect(words({ ...alert, event: 'job', count: 50 })).toBe('50 or more new jobs at Acme')
})

test('a company’s reply names the company, and no one in it', () => {
  const reply = { kind: 'company-reply', by: null } as const
  expect(notificationSentence({ ...told, ...reply, company: { name: 'Acme' } })).toEqual([
    '',
    'Acme',
    ' replied to your thread',
  ])
})

test('news of a decision leads to what dana can do about it', () => {
  expect(hasRecourse({ event: 'removed' })).toBe(true)
  expect(hasRecourse({ event: 'restored' })).toBe(false)
  expect(hasRecourse({ event: null })).toBe(false)
})

test('news is grouped by days in the reader’s time zone', () => {
  const now = new Date('2026-03-10T12:00:00')
  expect(dayName('2026-03-10T00:01:00', now)).toBe('Today')
  expect(dayName('2026-03-09T23:59:00', now)).toBe('Yesterday')
  expect(dayName('2026-03-06T10:00:00', now)).toBe('Friday, March 6')
  expect(dayName('2026-02-06T10:00:00', now)).toBe('February 6')
  expect(dayName('2025-12-24T10:00:00', now)).toBe('December 24, 2025')
  const at = (at: string) => ({ at })
  const days = byDay([at('2026-03-10T09:00'), at('2026-03-10T08:00'), at('2026-03-09T08:00')], now)
  expect(days.map(({ name, items }) => [name, items.length])).toEqual([
    ['Today', 2],
    ['Yesterday', 1],
  ])
})

test('the bell shows at most two digits', () => {
  expect([0, 3, 99, 100, 4_000].map(shownUnread)).toEqual(['0', '3', '99', '99+', '99+'])
})
