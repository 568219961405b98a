/** What's waiting for a decision. Only numbers, without names, addresses or texts. */
import sql, { join, type Sql } from 'sql-template-tag'
import type { AuthSettings } from '#app/api/auth/actor.server.ts'
import { type Actor, type Role, visitor } from '#app/api/auth/actor.ts'
import { addressHash, addressOf } from '#app/api/auth/addresses.server.ts'
import { may } from '#app/api/auth/permissions.ts'
import { filedCases, isPostThere } from '#app/moderation/cases.server.ts'
import {
  mailedAccount,
  unsubscribeToken,
} from '#app/moderation/notifications/digest-choice.server.ts'
import { mapRows } from '#app/platform/database/rows.server.ts'
import type { DataContext, ServerContext } from '#app/platform/database/server-context.server.ts'
import { DAY_MS, HOUR_MS } from '#app/platform/days.server.ts'
import type { Mailer } from '#app/platform/mail/mail.server.ts'
import { type MailSite, mailOf } from '#app/platform/mail/mail-layout.server.ts'
import { unsubscribeHeaders } from '#app/platform/mail/unsubscribe.server.ts'
import type { Flags } from '#app/platform/operations/flags.ts'
import type { TaskKind } from '#app/platform/queue/queue.server.ts'
import { isOpenNotice } from '../contact/contact-queries.server.ts'
import { MAIL_NAMES } from './administration.ts'
import {
  WAITING_COUNTED,
  WAITING_KINDS,
  type WaitingItem,
  type WaitingKind,
  waitingLine,
} from './waiting.ts'

const DECIDES: Record<WaitingKind, (actor: Actor) => boolean> = {
  reports: may.moderate,
  appeals: may.moderate,
  claims: may.openAdminPanel,
  requests: may.manageCompanyRequests,
  notices: may.readContactMessages,
  messages: may.readContactMessages,
  edits: may.editCompanies,
  mails: may.openAdminPanel,
}

/** A legal notice without an answer on its due date. */
const isLate = (now: Date) =>
  sql`(${isOpenNotice} and answer_by <= ${now.toISOString()}::timestamptz)`

/** Rows of `since`. If there may be many, the oldest come first. */
const rowsOf = (now: Date): Record<WaitingKind, Sql> => ({
  reports: sql`select filed.opened_on as since ${filedCases} where filed.is_open and ${isPostThere}`,
  appeals: sql`
    select filed.opened_on as since ${filedCases}
     where filed.appeal_status = 'open' and ${isPostThere}`,
  claims: sql`
    select claimed_on as since from employer_claims
     where status = 'pending' and is_verified order by number`,
  requests: sql`
    select created_on as since from company_requests where status = 'pending' order by number`,
  notices: sql`
    select created_at as since from contact_messages where ${isLate(now)} order by number`,
  messages: sql`
    select created_at as since from contact_messages
     where status = 'unread' and not ${isLate(now)} order by number`,
  edits: sql`select made_on as since from company_edits where status = 'suggested' order by id`,
  mails: sql`
    select given_up_on as since from job_queue
     where due_at is null and given_up is not null
       and kind = any (${Object.keys(MAIL_NAMES)}::text[])`,
})
/** Everything else is stored by day. */
const BY_HOUR: readonly WaitingKind[] = ['notices', 'messages']

/** What's waiting for this person's decision, where they can open it. Leaves out empty kinds. */
export async function waitingFor(
  { db, now }: DataContext,
  actor: Actor,
  { enableCompanies }: Pick<Flags, 'enableCompanies'>,
): Promise<WaitingItem[]> {
  const kinds = WAITING_KINDS.filter(
    (kind) => DECIDES[kind](actor) && (enableCompanies || kind !== 'edits'),
  )
  if (kinds.length === 0) return []
  const rowsOfKind = rowsOf(now())
  const counts = kinds.map(
    (kind) => sql`
    select ${kind}::text as kind, count(*)::integer as count,
           floor(extract(epoch from min(since)) / 3600)::integer as hour
      from (${rowsOfKind[kind]} limit ${WAITING_COUNTED}) waiting`,
  )
  const rows = await db.query<{ kind: WaitingKind; count: number; hour: number | null }>(
    join(counts, ' union all '),
  )
  const found = new Map(rows.map((row) => [row.kind, row]))
  return kinds.flatMap((kind) => {
    const { count = 0, hour = null } = found.get(kind) ?? {}
    return count > 0 ? { kind, count, age: hour === null ? null : ageOf(kind, hour, now()) } : []
  })
}

