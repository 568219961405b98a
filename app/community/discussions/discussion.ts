/** Threads, their comments, votes and polls. Runs in the browser too: no I/O here. */
import { cutText, slugOf } from '#app/kit/writing/text.ts'

export const TITLE_MIN = 8
export const TITLE_MAX = 160
export const BODY_MAX = 20_000
export const COMMENT_MAX = 10_000
export const TOPICS_MAX = 5
export const POLL_OPTIONS_MIN = 2
export const POLL_OPTIONS_MAX = 8
export const POLL_OPTION_MAX = 100
/** A poll runs at most this many days. */
export const POLL_DAYS_MAX = 60

/** What one person may keep. */
export const SAVED_THREADS_MAX = 1_000
export const SAVED_THREADS_FULL =
  'You have saved 1,000 threads, which is the most you can save. Remove one first.'
export const MUTED_THREADS_MAX = 1_000
export const MUTED_THREADS_FULL =
  'You have muted 1,000 threads, which is the most you can mute. Unmute one first.'

/** Why a text is not taken, as its form and the server say it. */
export const TEXT_PROBLEMS = {
  shortTitle: `A title has at least ${TITLE_MIN} characters`,
  longTitle: `A title has at most ${TITLE_MAX} characters`,
  longBody: `A text has at most ${BODY_MAX} characters`,
  emptyComment: 'Please write something first',
  longComment: `A comment has at most ${COMMENT_MAX} characters`,
  emptyOption: 'An option needs words',
} as const

/** Rows of a list's page. */
export const THREADS_PAGE = 20
/** How many of the hottest the home page shows. */
export const DISCUSSED_THREADS = 6

/** Orders of a list of threads. */
export const THREAD_SORTS = ['hot', 'new', 'top', 'unanswered'] as const
export type ThreadSort = (typeof THREAD_SORTS)[number]
/** Those of what a search found. */
export const SEARCH_SORTS = ['relevance', ...THREAD_SORTS] as const
export type SearchSort = (typeof SEARCH_SORTS)[number]

/** The order that nobody has to choose. */
export const usualSort = (search?: string): SearchSort => (search ? 'relevance' : 'hot')

/** Of which time `top` is the top. */
export const PERIODS = ['day', 'week', 'month', 'year', 'all'] as const
export type Period = (typeof PERIODS)[number]

/** Minutes that a period reaches back; `all` has no end. */
export const PERIOD_MINUTES: Record<Exclude<Period, 'all'>, number> = {
  day: 1_440,
  week: 10_080,
  month: 43_200,
  year: 525_600,
}

export const COMMENT_SORTS = ['best', 'new', 'old'] as const
export type CommentSort = (typeof COMMENT_SORTS)[number]

/** As whom somebody writes: a name drawn for this thread, or the own username. S5. */
export const NAME_CHOICES = ['pseudonym', 'username'] as const
export type NameChoice = (typeof NAME_CHOICES)[number]

/** Of what visitors' votes on a post come to, so much counts in the order of lists, up or down. */
export const VISITOR_WEIGHT = 3
/** Visitors of one network whose votes on one subject are taken within a day. */
export const VOTERS_PER_NETWORK = 5
/** When more of visitors' votes come to one subject in this time, they wait for a moderator. */
export const SURGE = { votes: 12, minutes: 10 }

export const VOTES = [-1, 0, 1] as const
export type Vote = (typeof VOTES)[number]

/** Spec §5, §8: what deleting says. */
export const NOT_AUTHORIZED = 'Not authorized to delete this thread'
export const ONLY_OWN_POSTS = 'You can only delete your own posts'

const TAIL_MAX = 60

/** The tail that makes an address readable, with its hyphen; the id in front of it is what counts. */
export function titleTail(title: string): string {
  const tail = cutText(slugOf(title), TAIL_MAX).replace(/-$/, '')
  return tail && `-${tail}`
}

export const threadPath = ({ id, title }: { id: string; title: string }) =>
  `/thread/${id}${titleTail(title)}`

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i

/** The id at the front of what stands behind /thread/; undefined when there is none. */
export const threadIdIn = (segment: string): string | undefined =>
  UUID.exec(segment)?.[0].toLowerCase()
