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
    .describe('Members’ votes on the person’s posts, added up last night and rounded'),
  memberSince: z.string().describe('A month, such as 2026-03. We store nothing finer'),
})
export type Profile = z.output<typeof Profile>

const Me = z.object({
  role: z.enum(ROLES),
  userType: z.enum(['employer']).nullable().describe('What the person says. Only affects menus'),
  profile: Profile.nullable().describe('Null for a visitor'),
  email: z.string().nullable(),
  newEmail: z.string().nullable().describe('A new email that isn’t confirmed yet'),
  isEmailConfirmed: z.boolean(),
  awaitsSecondFactor: z
    .boolean()
    .describe('Signed in, but a visitor until the account’s second factor is proved'),
  needsSecondFactor: z
    .boolean()
    .describe(
      'An administrator or moderator without those rights until they set up a second factor',
    ),
  can: z.array(z.string()).describe('The person’s permissions, by name'),
  whyNotRate: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .describe('Why this person can’t rate; null where they can'),
})
export type Me = z.output<typeof Me>

export const meContract = {
  'GET /api/v1/me': {
    summary: 'Who is asking and what they may do. Creates the profile if there’s none',
    ok: Me,
    access: 'anyone',
  },
} satisfies Contract

export type MeContract = typeof meContract
