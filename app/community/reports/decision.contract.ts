/**
 * The moderators' tools below a post. Screens in this room and above show them, so we declare them
 * here. `moderation/feature.server.ts` implements them.
 */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { Uuid, WrittenText } from '#app/api/schemas.ts'
import { SUSPENSION_DAYS } from '#app/identity/accounts/suspension.ts'
import { TEMPLATE_NAME_MAX } from './note-to-author.ts'
import { Post, Reason } from './report.contract.ts'
import { DECISIONS_AT_ONCE_MAX, LOCK_NOTE_MAX, NOTE_TO_AUTHOR_MAX, SLOW_MINUTES } from './report.ts'

const ThreadId = z.object({ id: Uuid })
export const NoteToAuthor = WrittenText(NOTE_TO_AUTHOR_MAX)
  .default('')
  .describe('A note to the author')
export const Done = z.object({
  entry: z.number().int().describe('The log entry, in case you undo this'),
})

const TemplateId = z.object({ id: Uuid })
const NoteTemplate = TemplateId.extend({ name: z.string(), body: z.string() })
export type NoteTemplate = z.output<typeof NoteTemplate>

const Template = z.object({
  name: WrittenText(TEMPLATE_NAME_MAX),
  body: WrittenText(NOTE_TO_AUTHOR_MAX),
})
const Seen = z
  .number()
  .int()
  .min(0)
  .max(2 ** 53)
  .describe('The last log entry about it that you saw, or 0')
/** Scripts from before don't send it: they decide on what's there. */
const AsSeen = z.object({ seen: Seen.optional() })
/** Optional for decisions that had no body in earlier versions. */
const MaybeSeen = AsSeen.nullish()
const LatestEntries = z.object({
  entries: z
    .record(z.string(), z.number().int())
    .describe('By post. Posts without any are left out'),
})
const SeenPost = Post.extend({ seen: Seen })
export type SeenPost = z.output<typeof SeenPost>
const SeenPosts = z
  .array(SeenPost)
  .min(1)
  .max(DECISIONS_AT_ONCE_MAX, `You can decide on at most ${DECISIONS_AT_ONCE_MAX} posts at once`)
const DecidedTogether = z.object({
  decided: z.array(
    Post.extend({ entry: z.number().int().describe('The log entry, in case you undo this') }),
  ),
  left: z
    .array(Post.extend({ why: z.string() }))
    .describe(
      'Posts that weren’t changed, for example because another moderator just decided on them',
    ),
})
export type DecidedTogether = z.output<typeof DecidedTogether>

export const decisionContract = {
  'POST /api/v1/moderation/log/{entry}/undo': {
    summary: 'Undo a decision',
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
  'GET /api/v1/moderation/threads/{id}/latest': {
    summary: 'The last log entry about a thread, and about each of its comments',
    params: ThreadId,
    ok: LatestEntries,
    flag: 'enableDiscussions',
    access: 'moderator',
  },
  'GET /api/v1/moderation/companies/{id}/latest': {
    summary: 'The last log entry about each of a company’s notes',
    params: z.object({ id: Uuid }),
    ok: LatestEntries,
    flag: 'enableCompanies',
    access: 'moderator',
  },
  'GET /api/v1/moderation/templates': {
    summary: 'Templates for notes to authors',
    ok: z.array(NoteTemplate),
    access: 'moderator',
  },
  'POST /api/v1/moderation/templates': {
    summary: 'Add a template. Its placeholders must be closed and valid',
    body: Template,
    ok: TemplateId,
    status: 201,
    access: 'moderator',
  },
  'PUT /api/v1/moderation/templates/{id}': {
    summary: 'Change a template',
    params: TemplateId,
    body: Template,
    ok: TemplateId,
    access: 'moderator',
  },
  'DELETE /api/v1/moderation/templates/{id}': {
    summary: 'Delete a template',
    params: TemplateId,
    ok: TemplateId,
    access: 'moderator',
  },
  'POST /api/v1/moderation/posts/keep': {
    summary: 'Keep several posts, except those decided in the meantime',
    body: z.object({ posts: SeenPosts }),
    ok: DecidedTogether,
    access: 'moderator',
  },
  'POST /api/v1/moderation/posts/remove': {
    summary: 'Remove several posts, except those decided in the meantime',
    body: z.object({ posts: SeenPosts, reason: Reason, note: NoteToAuthor }),
    ok: DecidedTogether,
    access: 'moderator',
  },
  'POST /api/v1/moderation/posts/{kind}/{id}/keep': {
    summary: 'Keep a post and close its reports',
    params: Post,
    body: MaybeSeen,
    ok: Done,
    access: 'moderator',
  },
  'POST /api/v1/moderation/posts/{kind}/{id}/remove': {
    summary: 'Remove a post. We keep its text in case of an appeal',
    params: Post,
    body: AsSeen.extend({ reason: Reason, note: NoteToAuthor }),
    ok: Done,
    access: 'moderator',
  },
  'POST /api/v1/moderation/posts/{kind}/{id}/suspend': {
    summary: 'Suspend the author of a post for some days',
    params: Post,
    body: AsSeen.extend({ days: z.literal(SUSPENSION_DAYS), reason: Reason }),
    ok: Done,
    access: 'admin',
  },
  'POST /api/v1/moderation/threads/{id}/lock': {
    summary: 'Lock a thread, so no one can comment',
    params: ThreadId,
    body: AsSeen.extend({
      note: WrittenText(LOCK_NOTE_MAX).default('').describe('The reason, shown to readers'),
    })
      // Scripts from before locks had notes send nothing.
      .nullish(),
    ok: Done,
    flag: 'enableDiscussions',
    access: 'moderator',
  },
  'POST /api/v1/moderation/threads/{id}/unlock': {
    summary: 'Unlock a thread',
    params: ThreadId,
    body: MaybeSeen,
    ok: Done,
    flag: 'enableDiscussions',
    access: 'moderator',
  },
  'POST /api/v1/moderation/threads/{id}/slow': {
    summary: 'Put a thread in slow mode',
    params: ThreadId,
    body: AsSeen.extend({ minutes: z.literal(SLOW_MINUTES) }),
    ok: Done,
    flag: 'enableDiscussions',
    access: 'moderator',
  },
  'POST /api/v1/moderation/threads/{id}/unslow': {
    summary: 'End slow mode in a thread',
    params: ThreadId,
    body: MaybeSeen,
    ok: Done,
    flag: 'enableDiscussions',
    access: 'moderator',
  },
  'POST /api/v1/moderation/threads/{id}/pin': {
    summary: 'Pin a thread to the top of its list',
    params: ThreadId,
    body: MaybeSeen,
    ok: Done,
    flag: 'enableDiscussions',
    access: 'moderator',
  },
  'POST /api/v1/moderation/threads/{id}/unpin': {
    summary: 'Unpin a thread',
    params: ThreadId,
    body: MaybeSeen,
    ok: Done,
    flag: 'enableDiscussions',
    access: 'moderator',
  },
  'POST /api/v1/moderation/threads/{id}/move': {
    summary: 'Move a thread to another company, or to none',
    params: ThreadId,
    body: AsSeen.extend({ companyId: Uuid.nullable() }),
    ok: Done,
    flag: 'enableDiscussions',
    access: 'moderator',
  },
} satisfies Contract

export type DecisionContract = typeof decisionContract
