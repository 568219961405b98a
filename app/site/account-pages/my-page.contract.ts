/** What is one's own on a page, asked for at once: a page is the same for everybody, and this is the rest. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { Uuid } from '#app/api/uuid.ts'
import { discussionContract } from '#app/community/discussions/discussion.contract.ts'
import { accountContract } from '#app/identity/accounts/account.contract.ts'
import { Waiting } from '#app/office/administration/administration.contract.ts'

export const myPageContract = {
  'GET /api/v1/my-page': {
    summary:
      'Who is asking, how much of their news is unread, what is theirs of what they look at, and what waits for their decision',
    query: z.object({ thread: Uuid.optional() }),
    ok: z.object({
      me: accountContract['GET /api/v1/me'].ok,
      waiting: Waiting.optional().describe('For who decides about posts, and more'),
      unread: z.number().int().optional().describe('Where the site has news'),
      thread: discussionContract['GET /api/v1/threads/{id}/mine'].ok
        .optional()
        .describe('Of one that is shown'),
    }),
    access: 'anyone',
  },
} satisfies Contract

export type MyPageContract = typeof myPageContract
