import type { AuthSettings } from '#app/api/auth/actor.server.ts'
import type { Handlers } from '#app/api/bind.server.ts'
import { type Feature, mailTask, type SetUpChecks } from '#app/api/feature.server.ts'
import {
  chooseWaitingMail,
  ownWaitingMail,
} from '#app/identity/accounts/administrators/admin-commands.server.ts'
import { managedAccounts } from '#app/identity/accounts/administrators/managed-accounts.server.ts'
import { DAY_MS, HOUR_MS } from '#app/platform/days.server.ts'
import type { Flags } from '#app/platform/operations/flags.ts'
import { adminLog, serveLogFile } from './admin-log-queries.server.ts'
import { type AdministrationContract, administrationContract } from './administration.contract.ts'
import { adminStats } from './administration-queries.server.ts'
import { BACKUP_MAIL_TASK, queueBackupMails, sendBackupMail } from './backup-mail.server.ts'
import { confirmStep, setUp } from './set-up.server.ts'
import {
  queueWaitingMails,
  sendWaitingMail,
  WAITING_MAIL_TASK,
  waitingFor,
} from './waiting.server.ts'

export function administrationHandlers(
  auth: AuthSettings,
  checks: SetUpChecks,
  flags: Flags,
): Handlers<AdministrationContract> {
  const accounts = managedAccounts(auth)
  return {
    'GET /api/v1/administration/stats': (ctx) => adminStats(ctx),
    'GET /api/v1/administration/waiting': async (ctx) => ({
      waiting: await waitingFor(ctx, ctx.actor, flags),
    }),
    'GET /api/v1/administration/set-up': (ctx) => setUp(ctx, checks),
    'PUT /api/v1/administration/set-up/{step}': (ctx, { params, body }) =>
      confirmStep(ctx, params.step, body.isDone),
    'GET /api/v1/my/waiting-mail': (ctx) => ownWaitingMail(ctx),
    'PUT /api/v1/my/waiting-mail': (ctx, { body }) => chooseWaitingMail(ctx, body.isWanted),
    'GET /api/v1/administration/users': (ctx, { query }) => accounts.list(ctx, query),
    'POST /api/v1/administration/users/{handle}/grant': (ctx, { params }) =>
      accounts.act(ctx, params.handle, 'grant'),
    'POST /api/v1/administration/users/{handle}/revoke': (ctx, { params }) =>
      accounts.act(ctx, params.handle, 'revoke'),
    'POST /api/v1/administration/users/{handle}/grant-moderator': (ctx, { params }) =>
      accounts.act(ctx, params.handle, 'grant-moderator'),
    'POST /api/v1/administration/users/{handle}/revoke-moderator': (ctx, { params }) =>
      accounts.act(ctx, params.handle, 'revoke-moderator'),
    'POST /api/v1/administration/users/{handle}/suspend': (ctx, { params }) =>
      accounts.act(ctx, params.handle, 'suspend'),
    'POST /api/v1/administration/users/{handle}/unsuspend': (ctx, { params }) =>
      accounts.act(ctx, params.handle, 'unsuspend'),
    'POST /api/v1/administration/users/{handle}/deletion': async (ctx, { params, body }) => {
      await accounts.delete(ctx, params.handle, body.confirmation)
      return { isDeleted: true as const }
    },
    'GET /api/v1/administration/log': (ctx, { query }) => adminLog(ctx, query),
  }
}

export const administration: Feature = {
  routes({ bind, auth, http, contextOf, checks, config }) {
    bind(administrationContract, administrationHandlers(auth, checks, config.flags))
    serveLogFile(http, contextOf)
  },
  tasks({ queue, base, auth, config: { flags } }) {
    queue.every('queue-waiting-mails', DAY_MS, (db) =>
      queueWaitingMails({ ...base, db }, { ...auth, flags }),
    )
    queue.every('queue-backup-mails', HOUR_MS, (db) => queueBackupMails({ ...base, db }, auth))
  },
  mails: [
    mailTask(BACKUP_MAIL_TASK, ({ base, auth }, mailer, payload) =>
      sendBackupMail(base, mailer, auth, payload),
    ),
    mailTask(WAITING_MAIL_TASK, ({ base, auth, config: { flags } }, mailer, payload) =>
      sendWaitingMail(base, mailer, { ...auth, flags }, payload),
    ),
  ],
}
