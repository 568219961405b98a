/** What's the same for everyone comes with the page. What's yours has endpoints of its own. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import {
  After,
  IdempotencyKey,
  LookupText,
  SpamCheck,
  Uuid,
  UuidList,
  WrittenText,
} from '#app/api/schemas.ts'
import { PostBadge, ShownBadge } from '#app/companies/badges/badge.contract.ts'
import { CompanyReply } from '../replies/reply.contract.ts'
import {
  BODY_MAX,
  COMMENT_MAX,
  COMMENT_SORTS,
  NAME_CHOICES,
  PERIODS,
  POST_REFUSALS,
  SEARCH_SORTS,
  TEXT_PROBLEMS,
  THREAD_TITLE_MAX,
  THREAD_TITLE_MIN,
  THREADS_PAGE,
  TOPICS_COUNTED,
  TOPICS_MAX,
} from './discussion.ts'
import {
  POLL_DAYS_MAX,
  POLL_OPTION_MAX,
  POLL_OPTIONS_MAX,
  POLL_OPTIONS_MIN,
  POLL_PROBLEMS,
} from './polls/poll.ts'
import { VOTE_REFUSALS, VOTES } from './votes/vote.ts'

const Vote = z.literal(VOTES)
const IsHeld = z
  .boolean()
  .optional()
  .describe('Many votes came in at once, so this one won’t count until a moderator reviews them')

const Topic = z.object({ slug: z.string(), name: z.string() })
export type Topic = z.output<typeof Topic>

const CompanyTopics = z.object({
  threads: z.number().int().describe(`How many were counted: the latest ${TOPICS_COUNTED}`),
  topics: z.array(Topic.extend({ threads: z.number().int() })).describe('Most used first'),
})
export type CompanyTopics = z.output<typeof CompanyTopics>

const Author = z.object({
  name: z.string(),
  isVisitor: z
    .boolean()
    .describe('True if the author has no account, so "Anonymous" comes before the name'),
})

/** A text in pieces that alternate between plain and found, starting with a plain one. */
const Pieces = z.array(z.string())

export const ThreadRow = z.object({
  id: Uuid,
  path: z.string(),
  title: z.string(),
  excerpt: z.string(),
  company: z.object({ id: Uuid, name: z.string(), path: z.string() }).nullable(),
  topics: z.array(Topic),
  author: Author,
  badge: ShownBadge,
  postedAt: z.string().describe('To the minute. We don’t store seconds'),
  score: z.number().int(),
  comments: z.number().int(),
  hasPoll: z.boolean(),
  isLocked: z.boolean(),
  isPinned: z.boolean(),
  match: z
    .object({
      title: Pieces,
      text: Pieces,
      isComment: z.boolean().describe('Whether the text is from a comment'),
    })
    .nullable()
    .describe('What the search matched'),
})
export type ThreadRow = z.output<typeof ThreadRow>

const ThreadsPage = z.object({
  pinned: z
    .array(ThreadRow)
    .describe('Shown at the top of the first page and not repeated in threads'),
  threads: z.array(ThreadRow),
  next: z.string().nullable(),
  found: z
    .object({
      total: z.number().int(),
      totalIsExact: z.boolean().describe('False if we stopped counting early'),
      meant: z
        .string()
        .optional()
        .describe('The spelling we searched for instead, if nothing matched the original'),
    })
    .optional()
    .describe('Only for a search'),
})
export type ThreadsPage = z.output<typeof ThreadsPage>

const Poll = z.object({
  closesAt: z
    .string()
    .describe('To the minute. Always a whole number of days after the thread was posted'),
  results: z
    .array(z.number().int())
    .describe('Votes per option. The page hides them until you vote or ask to see them'),
  isClosed: z.boolean(),
  votes: z.number().int(),
  options: z.array(z.object({ index: z.number().int(), text: z.string() })),
})

const Thread = ThreadRow.extend({
  html: z.string(),
  lockNote: z.string().nullable().describe('Why it’s locked, if moderators gave a reason'),
  slowMinutes: z
    .number()
    .int()
    .nullable()
    .describe('In slow mode, how many minutes a person waits between comments'),
  isEdited: z.boolean(),
  poll: Poll.nullable(),
  companyReply: CompanyReply.nullable(),
  related: z.array(
    z.object({ id: Uuid, path: z.string(), title: z.string(), comments: z.number().int() }),
  ),
})
export type Thread = z.output<typeof Thread>

