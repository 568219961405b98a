/** What can be asked about merging companies, and what is answered. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { Uuid } from '#app/api/uuid.ts'

const count = z.number().int().nonnegative()
const CompanyId = z.object({ id: Uuid })
const Named = z.object({ id: Uuid, name: z.string(), path: z.string() })

const Moving = z.object({
  threads: count,
  comments: count,
  ratings: count.describe('Those that are public'),
  jobs: count,
  replies: count,
  claims: count,
  requests: count,
  suggestions: count.describe('Those that wait'),
})

const Said = z.object({
  field: z.string().describe('Its name, as people read it'),
  from: z.string().describe('What the company says that is merged'),
  into: z.string().nullable().describe('What the other one says; null for nothing'),
})

export const MergePreview = z.object({
  from: Named,
  into: Named,
  moving: Moving,
  aliases: z.array(z.string()).describe('Other names of the remaining company, afterwards'),
  filled: z.array(Said).describe('What the remaining company takes over'),
  differing: z.array(Said).describe('What stays as the remaining company says it'),
  addresses: z.array(z.string()).describe('Paths that lead to the remaining company afterwards'),
})
export type MergePreview = z.output<typeof MergePreview>

const policy = {
  flag: 'enableCompanies',
  access: 'admin',
  refusal: { forbidden: 'Only an administrator can merge companies' },
} as const

export const mergeContract = {
  'GET /api/v1/companies/{id}/merge': {
    summary: 'What would move if the company became part of another one; for administrators',
    params: CompanyId,
    query: z.object({ into: Uuid }),
    ok: MergePreview,
    ...policy,
  },
  'POST /api/v1/companies/{id}/merge': {
    summary: 'Make the company part of another one; for administrators, who can undo it for a day',
    params: CompanyId,
    body: z.object({ into: Uuid }),
    ok: z.object({ path: z.string().describe('Of the company that remains') }),
    ...policy,
    recent: true,
  },
} satisfies Contract

export type MergeContract = typeof mergeContract
