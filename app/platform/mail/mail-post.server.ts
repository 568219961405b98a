import type { Secrets } from '../database/secrets.server.ts'
import { createRateLimit } from '../http/rate-limits.server.ts'
import type { JobFacts } from '../jobs/jobs.server.ts'
import type { Mail, Mailer } from './mail.server.ts'

/** Mails per day to an address that anyone can trigger by typing it. */
const MAILS_A_DAY = 20
const DAY_S = 86_400

export interface Post {
  /** @throws MailNotSent */
  send(mail: Mail): Promise<void>
  /** Counts one more mail that strangers can trigger. False if this address had too many today. */
  hasRoomFor(address: string): Promise<boolean>
}

/** @param settings.hasRateLimits false: always true */
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
    // Hashed with the site's key, so a mail and its job can't be matched.
    send: (mail) => mailer.send({ ...mail, id: secrets.hash('message id', id) }),
    // A retry sends the same mail, which was counted.
    hasRoomFor: async (address) =>
      attempt > 1 ||
      (await mails.use(secrets.hash('mails a day', address.trim().toLowerCase()))) === undefined,
  })
}
