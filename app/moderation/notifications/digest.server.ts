/**
 * Emails about news, for members who want them. An email only says how much news there is: no title, company, name
 * or text, because people read emails over each other's shoulders.
 */
import sql from 'sql-template-tag'
import { addressOf } from '#app/api/auth/addresses.server.ts'
import { openAccountRoot } from '#app/api/auth/roots.server.ts'
import { mapRows } from '#app/platform/database/rows.server.ts'
import { sealContext } from '#app/platform/database/sealed-columns.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/server-context.server.ts'
import type { Mailer } from '#app/platform/mail/mail.server.ts'
import { type MailSite, mailOf } from '#app/platform/mail/mail-layout.server.ts'
import { unsubscribeHeaders } from '#app/platform/mail/unsubscribe.server.ts'
import type { TaskKind } from '#app/platform/queue/queue.server.ts'
import {
  accountOfToken,
  DIGEST_ACCOUNT,
  digestAccountHash,
  unsubscribeToken,
} from './digest-choice.server.ts'
import type { Digest } from './notification.ts'
import { notificationKeysOf } from './notification-keys.server.ts'
import {
  isVisible,
  type NotificationSettings,
  notificationsWithThread,
  shownCount,
} from './notification-queries.server.ts'

/** How many members we check together. */
const BATCH = 200

export const DIGEST_MAIL_TASK: TaskKind<DigestPayload> = 'digest-mail'

type DigestFrequency = Exclude<Digest, 'off'>

interface Counts {
  replies: number
  mentions: number
  decisions: number
  /** The number of rows about companies, no matter how much each counts. */
  alerts: number
  /** The number of rows about jobs, no matter how much each counts. */
  jobs: number
}

/** What's in the queue: numbers, plus the sealed address and account. */
export interface DigestPayload extends Counts {
  sealedEmail: string
  unsubscribe: string
}

interface SubscriberRow {
  id: string
  emailSealed: string
  rootSealed: string
}

/** A `SubscriberRow`, opened. */
interface Subscriber {
  id: string
  address: string
  root: Buffer
}

/**
 * Queues an email for each member who wants one this often and has news that no email has mentioned. Marking and
 * queueing is one transaction per person, so a retry leaves no one out and emails no one twice.
 */
export async function queueDigests(
  base: ServerContext,
  frequency: DigestFrequency,
  settings: NotificationSettings,
) {
  let after = ''
  for (;;) {
    const batch = await choicesAfter(base, frequency, after)
    const subscribers = await subscribersOf(base, batch)
    for (const subscriber of await withNotifications(base, subscribers, settings))
      await queueDigest(base, subscriber, settings)
    const last = batch.at(-1)
    if (batch.length < BATCH || !last) return
    after = last.accountHash
  }
}

interface Choice {
  accountHash: string
  accountSealed: string
}

const choicesAfter = ({ db }: ServerContext, frequency: DigestFrequency, after: string) =>
  db.query<Choice>(sql`
    select account_hash as "accountHash", account_sealed as "accountSealed" from digests
     where account_hash > ${after} and every = ${frequency}
     order by account_hash limit ${BATCH}`)

/** People who may get emails. We delete choices of deleted accounts now, because nothing refers to them. */
async function subscribersOf({ db, secrets }: ServerContext, batch: Choice[]) {
  const hashes = new Map(
    mapRows('digests', batch, ({ accountHash, accountSealed }): [string, string] => [
      secrets.open(accountSealed, sealContext(DIGEST_ACCOUNT, accountHash)),
      accountHash,
    ]),
  )
  const accounts = await db.query<SubscriberRow & { mayGet: boolean }>(sql`
    select id, email_sealed as "emailSealed", root_sealed as "rootSealed",
           is_email_confirmed and not is_suspended as "mayGet"
      from accounts where id = any (${[...hashes.keys()]}::uuid[])`)
  for (const { id } of accounts) hashes.delete(id)
  await db.query(
    sql`delete from digests where account_hash = any (${[...hashes.values()]}::text[])`,
  )
  return mapRows(
    'digests',
    accounts.filter(({ mayGet }) => mayGet),
    (account): Subscriber => ({
      id: account.id,
      address: addressOf(secrets, account),
      root: openAccountRoot(secrets, account.id, account.rootSealed),
    }),
  )
}

const isUnmailed = sql`not notification.is_read and not notification.is_mailed`

