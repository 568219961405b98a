import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { LookupText, WrittenText } from '#app/api/schemas.ts'
import { meContract, Profile } from '#app/kit/session/session.contract.ts'
import { POSTS_CHOICES } from './account.ts'
import { TYPED_USERNAME_MAX, USERNAME_MAX } from './username.ts'

export const accountContract = {
  ...meContract,
  'PATCH /api/v1/me/profile': {
    summary: 'Change the username',
    body: z.object({ username: WrittenText(USERNAME_MAX) }),
    ok: Profile,
    flag: 'enableProfile',
    access: 'signedIn',
  },
  'POST /api/v1/me/deletion': {
    summary: 'Permanently delete the account',
    body: z.object({
      confirmation: LookupText(TYPED_USERNAME_MAX).describe('Your username, typed again'),
      posts: z
        .enum(POSTS_CHOICES)
        .describe('"keep" leaves your posts without an author, "remove" deletes them'),
    }),
    ok: z.object({ deleted: z.literal(true) }),
    flag: 'enableSettings',
    access: 'signedIn',
    requiresRecentLogin: true,
  },
} satisfies Contract

export type AccountContract = typeof accountContract
