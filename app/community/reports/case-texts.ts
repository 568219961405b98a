import type { Cause, HiddenState, PostKind } from './report.ts'
import { reasonName } from './report.ts'

export const THREAD_NOT_FOUND = 'This thread does not exist'
export const THREAD_HELD = 'This thread is hidden until a moderator reviews it'

/** What stands in place of a comment that is not shown. */
export const stubText = ({ state, reason }: { state: HiddenState; reason: string | null }) =>
  state === 'held'
    ? 'Hidden until a moderator reviews it'
    : `Removed by a moderator: ${reasonName(reason)}`

interface Reported {
  cause: Cause
  watched?: string | null
  reports: readonly { reason: string; count: number }[]
}

/** Why a post awaits review, as far as its reports don't say. */
export function causeText({ cause, watched, reports }: Reported): string {
  const count = reports.reduce((sum, each) => sum + each.count, 0)
  if (count > 0) return count === 1 ? 'Reported once' : `Reported ${count} times`
  if (cause === 'votes') return 'Unusual voting'
  if (cause === 'watched') return `Watched for: ${watched ?? 'a word since removed'}`
  if (cause === 'first') return 'One of a new author’s first posts'
  if (cause === 'burst') return 'A new author posted a lot within an hour'
  return cause === 'moderator' ? 'A moderator looked at it' : 'Reported before'
}

/** Why a post with pending votes can't just be kept. */
export const VOTES_FIRST = 'First decide on the pending votes: count or drop them'

/** Such as "14 votes, 3 up and 11 down". */
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
    ? 'No one can be suspended for a note, as its author is unknown'
    : kind === 'thread' || kind === 'comment'
      ? 'No one can be suspended for this post, as its author is gone'
      : 'No one can be suspended for a company’s post, as we don’t store who wrote it'
