/** A company's room: what holders of its badge say among themselves. Decision 65. No I/O here. */

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
