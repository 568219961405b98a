/** Threads and their comments. */
import { isBlank, lengthOf, slugSuffix } from '#app/kit/writing/text.ts'

export const THREAD_TITLE_MIN = 8
export const THREAD_TITLE_MAX = 160
export const BODY_MAX = 20_000
export const COMMENT_MAX = 10_000
export const TOPICS_MAX = 5
/** How many of a company's latest threads we count by topic. */
export const TOPICS_COUNTED = 100

/** How many threads one person can save. */
export const SAVED_THREADS_MAX = 1_000
export const MUTED_THREADS_MAX = 1_000

export const TEXT_PROBLEMS = {
  shortTitle: `A title needs at least ${THREAD_TITLE_MIN} characters`,
  longTitle: `A title can have at most ${THREAD_TITLE_MAX} characters`,
  longBody: `The text can have at most ${BODY_MAX.toLocaleString('en')} characters`,
  emptyComment: 'Please write something first',
  longComment: `A comment can have at most ${COMMENT_MAX.toLocaleString('en')} characters`,
  titleWithoutWords: 'A title needs letters or numbers',
  manyTopics: `A thread can have at most ${TOPICS_MAX} topics`,
} as const

/** @param body of a comment, as typed or as stored */
export function commentProblem(body: string): string | undefined {
  if (isBlank(body)) return TEXT_PROBLEMS.emptyComment
  return lengthOf(body) > COMMENT_MAX ? TEXT_PROBLEMS.longComment : undefined
}

export const THREADS_PAGE = 20
export const DISCUSSED_THREADS = 6

export const THREAD_SORTS = ['hot', 'new', 'top', 'unanswered'] as const
export type ThreadSort = (typeof THREAD_SORTS)[number]
export const SEARCH_SORTS = ['relevance', ...THREAD_SORTS] as const
export type SearchSort = (typeof SEARCH_SORTS)[number]

export const usualThreadSort = (search?: string): SearchSort => (search ? 'relevance' : 'hot')

export const PERIODS = ['day', 'week', 'month', 'year', 'all'] as const
export type Period = (typeof PERIODS)[number]

export const PERIOD_MINUTES: Record<Exclude<Period, 'all'>, number> = {
  day: 1_440,
  week: 10_080,
  month: 43_200,
  year: 525_600,
}

export const COMMENT_SORTS = ['best', 'new', 'old'] as const
export type CommentSort = (typeof COMMENT_SORTS)[number]

/** A name for this thread, or the username. S5. */
export const NAME_CHOICES = ['pseudonym', 'username'] as const
export type NameChoice = (typeof NAME_CHOICES)[number]

export const POST_REFUSALS = {
  noThread: 'This thread doesn’t exist',
  noComment: 'This comment doesn’t exist',
  locked: 'This thread is locked',
  held: (what: 'thread' | 'comment' | 'note') =>
    `This ${what} is hidden until a moderator reviews it`,
  removed: (what: 'thread' | 'comment' | 'note', reason?: string) =>
    `This ${what} was removed by a moderator${reason ? `: ${reason}` : ''}`,
  cannotEditThread: 'Only its author can edit a thread',
  cannotEditComment: 'Only its author can edit a comment',
  parentDeleted: 'The comment you’re replying to was deleted',
  parentRemoved: 'The comment you’re replying to was removed',
  unknownTopicInThread: 'One of these topics doesn’t exist',
  tooSoon: (pause: string, minutes: number) =>
    `This thread is in slow mode: one comment every ${pause}. You can comment again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
  employerSaves: 'Employers can’t save threads',
  savedFull: `You’ve saved ${SAVED_THREADS_MAX.toLocaleString('en')} threads, which is the limit. Remove one first.`,
  mutedFull: `You’ve muted ${MUTED_THREADS_MAX.toLocaleString('en')} threads, which is the limit. Unmute one first.`,
  noFeed: 'This feed doesn’t exist',
  unknownTopicOfFeed: 'This topic doesn’t exist',
  tooManyPages: 'Too many pages are open. This one will try again later.',
  /** This refusal and the next two are from Spec §5 and §8. */
  cannotDeleteThread: 'Not authorized to delete this thread',
  cannotDeleteOthersPosts: 'You can only delete your own posts',
  notTitled: (title: string) => `No post found with title "${title}"`,
} as const

/**
 * Whether a thread offers its comment form. `comment-rules.server.ts` decides (it also knows
 * suspensions), and says why not.
 */
export const canComment = ({ isLocked }: { isLocked: boolean }, isWriter = true) =>
  isWriter && !isLocked

export const threadPath = ({ id, title }: { id: string; title: string }) =>
  `/thread/${id}${slugSuffix(title)}`

/** Query keys of discussions, for invalidating them. */
export const THREADS_KEY = ['threads'] as const
export const THREAD_LISTS_KEY = [...THREADS_KEY, 'list'] as const
export const oneThreadKey = (id: string) => [...THREADS_KEY, 'one', id] as const
export const COMMENTS_KEY = ['comments'] as const
/** Every page of a thread's comments, in every order. */
export const commentsKey = (threadId: string) => [...COMMENTS_KEY, threadId] as const
