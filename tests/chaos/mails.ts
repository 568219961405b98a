/** Whether every promised email arrived, or waits in the queue. */
import sql from 'sql-template-tag'
import { ACCOUNT_MAIL_TASK } from '#app/identity/accounts/auth-server/account-mail.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import type { MailServer } from '../support/mail-server.ts'
import type { Book } from './book.ts'

export async function missingMails(
  db: Database,
  { signUps }: Pick<Book, 'signUps'>,
  { mails, secrets }: { mails: Pick<MailServer, 'mails'>; secrets: Secrets },
): Promise<string[]> {
  // Checks the queue first, then what arrived, so an email that leaves in between is in at least one
  // of them.
  const waiting = await db.query<{ sealedEmail: string; isGivenUp: boolean }>(sql`
    select payload ->> 'sealedEmail' as "sealedEmail", due_at is null as "isGivenUp"
      from job_queue where kind = ${ACCOUNT_MAIL_TASK}`)
  const promised = new Map(
    waiting.map((job) => [secrets.open(job.sealedEmail), job.isGivenUp] as const),
  )
  const arrived = new Set(mails.mails.flatMap(({ to }) => to))
  return signUps.flatMap(({ email, username }) => {
    if (arrived.has(email)) return []
    if (promised.get(email) === undefined) return [`The email to ${username} is lost`]
    return promised.get(email) ? [`The email to ${username} was given up`] : []
  })
}
