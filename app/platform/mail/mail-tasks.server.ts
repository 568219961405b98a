import sql from 'sql-template-tag'
import type { Database } from '../database/database.server.ts'
import type { Secrets } from '../database/secrets.server.ts'
import type { DataContext } from '../database/server-context.server.ts'
import { dayOf } from '../days.server.ts'
import { createRateLimit } from '../http/rate-limits.server.ts'
import type { TaskFacts } from '../queue/queue.server.ts'
import { MAIL_REFUSALS, MAY_HAVE_ARRIVED, type Mail, type Mailer } from './mail.server.ts'
import { showsLogo } from './mail-layout.server.ts'

/** How many emails a day an address gets of a kind that anyone can trigger by typing the address. */
const MAILS_A_DAY = 20
const DAY_S = 86_400

export interface MailSender {
  /** @throws MailNotSent */
  send(mail: Mail): Promise<void>
  /** Counts another email that strangers can trigger. Returns false if this address had too many today. */
  hasRoomFor(address: string): Promise<boolean>
}

/** @param settings.hasRateLimits false: always true */
export function createMailSender(settings: {
  mailer: Pick<Mailer, 'send'>
  secrets: Secrets
  hasRateLimits: boolean
  /** The site's own logo. */
  logo?: () => Promise<Buffer | undefined>
}): (task: TaskFacts) => MailSender {
  const { mailer, secrets, hasRateLimits, logo } = settings
  const mails = createRateLimit({
    name: 'mails-a-day',
    uses: MAILS_A_DAY,
    seconds: DAY_S,
    isOn: hasRateLimits,
  })
  return ({ id, attempt }) => ({
    // Hashed with the site's key, so no one can match an email with its task.
    send: async (mail) =>
      mailer.send({
        ...mail,
        id: secrets.hash('message id', id),
        logo: showsLogo(mail) ? await logo?.() : undefined,
      }),
    // A retry sends the same email, which we already counted.
    hasRoomFor: async (address) =>
      attempt > 1 ||
      (await mails.use(secrets.hash('mails a day', address.trim().toLowerCase()))) === undefined,
  })
}

/** An undeliverable email's row has a sealed address, so we don't keep it forever. */
const KEPT_DAYS = 30
/** Counting to this is cheap, and enough for monitoring. */
const COUNTED_AT_MOST = 10_000
const OF_MAILS = [...MAIL_REFUSALS, MAY_HAVE_ARRIVED]

interface GivenUp {
  kind: string
  reason: string
  count: number
}

/** Tasks we gave up on, by kind and reason. At most 10,000 in total. */
export const givenUp = (db: Database) =>
  db.query<GivenUp>(sql`
    select kind, reason, count(*) as count
      from (select kind, given_up as reason from job_queue
             where due_at is null and given_up is not null limit ${COUNTED_AT_MOST}) as counted
     group by kind, reason order by kind, reason`)

/** Deletes emails that couldn't be delivered a month ago. Other tasks we gave up on stay. */
export async function sweepGivenUpMails({ db, now }: DataContext) {
  await db.query(sql`
    delete from job_queue
     where due_at is null and given_up = any (${OF_MAILS}::text[])
       and given_up_on < ${dayOf(now())}::date - ${KEPT_DAYS}::integer`)
}
