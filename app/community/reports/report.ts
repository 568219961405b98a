/** Reports, and what moderators decide about a post. */
import { reasonName } from '#app/identity/accounts/suspension.ts'
import { lengthOf, tidyText, visibleText } from '#app/kit/writing/text.ts'

/** A `note` belongs to a rating, a `reply` is a company's, and `room` is any post in a room. */
export const POST_KINDS = ['thread', 'comment', 'note', 'job', 'reply', 'room'] as const
export type PostKind = (typeof POST_KINDS)[number]

/** Kinds without a known author. */
const AUTHORLESS = ['note', 'job', 'reply', 'room'] as const
type AuthorlessKind = (typeof AUTHORLESS)[number]
export const isAuthorless = (kind: PostKind): kind is AuthorlessKind =>
  (AUTHORLESS as readonly PostKind[]).includes(kind)

export const postName = (kind: PostKind) => (kind === 'room' ? 'post' : kind)

export interface PostRef {
  kind: PostKind
  id: string
}

export const REPORT_NOTE_MAX = 1_000
export const APPEAL_MIN = 10
export const APPEAL_MAX = 2_000

export function appealProblem(text: string): string | undefined {
  const tidy = tidyText(text)
  if (lengthOf(visibleText(tidy)) < APPEAL_MIN)
    return `An appeal needs at least ${APPEAL_MIN} characters`
  return lengthOf(tidy) > APPEAL_MAX
    ? `An appeal can have at most ${APPEAL_MAX.toLocaleString('en')} characters`
    : undefined
}

export const NOTE_TO_AUTHOR_MAX = 1_000
export const DECISIONS_AT_ONCE_MAX = 50

/** Reports of members with a confirmed email that hide a post. Visitors don't count, as anyone can make up any number. */
export const HOLD_AFTER_REPORTS = 3

/** How long an author is new. */
export const NEW_AUTHOR_MINUTES = 1_440
/** If a new author posts more than this in an hour, we hold the rest. */
export const BURST_POSTS = 8
export const BURST_MINUTES = 60

export const LOCK_NOTE_MAX = 200
/** In slow mode, you can comment once every this many minutes. */
export const SLOW_MINUTES = [2, 5, 10, 30, 60, 240] as const
export type SlowMinutes = (typeof SLOW_MINUTES)[number]
export const slowText = (minutes: number) =>
  minutes < 60 ? `${minutes} minutes` : minutes === 60 ? 'an hour' : `${minutes / 60} hours`

/** Waiting for a moderator, or removed by one. */
export const HIDDEN_STATES = ['held', 'removed'] as const
export type HiddenState = (typeof HIDDEN_STATES)[number]

export const CAUSES = ['reports', 'burst', 'moderator', 'votes', 'watched', 'first'] as const
export type Cause = (typeof CAUSES)[number]

export const ACTIONS = [
  'keep',
  'remove',
  'hold',
  'lock',
  'unlock',
  'slow',
  'unslow',
  'pin',
  'unpin',
  'move',
  'suspend',
  'accept-appeal',
  'decline-appeal',
  'count-votes',
  'drop-votes',
  'undo',
] as const
export type Action = (typeof ACTIONS)[number]

export const MODERATION_EVENTS = [
  'held',
  'removed',
  'restored',
  'locked',
  'moved',
  'appeal-declined',
  'suspended',
] as const
export type ModerationEvent = (typeof MODERATION_EVENTS)[number]

export const APPEAL_STATUSES = ['open', 'accepted', 'declined'] as const

/** What people see in place of a hidden comment. */
export const stubText = ({ state, reason }: { state: HiddenState; reason: string | null }) =>
  state === 'held'
    ? 'Hidden until a moderator reviews it'
    : `Removed by a moderator: ${reasonName(reason)}`
