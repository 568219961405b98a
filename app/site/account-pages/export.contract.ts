/** What people may ask of all that is kept of them. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'

export const exportContract = {
  'GET /api/v1/me/export': {
    summary: 'Everything that the site holds on the person who asks',
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
