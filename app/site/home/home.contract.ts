/** What the home page asks for beside the page, which is the same for everybody. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { ThreadRow } from '#app/community/discussions/discussion.contract.ts'

export const homeContract = {
  'GET /api/v1/my/follows/discussions': {
    summary: 'What is being discussed about the companies that one follows',
    ok: z.object({ threads: z.array(ThreadRow) }),
    flag: 'enableDiscussions',
    access: 'anyone',
  },
} satisfies Contract

export type HomeContract = typeof homeContract
