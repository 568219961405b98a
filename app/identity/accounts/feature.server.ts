import { ACCOUNT_EMAIL, NEW_ACCOUNT_EMAIL } from '#app/api/auth/addresses.server.ts'
import { keepNumbers } from '#app/api/auth/kept-numbers.server.ts'
import { tellNumbers } from '#app/api/auth/told-numbers.server.ts'
import type { Feature } from '#app/api/feature.server.ts'
import { reorderTable } from '#app/platform/database/reorder.server.ts'
import { accountContract } from './account.contract.ts'
import { accountHandlers } from './account-api.server.ts'
import { ADMIN_ACTED, type AdminActed } from './administrators/admin-act.server.ts'
import { logToldAct } from './administrators/admin-log.server.ts'
import { ACCOUNT_MAIL, type MailPayload } from './auth-server/account-mail.server.ts'
import { sendAccountMail } from './auth-server/account-mail-job.server.ts'
import { registerAuth } from './auth-server/auth-api.server.ts'
import { sweepSessions } from './auth-server/session-commands.server.ts'
import { SEALED_FACTORS, sweepFactors } from './second-factors/factor-rows.server.ts'

const REORDERED = [
  'accounts',
  'profiles',
  'admin_users',
  'moderators',
  'ended_sessions',
  'former_sessions',
  'second_factors',
  'recovery_codes',
  'one_time_tokens',
]

export const accounts: Feature = {
  sealed: [ACCOUNT_EMAIL, NEW_ACCOUNT_EMAIL, SEALED_FACTORS],
  async routes({
    http,
    bind,
    db,
    base,
    auth,
    counters,
    hasRateLimits,
    proofs,
    markFirst,
    htmlPage,
  }) {
    const contextOf = () => ({ ...base, auth })
    counters.push(
      keepNumbers(base, auth.numbers, ({ code }) =>
        http.log.warn({ code }, 'Which refresh tokens were exchanged was not written down'),
      ),
      tellNumbers({ db, secrets: base.secrets }, auth.numbers),
    )
    await registerAuth(http, { contextOf, hasRateLimits, proofs, markFirst, htmlPage })
    bind(accountContract, accountHandlers)
  },
  jobs({ jobs, base }) {
    jobs.handle<AdminActed>(ADMIN_ACTED, (told) => logToldAct(base, told))
  },
  // Their places and transactions would say who signed up, or came, before whom.
  nightly: ({ db, base: { now } }) => [
    { name: 'sweep second factors', run: () => sweepFactors(db) },
    { name: 'sweep sessions', run: () => sweepSessions({ db, now }) },
    ...REORDERED.map((name) => ({ name: `reorder ${name}`, run: () => reorderTable(db, name) })),
  ],
  mails: {
    [ACCOUNT_MAIL]: ({ base, auth }, post, payload: MailPayload) =>
      sendAccountMail({ ...base, auth }, post, payload),
  },
}
