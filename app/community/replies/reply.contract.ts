/** No response says who at a company wrote a reply. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { Uuid, WrittenText } from '#app/api/schemas.ts'
import { REPLY_MAX } from './reply.ts'

const When = z.string().describe('To the minute. For a note, just the month, such as 2026-03')

/** Comes with its thread or note, so a page needs only one request. */
export const CompanyReply = z.object({
  id: Uuid,
  company: z.object({ name: z.string(), path: z.string(), logoUrl: z.string().nullable() }),
  html: z.string(),
  writtenAt: When.describe('When its first version was written'),
  isEdited: z.boolean(),
})
export type CompanyReply = z.output<typeof CompanyReply>

const Version = z.object({ version: z.number().int(), html: z.string(), writtenAt: When })
export type ReplyVersion = z.output<typeof Version>

const Id = z.object({ id: Uuid })
const text = WrittenText(REPLY_MAX)

/** No one reads a longer history. */
const REPLIES_LIMIT = { name: 'replies', seconds: 600, person: 30 }

export const companyReplyContract = {
  'GET /api/v1/my/reply-rights': {
    summary: 'Whether you can reply as a company',
    query: z.object({ company: Uuid }),
    ok: z.object({ canReply: z.boolean() }),
    access: 'ownData',
  },
  'POST /api/v1/threads/{id}/company-reply': {
    summary: 'Reply to a thread as the company it’s about, once',
    params: Id,
    body: z.object({ text }),
    ok: CompanyReply,
    status: 201,
    flag: 'enableDiscussions',
    access: 'employer',
    limit: REPLIES_LIMIT,
  },
  'POST /api/v1/notes/{id}/company-reply': {
    summary: 'Reply to a rater’s note as the company, once',
    params: Id,
    body: z.object({ text }),
    ok: CompanyReply,
    status: 201,
    flag: 'enableCompanies',
    access: 'employer',
    limit: REPLIES_LIMIT,
  },
  'GET /api/v1/company-replies/{id}/versions': {
    summary: 'Earlier versions of a company’s reply, newest first',
    params: Id,
    query: z.object({ before: z.coerce.number().int().min(1).max(2_147_483_647).optional() }),
    ok: z.object({ versions: z.array(Version), next: z.number().int().nullable() }),
    access: 'anyone',
  },
  'GET /api/v1/company-replies/{id}/source': {
    summary: 'The source text of a reply, for its company to edit',
    params: Id,
    ok: z.object({ text: z.string(), version: z.number().int() }),
    access: 'employer',
  },
  'PATCH /api/v1/company-replies/{id}': {
    summary: 'Change a company’s reply. Earlier versions stay in its history',
    params: Id,
    body: z.object({ text, version: z.number().int().describe('The version you changed') }),
    ok: CompanyReply,
    access: 'employer',
    limit: REPLIES_LIMIT,
  },
  'DELETE /api/v1/company-replies/{id}': {
    summary: 'Delete a company’s reply and its history',
    params: Id,
    ok: z.object({ isRemoved: z.literal(true) }),
    access: 'signedIn',
    limit: REPLIES_LIMIT,
  },
} satisfies Contract

export type CompanyReplyContract = typeof companyReplyContract
