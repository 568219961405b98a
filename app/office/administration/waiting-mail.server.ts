/**
 * A mail a day to those who decide, if something waits for them: how much, and since when. No name and no
 * word that anybody wrote, for mails are read over shoulders. D58.
 */
import sql from 'sql-template-tag'
import { type Actor, type Role, visitor } from '#app/api/auth/actor.ts'
import { addressHash, addressOf } from '#app/api/auth/addresses.server.ts'
import type { AuthSettings } from '#app/api/auth/auth-settings.server.ts'
import { mailedAccount, unsubscribeToken } from '#app/moderation/notifications/digest.server.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { mapRows } from '#app/platform/database/rows.server.ts'
import type { Mailer } from '#app/platform/mail/mail.server.ts'
import { mailOf } from '#app/platform/mail/mail-layout.server.ts'
import { unsubscribeHeaders } from '#app/platform/mail/unsubscribe.server.ts'
import { waitingLine } from './waiting.ts'
import { waitingFor } from './waiting-queries.server.ts'

export const WAITING_MAIL = 'waiting-mail'

/** What lies in the queue. What waits is counted when the mail goes out. */
export interface WaitingPayload {
  sealedEmail: string
  unsubscribe: string
}

type Settings = Pick<AuthSettings, 'ownerEmail' | 'adminSecondFactor' | 'siteName' | 'siteUrl'>

interface Told {
  id: string
  emailSealed: string
  emailHash: string
  isAdmin: boolean
}

/** Who has the rights of a role at present, and did not switch the mail off. */
const toldPeople = ({ adminSecondFactor }: Pick<Settings, 'adminSecondFactor'>) => sql`
  select account.id, account.email_sealed as "emailSealed", account.email_hash as "emailHash",
         role.is_admin as "isAdmin"
    from (select id, true as is_admin, wants_mail from admin_users
          union all select id, false, wants_mail from moderators
           where not exists (select from employer_claims claim
                              where claim.account_id = moderators.id and claim.status = 'approved')
         ) role
    join accounts account using (id)
   where role.wants_mail and account.is_email_confirmed and not account.is_suspended
     and (${adminSecondFactor === 'offered'}
          or exists (select from second_factors
                      where account_id = account.id and is_verified))`

const roleOf = (
  secrets: ServerContext['secrets'],
  { isAdmin, emailHash }: Told,
  owner?: string,
) => {
  if (!isAdmin) return 'moderator'
  return owner !== undefined && addressHash(secrets, owner) === emailHash ? 'owner' : 'admin'
}

/** As queries ask what somebody with this role may do. */
const someone = (role: Role): Actor => ({ ...visitor, role })

/** Queues a mail for each of them for whom something waits, all at once or, after a failure, none. */
export async function queueWaitingMails(base: ServerContext, settings: Settings) {
  const { secrets, jobs } = base
  await base.db.transaction(async (db) => {
    const people = await db.query<Told>(toldPeople(settings))
    const addressed = mapRows('waiting mails', people, (told) => ({
      told,
      address: addressOf(secrets, told),
    }))
    for (const { told, address } of addressed) {
      const role = roleOf(secrets, told, settings.ownerEmail)
      if ((await waitingFor({ ...base, db }, someone(role))).length === 0) continue
      const payload: WaitingPayload = {
        // Sealed anew: nothing in the queue equals anything in the accounts.
        sealedEmail: secrets.seal(address),
        unsubscribe: unsubscribeToken(secrets, told.id, 'waiting'),
      }
      await jobs.enqueue(db, WAITING_MAIL, payload)
    }
  })
}

/** The job that sends one, if its person still wants it and something still waits. */
export async function sendWaitingMail(
  base: Pick<ServerContext, 'db' | 'secrets' | 'now'>,
  mailer: Pick<Mailer, 'send'>,
  settings: Settings,
  { sealedEmail, unsubscribe }: WaitingPayload,
) {
  const { db, secrets } = base
  const { siteName, siteUrl } = settings
  const to = secrets.open(sealedEmail)
  const id = mailedAccount(secrets, unsubscribe)?.id
  const people = await db.query<Told>(sql`
    select * from (${toldPeople(settings)}) told where id = ${id ?? null}::uuid`)
  const [told] = people
  if (!told || addressOf(secrets, told) !== to) return
  const role = roleOf(secrets, told, settings.ownerEmail)
  const waiting = await waitingFor(base, someone(role))
  if (waiting.length === 0) return
  const link = `${siteUrl()}/unsubscribe?token=${unsubscribe}`
  const page = role === 'moderator' ? '/admin/moderation' : '/admin-panel'
  const mail = mailOf({
    siteName,
    siteUrl: siteUrl(),
    subject: `What waits on ${siteName}`,
    heading: 'This waits for you',
    paragraphs: [
      ...waiting.map((item) => `${waitingLine(item)}.`),
      'What it is about stands on the site only: a mail is too easily read over a shoulder.',
    ],
    action: { label: 'Have a look', href: `${siteUrl()}${page}` },
    note: `You get this mail because you help to run ${siteName}, once a day while something waits. No more of these mails: ${link}`,
  })
  await mailer.send({
    to,
    ...mail,
    headers: unsubscribeHeaders(link),
  })
}