/** @param hour since 1970 */
function ageOf(kind: WaitingKind, hour: number, now: Date) {
  const hours = Math.floor(now.getTime() / HOUR_MS) - hour
  const days = Math.floor(now.getTime() / DAY_MS) - Math.floor(hour / 24)
  // The clock may have been set back, so never below 0.
  return BY_HOUR.includes(kind)
    ? { n: Math.max(hours, 0), unit: 'hour' as const }
    : { n: Math.max(days, 0), unit: 'day' as const }
}

/**
 * A daily email to people who decide, if something is waiting for them. It says how much and since
 * when, without names or posts, because people read emails over each other's shoulders. D58.
 */
export const WAITING_MAIL_TASK: TaskKind<WaitingPayload> = 'waiting-mail'

/** We count what's waiting when the email goes out. */
export interface WaitingPayload {
  sealedEmail: string
  unsubscribe: string
}

export type StaffMailSettings = Pick<
  AuthSettings,
  'ownerEmail' | 'adminSecondFactor' | keyof MailSite
>
type Settings = StaffMailSettings & { flags: Pick<Flags, 'enableCompanies'> }

export interface Recipient {
  id: string
  emailSealed: string
  emailHash: string
  isAdmin: boolean
}

/** People whose role is active. @param which by `role`. Without it, those who didn't turn the daily email off */
export const recipients = (
  { adminSecondFactor }: Pick<StaffMailSettings, 'adminSecondFactor'>,
  which = sql`role.wants_mail`,
) => sql`
  select account.id, account.email_sealed as "emailSealed", account.email_hash as "emailHash",
         role.is_admin as "isAdmin"
    from (select id, true as is_admin, wants_mail from admin_users
          union all select id, false, wants_mail from moderators
           where not exists (select from employer_claims claim
                              where claim.account_id = moderators.id and claim.status = 'approved')
         ) role
    join accounts account using (id)
   where ${which} and account.is_email_confirmed and not account.is_suspended
     and (${adminSecondFactor === 'offered'}
          or exists (select from second_factors
                      where account_id = account.id and is_verified))`

const roleOf = (
  secrets: ServerContext['secrets'],
  { isAdmin, emailHash }: Recipient,
  owner?: string,
) => {
  if (!isAdmin) return 'moderator'
  return owner !== undefined && addressHash(secrets, owner) === emailHash ? 'owner' : 'admin'
}

/** A stand-in actor for permission checks. */
const actorWithRole = (role: Role): Actor => ({ ...visitor, role })

/** Queues an email for everyone with something to decide: all of them, or none if it fails. */
export async function queueWaitingMails(base: ServerContext, settings: Settings) {
  const { secrets, queue } = base
  await base.db.transaction(async (db) => {
    const people = await db.query<Recipient>(recipients(settings))
    const addressed = mapRows('waiting mails', people, (recipient) => ({
      recipient,
      address: addressOf(secrets, recipient),
    }))
    for (const { recipient, address } of addressed) {
      const role = roleOf(secrets, recipient, settings.ownerEmail)
      if ((await waitingFor({ ...base, db }, actorWithRole(role), settings.flags)).length === 0)
        continue
      const payload: WaitingPayload = {
        // Sealed again, so nothing in the queue equals anything in the accounts.
        sealedEmail: secrets.seal(address),
        unsubscribe: unsubscribeToken(secrets, recipient.id, 'waiting'),
      }
      await queue.enqueue(db, WAITING_MAIL_TASK, payload)
    }
  })
}

/** Sends one email, if the person still wants it and something is still waiting. */
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
  const people = await db.query<Recipient>(sql`
    select * from (${recipients(settings)}) recipient where id = ${id ?? null}::uuid`)
  const [recipient] = people
  if (!recipient || addressOf(secrets, recipient) !== to) return
  const role = roleOf(secrets, recipient, settings.ownerEmail)
  const waiting = await waitingFor(base, actorWithRole(role), settings.flags)
  if (waiting.length === 0) return
  const link = `${siteUrl()}/unsubscribe?token=${unsubscribe}`
  const page = role === 'moderator' ? '/admin/moderation' : '/admin-panel'
  const mail = mailOf(settings, {
    subject: `Waiting for you on ${siteName}`,
    heading: 'Waiting for you',
    paragraphs: [
      ...waiting.map((item) => `${waitingLine(item)}.`),
      'You’ll find the details on the site. We keep them out of emails, where someone could read them over your shoulder.',
    ],
    action: { label: 'Take a look', href: `${siteUrl()}${page}` },
    note: `You get this email once a day, while something is waiting, because you help run ${siteName}. Unsubscribe: ${link}`,
  })
  await mailer.send({
    to,
    ...mail,
    headers: unsubscribeHeaders(link),
  })
}
