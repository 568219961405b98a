/** What people may ask about their own account. Signing in itself is at /auth/v1. */
import { z } from 'zod'
import { CheckedText } from '../../api/checked-text.ts'
import type { Contract } from '../../api/contract.ts'
import { Uuid } from '../../api/uuid.ts'
import { ROLES } from '../../auth/actor.ts'
import { POSTS_CHOICES } from './account.ts'
import { USERNAME_MAX, usernameProblem } from './username.ts'

const Profile = z.object({
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

export const accountContract = {
  'GET /api/v1/me': {
    summary: 'Who is asking, and what they may do; makes the profile when there is none',
    ok: Me,
    access: 'anyone',
  },
  'PATCH /api/v1/me/profile': {
    summary: 'Take another username',
    body: z.object({ username: CheckedText(USERNAME_MAX, usernameProblem) }),
    ok: Profile,
    flag: 'enableProfile',
    access: 'member',
  },
  'POST /api/v1/me/deletion': {
    summary: 'Delete the account, for good',
    body: z.object({
      confirmation: z.string().max(100).describe('The own username, typed again'),
      posts: z.enum(POSTS_CHOICES).describe('keep: they stay without author; remove: they go'),
    }),
    ok: z.object({ deleted: z.literal(true) }),
    flag: 'enableSettings',
    access: 'member',
    recent: true,
  },
} satisfies Contract

export type AccountContract = typeof accountContract
