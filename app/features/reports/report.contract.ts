/** What people may ask about reports and decisions. No answer says who reported or who wrote. */
import { z } from 'zod'
import type { Contract } from '../../api/contract.ts'
import {
  ACTIONS,
  APPEAL_MAX,
  APPEAL_MIN,
  APPEAL_STATUSES,
  APPEAL_TOO_LONG,
  APPEAL_TOO_SHORT,
  HIDDEN_STATES,
  POST_KINDS,
  REASONS,
  REPORT_NOTE_MAX,
  RULING_NOTE_MAX,
  SUSPENSION_DAYS,
} from './report.ts'

const Reason = z.enum(REASONS)
const Post = z.object({ kind: z.enum(POST_KINDS), id: z.uuid() })
const ThreadId = z.object({ id: z.uuid() })
const Words = (most: number) =>
  z.string().trim().max(most, `A note has at most ${most} characters`).default('')
const RulingNote = Words(RULING_NOTE_MAX).describe('Words to the author')
const Done = z.object({ entry: z.number().int().describe('Of the log, to undo it') })
const After = z.object({ after: z.string().max(500).optional() })
const ThreadLink = z.object({
  id: z.uuid().nullable().describe('Null for a note'),
  title: z.string(),
  path: z.string(),
})
const AppealStatus = z.enum(APPEAL_STATUSES)

const Case = z.object({
  kind: z.enum(POST_KINDS),
  id: z.uuid().describe('Of the post'),
  thread: ThreadLink,
  href: z.string().describe('Where the post stands'),
  company: z.object({ id: z.uuid(), name: z.string(), path: z.string() }).nullable(),
  author: z
    .object({ name: z.string(), isVisitor: z.boolean() })
    .nullable()
    .describe('Null for a note, which leads to nobody'),
  html: z.string(),
  postedAt: z.string().describe('Of a note its month'),
  state: z.enum(['shown', ...HIDDEN_STATES]),
  cause: z.enum(['reports', 'burst', 'moderator']),
  reports: z.array(z.object({ reason: Reason, count: z.number().int() })),
  notes: z.array(z.string()).describe('What reporters wrote'),
  reason: Reason.nullable().describe('Why it was removed'),
  note: z.string().nullable(),
  appeal: z.object({ text: z.string(), status: AppealStatus, mayDecide: z.boolean() }).nullable(),
  isLocked: z.boolean(),
  isPinned: z.boolean(),
  isCleared: z.boolean(),
  suspendedUntil: z.string().nullable().describe('By a decision about this post'),
})
export type Case = z.output<typeof Case>

const LogEntry = z.object({
  entry: z.number().int(),
  day: z.string(),
  moderator: z.string(),
  action: z.enum(ACTIONS),
  kind: z.enum(POST_KINDS),
  thread: ThreadLink.nullable().describe('Null when it is gone'),
  href: z.string().nullable(),
  reason: Reason.nullable(),
  note: z.string().nullable(),
  detail: z.string().nullable().describe('Where to it was moved, until when somebody is suspended'),
  isUndone: z.boolean(),
  mayUndo: z.boolean(),
})
export type LogEntry = z.output<typeof LogEntry>

const MyModeratedPost = z.object({
  kind: z.enum(POST_KINDS),
  id: z.uuid(),
  thread: ThreadLink,
  html: z.string(),
  state: z.enum(HIDDEN_STATES),
  reason: Reason.nullable(),
  note: z.string().nullable(),
  appeal: AppealStatus.nullable(),
  canAppeal: z.boolean(),
})
export type MyModeratedPost = z.output<typeof MyModeratedPost>

const Removals = z.object({
  month: z.string().describe('Such as 2026-03'),
  reason: Reason,
  threads: z.number().int(),
  comments: z.number().int(),
  notes: z.number().int(),
})
export type Removals = z.output<typeof Removals>

/** Reports and appeals together. */
const REPORTS = { name: 'moderation', seconds: 600, person: 10, network: 30 }
const MODERATORS_ONLY = 'Only moderators can do this'