/** We only know in memory, while this runs, whose news is whose. */
async function withNotifications(
  base: ServerContext,
  batch: Subscriber[],
  settings: NotificationSettings,
) {
  const keys = await notificationKeysOf(
    base,
    batch.map(({ root }) => root),
  )
  const rows = await base.db.query<{ nth: number }>(sql`
    select distinct own.nth
      from unnest(${keys.flat()}::bytea[],
                  ${keys.flatMap((theirs, nth) => theirs.map(() => nth))}::integer[])
             as own (own_row_key, nth)
      join notifications notification using (own_row_key) left join threads thread on thread.id = notification.thread_id
     where ${isUnmailed} and ${isVisible(base, settings)}`)
  const found = new Set(rows.map(({ nth }) => nth))
  return batch
    .map((subscriber, nth) => ({ ...subscriber, keys: keys[nth] as Buffer[] }))
    .filter((_, nth) => found.has(nth))
}

const queueDigest = (
  base: ServerContext,
  { keys, ...account }: Subscriber & { keys: Buffer[] },
  settings: NotificationSettings,
) =>
  transaction(base, async ({ db, now, queue, secrets }) => {
    const [counts] = await db.query<Counts>(sql`
      with mailed as (
        update notifications notification set is_mailed = true
         where id in (select notification.id from ${notificationsWithThread}
                       where notification.own_row_key = any (${keys}::bytea[]) and ${isUnmailed}
                         and ${isVisible({ now }, settings)})
           and ${isUnmailed}
        returning kind, event, ${shownCount} as count)
      select coalesce(sum(count) filter (where kind in ('reply', 'company-reply')), 0)::integer as replies,
             coalesce(sum(count) filter (where kind = 'mention'), 0)::integer as mentions,
             (count(*) filter (where kind = 'moderation'))::integer as decisions,
             (count(*) filter (where kind = 'alert' and event <> 'job'))::integer as alerts,
             (count(*) filter (where event = 'job'))::integer as jobs from mailed`)
    // Skip people who've read their news in the meantime.
    if (!counts || countsSentence(counts) === '') return
    const payload: DigestPayload = {
      ...counts,
      // Sealed again, so nothing in the queue equals anything in the accounts.
      sealedEmail: secrets.seal(account.address),
      unsubscribe: unsubscribeToken(secrets, account.id),
    }
    await queue.enqueue(db, DIGEST_MAIL_TASK, payload)
  })

/** The task that sends one email, if the person still wants it and still has that address. */
export async function sendDigest(
  { db, secrets }: Pick<ServerContext, 'db' | 'secrets'>,
  mailer: Pick<Mailer, 'send'>,
  site: MailSite,
  { sealedEmail, unsubscribe, ...counts }: DigestPayload,
) {
  const to = secrets.open(sealedEmail)
  const id = accountOfToken(secrets, unsubscribe)
  if (!id) return
  const [account] = await db.query<Omit<SubscriberRow, 'rootSealed'>>(sql`
    select id, email_sealed as "emailSealed" from accounts
     where id = ${id} and is_email_confirmed and not is_suspended
       and exists (select from digests where account_hash = ${digestAccountHash(secrets, id)})`)
  if (!account || addressOf(secrets, account) !== to) return
  const link = `${site.siteUrl()}/unsubscribe?token=${unsubscribe}`
  const mail = mailOf(site, {
    subject: `News for you on ${site.siteName}`,
    heading: 'You have news',
    paragraphs: [
      countsSentence(counts),
      'Read it on the site. We keep it out of emails, where someone could read it over your shoulder.',
    ],
    action: { label: 'Read it', href: `${site.siteUrl()}/notifications` },
    note: `You asked for these emails. Unsubscribe: ${link}`,
  })
  await mailer.send({
    to,
    ...mail,
    headers: unsubscribeHeaders(link),
  })
}

/** "4 replies to your posts, 1 mention, 1 moderator decision." Empty if there's nothing. */
function countsSentence({ replies, mentions, decisions, alerts, jobs }: Counts) {
  const parts = [
    replies > 0 && `${replies} ${replies === 1 ? 'reply' : 'replies'} to your posts`,
    mentions > 0 && `${mentions} ${mentions === 1 ? 'mention' : 'mentions'}`,
    decisions > 0 &&
      `${decisions} ${decisions === 1 ? 'moderator decision' : 'moderator decisions'}`,
    alerts > 0 &&
      (alerts === 1
        ? '1 alert about a company you follow'
        : `${alerts} alerts about companies you follow`),
    jobs > 0 && (jobs === 1 ? '1 alert about new jobs' : `${jobs} alerts about new jobs`),
  ].filter(Boolean)
  return parts.length === 0 ? '' : `${parts.join(', ')}.`
}
