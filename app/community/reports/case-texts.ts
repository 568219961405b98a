/** Cases in sentences. Runs in the browser too: no I/O here. */
import type { Cause, HiddenState, PostKind } from './report.ts'
import { reasonName } from './report.ts'

/** Why a thread is not shown. */
export const THREAD_NOT_FOUND = 'This thread does not exist'
export const THREAD_HELD = 'This thread is held until a moderator has looked at it'

/** What stands in place of a comment that is not shown. */
export const stubText = ({ state, reason }: { state: HiddenState; reason: string | null }) =>
  state === 'held'
    ? 'Held until a moderator has looked at it'
    : `Removed by a moderator: ${reasonName(reason)}`

interface Reported {
  cause: Cause
  /** The entries of the watch list that held it. */
  watched?: string | null
  reports: readonly { reason: string; count: number }[]
}

/** Why a post waits, as far as its reports do not tell. */
export function causeText({ cause, watched, reports }: Reported): string {
  const count = reports.reduce((sum, each) => sum + each.count, 0)
  if (count > 0) return count === 1 ? 'Reported once' : `Reported ${count} times`
  if (cause === 'votes') return 'Unusual voting'
  if (cause === 'watched') return `Watched for: ${watched ?? 'a word that is no longer'}`
  if (cause === 'first') return 'Among the first posts of somebody new'
  if (cause === 'burst') return 'Somebody new posted a lot within an hour'
  return cause === 'moderator' ? 'A moderator looked at it' : 'Reported before'
}

/** Why a post on which votes wait cannot just be kept. */
export const VOTES_FIRST = 'Decide about its held votes first: count them, or drop them'

/** How many wait: "14 votes, 3 up and 11 down". */
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

/** Why nobody can be suspended for a post that leads to nobody. */
export const noAuthorToSuspend = (kind: PostKind) =>
  kind === 'note'
    ? 'Nobody can be suspended for a note: it leads to nobody'
    : kind === 'thread' || kind === 'comment'
      ? 'Nobody can be suspended for this post: its author is gone'
      : 'Nobody can be suspended for what a company says: who wrote it is not kept'
