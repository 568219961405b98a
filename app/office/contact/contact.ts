/** Messages to the people who run the site. Texts under a “Spec” comment can't change; the others are ours. */
import { upTo } from '#app/kit/ui/format.ts'
import { lengthOf, lengthProblem } from '#app/kit/writing/text.ts'

export const CONTACT_NAME_MAX = 100
export const MESSAGE_MAX = 5_000
/** Deleted messages are kept for this long. */
export const DELETED_DAYS = 30
export const UNREAD_COUNTED_MAX = 1_000
export const unreadText = (unread: number) => upTo(unread, UNREAD_COUNTED_MAX - 1)

export const CONTACT_STATUSES = ['unread', 'read', 'archived', 'deleted'] as const
export type ContactStatus = (typeof CONTACT_STATUSES)[number]

/** The subject that the sender chose. This goes beyond Spec §2.9, and doesn't change its fields. */
export const CONTACT_SUBJECTS = ['general', 'legal', 'privacy', 'press'] as const
export type ContactSubject = (typeof CONTACT_SUBJECTS)[number]

export const SUBJECT_NAMES: Record<ContactSubject, string> = {
  general: 'A question or an idea',
  legal: 'A legal notice',
  privacy: 'My data',
  press: 'Press',
}

export const ASSIGNEE_FILTERS = ['anybody', 'mine', 'nobody'] as const
export type AssigneeFilter = (typeof ASSIGNEE_FILTERS)[number]

export const ASSIGNEE_FILTER_NAMES: Record<AssigneeFilter, string> = {
  anybody: 'Assigned to anyone',
  mine: 'Assigned to me',
  nobody: 'Unassigned',
}

export const LABEL_MAX = 24
export const LABELS_MAX = 5
/** How many labels there can be in all, so it stays easy to choose. */
export const ALL_LABELS_MAX = 30
export const SAVED_MAX = 50

export function labelProblem(label: string): string | undefined {
  if (label === '') return 'Please enter a label'
  if (UNPRINTABLE.test(label)) return 'A label must be a single line'
  return lengthProblem(label, LABEL_MAX, 'label')
}

/** Spec §4. "All" excludes deleted ones. */
export const CONTACT_FILTERS = ['all', 'unread', 'archived'] as const
export type ContactFilter = (typeof CONTACT_FILTERS)[number]

export const isInFilter = (filter: ContactFilter, status: ContactStatus) =>
  filter === 'all' ? status !== 'deleted' : status === filter

/**
 * The statuses that each can follow. Spec §4: archive from any other, deleted too; unarchive and
 * mark read lead to read; mark unread from read; delete.
 */
export const ALLOWED_PREVIOUS_STATUSES: Record<ContactStatus, readonly ContactStatus[]> = {
  unread: ['read'],
  read: ['unread', 'archived'],
  archived: ['unread', 'read', 'deleted'],
  deleted: ['unread', 'read', 'archived'],
}

export function statusConflict(is: ContactStatus, wanted: ContactStatus): string {
  if (is === wanted) return `This message is already ${is}`
  if (is === 'deleted') return CONTACT_REFUSALS.deleted
  return `You can’t change this message from ${is} to ${wanted}`
}

export const CONTACT_REFUSALS = {
  forbidden: 'Only an administrator can manage contact messages',
  noMessage: 'This message no longer exists',
  deleted: 'This message was deleted',
  unassigned: 'This message is no longer assigned to anyone',
  taken: (name: string) => `${name} has taken this message`,
  noAdministrator: (name: string) => `${name} isn’t an administrator`,
  labelsFull: `A message can have at most ${LABELS_MAX} labels`,
  allLabelsFull: `There are already ${ALL_LABELS_MAX} labels. Please use one of them.`,
  otherMessage: 'This answer was sent in reply to another message',
  savedGone: 'This saved answer no longer exists',
  savedFull: `You can have at most ${SAVED_MAX} saved answers`,
  savedTitle: 'A saved answer with this title already exists',
} as const

/** Line breaks and other controls. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029]/u

export function nameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'Please enter your name'
  if (UNPRINTABLE.test(name.trim())) return 'A name must be a single line'
  return lengthProblem(name.trim(), CONTACT_NAME_MAX, 'name')
}

export function messageProblem(message: string, what = 'message'): string | undefined {
  const length = lengthOf(message.trim())
  if (length === 0) return `Please write ${what === 'answer' ? 'an answer' : 'a message'}`
  if (length > MESSAGE_MAX) return `At most ${NUMBER_FORMAT.format(MESSAGE_MAX)} characters, please`
  return undefined
}

const NUMBER_FORMAT = new Intl.NumberFormat('en')

/** A mailto link. Escaped, so no address can add another recipient. */
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

/** The texts from here to `NOTHING_SELECTED` are from Spec §2.12. */
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
