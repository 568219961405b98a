import type { Feature } from '#app/api/feature.server.ts'
import { DAY_MS } from '#app/platform/jobs/days.server.ts'
import { administrationContract } from './administration.contract.ts'
import { administrationHandlers } from './administration-api.server.ts'
import { serveLogFile } from './log-file.server.ts'
import {
  queueWaitingMails,
  sendWaitingMail,
  WAITING_MAIL,
  type WaitingPayload,
} from './waiting-mail.server.ts'

export const administration: Feature = {
  routes({ bind, auth, http, contextOf, checks }) {
    bind(administrationContract, administrationHandlers(auth, checks))
    serveLogFile(http, contextOf)
  },
  jobs({ jobs, base, auth }) {
    jobs.every('queue-waiting-mails', DAY_MS, (db) => queueWaitingMails({ ...base, db }, auth))
  },
  mails: {
    [WAITING_MAIL]: ({ base, auth }, post, payload: WaitingPayload) =>
      sendWaitingMail(base, post, auth, payload),
  },
}
