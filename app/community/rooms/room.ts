/** A company's room, where people with its badge talk among themselves. D65. */
import { roomOpens } from '#app/companies/badges/badge.ts'
import { companyPath, roomPathOf } from '#app/companies/company.ts'
import type { Reason } from '#app/identity/accounts/suspension.ts'
import { lengthOf } from '#app/kit/writing/text.ts'
import { BODY_MAX, commentProblem, TEXT_PROBLEMS } from '../discussions/discussion.ts'
import { titleProblem } from '../discussions/threads/thread-draft.ts'

export const roomPath = (company: Parameters<typeof companyPath>[0]) =>
  roomPathOf(companyPath(company))

export const ROOM_REFUSALS = {
  closed: roomOpens,
  invalidProof: 'Your badge couldn’t be verified or has expired. Get a new one.',
  pass: 'This pass is only valid on the day you got it',
  challenge: 'This challenge was already used or has expired. Please try again.',
  thread: 'This thread isn’t in this room',
  post: 'This post isn’t in this room',
  taken: 'This id is already taken. Please send it again.',
} as const

export interface RoomText {
  /** Null for a comment. */
  title: string | null
  body: string
}

export const roomTextProblem = (text: RoomText) =>
  (text.title === null ? undefined : titleProblem(text.title)) ?? roomBodyProblem(text)

/** A thread needs no text. */
export function roomBodyProblem({ title, body }: RoomText): string | undefined {
  if (title !== null) return lengthOf(body) > BODY_MAX ? TEXT_PROBLEMS.longBody : undefined
  return commentProblem(body)
}

export const roomTitle = (company: string) => `${company}’s room`

export const ROOM_TEXTS = {
  text: 'A place for colleagues to talk. Anyone with the badge can read and post, and no one knows who’s who.',
  badgeTitle: 'You need the badge',
  badgeText: (company: string) =>
    `Your browser proves that you work at ${company}, not who you are. It doesn’t have a badge for that yet.`,
  getBadge: 'Get the badge',
  closedTitle: 'Not enough colleagues yet',
  closedText: (holders?: number) =>
    `${roomOpens(holders)}. With fewer, it’d be easy to guess who wrote what. Spread the word.`,
  warning:
    'Your colleagues read this, and so might your boss. Anyone with a work email can have a badge. Write so no one can tell it’s you.',
  /** True for posts since last night. Older ones have a month. */
  isNew: 'New',
  empty: 'No posts yet',
  emptyText: 'Ask what you can’t ask at work.',
  begin: 'Start a thread',
  placeholder: 'Say what happened, but not which team you’re on',
  gone: 'This thread no longer exists',
  deleted: 'Deleted by its author',
  reportHint:
    'Reporting shows this post to the site’s moderators. They see nothing else in the room.',
  removeTitle: 'Delete your post?',
  removeText: 'It disappears for everyone. Other people’s comments stay.',
}

/** What proofs in a room are bound to. Browser and server must produce the same bytes. */
const encoded = (fields: unknown[]) => new TextEncoder().encode(JSON.stringify(fields))

/** A pass only says its context and which challenge it answers. */
export const passMessage = (challenge: string) => encoded(['pass', challenge])

export interface RoomPostSent extends RoomText {
  /** The idempotency key, a uuid. */
  id: string
  /** The post's own id if it begins the thread. */
  threadId: string
  /** SHA-256 of the key that can edit and delete it, in base64url. */
  holder: string
}

/** If a single letter changes, the post needs another proof. */
export const roomPostMessage = ({ id, threadId, holder, title, body }: RoomPostSent) =>
  encoded([id, threadId, holder, title, body])

export const roomReportMessage = (id: string, { reason, note }: { reason: Reason; note: string }) =>
  encoded([id, reason, note])
