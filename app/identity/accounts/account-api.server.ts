/** Binds the contract of accounts to queries and commands. */

import { shownAddresses } from '#app/api/auth/addresses.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { permissionsOf } from '#app/api/auth/permissions.ts'
import { whyNotRate } from '#app/api/auth/require.server.ts'
import type { Handlers } from '#app/api/bind.server.ts'
import type { Me, Profile } from '#app/kit/session/me.contract.ts'
import type { AccountContract } from './account.contract.ts'
import { changeUsername, deleteOwnAccount, makeProfile } from './account-commands.server.ts'
import { credOf } from './cred.server.ts'

export const accountHandlers: Handlers<AccountContract> = {
  'GET /api/v1/me': (ctx) => whoIsAsking(ctx),
  'PATCH /api/v1/me/profile': async (ctx, { body }) =>
    profileView(await changeUsername(ctx, body.username)),
  'POST /api/v1/me/deletion': async (ctx, { body }) => {
    await deleteOwnAccount(ctx, body.confirmation, body.posts)
    return { deleted: true as const }
  },
}

export async function whoIsAsking(ctx: Ctx): Promise<Me> {
  const { actor, secrets } = ctx
  const why = whyNotRate(actor)
  const shared = {
    role: actor.role,
    userType: actor.userType,
    can: permissionsOf(actor),
    whyNotRate: why && { code: why.code, message: why.message },
    awaitsSecondFactor: actor.secondFactor === 'awaited',
    needsSecondFactor: actor.secondFactor === 'needed',
  }
  const { account } = actor
  if (!account)
    return { ...shared, profile: null, email: null, newEmail: null, isEmailConfirmed: false }
  return {
    ...shared,
    profile: profileView({
      ...account,
      username: account.username ?? (await makeProfile(ctx)),
      cred: await credOf(ctx),
    }),
    ...shownAddresses(secrets, account),
    isEmailConfirmed: account.isEmailConfirmed,
  }
}

const profileView = ({ id, username, memberSince, cred }: Profile): Profile => ({
  id,
  username,
  memberSince,
  cred,
})
