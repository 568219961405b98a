import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { Uuid } from '#app/api/schemas.ts'
import { MERGE_REFUSALS } from './merging.ts'

const count = z.number().int().nonnegative()
const CompanyId = z.object({ id: Uuid })
const Named = z.object({ id: Uuid, name: z.string(), path: z.string() })

const Moving = z.object({
  threads: count,
  comments: count,
  ratings: count.describe('Public ones'),
  jobs: count,
  replies: count,
  claims: count,
  requests: count,
  suggestions: count.describe('Pending ones'),
})

const Said = z.object({
  field: z.string().describe('Its label'),
  from: z.string().describe('Value of the merged company'),
  into: z.string().nullable().describe('Value of the remaining company, or null'),
})

export const MergePreview = z.object({
  from: Named,
  into: Named,
  moving: Moving,
  aliases: z.array(z.string()).describe('Other names of the remaining company after the merge'),
  filled: z.array(Said).describe('What the remaining company takes over'),
  differing: z.array(Said).describe('What the remaining company keeps'),
  addresses: z.array(z.string()).describe('Paths that will lead to the remaining company'),
})
export type MergePreview = z.output<typeof MergePreview>

const policy = {
  flag: 'enableCompanies',
  access: 'admin',
  refusal: { forbidden: MERGE_REFUSALS.forbidden },
} as const

export const mergeContract = {
  'GET /api/v1/companies/{id}/merge': {
    summary: 'What merging a company into another one would move. For administrators',
    params: CompanyId,
    query: z.object({ into: Uuid }),
    ok: MergePreview,
    ...policy,
  },
  'POST /api/v1/companies/{id}/merge': {
    summary: 'Merge a company into another one. For administrators, who can undo it for a day',
    params: CompanyId,
    body: z.object({ into: Uuid }),
    ok: z.object({ path: z.string().describe('The id of the remaining company') }),
    ...policy,
    requiresRecentLogin: true,
  },
} satisfies Contract

export type MergeContract = typeof mergeContract
