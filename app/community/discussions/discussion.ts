/** Threads, their comments, votes and polls. */
import { isBlank, lengthOf, slugSuffix } from '#app/kit/writing/text.ts'

export const THREAD_TITLE_MIN = 8
export const THREAD_TITLE_MAX = 160
export const BODY_MAX = 20_000
export const COMMENT_MAX = 10_000
export const TOPICS_MAX = 5
/** How many of a company's latest threads we count by topic. */
export const TOPICS_COUNTED = 100
export const POLL_OPTIONS_MIN = 2
export const POLL_OPTIONS_MAX = 8
export const POLL_OPTION_MAX = 100
export const POLL_DAYS_MAX = 60

/** How many threads one person can save. */
export const SAVED_THREADS_MAX = 1_000
export const MUTED_THREADS_MAX = 1_000

export const TEXT_PROBLEMS = {
  shortTitle: `A title needs at least ${THREAD_TITLE_MIN} characters`,
  longTitle: `A title can have at most ${THREAD_TITLE_MAX} characters`,
  longBody: `The text can have at most ${BODY_MAX} characters`,
  emptyComment: 'Please write something first',
  longComment: `A comment can have at most ${COMMENT_MAX} characters`,
  titleWithoutWords: 'A title needs letters or numbers',
  emptyOption: 'An option needs text',
  longOption: `An option can have at most ${POLL_OPTION_MAX} characters`,
  sameOption: 'This option already exists',
  fewOptions: `A poll needs at least ${POLL_OPTIONS_MIN} options`,
  manyOptions: `A poll can have at most ${POLL_OPTIONS_MAX} options`,
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

/** All visitors' votes together count for at most this many in the order of lists, up or down. */
export const VISITOR_WEIGHT = 3
/** How many visitors from one network can vote on a post within a day. */
export const VOTERS_PER_NETWORK = 5
/** If more visitors vote on a post in this time, their votes wait for a moderator. */
export const SURGE = { votes: 12, minutes: 10 }

export const VOTES = [-1, 0, 1] as const
export type Vote = (typeof VOTES)[number]

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
  ownPost: 'You can’t vote on your own post',
  noPoll: 'This poll doesn’t exist',
  pollClosed: 'This poll is closed',
  noOption: 'This poll doesn’t have that option',
  voted: 'You’ve already voted in this poll',
  enoughVoters:
    'Enough visitors from your network have voted here today. Log in with a confirmed email and your vote counts.',
  tooSoon: (usual: string, minutes: number) =>
    `This thread is in slow mode: one comment every ${usual}. You can comment again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
  employerVotes: 'Employers can’t vote here',
  employerSaves: 'Employers can’t save threads',
  savedFull: `You’ve saved ${SAVED_THREADS_MAX.toLocaleString('en')} threads, which is the limit. Remove one first.`,
  mutedFull: `You’ve muted ${MUTED_THREADS_MAX.toLocaleString('en')} threads, which is the limit. Unmute one first.`,
  noFeed: 'There is no such feed',
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

export interface Ballot {
  score: number
  vote: Vote
}

/** Pressing the arrow again takes the vote back. */
export const pressed = (vote: Vote, arrow: 1 | -1): Vote => (vote === arrow ? 0 : arrow)

/** The score with `vote` in place of the earlier one. */
export const votedAs = ({ score, vote: before }: Ballot, vote: Vote): Ballot => ({
  score: score - before + vote,
  vote,
})

/** Query keys of discussions, for invalidating them. */
export const THREADS = ['threads'] as const
export const LISTS = [...THREADS, 'list'] as const
export const oneThreadKey = (id: string) => [...THREADS, 'one', id] as const
export const COMMENTS = ['comments'] as const
/** Every page of a thread's comments, in every order. */
export const commentsKey = (threadId: string) => [...COMMENTS, threadId] as const
