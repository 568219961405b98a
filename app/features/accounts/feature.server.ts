import type { Feature } from '../../api/feature.server.ts'
import { DAY_MS } from '../../server/days.server.ts'
import { accountContract } from './account.contract.ts'
import { accountHandlers } from './account-api.server.ts'
import { ADMIN_ACTED, type AdminActed } from './administrators/admin-act.server.ts'
import { logToldAct } from './administrators/admin-log.server.ts'
import { ACCOUNT_MAIL, type MailPayload } from './auth-server/account-mail.server.ts'
import { sendAccountMail } from './auth-server/account-mail-job.server.ts'
import { registerAuth } from './auth-server/auth-api.server.ts'
import { sweepSessions } from './auth-server/session-commands.server.ts'

export const accounts: Feature = {
  async routes({ http, bind, base, auth, hasRateLimits, proofs, htmlPage }) {
    const contextOf = () => ({ ...base, auth })
    await registerAuth(http, { contextOf, hasRateLimits, proofs, htmlPage })
    bind(accountContract, accountHandlers)
  },
  jobs({ jobs, base }) {
    jobs.handle<AdminActed>(ADMIN_ACTED, (told) => logToldAct(base, told))
    jobs.every('sweep-sessions', DAY_MS, (db) => sweepSessions({ db, now: base.now }))
  },
  mails: {
    [ACCOUNT_MAIL]: ({ base, auth }, post, payload: MailPayload) =>
      sendAccountMail({ ...base, auth }, post, payload),
  },
}
