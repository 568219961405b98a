/** A company's room: what holders of its badge say among themselves. D65. No I/O here. */
import { ROOM_HOLDERS_MIN } from '#app/companies/badges/badge.ts'
import { isBlank } from '#app/kit/writing/text.ts'
import { BODY_MAX, COMMENT_MAX, TEXT_PROBLEMS } from '../discussions/discussion.ts'
import { titleProblem } from '../discussions/threads/thread-draft.ts'

/** Also where a company has no slug: then by its id. */
export const roomPath = ({ id, slug }: { id: string; slug: string | null }) =>
  `/${encodeURIComponent(slug ?? id)}/room`

/** Sentences that say no. */
export const ROOM_REFUSALS = {
  closed: `This room opens once ${ROOM_HOLDERS_MIN} colleagues have a badge of one quarter, in the night after.`,
  unproven: 'Your badge is not proven, or too old. Get another one.',
  pass: 'This pass was for another day',
  thread: 'This thread is not in this room',
  post: 'This post is not in this room',
  taken: 'This was sent before by somebody else. Please send it once more.',
  own: 'You cannot report your own post',
} as const

export interface RoomText {
  /** Null for a comment. */
  title: string | null
  body: string
}

export const roomTextProblem = (text: RoomText) =>
  (text.title === null ? undefined : titleProblem(text.title)) ?? roomBodyProblem(text)

/** A thread may do with its title. */
export function roomBodyProblem({ title, body }: RoomText): string | undefined {
  if (title !== null) return body.length > BODY_MAX ? TEXT_PROBLEMS.longBody : undefined
  if (isBlank(body)) return TEXT_PROBLEMS.emptyComment
  return body.length > COMMENT_MAX ? TEXT_PROBLEMS.longComment : undefined
}

export const roomTitle = (company: string) => `The room of ${company}`

/** What the screens of a room say. */
export const ROOM = {
  text: 'What colleagues say among themselves. Everybody with the badge can read and write here, and nobody learns who is who.',
  badgeTitle: 'You need the badge',
  badgeText: (company: string) =>
    `Your browser shows that you work at ${company}, and not who you are. It has no badge for that yet.`,
  getBadge: 'Get the badge',
  closedTitle: 'Not enough colleagues yet',
  closedText: `The room opens once ${ROOM_HOLDERS_MIN} colleagues have a badge of one quarter: among fewer it would be easy to guess who wrote what. Tell others that there is one.`,
  warning:
    'Your colleagues read this, and so may your boss: whoever reads mail at the company can have a badge. Write so that nobody knows you by it.',
  /** Since the last night; older ones have their month. */
  isNew: 'New',
  empty: 'Nobody has written here yet',
  emptyText: 'Ask what you cannot ask at work.',
  begin: 'Begin a thread',
  placeholder: 'Say what happened, not where you sit',
  gone: 'This thread is not here any more',
  deleted: 'Deleted by its author',
  reportHint:
    'A report shows the post to the moderators of this site, who see nothing else of the room.',
  removeTitle: 'Delete what you wrote?',
  removeText: 'It is gone for everybody. What others answered stays.',
}
