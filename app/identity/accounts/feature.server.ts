import { ACCOUNT_EMAIL, NEW_ACCOUNT_EMAIL, shownAddresses } from '#app/api/auth/addresses.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { may, permissionsOf, whyNotRate } from '#app/api/auth/permissions.ts'
import { broadcastExchanges, storeExchanges } from '#app/api/auth/refresh-token-store.server.ts'
import type { Handlers } from '#app/api/bind.server.ts'
import { type Feature, mailTask } from '#app/api/feature.server.ts'
import type { Me, Profile } from '#app/kit/session/session.contract.ts'
import { reorderTable } from '#app/platform/database/reorder.server.ts'
import { type AccountContract, accountContract } from './account.contract.ts'
import { changeUsername, deleteOwnAccount, makeProfile } from './account-commands.server.ts'
import { credOf } from './account-queries.server.ts'
import { ADMIN_ACTED_TASK, logQueuedAct } from './administrators/admin-log.server.ts'
import { ACCOUNT_MAIL_TASK } from './auth-server/account-mail.server.ts'
import { sendAccountMail } from './auth-server/account-mail-task.server.ts'
import { registerAuth } from './auth-server/auth-api.server.ts'
import { sweepSessions } from './auth-server/session-commands.server.ts'
import { SEALED_FACTORS, sweepFactors } from './second-factors/factor-rows.server.ts'
import { type InvitationContract, invitationContract } from './sign-up/invitation.contract.ts'
import { invitations, makeInvitation, revokeInvitation } from './sign-up/invitations.server.ts'

const REORDERED = [
  'accounts',
  'profiles',
  'admin_users',
  'moderators',
  'ended_sessions',
  'second_factors',
  'recovery_codes',
  'one_time_tokens',
]

export const accountHandlers: Handlers<AccountContract & InvitationContract> = {
  'GET /api/v1/me': (ctx) => loadMe(ctx),
  'PATCH /api/v1/me/profile': async (ctx, { body }) =>
    profileView(await changeUsername(ctx, body.username)),
  'POST /api/v1/me/deletion': async (ctx, { body }) => {
    await deleteOwnAccount(ctx, body.confirmation, body.posts)
    return { deleted: true as const }
  },
  'GET /api/v1/administration/invitations': async (ctx) => ({
    invitations: await invitations(ctx),
  }),
  'POST /api/v1/administration/invitations': (ctx) => makeInvitation(ctx),
  'DELETE /api/v1/administration/invitations/{id}': (ctx, { params }) =>
    revokeInvitation(ctx, params.id),
}

export async function loadMe(ctx: Ctx): Promise<Me> {
  const { actor, secrets } = ctx
  const why = may.rate(actor) ? null : whyNotRate(actor)
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

export const accounts: Feature = {
  sealed: [ACCOUNT_EMAIL, NEW_ACCOUNT_EMAIL, SEALED_FACTORS],
  async routes({
    http,
    bind,
    db,
    base,
    auth,
    services,
    config: { hasRateLimits },
    spamChecks,
    markFirst,
    htmlPage,
  }) {
    const contextOf = () => ({ ...base, auth })
    services.push(
      storeExchanges(base, auth.exchanges, ({ code }) =>
        http.log.warn({ code }, 'Couldn’t store the exchanged refresh tokens'),
      ),
      broadcastExchanges({ db, secrets: base.secrets }, auth.exchanges),
    )
    await registerAuth(http, { contextOf, hasRateLimits, spamChecks, markFirst, htmlPage })
    bind({ ...accountContract, ...invitationContract }, accountHandlers)
  },
  tasks({ queue, base }) {
    queue.handle(ADMIN_ACTED_TASK, (act) => logQueuedAct(base, act))
  },
  // Row order and transaction ids would show who signed up or visited before whom.
  nightly: ({ db, base: { now } }) => [
    { name: 'sweep second factors', run: () => sweepFactors(db) },
    { name: 'sweep sessions', run: () => sweepSessions({ db, now }) },
    ...REORDERED.map((name) => ({ name: `reorder ${name}`, run: () => reorderTable(db, name) })),
  ],
  mails: [
    mailTask(ACCOUNT_MAIL_TASK, ({ base, auth }, mailer, payload) =>
      sendAccountMail({ ...base, auth }, mailer, payload),
    ),
  ],
}
