/** Follows belong to an author key, which never leaves the server. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { Uuid } from '#app/api/schemas.ts'

const CompanyId = z.object({ id: Uuid })

const AlertChoices = z.object({
  threads: z.boolean().describe('New threads about the company'),
  ratings: z.boolean().describe('A change in its displayed rating'),
  policy: z.boolean().describe('A new policy on office days'),
  jobs: z.boolean().describe('New jobs there'),
  isPaused: z.boolean().describe('Pauses alerts but keeps your choices'),
})
export type AlertChoices = z.output<typeof AlertChoices>

const Follow = AlertChoices.extend({
  company: z.object({
    id: Uuid,
    name: z.string(),
    path: z.string(),
    category: z.string(),
    logoUrl: z.string().nullable(),
    rating: z.number().nullable(),
  }),
})
export type Follow = z.output<typeof Follow>

/** Limited per network, too, because anyone can make up anonymous ids. */
const FOLLOWS_LIMIT = { name: 'follows', seconds: 600, person: 120, network: 1_200 }

export const followContract = {
  'GET /api/v1/my/follows': {
    summary: 'The companies you follow, by name, and what each alerts you about',
    ok: z.object({ follows: z.array(Follow) }),
    flag: 'enableAlerts',
    access: 'ownData',
  },
  'GET /api/v1/my/follows/ids': {
    summary: 'Only the ids of the companies you follow, to mark them on pages',
    ok: z.object({ companyIds: z.array(Uuid) }),
    flag: 'enableAlerts',
    access: 'ownData',
  },
  'PUT /api/v1/companies/{id}/follow': {
    summary: 'Follow or unfollow a company',
    params: CompanyId,
    body: z.object({ isFollowing: z.boolean() }),
    ok: z.object({ isFollowing: z.boolean() }),
    flag: 'enableAlerts',
    access: 'ownData',
    limit: FOLLOWS_LIMIT,
    changes: 'nothing',
  },
  'PATCH /api/v1/companies/{id}/follow': {
    summary: 'Choose what a followed company alerts you about, or pause it',
    params: CompanyId,
    body: AlertChoices.partial().refine(
      (choices) => Object.values(choices).some((choice) => choice !== undefined),
      'Choose at least one change',
    ),
    ok: AlertChoices,
    flag: 'enableAlerts',
    access: 'ownData',
    limit: FOLLOWS_LIMIT,
    changes: 'nothing',
  },
} satisfies Contract

export type FollowContract = typeof followContract
