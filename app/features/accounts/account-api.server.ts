/** Binds the contract of accounts to queries and commands. */
import type { Handlers } from '../../api/bind.server.ts'
import type { Ctx } from '../../auth/context.server.ts'
import { permissionsOf } from '../../auth/permissions.ts'
import { claimsExport } from '../claims/claim-queries.server.ts'
import { postsExport } from '../discussions/export-queries.server.ts'
import { followsExport } from '../following/follow-queries.server.ts'
import { savedJobsExport } from '../jobs/saved-job-queries.server.ts'
import { ratingsExport } from '../ratings/rating-export-queries.server.ts'
import { requestsExport } from '../requests/request-queries.server.ts'
import type { AccountContract, Me, Profile } from './account.contract.ts'
import {
  changeUsername,
  deleteOwnAccount,
  makeProfile,
  signedInPerson,
} from './account-commands.server.ts'
import { accountExport } from './account-queries.server.ts'

export const accountHandlers = (site: { siteName: string }): Handlers<AccountContract> => ({
  'GET /api/v1/me': async (ctx) => me(ctx),
  'PATCH /api/v1/me/profile': async (ctx, { body }) =>
    profileView(await changeUsername(ctx, body.username)),
  'GET /api/v1/me/export': async (ctx) => ({
    site: site.siteName,
    exportedOn: ctx.now().toISOString().slice(0, 10),
    account: await accountExport(ctx, signedInPerson(ctx).id),
    posts: {
      ...(await postsExport(ctx)),
      ...(await ratingsExport(ctx)),
      ...(await followsExport(ctx)),
      ...(await requestsExport(ctx)),
      ...(await claimsExport(ctx)),
      ...(await savedJobsExport(ctx)),
    },
  }),
  'POST /api/v1/me/deletion': async (ctx, { body }) => {
    await deleteOwnAccount(ctx, body.confirmation, body.posts)
    return { deleted: true as const }
  },
})

async function me(ctx: Ctx): Promise<Me> {
  const { actor, secrets } = ctx
  const shared = { role: actor.role, userType: actor.userType, can: permissionsOf(actor) }
  const { account } = actor
  if (!account)
    return { ...shared, profile: null, email: null, newEmail: null, isEmailConfirmed: false }
  return {
    ...shared,
    profile: profileView({ ...account, username: account.username ?? (await makeProfile(ctx)) }),
    email: secrets.open(account.emailSealed),
    newEmail: account.newEmailSealed && secrets.open(account.newEmailSealed),
    isEmailConfirmed: account.isEmailConfirmed,
  }
}

const profileView = ({ id, username, memberSince, cred }: Profile): Profile => ({
  id,
  username,
  memberSince,
  cred,
})
