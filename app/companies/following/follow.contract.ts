/** What people may say about the companies that they follow. It belongs to an author key, which never leaves. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { Uuid } from '#app/api/uuid.ts'

const CompanyId = z.object({ id: Uuid })

/** What a followed company alerts on. */
const AlertChoices = z.object({
  threads: z.boolean().describe('New threads about it'),
  ratings: z.boolean().describe('Its rating, as it is shown, moved'),
  policy: z.boolean().describe('It says something else of days in the office'),
  jobs: z.boolean().describe('New jobs at it'),
  isPaused: z.boolean().describe('Nothing for now; the choices stay'),
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

/** Whoever makes up a new anonymous id for each is still at one network. */
const FOLLOWS = { name: 'follows', seconds: 600, person: 120, network: 1_200 }

export const followContract = {
  'GET /api/v1/my/follows': {
    summary: 'The companies that one follows, by name, with what each alerts on',
    ok: z.object({ follows: z.array(Follow) }),
    flag: 'enableAlerts',
    access: 'anyone',
  },
  'GET /api/v1/my/follows/ids': {
    summary: 'Only which companies one follows, for the marks on pages',
    ok: z.object({ companyIds: z.array(Uuid) }),
    flag: 'enableAlerts',
    access: 'anyone',
  },
  'PUT /api/v1/companies/{id}/follow': {
    summary: 'Follow a company, or not any more',
    params: CompanyId,
    body: z.object({ isFollowing: z.boolean() }),
    ok: z.object({ isFollowing: z.boolean() }),
    flag: 'enableAlerts',
    access: 'anyone',
    limit: FOLLOWS,
  },
  'PATCH /api/v1/companies/{id}/follow': {
    summary: 'Choose what a followed company alerts on, or pause it',
    params: CompanyId,
    body: AlertChoices.partial().refine(
      (choices) => Object.values(choices).some((choice) => choice !== undefined),
      'Say what is to be another way',
    ),
    ok: AlertChoices,
    flag: 'enableAlerts',
    access: 'anyone',
    limit: FOLLOWS,
  },
} satisfies Contract

export type FollowContract = typeof followContract