const Comment = z.object({
  id: Uuid,
  parentId: Uuid.nullable(),
  depth: z.number().int(),
  author: Author.nullable().describe('Null for a deleted comment'),
  badge: ShownBadge,
  isOp: z.boolean(),
  html: z.string(),
  postedAt: z.string(),
  isEdited: z.boolean(),
  isDeleted: z.boolean(),
  score: z.number().int(),
  replies: z.number().int().describe('Replies shown below it, on this page or a later one'),
  removal: z
    .object({ state: z.enum(['held', 'removed']), reason: z.string().nullable() })
    .nullable()
    .describe('Why it isn’t shown'),
})
export type Comment = z.output<typeof Comment>

const MyThread = z.object({
  isMine: z.boolean(),
  needsSpamCheck: z.boolean().describe('Whether this person’s votes need a spam check'),
  name: z
    .string()
    .nullable()
    .describe('This person’s name in the thread, if they’ve written there'),
  vote: Vote,
  isSaved: z.boolean(),
  isMuted: z.boolean().describe('No notifications from this thread'),
  pollChoice: z.number().int().nullable(),
  pollResults: z.array(z.number().int()).nullable().describe('Votes per option'),
  comments: z.array(Uuid).describe('This person’s comments'),
  hiddenBadges: z
    .array(Uuid)
    .describe('This person’s posts with a badge that stays hidden until more colleagues have one'),
  votes: z.record(z.string(), Vote).describe('Votes on comments, by comment id'),
  can: z.object({
    comment: z.boolean(),
    edit: z.boolean(),
    delete: z.boolean(),
    moderate: z.boolean(),
  }),
})
export type MyThread = z.output<typeof MyThread>

const Id = z.object({ id: Uuid })
const Name = z.enum(NAME_CHOICES).default('pseudonym')
// Letters of some scripts count as several. See `titleProblem`.
const Title = WrittenText(THREAD_TITLE_MAX).meta({ minLength: Math.ceil(THREAD_TITLE_MIN / 3) })
const TopicSlug = LookupText(60)
const Topics = z.array(TopicSlug).max(TOPICS_MAX, TEXT_PROBLEMS.manyTopics)
const PollInput = z.object({
  options: z
    .array(WrittenText(POLL_OPTION_MAX).meta({ minLength: 1 }))
    .min(POLL_OPTIONS_MIN, POLL_PROBLEMS.fewOptions)
    .max(POLL_OPTIONS_MAX, POLL_PROBLEMS.manyOptions),
  days: z.number().int().min(1).max(POLL_DAYS_MAX),
})

const ThreadText = z.object({ title: Title, body: WrittenText(BODY_MAX), topics: Topics })
const CommentText = z.object({ body: WrittenText(COMMENT_MAX).meta({ minLength: 1 }) })
export const CHANGED_FROM = 'The text you started from. The change is refused if it’s different now'

export const THREADS_LIMIT = {
  name: 'threads',
  seconds: 600,
  person: 5,
  untrusted: 1,
  network: 15,
}
export const COMMENTS_LIMIT = {
  name: 'comments',
  seconds: 300,
  person: 20,
  untrusted: 6,
  network: 60,
}
export const CHANGES_LIMIT = {
  name: 'changes',
  seconds: 300,
  person: 40,
  untrusted: 13,
  network: 120,
}
/** Visitors have further limits per post: vote-rules.server.ts. */
export const VOTING_LIMIT = {
  name: 'votes',
  seconds: 300,
  person: 120,
  untrusted: 40,
  network: 360,
}

const voter = { access: 'author', refusal: { forbidden: VOTE_REFUSALS.employerVotes } } as const

