/**
 * Company rooms. No request has a token, cookie or anonymous id. All are POST, so no address contains a pass and no cache
 * stores a response.
 */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { LookupText, Uuid, WrittenText } from '#app/api/schemas.ts'
import { Domain } from '#app/companies/badges/badge.contract.ts'
import { bytes, Quarter } from '#app/identity/credentials/credential.contract.ts'
import { KEY_BYTES, PRESENTATION_BYTES } from '#app/identity/credentials/credential.ts'
import { CHANGED_FROM } from '../discussions/discussion.contract.ts'
import { BODY_MAX, THREAD_TITLE_MAX } from '../discussions/discussion.ts'
import { AppealStatus, AppealText, REPORTS_LIMIT, Reason } from '../reports/report.contract.ts'
import { HIDDEN_STATES, REPORT_NOTE_MAX } from '../reports/report.ts'

/** Sealed; names a room, a day, and its holder on that day. */
const Pass = LookupText(1_000)
const Challenge = LookupText(1_000)
const Proof = z.object({ pass: Pass, quarter: Quarter, presentation: bytes(PRESENTATION_BYTES) })
const PostId = z.object({ id: Uuid })
const Key = bytes(KEY_BYTES)
const Title = WrittenText(THREAD_TITLE_MAX).nullable().describe('Null for a comment')
const Body = WrittenText(BODY_MAX)

/** Anything finer would show on which days its author was here. */
const Month = z.string()

const RoomThread = z.object({
  id: Uuid,
  title: z.string(),
  excerpt: z.string(),
  name: z.string(),
  month: Month.describe(
    'The month of the last comment, or of the thread if it has none, such as 2026-03',
  ),
  isNew: z.boolean().describe('Whether the thread or any of its comments is new since last night'),
  comments: z.number().int(),
})
export type RoomThread = z.output<typeof RoomThread>

const RoomPost = z.object({
  id: Uuid,
  name: z.string(),
  html: z.string().describe('Empty if hidden, except for its author'),
  body: z.string().nullable().describe('The source text, for its author'),
  month: Month.describe('Such as 2026-03'),
  isNew: z.boolean().describe('Whether it’s new since last night'),
  isOwn: z.boolean(),
  isEdited: z.boolean(),
  isDeleted: z.boolean(),
  hidden: z.enum(HIDDEN_STATES).nullable(),
  reason: z.string().nullable(),
})
export type RoomPost = z.output<typeof RoomPost>

/** Generous, because many people share a network. */
const READING_LIMIT = { name: 'room-reading', seconds: 60, network: 600 }
/** Verifying takes 44 ms of CPU. */
const PROVING_LIMIT = { name: 'room-proofs', seconds: 600, network: 300 }

const policy = { flag: 'enableDiscussions', access: 'anyone', mustBeAnonymous: true } as const

export const roomContract = {
  'POST /api/v1/room/challenge': {
    summary:
      'Get a challenge for your next proof of entry. It works once and expires in ten minutes',
    ok: z.object({ challenge: Challenge }),
    ...policy,
    limit: READING_LIMIT,
    changes: 'nothing',
  },
  'POST /api/v1/companies/{id}/room': {
    summary: 'Enter a company’s room with a badge, and get a pass for today',
    params: z.object({ id: Uuid }),
    body: z.object({
      challenge: Challenge,
      domain: Domain,
      quarter: Quarter,
      presentation: bytes(PRESENTATION_BYTES),
    }),
    ok: z.object({ pass: Pass, day: z.string() }),
    ...policy,
    limit: PROVING_LIMIT,
    changes: 'nothing',
  },
  'POST /api/v1/room/threads': {
    summary: 'The threads in a room, latest activity first',
    body: z.object({
      pass: Pass,
      after: z
        .number()
        .int()
        .min(0)
        .max(2 ** 31 - 1)
        .optional(),
    }),
    ok: z.object({
      threads: z.array(RoomThread),
      next: z.number().int().nullable(),
    }),
    ...policy,
    limit: READING_LIMIT,
    changes: 'nothing',
  },
  'POST /api/v1/room/threads/{id}': {
    summary: 'A thread in a room, with its comments from a given position',
    params: PostId,
    body: z.object({
      pass: Pass,
      holder: Key.optional().describe(
        'SHA-256 of your key in this thread, to recognize your posts',
      ),
      after: z
        .number()
        .int()
        .min(0)
        .max(2 ** 31 - 1)
        .optional(),
    }),
    ok: z.object({
      title: z.string(),
      posts: z.array(RoomPost),
      next: z.number().int().nullable(),
    }),
    ...policy,
    limit: READING_LIMIT,
    changes: 'nothing',
  },
  'POST /api/v1/room/posts': {
    summary: 'Post a thread or comment in a room',
    body: Proof.extend({
      id: Uuid,
      threadId: Uuid.describe('The post’s own id if it starts a thread'),
      holder: Key.describe('SHA-256 of the key that can edit and delete it'),
      title: Title,
      body: Body,
    }),
    ok: z.object({ id: Uuid, name: z.string() }),
    status: 201,
    ...policy,
    limit: PROVING_LIMIT,
    changes: 'nothing',
  },
  'POST /api/v1/room/posts/{id}/change': {
    summary: 'Edit the post with this key',
    params: PostId,
    body: z.object({
      key: Key,
      title: Title,
      body: Body,
      before: z.object({ title: Title, body: Body }).optional().describe(CHANGED_FROM),
    }),
    ok: z.object({ isChanged: z.literal(true) }),
    ...policy,
    limit: PROVING_LIMIT,
  },
  'POST /api/v1/room/posts/{id}/remove': {
    summary: 'Delete the post with this key. Other people’s comments stay',
    params: PostId,
    body: z.object({ key: Key }),
    ok: z.object({ isRemoved: z.literal(true) }),
    ...policy,
    limit: PROVING_LIMIT,
  },
} satisfies Contract

export type RoomContract = typeof roomContract

/** `moderation/feature.server.ts` implements these. */
export const roomReportContract = {
  'POST /api/v1/room/posts/{id}/report': {
    summary: 'Report a post in your room to the moderators',
    params: PostId,
    body: Proof.extend({
      reason: Reason,
      note: WrittenText(REPORT_NOTE_MAX).default(''),
    }),
    ok: z.object({ isReported: z.literal(true) }),
    status: 201,
    ...policy,
    limit: PROVING_LIMIT,
  },
  'POST /api/v1/room/posts/{id}/appeal': {
    summary: 'Appeal the removal of the post with this key, once',
    params: PostId,
    body: z.object({ key: Key, text: AppealText }),
    ok: z.object({ appeal: AppealStatus }),
    ...policy,
    limit: REPORTS_LIMIT,
  },
} satisfies Contract

export type RoomReportContract = typeof roomReportContract
