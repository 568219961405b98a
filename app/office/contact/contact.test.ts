import { describe, expect, test } from 'vitest'
import { mailboxProblem } from '#app/identity/accounts/sign-in/email-and-password.ts'
import {
  ALLOWED_PREVIOUS_STATUSES,
  CONTACT_FILTERS,
  CONTACT_NAME_MAX,
  EMPTY_TEXTS,
  FILTER_NAMES,
  INBOX_FAILED,
  INBOX_TITLE,
  isInFilter,
  MESSAGE_MAX,
  messageProblem,
  NO_MESSAGES,
  NOT_SENT,
  NOTHING_SELECTED,
  nameProblem,
  replyLink,
  SENT,
  STATUS_CHANGED,
  STATUS_FAILED,
  statusConflict,
} from './contact.ts'
import { INBOX_KEYS, inboxCommandOf } from './inbox-keys.ts'
import { searchQuery, searchWords } from './message-search.ts'
import { filledIn } from './saved-answer.ts'
import { clockText } from './ui/inbox-list.tsx'

describe('what screens say', () => {
  test('Spec §8: the form says whether the message was sent', () => {
    expect(SENT).toEqual({
      title: 'Message Received',
      description: 'Thank you for reaching out! We will contact you as soon as possible.',
    })
    expect(NOT_SENT).toEqual({
      title: 'Error',
      description: 'There was a problem sending your message. Please try again.',
      variant: 'destructive',
    })
  })

  test('Spec §8: the inbox has its texts for each status', () => {
    expect(INBOX_FAILED).toMatchObject({
      title: 'Error',
      description: 'Failed to load contact messages',
    })
    expect(STATUS_FAILED).toMatchObject({
      title: 'Error',
      description: 'Failed to update message status',
    })
    expect(STATUS_CHANGED).toEqual({
      read: 'Message marked as read',
      unread: 'Message marked as unread',
      archived: 'Message archived',
      deleted: 'Message deleted',
    })
  })

  test('Spec §2.12: the inbox has its title, its filters and a text for each empty list', () => {
    expect(INBOX_TITLE).toBe('Contact Message Inbox')
    expect(CONTACT_FILTERS.map((filter) => FILTER_NAMES[filter])).toEqual([
      'All',
      'Unread',
      'Archived',
    ])
    expect(NO_MESSAGES).toBe('No messages found')
    expect(EMPTY_TEXTS).toEqual({
      all: 'Your inbox is empty',
      unread: 'No unread messages',
      archived: 'No archived messages',
    })
    expect(NOTHING_SELECTED).toBe('Select a message to view')
  })
})

describe('a status', () => {
  test('Spec §4: each status can be reached from these and no others', () => {
    expect(ALLOWED_PREVIOUS_STATUSES).toEqual({
      unread: ['read'],
      read: ['unread', 'archived'],
      archived: ['unread', 'read', 'deleted'],
      deleted: ['unread', 'read', 'archived'],
    })
  })

  test('Spec §4: All excludes deleted, Unread shows unread, Archived shows archived', () => {
    const shown = (filter: (typeof CONTACT_FILTERS)[number]) =>
      (['unread', 'read', 'archived', 'deleted'] as const).filter((it) => isInFilter(filter, it))
    expect(shown('all')).toEqual(['unread', 'read', 'archived'])
    expect(shown('unread')).toEqual(['unread'])
    expect(shown('archived')).toEqual(['archived'])
  })

  test('a sentence explains why a status can’t change', () => {
    expect(statusConflict('read', 'read')).toBe('This message is already read')
    expect(statusConflict('deleted', 'read')).toBe('This message was deleted')
    expect(statusConflict('archived', 'unread')).toBe(
      'You can’t change this message from archived to unread',
    )
  })
})

describe('Spec §5: the contact form', () => {
  test('the contact form requires a name, an email and a message, not just spaces', () => {
    expect(nameProblem(' \t')).toBe('Please enter your name')
    expect(mailboxProblem(' ')).toBe('Please enter your email')
    expect(messageProblem(' \n ')).toBe('Please write a message')
    expect(messageProblem('', 'answer')).toBe('Please write an answer')
    expect(nameProblem(' Vera ')).toBeUndefined()
    expect(mailboxProblem(' vera@example.org ')).toBeUndefined()
    expect(messageProblem('Hello')).toBeUndefined()
  })

  test('the contact form names its limits', () => {
    expect(nameProblem('x'.repeat(CONTACT_NAME_MAX))).toBeUndefined()
    expect(nameProblem('x'.repeat(CONTACT_NAME_MAX + 1))).toBe(
      'A name can have at most 100 characters',
    )
    expect(messageProblem('x'.repeat(MESSAGE_MAX))).toBeUndefined()
    expect(messageProblem('x'.repeat(MESSAGE_MAX + 1))).toBe('At most 5,000 characters, please')
    expect(mailboxProblem(`${'x'.repeat(250)}@example.org`)).toBeDefined()
  })

  test.each(['Vera\nBcc: all@example.org', 'Vera\r\n', 'Ve\u2028ra', 'Ve\0ra'])(
    'the contact form refuses a name of several lines: %j',
    (name) => {
      // Spaces around it don't count.
      expect(nameProblem(`${name}x`)).toBe('A name must be a single line')
    },
  )

  test.each([
    'vera',
    'vera@',
    'vera@example.org\nBcc: all@example.org',
    'vera@example.org, all@example.org',
    '<vera@example.org>',
    'Vera <vera@example.org>',
    'vera@@example.org',
    've\u200bra@example.org',
    'vera@example.org;all@example.org',
  ])('the contact form refuses the address %j', (email) => {
    expect(mailboxProblem(email)).toBe('This doesn’t look like an email address')
  })
})

