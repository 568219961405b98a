import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'

export const exportContract = {
  'GET /api/v1/me/export': {
    summary: 'Everything that the site stores about you',
    ok: z.object({
      site: z.string(),
      exportedOn: z.string().describe('A day'),
      account: z.record(z.string(), z.unknown()),
      posts: z.record(z.string(), z.unknown()),
    }),
    access: 'member',
  },
} satisfies Contract

export type ExportContract = typeof exportContract
