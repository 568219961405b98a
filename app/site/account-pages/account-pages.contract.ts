/** A page's personal data in one request, because pages themselves are the same for everyone. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { Uuid } from '#app/api/schemas.ts'
import { discussionContract } from '#app/community/discussions/discussion.contract.ts'
import { accountContract } from '#app/identity/accounts/account.contract.ts'
import { Waiting } from '#app/office/administration/administration.contract.ts'

export const myPageContract = {
  'GET /api/v1/my-page': {
    summary:
      'You, your unread notifications, your part of the page, and cases waiting for your decision',
    query: z.object({ thread: Uuid.optional() }),
    ok: z.object({
      me: accountContract['GET /api/v1/me'].ok,
      waiting: Waiting.optional().describe('For moderators and administrators'),
      unread: z.number().int().optional().describe('If notifications are on'),
      thread: discussionContract['GET /api/v1/threads/{id}/mine'].ok
        .optional()
        .describe('For the thread on the page'),
    }),
    access: 'ownData',
  },
} satisfies Contract

export type MyPageContract = typeof myPageContract

export const exportContract = {
  'GET /api/v1/me/export': {
    summary: 'Everything the site stores about you',
    ok: z.object({
      site: z.string(),
      exportedOn: z.string().describe('A day'),
      account: z.record(z.string(), z.unknown()),
      posts: z.record(z.string(), z.unknown()),
    }),
    access: 'signedIn',
  },
} satisfies Contract

export type ExportContract = typeof exportContract
