/**
 * Reports, and what moderators decided about a person's posts. Screens in this room and above need this, so we declare it
 * here. `moderation/feature.server.ts` implements it. No response says who reported or who wrote.
 */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { SpamCheck, Uuid, WrittenText } from '#app/api/schemas.ts'
import { REASONS } from '#app/identity/accounts/suspension.ts'
import { HOLDER_KEYS_LIMIT, HolderKeys } from '#app/identity/credentials/credential.contract.ts'
import {
  APPEAL_MAX,
  APPEAL_MIN,
  APPEAL_STATUSES,
  HIDDEN_STATES,
  POST_KINDS,
  REPORT_NOTE_MAX,
} from './report.ts'

export const Reason = z.enum(REASONS)
export const Post = z.object({ kind: z.enum(POST_KINDS), id: Uuid })
export const ThreadLink = z.object({
  id: Uuid.nullable().describe('Null for a note'),
  title: z.string(),
  path: z.string(),
})
export const AppealStatus = z.enum(APPEAL_STATUSES)

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

export const AppealText = WrittenText(APPEAL_MAX).meta({ minLength: APPEAL_MIN })

/** Counts reports and appeals together. */
export const REPORTS_LIMIT = { name: 'reports', seconds: 600, person: 10, network: 30 }

export const reportContract = {
  'POST /api/v1/reports': {
    summary: 'Report a post to the moderators',
    body: Post.extend({
      reason: Reason,
      note: WrittenText(REPORT_NOTE_MAX).default(''),
      spamCheck: SpamCheck,
    }),
    ok: z.object({ isReported: z.literal(true) }),
    status: 201,
    access: 'ownData',
    limit: REPORTS_LIMIT,
    spamCheck: true,
    changes: 'posts',
  },
  'GET /api/v1/removals': {
    summary: 'What moderators removed, by month and reason, for a company or for posts about none',
    query: z.object({ company: Uuid.optional() }),
    ok: z.array(Removals),
    access: 'anyone',
    isShared: 'catalog',
  },
  'GET /api/v1/my/moderation': {
    summary: 'Your hidden and removed posts, and any suspension',
    ok: z.object({
      posts: z.array(MyModeratedPost),
      suspension: z.object({ endsOn: z.string(), reason: Reason }).nullable(),
    }),
    access: 'ownData',
  },
  'POST /api/v1/my/moderation/{kind}/{id}/appeal': {
    summary: 'Appeal the removal of your post, once',
    params: Post,
    body: z.object({ text: AppealText }),
    ok: z.object({ appeal: AppealStatus }),
    access: 'ownData',
    limit: REPORTS_LIMIT,
  },
} satisfies Contract

export type ReportContract = typeof reportContract

const Note = z.object({ id: Uuid })

const ModeratedNote = MyModeratedPost.omit({ html: true })
export type ModeratedNote = z.output<typeof ModeratedNote>

/** What happened to an anonymous rating's note. Its holder asks with keys only. */
export const noteByKeyContract = {
  'POST /api/v1/notes/{id}/by-key': {
    summary: 'What moderators decided about the note on the rating with these keys',
    params: Note,
    body: z.object({ keys: HolderKeys }),
    // Without the text, because its holder has that.
    ok: z.object({ post: ModeratedNote.nullable() }),
    flag: 'enableCompanies',
    access: 'anyone',
    mustBeAnonymous: true,
    isPadded: true,
    limit: HOLDER_KEYS_LIMIT,
  },
  'POST /api/v1/notes/{id}/by-key/appeal': {
    summary: 'Appeal the removal of the note with these keys, once',
    params: Note,
    body: z.object({ keys: HolderKeys, text: AppealText }),
    ok: z.object({ appeal: AppealStatus }),
    flag: 'enableCompanies',
    access: 'anyone',
    mustBeAnonymous: true,
    isPadded: true,
    limit: REPORTS_LIMIT,
  },
} satisfies Contract

export type NoteByKeyContract = typeof noteByKeyContract
