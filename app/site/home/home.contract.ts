/** The personal part of the home page. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { ThreadRow } from '#app/community/discussions/discussion.contract.ts'

export const homeContract = {
  'GET /api/v1/my/follows/discussions': {
    summary: 'Current discussions about companies you follow',
    ok: z.object({ threads: z.array(ThreadRow) }),
    flag: 'enableDiscussions',
    access: 'ownData',
  },
} satisfies Contract

export type HomeContract = typeof homeContract
