/** A small calculation for the browser, which makes spam expensive. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { Uuid } from '#app/api/schemas.ts'

export const spamCheckContract = {
  'GET /api/v1/challenge': {
    summary: 'A spam check to solve before posting or voting',
    query: z.object({
      subject: Uuid.optional().describe(
        'The post or poll you want to vote on. The check works only for that vote',
      ),
    }),
    ok: z.object({
      isNeeded: z.boolean(),
      algorithm: z.literal('SHA-256'),
      challenge: z.string(),
      salt: z.string(),
      signature: z.string(),
      maxnumber: z.number().int(),
    }),
    access: 'anyone',
  },
} satisfies Contract

export type SpamCheckContract = typeof spamCheckContract
