/** The queue's filters and keys, and decisions in sentences. No I/O here, because it also runs in the browser. */

import {
  type Action,
  type Cause,
  type HiddenState,
  NOTE_TO_AUTHOR_MAX,
  type PostKind,
} from '#app/community/reports/report.ts'
import { REASONS, type Reason, reasonName } from '#app/identity/accounts/suspension.ts'
import { dateText } from '#app/kit/ui/format.ts'
import { isPlain, type KeyPress } from '#app/kit/ui/list-keys.ts'

/** What can open a case besides reports and moderators. */
const OTHER_CAUSES = ['watched', 'first', 'burst', 'votes'] as const
type OtherCause = (typeof OTHER_CAUSES)[number]

/** The reasons in the queue's filter. A case may have several. */
export const CASE_REASONS = [...REASONS, ...OTHER_CAUSES] as const
export type CaseReason = (typeof CASE_REASONS)[number]

const CAUSE_NAMES: Record<OtherCause, string> = {
  watched: 'On the watch list',
  first: 'First posts of someone new',
  burst: 'Many posts by someone new',
  votes: 'Unusual voting',
}

export const isReason = (why: CaseReason): why is Reason =>
  (REASONS as readonly string[]).includes(why)

export const caseReasonName = (why: CaseReason) =>
  isReason(why) ? reasonName(why) : CAUSE_NAMES[why]

/** The most first posts of a person that we can hold. */
export const FIRST_POSTS_MAX = 5
export const FIRST_POSTS_RANGE = `Please enter a number from 0 to ${FIRST_POSTS_MAX}`

/** The highest number that a limit can be set to. */
export const LIMIT_MAX = 10_000
export const LIMIT_RANGE = 'Please enter a number from 1 to 10,000'

export const QUEUE_KEYS = [
  { command: 'next', keys: ['j', 'ArrowDown'] },
  { command: 'previous', keys: ['k', 'ArrowUp'] },
  { command: 'keep', keys: ['a'] },
  { command: 'remove', keys: ['r'] },
  { command: 'suspend', keys: ['s'] },
  { command: 'lock', keys: ['l'] },
  { command: 'count', keys: ['c'] },
  { command: 'drop', keys: ['d'] },
  { command: 'mark', keys: ['x'] },
  { command: 'mark-next', keys: ['Shift+j'] },
  { command: 'mark-previous', keys: ['Shift+k'] },
  { command: 'unmark', keys: ['Escape'] },
  { command: 'open', keys: ['o'] },
  { command: 'undo', keys: ['u'] },
  { command: 'help', keys: ['?'] },
] as const

export type QueueCommand = (typeof QUEUE_KEYS)[number]['command']
/**
 * Decisions about a post and others by its author. These have buttons but no keys, because a key only decides about
 * the post you're reading.
 */
export type GroupCommand = 'keep-all' | 'remove-all'

const STEPS = new Set<QueueCommand>(['next', 'previous', 'mark-next', 'mark-previous'])

/** Undefined if a key press isn't for us. Holding a key moves through the list, but decides nothing. */
export function queueCommandOf(press: KeyPress): QueueCommand | undefined {
  if (!isPlain(press)) return undefined
  // On most keyboards, you need Shift to type a question mark.
  const shift = press.shiftKey && press.key !== '?' ? 'Shift+' : ''
  const key = shift + (press.key.length === 1 ? press.key.toLowerCase() : press.key)
  const command = QUEUE_KEYS.find(({ keys }) => (keys as readonly string[]).includes(key))?.command
  return press.repeat && !(command && STEPS.has(command)) ? undefined : command
}

interface DescribedDecision {
  action: Action
  kind: PostKind
  detail: string | null
}

/** What was done, to follow the moderator's name, such as "removed a comment". */
export function decisionText({ action, detail, ...post }: DescribedDecision): string {
  const kind = post.kind === 'room' ? 'room post' : post.kind
  const to = detail ?? 'no company'
  switch (action) {
    case 'keep':
      return `kept a ${kind}`
    case 'remove':
      return `removed a ${kind}`
    case 'hold':
      return `held a ${kind}`
    case 'lock':
      return 'locked a thread'
    case 'unlock':
      return 'unlocked a thread'
    case 'slow':
      return `put a thread in slow mode${detail ? `: one comment every ${detail}` : ''}`
    case 'unslow':
      return 'ended slow mode in a thread'
    case 'pin':
      return 'pinned a thread'
    case 'unpin':
      return 'unpinned a thread'
    case 'move':
      return `moved a thread to ${to}`
    case 'suspend':
      return `suspended the author of a ${kind}${detail ? ` until ${dateText(detail)}` : ''}`
    case 'accept-appeal':
      return `accepted an appeal and showed a ${kind} again`
    case 'decline-appeal':
      return `declined an appeal about a ${kind}`
    case 'count-votes':
      return `counted held votes on a ${kind}${detail ? `: ${detail}` : ''}`
    case 'drop-votes':
      return `dropped held votes on a ${kind}${detail ? `: ${detail}` : ''}`
    case 'undo':
      return 'undid a decision'
  }
}