export const moderationContract = {
  'POST /api/v1/reports': {
    summary: 'Report a post to the moderators',
    body: Post.extend({
      reason: Reason,
      note: Words(REPORT_NOTE_MAX),
      proof: z.string().max(2_000).optional().describe('As for posting'),
    }),
    ok: z.object({ isReported: z.literal(true) }),
    status: 201,
    access: 'anyone',
    limit: REPORTS,
    proof: true,
  },
  'GET /api/v1/removals': {
    summary: 'What moderators removed about a company, or about none: month, reason, count',
    query: z.object({ company: z.uuid().optional() }),
    ok: z.array(Removals),
    access: 'anyone',
  },
  'GET /api/v1/my/moderation': {
    summary: 'One’s own posts that are not shown, and until when one may not write',
    ok: z.object({
      posts: z.array(MyModeratedPost),
      suspension: z.object({ endsOn: z.string(), reason: Reason }).nullable(),
    }),
    access: 'anyone',
  },
  'POST /api/v1/my/moderation/{kind}/{id}/appeal': {
    summary: 'Ask for another look at the removal of an own post, once',
    params: Post,
    body: z.object({
      text: z.string().trim().min(APPEAL_MIN, APPEAL_TOO_SHORT).max(APPEAL_MAX, APPEAL_TOO_LONG),
    }),
    ok: z.object({ appeal: AppealStatus }),
    access: 'anyone',
    limit: REPORTS,
  },
  'GET /api/v1/moderation/queue': {
    summary: 'Posts that wait for a decision, the longest waiting first',
    query: After.extend({ list: z.enum(['open', 'appeals']).default('open') }),
    ok: z.object({
      cases: z.array(Case),
      next: z.string().nullable(),
      counts: z.object({ open: z.number().int(), appeals: z.number().int() }),
    }),
    access: 'admin',
    refusal: { forbidden: MODERATORS_ONLY },
  },
  'GET /api/v1/moderation/log': {
    summary: 'Who of the moderators did what, newest first',
    query: After,
    ok: z.object({ entries: z.array(LogEntry), next: z.string().nullable() }),
    access: 'admin',
    refusal: { forbidden: MODERATORS_ONLY },
  },
  'POST /api/v1/moderation/log/{entry}/undo': {
    summary: 'Take a decision back',
    params: z.object({
      entry: z.coerce
        .number()
        .int()
        .min(1)
        .max(2 ** 53),
    }),
    ok: Done,
    access: 'admin',
    refusal: { forbidden: MODERATORS_ONLY },
  },
  'POST /api/v1/moderation/posts/{kind}/{id}/keep': {
    summary: 'Show a post as it is; its reports are settled',
    params: Post,
    ok: Done,
    access: 'admin',
    refusal: { forbidden: MODERATORS_ONLY },
  },
  'POST /api/v1/moderation/posts/{kind}/{id}/remove': {
    summary: 'Show a post no more; its words stay for an appeal',
    params: Post,
    body: z.object({ reason: Reason, note: RulingNote }),
    ok: Done,
    access: 'admin',
    refusal: { forbidden: MODERATORS_ONLY },
  },
  'POST /api/v1/moderation/posts/{kind}/{id}/suspend': {
    summary: 'Let whoever wrote a post write nothing for so many days',
    params: Post,
    body: z.object({ days: z.literal(SUSPENSION_DAYS), reason: Reason }),
    ok: Done,
    access: 'admin',
    refusal: { forbidden: MODERATORS_ONLY },
  },
  'POST /api/v1/moderation/posts/{kind}/{id}/accept-appeal': {
    summary: 'Show a removed post again',
    params: Post,
    ok: Done,
    access: 'admin',
    refusal: { forbidden: MODERATORS_ONLY },
  },
  'POST /api/v1/moderation/posts/{kind}/{id}/decline-appeal': {
    summary: 'Leave a removed post removed',
    params: Post,
    body: z.object({ note: RulingNote }),
    ok: Done,
    access: 'admin',
    refusal: { forbidden: MODERATORS_ONLY },
  },
  'POST /api/v1/moderation/threads/{id}/lock': {
    summary: 'Let nobody answer a thread any more',
    params: ThreadId,
    ok: Done,
    flag: 'enableDiscussions',
    access: 'admin',
    refusal: { forbidden: MODERATORS_ONLY },
  },
  'POST /api/v1/moderation/threads/{id}/unlock': {
    summary: 'Let a locked thread be answered again',
    params: ThreadId,
    ok: Done,
    flag: 'enableDiscussions',
    access: 'admin',
    refusal: { forbidden: MODERATORS_ONLY },
  },
  'POST /api/v1/moderation/threads/{id}/pin': {
    summary: 'Keep a thread at the top of its list',
    params: ThreadId,
    ok: Done,
    flag: 'enableDiscussions',
    access: 'admin',
    refusal: { forbidden: MODERATORS_ONLY },
  },
  'POST /api/v1/moderation/threads/{id}/unpin': {
    summary: 'Keep a thread at the top no more',
    params: ThreadId,
    ok: Done,
    flag: 'enableDiscussions',
    access: 'admin',
    refusal: { forbidden: MODERATORS_ONLY },
  },
  'POST /api/v1/moderation/threads/{id}/move': {
    summary: 'Move a thread to another company, or to none',
    params: ThreadId,
    body: z.object({ companyId: z.uuid().nullable() }),
    ok: Done,
    flag: 'enableDiscussions',
    access: 'admin',
    refusal: { forbidden: MODERATORS_ONLY },
  },
} satisfies Contract

export type ModerationContract = typeof moderationContract
