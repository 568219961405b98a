/** The moderators' queue, log and tools. No response says who reported or wrote something. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { After, LookupText, Uuid, WrittenText } from '#app/api/schemas.ts'
import { Done, NoteToAuthor } from '#app/community/reports/decision.contract.ts'
import { AppealStatus, Post, Reason, ThreadLink } from '#app/community/reports/report.contract.ts'
import { ACTIONS, CAUSES, HIDDEN_STATES, POST_KINDS } from '#app/community/reports/report.ts'
import {
  CASE_REASONS,
  FIRST_POSTS_MAX,
  FIRST_POSTS_RANGE,
  LIMIT_MAX,
  LIMIT_RANGE,
} from './moderation.ts'
import { WATCHED_MAX } from './watch.ts'

const Case = z.object({
  kind: z.enum(POST_KINDS),
  id: Uuid.describe('The id of the post'),
  seen: z.number().int().describe('The last log entry about it, or 0'),
  threadSeen: z.number().int().describe('The last log entry about its thread, or 0'),
  thread: ThreadLink,
  href: z.string().describe('Where to find the post'),
  company: z.object({ id: Uuid, name: z.string(), path: z.string() }).nullable(),
  author: z
    .object({ name: z.string(), isVisitor: z.boolean() })
    .nullable()
    .describe('Null for a note, because we don’t know its author'),
  html: z.string(),
  postedAt: z.string().describe('Only the month for a note or a room post'),
  state: z.enum(['shown', ...HIDDEN_STATES]),
  cause: z.enum(CAUSES),
  watched: z.string().nullable().describe('The watch list entries that held it'),
  heldVotes: z
    .object({ up: z.number().int(), down: z.number().int(), poll: z.number().int() })
    .nullable()
    .describe('Visitors’ votes that came in at once and aren’t counted yet'),
  sameAuthor: z
    .array(
      z.object({
        kind: z.enum(POST_KINDS),
        id: Uuid,
        seen: z.number().int(),
        title: z.string().describe('The title of its thread'),
        excerpt: z.string(),
      }),
    )
    .describe('For a held post, its author’s other held posts'),
  reports: z.array(z.object({ reason: Reason, count: z.number().int() })),
  notes: z.array(z.string()).describe('What reporters wrote'),
  reason: Reason.nullable().describe('Why it was removed'),
  note: z.string().nullable(),
  appeal: z.object({ text: z.string(), status: AppealStatus, mayDecide: z.boolean() }).nullable(),
  isLocked: z.boolean(),
  isPinned: z.boolean(),
  isCleared: z.boolean(),
  suspendedUntil: z.string().nullable().describe('When the author’s suspension for this post ends'),
})
export type Case = z.output<typeof Case>

const QueueList = z.enum(['open', 'appeals'])
export type QueueList = z.output<typeof QueueList>
const QueueFilter = z.object({
  why: z.enum(CASE_REASONS).optional().describe('Only cases with this reason'),
  company: Uuid.optional().describe('Only cases about this company'),
})
export type QueueFilter = z.output<typeof QueueFilter>

const QueuePage = z.object({
  cases: z.array(Case),
  next: z.string().nullable(),
  counts: z.object({ open: z.number().int(), appeals: z.number().int() }),
  matching: z.number().int().describe('Cases in this list with this reason and company'),
  reasons: z
    .array(z.object({ why: z.enum(CASE_REASONS), count: z.number().int() }))
    .describe('For this list and company'),
  companies: z
    .array(z.object({ id: Uuid, name: z.string(), count: z.number().int() }))
    .describe('For this list and reason, the companies with the most cases'),
})
export type QueuePage = z.output<typeof QueuePage>

const LogEntry = z.object({
  entry: z.number().int(),
  day: z.string(),
  moderator: z.string(),
  action: z.enum(ACTIONS),
  kind: z.enum(POST_KINDS),
  thread: ThreadLink.nullable().describe('Null if it no longer exists'),
  href: z.string().nullable(),
  reason: Reason.nullable(),
  note: z.string().nullable(),
  detail: z.string().nullable().describe('Where it was moved, or when a suspension ends'),
  isUndone: z.boolean(),
  mayUndo: z.boolean(),
})
export type LogEntry = z.output<typeof LogEntry>

const WatchEntry = z.object({ entry: WrittenText(WATCHED_MAX) })
const WatchedWord = z.object({ id: Uuid, entry: z.string(), isDomain: z.boolean() })
export type WatchedWord = z.output<typeof WatchedWord>
const DryRun = z.object({
  entry: z.string(),
  isDomain: z.boolean(),
  matches: z.number().int().describe('Visible posts from the last 30 days it would have held'),
  total: z.number().int().describe('All visible posts from those days'),
  examples: z
    .array(
      z.object({
        kind: z.enum(POST_KINDS),
        id: Uuid,
        title: z.string().describe('The title of its thread'),
        href: z.string(),
        excerpt: z.string(),
      }),
    )
    .describe('The newest matches'),
})
export type DryRun = z.output<typeof DryRun>
const FirstPosts = z.object({
  posts: z.number().int().min(0, FIRST_POSTS_RANGE).max(FIRST_POSTS_MAX, FIRST_POSTS_RANGE),
})

const PostingLimit = z.object({
  name: z.string(),
  what: z.string().describe('What the limit counts, such as threads'),
  of: z.enum(['member', 'untrusted', 'network']),
  seconds: z.number().int().describe('The period the limit applies to'),
  usual: z.number().int().describe('The default number'),
  uses: z.number().int(),
})
export type PostingLimit = z.output<typeof PostingLimit>

export const moderationContract = {
  'GET /api/v1/moderation/queue': {
    summary: 'Posts waiting for a decision: held ones first, then by reports, then by waiting time',
    query: After.extend({ list: QueueList.default('open'), ...QueueFilter.shape }),
    ok: QueuePage,
    access: 'moderator',
  },
  'GET /api/v1/moderation/log': {
    summary: 'What each moderator decided, newest first',
    query: After,
    ok: z.object({ entries: z.array(LogEntry), next: z.string().nullable() }),
    access: 'moderator',
  },
  'GET /api/v1/moderation/watched-words': {
    summary: 'The watch list: words, phrases and domains that hold new posts',
    ok: z.array(WatchedWord),
    access: 'moderator',
  },
  'POST /api/v1/moderation/watched-words/dry-run': {
    summary: 'Which posts from the last month an entry would have held',
    body: WatchEntry,
    ok: DryRun,
    access: 'moderator',
    limit: { name: 'watch-dry-run', seconds: 60, person: 10 },
  },
  'POST /api/v1/moderation/watched-words': {
    summary: 'Hold new posts with these words, or with links to this domain',
    body: WatchEntry,
    ok: WatchedWord,
    status: 201,
    access: 'moderator',
  },
  'DELETE /api/v1/moderation/watched-words/{id}': {
    summary: 'Take an entry off the watch list',
    params: z.object({ id: Uuid }),
    ok: WatchedWord,
    access: 'moderator',
  },
  'GET /api/v1/moderation/first-posts': {
    summary: 'How many of a person’s first posts we hold for a moderator',
    ok: FirstPosts,
    access: 'moderator',
  },
  'PUT /api/v1/moderation/first-posts': {
    summary: 'Choose how many of a person’s first posts we hold for a moderator',
    body: FirstPosts,
    ok: FirstPosts,
    access: 'admin',
  },
  'GET /api/v1/moderation/limits': {
    summary: 'How often people can post and vote',
    ok: z.array(PostingLimit),
    access: 'admin',
  },
  'PUT /api/v1/moderation/limits/{name}': {
    summary: 'Change a limit. Null restores the default',
    params: z.object({ name: LookupText(60) }),
    body: z.object({
      uses: z.number().int().min(1, LIMIT_RANGE).max(LIMIT_MAX, LIMIT_RANGE).nullable(),
    }),
    ok: PostingLimit,
    access: 'admin',
    requiresRecentLogin: true,
  },
  'POST /api/v1/moderation/posts/{kind}/{id}/count-votes': {
    summary: 'Count the held votes on a post',
    params: Post,
    ok: Done,
    access: 'moderator',
  },
  'POST /api/v1/moderation/posts/{kind}/{id}/drop-votes': {
    summary: 'Drop the held votes on a post',
    params: Post,
    ok: Done,
    access: 'moderator',
  },
  'POST /api/v1/moderation/posts/{kind}/{id}/accept-appeal': {
    summary: 'Accept an appeal, and show the removed post again',
    params: Post,
    ok: Done,
    access: 'moderator',
  },
  'POST /api/v1/moderation/posts/{kind}/{id}/decline-appeal': {
    summary: 'Decline an appeal, so the post stays removed',
    params: Post,
    body: z.object({ note: NoteToAuthor }),
    ok: Done,
    access: 'moderator',
  },
} satisfies Contract

export type ModerationContract = typeof moderationContract