export const discussionContract = {
  'GET /api/v1/topics': {
    summary: 'The topics a thread can have',
    ok: z.array(Topic),
    flag: 'enableDiscussions',
    access: 'anyone',
  },
  'GET /api/v1/companies/{id}/topics': {
    summary: 'What a company’s latest discussions are about',
    params: z.object({ id: Uuid }),
    ok: CompanyTopics,
    flag: 'enableDiscussions',
    access: 'anyone',
    isShared: 'list',
  },
  'GET /api/v1/threads': {
    summary: 'A page of threads',
    query: After.extend({
      sort: z
        .enum(SEARCH_SORTS)
        .optional()
        .describe('Default: relevance for a search, otherwise hot'),
      period: z.enum(PERIODS).default('week').describe('For top'),
      company: Uuid.optional(),
      topic: TopicSlug.optional(),
      verified: z.literal('yes').optional().describe('Only threads that show a badge'),
      search: LookupText(200).trim().optional(),
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(THREADS_PAGE)
        .default(THREADS_PAGE)
        .describe('Not for a search'),
    }),
    ok: ThreadsPage,
    flag: 'enableDiscussions',
    access: 'anyone',
    isShared: 'list',
  },
  'POST /api/v1/threads': {
    summary: 'Start a thread',
    body: ThreadText.extend({
      companyId: Uuid.optional(),
      topics: Topics.default([]),
      poll: PollInput.optional(),
      name: Name,
      idempotencyKey: IdempotencyKey,
      badge: PostBadge.optional(),
      spamCheck: SpamCheck,
    }),
    ok: z.object({ id: Uuid, path: z.string() }),
    status: 201,
    flag: 'enableDiscussions',
    access: 'author',
    limit: THREADS_LIMIT,
    spamCheck: true,
    changes: 'posts',
  },
  'GET /api/v1/thread-votes': {
    summary: 'Your votes on the threads in a list, and which threads are yours',
    query: z.object({
      threads: UuidList(50).describe('Up to fifty ids, separated by commas'),
    }),
    ok: z.object({ votes: z.record(z.string(), Vote), own: z.array(Uuid) }),
    flag: 'enableDiscussions',
    access: 'ownData',
  },
  'GET /api/v1/threads/{id}': {
    summary: 'A thread',
    params: Id,
    ok: Thread,
    flag: 'enableDiscussions',
    access: 'anyone',
    isShared: 'entry',
  },
  'PATCH /api/v1/threads/{id}': {
    summary: 'Edit your post',
    params: Id,
    body: ThreadText.extend({ before: ThreadText.optional().describe(CHANGED_FROM) }),
    ok: z.object({ id: Uuid, path: z.string() }),
    flag: 'enableDiscussions',
    access: 'ownData',
    limit: CHANGES_LIMIT,
    changes: 'posts',
  },
  'DELETE /api/v1/threads/{id}': {
    summary: 'Delete a thread: its comments first, then the thread',
    params: Id,
    ok: z.object({ title: z.string() }),
    flag: 'enableDiscussions',
    access: 'ownDataOrAdmin',
    changes: 'posts',
  },
  'GET /api/v1/threads/{id}/source': {
    summary: 'The source text, for its author to edit',
    params: Id,
    ok: z.object({ title: z.string(), body: z.string(), topics: z.array(z.string()) }),
    flag: 'enableDiscussions',
    access: 'ownData',
  },
  'GET /api/v1/threads/{id}/mine': {
    summary: 'Your votes, name and comments in a thread',
    params: Id,
    ok: MyThread,
    flag: 'enableDiscussions',
    access: 'ownData',
  },
  'PUT /api/v1/threads/{id}/vote': {
    summary: 'Vote a thread up (1), down (-1), or take it back (0)',
    params: Id,
    body: z.object({ vote: Vote, spamCheck: SpamCheck }),
    ok: z.object({ score: z.number().int(), vote: Vote, isHeld: IsHeld }),
    flag: 'enableDiscussions',
    ...voter,
    limit: VOTING_LIMIT,
    spamCheck: 'of-subject',
    changes: 'posts',
  },
  'PUT /api/v1/threads/{id}/saved': {
    summary: 'Save or unsave a thread',
    params: Id,
    body: z.object({ isSaved: z.boolean() }),
    ok: z.object({ isSaved: z.boolean() }),
    flag: 'enableDiscussions',
    access: 'author',
    refusal: { forbidden: POST_REFUSALS.employerSaves },
    changes: 'nothing',
  },
  'PUT /api/v1/threads/{id}/muted': {
    summary: 'Mute or unmute a thread',
    params: Id,
    body: z.object({ isMuted: z.boolean() }),
    ok: z.object({ isMuted: z.boolean() }),
    flag: 'enableDiscussions',
    access: 'ownData',
    changes: 'nothing',
  },
  'PUT /api/v1/threads/{id}/poll': {
    summary: 'Vote in a thread’s poll, once',
    params: Id,
    body: z.object({
      optionIndex: z
        .number()
        .int()
        .min(0)
        .max(POLL_OPTIONS_MAX - 1),
      spamCheck: SpamCheck,
    }),
    ok: z.object({
      results: z.array(z.number().int()),
      optionIndex: z.number().int(),
      isHeld: IsHeld,
    }),
    flag: 'enableDiscussions',
    ...voter,
    limit: VOTING_LIMIT,
    spamCheck: 'of-subject',
    changes: 'posts',
  },
  'GET /api/v1/threads/{id}/comments': {
    summary: 'A page of comments, in reading order',
    params: Id,
    query: z.object({
      sort: z.enum(COMMENT_SORTS).default('best'),
      below: Uuid.optional().describe('Only this comment and its replies'),
      after: Uuid.optional().describe('The last comment on the previous page'),
    }),
    ok: z.object({ comments: z.array(Comment), next: z.string().nullable() }),
    flag: 'enableDiscussions',
    access: 'anyone',
    isShared: 'entry',
  },
  'POST /api/v1/threads/{id}/comments': {
    summary: 'Comment on a thread, or reply to a comment',
    params: Id,
    body: CommentText.extend({
      parentId: Uuid.optional(),
      name: Name,
      idempotencyKey: IdempotencyKey,
      badge: PostBadge.optional(),
      spamCheck: SpamCheck,
    }),
    ok: Comment,
    status: 201,
    flag: 'enableDiscussions',
    access: 'author',
    limit: COMMENTS_LIMIT,
    spamCheck: true,
    changes: 'posts',
  },
  'GET /api/v1/comments/{id}/source': {
    summary: 'The source text, for its author to edit',
    params: Id,
    ok: z.object({ body: z.string() }),
    flag: 'enableDiscussions',
    access: 'ownData',
  },
  'PATCH /api/v1/comments/{id}': {
    summary: 'Edit your post',
    params: Id,
    body: CommentText.extend({ before: CommentText.optional().describe(CHANGED_FROM) }),
    ok: z.object({ html: z.string(), isEdited: z.boolean() }),
    flag: 'enableDiscussions',
    access: 'ownData',
    limit: CHANGES_LIMIT,
    changes: 'posts',
  },
  'DELETE /api/v1/comments/{id}': {
    summary: 'Delete a comment. A placeholder stays if it has replies',
    params: Id,
    ok: z.object({ isStub: z.boolean() }),
    flag: 'enableDiscussions',
    access: 'ownDataOrAdmin',
    changes: 'posts',
  },
  'PUT /api/v1/comments/{id}/vote': {
    summary: 'Vote a comment up (1), down (-1), or take it back (0)',
    params: Id,
    body: z.object({ vote: Vote, spamCheck: SpamCheck }),
    ok: z.object({ score: z.number().int(), vote: Vote, isHeld: IsHeld }),
    flag: 'enableDiscussions',
    ...voter,
    limit: VOTING_LIMIT,
    spamCheck: 'of-subject',
    changes: 'posts',
  },
  'POST /api/v1/my/threads/deletion': {
    summary: 'Delete your newest thread with this title, ignoring case',
    body: z.object({
      title: LookupText(THREAD_TITLE_MAX).trim().min(1),
    }),
    ok: z.object({ title: z.string(), isOneOfSeveral: z.boolean() }),
    flag: 'enableDiscussions',
    access: 'ownData',
  },
  'GET /api/v1/my/threads': {
    summary: 'Your threads, newest first',
    query: After,
    ok: ThreadsPage,
    flag: 'enableDiscussions',
    access: 'ownData',
  },
  'GET /api/v1/my/saved': {
    summary: 'Your saved threads, newest first',
    query: After,
    ok: ThreadsPage,
    flag: 'enableDiscussions',
    access: 'ownData',
  },
  'GET /api/v1/my/comments': {
    summary: 'Your comments, newest first',
    query: After,
    ok: z.object({
      comments: z.array(
        z.object({
          id: Uuid,
          html: z.string(),
          postedAt: z.string(),
          score: z.number().int(),
          thread: z.object({ id: Uuid, title: z.string(), path: z.string() }),
        }),
      ),
      next: z.string().nullable(),
    }),
    flag: 'enableDiscussions',
    access: 'ownData',
  },
} satisfies Contract

export type DiscussionContract = typeof discussionContract
