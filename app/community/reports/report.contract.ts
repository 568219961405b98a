/** Reports, and the moderators' tools below a post. No response says who reported or who wrote. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { Uuid } from '#app/api/schemas.ts'
import { HOLDER_KEYS_LIMIT, HolderKeys } from '#app/identity/credentials/credential.contract.ts'
import {
  APPEAL_MAX,
  APPEAL_MIN,
  APPEAL_STATUSES,
  APPEAL_TOO_LONG,
  APPEAL_TOO_SHORT,
  HIDDEN_STATES,
  LOCK_NOTE_MAX,
  POST_KINDS,
  REASONS,
  REPORT_NOTE_MAX,
  RULING_NOTE_MAX,
  SLOW_MINUTES,
  SUSPENSION_DAYS,
  TOGETHER_MAX,
} from './report.ts'
import { TEMPLATE_NAME_MAX } from './ruling-text.ts'

export const Reason = z.enum(REASONS)
export const Post = z.object({ kind: z.enum(POST_KINDS), id: Uuid })
const ThreadId = z.object({ id: Uuid })
const Words = (most: number) =>
  z.string().trim().max(most, `A note has at most ${most} characters`).default('')
export const RulingNote = Words(RULING_NOTE_MAX).describe('Words to the author')
export const Done = z.object({ entry: z.number().int().describe('Of the log, to undo it') })
export const ThreadLink = z.object({
  id: Uuid.nullable().describe('Null for a note'),
  title: z.string(),
  path: z.string(),
})
export const AppealStatus = z.enum(APPEAL_STATUSES)

const TemplateId = z.object({ id: Uuid })
const RulingTemplate = TemplateId.extend({ name: z.string(), body: z.string() })
export type RulingTemplate = z.output<typeof RulingTemplate>

const Template = z.object({
  name: z
    .string()
    .trim()
    .max(TEMPLATE_NAME_MAX, `A name has at most ${TEMPLATE_NAME_MAX} characters`),
  body: z
    .string()
    .trim()
    .max(RULING_NOTE_MAX, `A template has at most ${RULING_NOTE_MAX} characters`),
})
const SeenPost = Post.extend({
  seen: z
    .number()
    .int()
    .min(0)
    .max(2 ** 53)
    .describe('The last entry of the log about it that was seen; 0 for none'),
})
export type SeenPost = z.output<typeof SeenPost>
const SeenPosts = z
  .array(SeenPost)
  .min(1)
  .max(TOGETHER_MAX, `At most ${TOGETHER_MAX} posts are decided together`)
const Together = z.object({
  decided: z.array(Post.extend({ entry: z.number().int().describe('Of the log, to undo it') })),
  left: z
    .array(Post.extend({ why: z.string() }))
    .describe('What is as it was, such as what somebody else decided meanwhile'),
})
export type Together = z.output<typeof Together>

export const MyModeratedPost = z.object({
  kind: z.enum(POST_KINDS),
  id: Uuid,
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
  jobs: z.number().int(),
  replies: z.number().int(),
})
export type Removals = z.output<typeof Removals>

export const AppealText = z
  .string()
  .trim()
  .min(APPEAL_MIN, APPEAL_TOO_SHORT)
  .max(APPEAL_MAX, APPEAL_TOO_LONG)

/** Reports and appeals together. */
export const REPORTS = { name: 'moderation', seconds: 600, person: 10, network: 30 }

