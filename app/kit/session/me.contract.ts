/** Who is here, as every page asks. */
import { z } from 'zod'
import { ROLES } from '#app/api/auth/actor.ts'
import type { Contract } from '#app/api/contract.ts'
import { Uuid } from '#app/api/uuid.ts'

export const Profile = z.object({
  id: Uuid,
  username: z.string(),
  cred: z
    .number()
    .int()
    .describe('Sum of members’ votes on own posts, of the last night and rounded'),
  memberSince: z.string().describe('A month, such as 2026-03: nothing finer is kept'),
})
export type Profile = z.output<typeof Profile>

const Me = z.object({
  role: z.enum(ROLES),
  userType: z.enum(['employer']).nullable().describe('What the person says: shapes menus only'),
  profile: Profile.nullable().describe('Null for a visitor'),
  email: z.string().nullable(),
  newEmail: z.string().nullable().describe('An address that waits for its confirmation'),
  isEmailConfirmed: z.boolean(),
  awaitsSecondFactor: z
    .boolean()
    .describe('Signed in, but a visitor until the second factor of the account is proved'),
  needsSecondFactor: z
    .boolean()
    .describe(
      'An administrator or a moderator without the rights of one until a second factor is set up',
    ),
  can: z.array(z.string()).describe('What this person may do, by the names of the permissions'),
  whyNotRate: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .describe('Why this person can’t rate; null where they can'),
})
export type Me = z.output<typeof Me>

export const meContract = {
  'GET /api/v1/me': {
    summary: 'Who is asking, and what they may do; makes the profile when there is none',
    ok: Me,
    access: 'anyone',
  },
} satisfies Contract

export type MeContract = typeof meContract
