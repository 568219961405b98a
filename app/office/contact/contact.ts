/**
 * A message to those who run the site, what becomes of it, and what screens say meanwhile: Spec §2.9,
 * §2.12, §4, §8, to the letter. Runs in the browser too: no I/O here.
 */
import { upTo } from '#app/kit/ui/number.ts'

export const NAME_MAX = 100
/** Of a message, and of an answer to one. */
export const MESSAGE_MAX = 5_000
/** What was deleted stays so many days before it is gone. */
export const DELETED_DAYS = 30
/** Of unread messages more are not counted. */
export const UNREAD_COUNTED_MAX = 1_000
export const unreadText = (unread: number) => upTo(unread, UNREAD_COUNTED_MAX - 1)

export const STATUSES = ['unread', 'read', 'archived', 'deleted'] as const
export type ContactStatus = (typeof STATUSES)[number]

/** What a message is about, as its sender chooses. Beside the fields of Spec §2.9, none of which it changes. */
export const SUBJECTS = ['general', 'legal', 'privacy', 'press'] as const
export type ContactSubject = (typeof SUBJECTS)[number]

export const SUBJECT_NAMES: Record<ContactSubject, string> = {
  general: 'A question or an idea',
  legal: 'A legal notice',
  privacy: 'My data',
  press: 'Press',
}

/** Whose messages a list shows, of administrators. */
export const ASSIGNED = ['anybody', 'mine', 'nobody'] as const
export type Assigned = (typeof ASSIGNED)[number]

export const ASSIGNED_NAMES: Record<Assigned, string> = {
  anybody: 'Anybody’s',
  mine: 'Mine',
  nobody: 'Nobody’s',
}

export const LABEL_MAX = 24
export const LABELS_MAX = 5
/** Of all messages together: more, and nobody finds the one that fits. */
export const ALL_LABELS_MAX = 30

/** What is wrong with a label, as a sentence. */
export function labelProblem(label: string): string | undefined {
  if (label === '') return 'Please write a label'
  if (UNPRINTABLE.test(label)) return 'A label stands in one line'
  if (label.length > LABEL_MAX) return `A label has at most ${LABEL_MAX} characters`
  return undefined
}

/** All excludes deleted. Spec §4. */
export const FILTERS = ['all', 'unread', 'archived'] as const
export type ContactFilter = (typeof FILTERS)[number]

/** Whether a filter shows messages of this status. Spec §4. */
export const shows = (filter: ContactFilter, status: ContactStatus) =>
  filter === 'all' ? status !== 'deleted' : status === filter

/**
 * From which statuses each can be reached. Spec §4: archive from any that is not archived, deleted
 * ones too; unarchive and mark read lead to read; mark unread from read; delete.
 */
export const REACHED_FROM: Record<ContactStatus, readonly ContactStatus[]> = {
  unread: ['read'],
  read: ['unread', 'archived'],
  archived: ['unread', 'read', 'deleted'],
  deleted: ['unread', 'read', 'archived'],
}

/** Why a message cannot be given a status, as a sentence. */
export function statusConflict(is: ContactStatus, wanted: ContactStatus): string {
  if (is === wanted) return `This message is ${is} already`
  if (is === 'deleted') return 'This message was deleted'
  return `A message that is ${is} cannot become ${wanted}`
}

export const MESSAGE_GONE = 'This message does not exist any more'
export const NOT_FOR_YOU = 'Only an administrator can read contact messages'

/** A character that no name or address has: line breaks and other controls. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029]/u

/** What is wrong with a name, as a sentence; it stands in one line. */
export function nameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'Please enter your name'
  if (UNPRINTABLE.test(name.trim())) return 'A name stands in one line'
  if (name.trim().length > NAME_MAX) return `A name has at most ${NAME_MAX} characters`
  return undefined
}

/** What is wrong with a message, or with an answer, as a sentence. */
export function messageProblem(message: string, what = 'message'): string | undefined {
  const { length } = message.trim()
  if (length === 0) return `Please write ${what === 'answer' ? 'an answer' : 'a message'}`
  if (length > MESSAGE_MAX) return `At most ${IN_FULL.format(MESSAGE_MAX)} characters, please`
  return undefined
}

const IN_FULL = new Intl.NumberFormat('en')

/** So much of a word is enough to find it by. */
const WORD_MAX = 60
/** Of a search. */
const WORDS_MAX = 8

/** The words by which a text is found: in lower case, without accents, each once. */
export const searchWords = (text: string): string[] => [...new Set(wordsIn(text))]

/** A search as PostgreSQL's tsquery: all of its words, each of which may go on. Empty without words. */
export const searchQuery = (text: string): string =>
  searchWords(text)
    .slice(0, WORDS_MAX)
    .map((word) => `'${word}':*`)
    .join(' & ')

/** Letters and digits of any script, whatever stands between them. */
function wordsIn(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? []
  return words.map((word) => [...word].slice(0, WORD_MAX).join(''))
}

/** Opens the mail program: no sign in an address can add another recipient. */
export function replyLink(email: string, siteName: string): string {
  const at = email.lastIndexOf('@')
  const address = `${encodeURIComponent(email.slice(0, at))}@${encodeURIComponent(email.slice(at + 1))}`
  return `mailto:${address}?subject=${encodeURIComponent(`Your message to ${siteName}`)}`
}

/** Contact send ok, Contact send fails. Spec §8. */
export const SENT = {
  title: 'Message Received',
  description: 'Thank you for reaching out! We will contact you as soon as possible.',
} as const
export const NOT_SENT = {
  title: 'Error',
  description: 'There was a problem sending your message. Please try again.',
  variant: 'destructive',
} as const

/** Inbox load fails, Status update fails, Status success. Spec §8. */
export const INBOX_FAILED = {
  title: 'Error',
  description: 'Failed to load contact messages',
  variant: 'destructive',
} as const
export const STATUS_FAILED = {
  title: 'Error',
  description: 'Failed to update message status',
  variant: 'destructive',
} as const
export const STATUS_CHANGED: Record<ContactStatus, string> = {
  read: 'Message marked as read',
  unread: 'Message marked as unread',
  archived: 'Message archived',
  deleted: 'Message deleted',
}

/** Spec §2.12. */
export const INBOX_TITLE = 'Contact Message Inbox'
export const FILTER_NAMES: Record<ContactFilter, string> = {
  all: 'All',
  unread: 'Unread',
  archived: 'Archived',
}
export const NO_MESSAGES = 'No messages found'
export const EMPTY_TEXTS: Record<ContactFilter, string> = {
  all: 'Your inbox is empty',
  unread: 'No unread messages',
  archived: 'No archived messages',
}
export const NOTHING_SELECTED = 'Select a message to view'