export const reportContract = {
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
    query: z.object({ company: Uuid.optional() }),
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
    body: z.object({ text: AppealText }),
    ok: z.object({ appeal: AppealStatus }),
    access: 'anyone',
    limit: REPORTS,
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
    access: 'moderator',
  },
  'GET /api/v1/moderation/templates': {
    summary: 'Texts to authors that are kept, with placeholders',
    ok: z.array(RulingTemplate),
    access: 'moderator',
  },
  'POST /api/v1/moderation/templates': {
    summary: 'Keep a text to authors; its placeholders must be whole and known',
    body: Template,
    ok: TemplateId,
    status: 201,
    access: 'moderator',
  },
  'PUT /api/v1/moderation/templates/{id}': {
    summary: 'Change a text that is kept',
    params: TemplateId,
    body: Template,
    ok: TemplateId,
    access: 'moderator',
  },
  'DELETE /api/v1/moderation/templates/{id}': {
    summary: 'Keep a text no longer',
    params: TemplateId,
    ok: TemplateId,
    access: 'moderator',
  },
  'POST /api/v1/moderation/posts/keep': {
    summary: 'Show several posts as they are, each but what was decided meanwhile',
    body: z.object({ posts: SeenPosts }),
    ok: Together,
    access: 'moderator',
  },
  'POST /api/v1/moderation/posts/remove': {
    summary: 'Hide several posts, each but what was decided meanwhile',
    body: z.object({ posts: SeenPosts, reason: Reason, note: RulingNote }),
    ok: Together,
    access: 'moderator',
  },
  'POST /api/v1/moderation/posts/{kind}/{id}/keep': {
    summary: 'Show a post as it is; its reports are settled',
    params: Post,
    ok: Done,
    access: 'moderator',
  },
  'POST /api/v1/moderation/posts/{kind}/{id}/remove': {
    summary: 'Hide a post; its words stay for an appeal',
    params: Post,
    body: z.object({ reason: Reason, note: RulingNote }),
    ok: Done,
    access: 'moderator',
  },
  'POST /api/v1/moderation/posts/{kind}/{id}/suspend': {
    summary: 'Let whoever wrote a post write nothing for so many days',
    params: Post,
    body: z.object({ days: z.literal(SUSPENSION_DAYS), reason: Reason }),
    ok: Done,
    access: 'admin',
  },
  'POST /api/v1/moderation/threads/{id}/lock': {
    summary: 'Let nobody answer a thread any more',
    params: ThreadId,
    body: z
      .object({
        note: z
          .string()
          .trim()
          .max(LOCK_NOTE_MAX, `A sentence has at most ${LOCK_NOTE_MAX} characters`)
          .default('')
          .describe('Why, for its readers'),
      })
      // Scripts from before locks had notes send nothing.
      .nullish(),
    ok: Done,
    flag: 'enableDiscussions',
    access: 'moderator',
  },
  'POST /api/v1/moderation/threads/{id}/unlock': {
    summary: 'Let a locked thread be answered again',
    params: ThreadId,
    ok: Done,
    flag: 'enableDiscussions',
    access: 'moderator',
  },
  'POST /api/v1/moderation/threads/{id}/slow': {
    summary: 'Let everybody comment on a thread once in so many minutes',
    params: ThreadId,
    body: z.object({ minutes: z.literal(SLOW_MINUTES) }),
    ok: Done,
    flag: 'enableDiscussions',
    access: 'moderator',
  },
  'POST /api/v1/moderation/threads/{id}/unslow': {
    summary: 'Let everybody comment on a thread as often as elsewhere',
    params: ThreadId,
    ok: Done,
    flag: 'enableDiscussions',
    access: 'moderator',
  },
  'POST /api/v1/moderation/threads/{id}/pin': {
    summary: 'Keep a thread at the top of its list',
    params: ThreadId,
    ok: Done,
    flag: 'enableDiscussions',
    access: 'moderator',
  },
  'POST /api/v1/moderation/threads/{id}/unpin': {
    summary: 'No longer keep a thread at the top',
    params: ThreadId,
    ok: Done,
    flag: 'enableDiscussions',
    access: 'moderator',
  },
  'POST /api/v1/moderation/threads/{id}/move': {
    summary: 'Move a thread to another company, or to none',
    params: ThreadId,
    body: z.object({ companyId: Uuid.nullable() }),
    ok: Done,
    flag: 'enableDiscussions',
    access: 'moderator',
  },
} satisfies Contract

export type ReportContract = typeof reportContract

const Note = z.object({ id: Uuid })

const ModeratedNote = MyModeratedPost.omit({ html: true })
export type ModeratedNote = z.output<typeof ModeratedNote>

/** What happened to the note of an anonymous rating: its holder asks with nothing but keys. */
export const noteByKeyContract = {
  'POST /api/v1/notes/{id}/held': {
    summary: 'What moderators did to the note of the rating that these keys find',
    params: Note,
    body: z.object({ keys: HolderKeys }),
    // Its holder has the text.
    ok: z.object({ post: ModeratedNote.nullable() }),
    flag: 'enableCompanies',
    access: 'anyone',
    isApart: true,
    isPadded: true,
    limit: HOLDER_KEYS_LIMIT,
  },
  'POST /api/v1/notes/{id}/held/appeal': {
    summary: 'Ask for another look at the removal of the note that these keys find, once',
    params: Note,
    body: z.object({ keys: HolderKeys, text: AppealText }),
    ok: z.object({ appeal: AppealStatus }),
    flag: 'enableCompanies',
    access: 'anyone',
    isApart: true,
    isPadded: true,
    limit: REPORTS,
  },
} satisfies Contract

export type NoteByKeyContract = typeof noteByKeyContract