describe('the inbox’s search', () => {
  test('a search ignores case, accents and punctuation, in any script', () => {
    expect(searchWords('Müller & Søn: ÄRGER, http://acme.example/a-b')).toEqual([
      'muller',
      'søn',
      'arger',
      'http',
      'acme',
      'example',
      'a',
      'b',
    ])
    expect(searchWords('公司 компания שלום')).toEqual(['公司', 'компания', 'שלום'])
    expect(searchWords('one One ONE')).toEqual(['one'])
  })

  test('a search matches word beginnings and can’t contain query syntax', () => {
    expect(searchQuery("Acm pay'roll | !& :*")).toBe("'acm':* & 'pay':* & 'roll':*")
    expect(searchQuery(' -- ')).toBe('')
    expect(searchQuery('a b c d e f g h i j').split('&')).toHaveLength(8)
  })

  test('a search cuts endless words, but never within a character', () => {
    expect([...(searchWords('𐌰'.repeat(200))[0] ?? '')]).toHaveLength(60)
  })
})

test('a reply link goes to one address, whatever it contains', () => {
  expect(replyLink('vera@example.org', 'Kettle')).toBe(
    'mailto:vera@example.org?subject=Your%20message%20to%20Kettle',
  )
  expect(replyLink('a?bcc=b@example.org', 'Kettle')).toBe(
    'mailto:a%3Fbcc%3Db@example.org?subject=Your%20message%20to%20Kettle',
  )
})

describe('the inbox’s keys', () => {
  const press = (key: string, more = {}) =>
    inboxCommandOf({
      key,
      ctrlKey: false,
      metaKey: false,
      altKey: false,
      shiftKey: false,
      repeat: false,
      isComposing: false,
      ...more,
    })

  test('the inbox’s keys are j, k, e, u and a', () => {
    expect(INBOX_KEYS.map(({ key }) => key)).toEqual(['j', 'k', 'e', 'u', 'a'])
    expect(['j', 'k', 'e', 'u', 'a', 'x'].map((key) => press(key))).toEqual([
      'next',
      'previous',
      'archive',
      'unread',
      'take',
      undefined,
    ])
    expect(press('J')).toBe('next')
  })

  test('the inbox leaves the browser’s shortcuts alone, and a held key only moves', () => {
    expect(press('e', { ctrlKey: true })).toBeUndefined()
    expect(press('e', { metaKey: true })).toBeUndefined()
    expect(press('e', { shiftKey: true })).toBeUndefined()
    expect(press('e', { isComposing: true })).toBeUndefined()
    expect(press('e', { repeat: true })).toBeUndefined()
    expect(press('j', { repeat: true })).toBe('next')
  })
})

describe('the clock of a legal notice', () => {
  const at = (time: string) => clockText('2026-03-15T09:00:00Z', Date.parse(`2026-03-${time}Z`))

  test.each([
    ['14T09:00', '24 hours left'],
    ['14T09:01', '23 hours left'],
    ['12T08:00', '3 days left'],
    ['15T07:30', '1 hour left'],
    ['15T08:01', 'less than an hour left'],
  ])('a legal notice says at %s: %s', (time, text) => {
    expect(at(time)).toEqual({ text, isLate: false })
  })

  test.each([
    ['15T09:00', 'less than an hour late'],
    ['15T10:00', '1 hour late'],
    ['17T08:59', '47 hours late'],
    ['17T09:00', '2 days late'],
  ])('a legal notice says in red at %s: %s', (time, text) => {
    expect(at(time)).toEqual({ text, isLate: true })
  })
})

test('a saved answer takes a name literally, even if it looks like a placeholder', () => {
  expect(
    filledIn('Dear {name}, {site} thanks {name}.', { name: '$& {site}', site: 'Kettle' }),
  ).toBe('Dear $& {site}, Kettle thanks $& {site}.')
})
