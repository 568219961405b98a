/** What a job that writes to somebody is given: it sends one mail, the same however often it is tried. */

import type { Secrets } from '../database/secrets.server.ts'
import { createRateLimit } from '../http/rate-limits.server.ts'
import type { JobFacts } from '../jobs/jobs.server.ts'
import type { Mail, Mailer } from './mail.server.ts'

/** Mails to one address in a day that anybody can ask for by typing it. */
const MAILS_A_DAY = 20
const DAY_S = 86_400

export interface Post {
  /** @throws MailNotSent */
  send(mail: Mail): Promise<void>
  /** Whether one more of those that a stranger can ask for may go to this address today: counts it. */
  hasRoomFor(address: string): Promise<boolean>
}

/** @param settings.hasRateLimits false: there is always room */
export function createPostOffice(settings: {
  mailer: Pick<Mailer, 'send'>
  secrets: Secrets
  hasRateLimits: boolean
}): (job: JobFacts) => Post {
  const { mailer, secrets, hasRateLimits } = settings
  const mails = createRateLimit({
    name: 'mails-a-day',
    uses: MAILS_A_DAY,
    seconds: DAY_S,
    isOn: hasRateLimits,
  })
  return ({ id, attempt }) => ({
    // Under the site's key: who sees a mail and the queue cannot tell that they belong together.
    send: (mail) => mailer.send({ ...mail, id: secrets.hash('message id', id) }),
    // A second try is of the same mail, which was counted.
    hasRoomFor: async (address) =>
      attempt > 1 ||
      (await mails.use(secrets.hash('mails a day', address.trim().toLowerCase()))) === undefined,
  })
}