/** Whether deciding on the votes closes the case. It stays open for reports and a hold. */
export const closesWithVotes = (hasReports: boolean, state: HiddenState | 'shown' | null) =>
  !hasReports && state !== 'held'

interface Reported {
  cause: Cause
  watched?: string | null
  reports: readonly { reason: string; count: number }[]
}

/** Why a post is waiting for review, apart from its reports. */
export function causeText({ cause, watched, reports }: Reported): string {
  const count = reports.reduce((sum, each) => sum + each.count, 0)
  if (count > 0) return count === 1 ? 'Reported once' : `Reported ${count} times`
  if (cause === 'votes') return 'Unusual voting'
  if (cause === 'watched') return `Watched for: ${watched ?? 'a word since removed'}`
  if (cause === 'first') return 'One of a new author’s first posts'
  if (cause === 'burst') return 'A new author posted a lot within an hour'
  return cause === 'moderator' ? 'A moderator reviewed it' : 'Reported before'
}

/** Why we refuse a decision, an appeal, an undo, a report or the use of a tool. */
export const MODERATION_REFUSALS = {
  postGone: 'This post no longer exists',
  justDecided: 'Another moderator has just decided on this. Please take another look.',
  meanwhile: (moderator: string, decision: string) => `Meanwhile, ${moderator} ${decision}`,
  notNow: 'This didn’t go through. Please try again.',
  wasRemoved: 'This post was removed. Undo the removal to show it again.',
  alreadyRemoved: 'This post is already removed',
  nothingToDecide: 'There’s nothing to decide on for this post',
  noVotes: 'This post has no pending votes',
  locked: 'This thread is already locked',
  notLocked: 'This thread isn’t locked',
  slow: 'This thread is already in slow mode with this interval',
  notSlow: 'This thread isn’t in slow mode',
  pinned: 'This thread is already pinned',
  notPinned: 'This thread isn’t pinned',
  alreadyThere: 'This thread is already about that',
  noSuchPost: 'This post doesn’t exist',
  notRemoved: 'This post wasn’t removed',
  appealed: 'You’ve already appealed this removal',
  noAppeal: 'This post has no open appeal',
  ownDecision: 'You removed this, so another moderator will decide',
  noEntry: 'This log entry doesn’t exist',
  undoOfUndo: 'You can’t undo an undo. Decide again instead.',
  votesNotKept: 'We don’t record which votes these were, so you can’t undo this',
  undone: 'This decision is already undone',
  laterDecision: 'There’s a later decision about this. Undo that one first.',
  onlyAdminsSuspend: 'Only administrators can suspend people',
  onlyAdminsEndSuspensions: 'Only an administrator can end a suspension',
  votesFirst: 'Decide on the pending votes first: count them or drop them',
  longNote: `A note can have at most ${NOTE_TO_AUTHOR_MAX.toLocaleString('en')} characters once it’s filled in`,
  suspendsSelf: 'You can’t suspend yourself',
  suspended: (endsOn: string) => `This author is already suspended until ${endsOn}`,
  reportsOwn: 'You can’t report your own post',
  noTemplate: 'This template no longer exists',
  templateTaken: 'A template with this name already exists',
  noLimit: 'This limit doesn’t exist',
  watched: 'This is already on the watch list',
  notWatched: 'This isn’t on the watch list',
} as const

/** Votes in words, such as "14 votes, 3 up and 11 down". */
export function heldVotesText({ up, down, poll }: { up: number; down: number; poll: number }) {
  const votes = up + down
  return [
    votes > 0 && `${votesText(votes)}, ${up} up and ${down} down`,
    poll > 0 && `${votesText(poll)} in the poll`,
  ]
    .filter(Boolean)
    .join('; ')
}

const votesText = (count: number) => `${count} ${count === 1 ? 'vote' : 'votes'}`

export const noAuthorToSuspend = (kind: PostKind) =>
  kind === 'note'
    ? 'You can’t suspend anyone for a note, because we don’t know its author'
    : kind === 'thread' || kind === 'comment'
      ? 'You can’t suspend anyone for this post, because its author is gone'
      : 'You can’t suspend anyone for a company’s post, because we don’t store who wrote it'
