/**
 * Mails about news, for members who chose them. A mail says how many and nothing else: no title, no
 * company, no name, nothing that was written, because mails are read over shoulders.
 */
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { addressOf } from '#app/api/auth/addresses.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { requireAccount, unconfirmed } from '#app/api/auth/require.server.ts'
import { openRoot } from '#app/api/auth/roots.server.ts'
import { setWaitingMail } from '#app/identity/accounts/administrators/admin-commands.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/context.server.ts'
import { mapRows } from '#app/platform/database/rows.server.ts'
import { placeIn, type SealedColumn } from '#app/platform/database/sealed-columns.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import type { LinkPages } from '#app/platform/http/html.server.ts'
import type { Mailer } from '#app/platform/mail/mail.server.ts'
import { mailOf } from '#app/platform/mail/mail-layout.server.ts'
import {
  type EndingText,
  endingToken,
  idOfEndingToken,
  registerEndingPage,
  unsubscribeHeaders,
} from '#app/platform/mail/unsubscribe.server.ts'
import { newsKeysOf } from './news-keys.server.ts'
import type { Digest } from './notification.ts'
import {
  isVisible,
  type NewsSettings,
  newsWithThread,
  shownCount,
} from './notification-queries.server.ts'

/** Members looked at together. */
const BATCH = 200
const MONDAY = 1

export const DIGEST_MAIL = 'digest-mail'

interface Counts {
  replies: number
  mentions: number
  decisions: number
  /** Rows about companies, however much each of them counts. */
  alerts: number
  /** The same of jobs. */
  jobs: number
}

/** What's in the queue: numbers, and the address and the account, sealed. */
export interface DigestPayload extends Counts {
  sealedEmail: string
  unsubscribe: string
}

interface SubscriberRow {
  id: string
  emailSealed: string
  rootSealed: string
}

/** The same, opened. */
interface Subscriber {
  id: string
  address: string
  root: Buffer
}

/**
 * Queues a mail for each member who wants one and has news that no mail told; weekly ones on Mondays (UTC).
 * Marking and queueing is one transaction per person, so a retry leaves no one out and tells no one twice.
 */
export async function queueDigests(base: ServerContext, settings: NewsSettings) {
  let after = ''
  for (;;) {
    const batch = await choicesAfter(base, after)
    const subscribers = await subscribersOf(base, batch)
    for (const subscriber of await withNews(base, subscribers, settings))
      await queueDigest(base, subscriber, settings)
    const last = batch.at(-1)
    if (batch.length < BATCH || !last) return
    after = last.reader
  }
}

interface Choice {
  reader: string
  accountSealed: string
}

const choicesAfter = ({ db, now }: ServerContext, after: string) =>
  db.query<Choice>(sql`
    select reader, account_sealed as "accountSealed" from digests
     where reader > ${after} and (every = 'daily' or ${now().getUTCDay() === MONDAY})
     order by reader limit ${BATCH}`)

/** People who may get mails. Choices of deleted accounts go now, because nothing refers to them. */
async function subscribersOf({ db, secrets }: ServerContext, batch: Choice[]) {
  const readers = new Map(
    mapRows('digests', batch, ({ reader, accountSealed }): [string, string] => [
      secrets.open(accountSealed, placeIn(DIGEST_ACCOUNT, reader)),
      reader,
    ]),
  )
  const accounts = await db.query<SubscriberRow & { mayGet: boolean }>(sql`
    select id, email_sealed as "emailSealed", root_sealed as "rootSealed",
           is_email_confirmed and not is_suspended as "mayGet"
      from accounts where id = any (${[...readers.keys()]}::uuid[])`)
  for (const { id } of accounts) readers.delete(id)
  await db.query(sql`delete from digests where reader = any (${[...readers.values()]}::text[])`)
  return mapRows(
    'digests',
    accounts.filter(({ mayGet }) => mayGet),
    (account): Subscriber => ({
      id: account.id,
      address: addressOf(secrets, account),
      root: openRoot(secrets, account.id, account.rootSealed),
    }),
  )
}

const isUntold = sql`not news.is_read and not news.is_mailed`

/** Whose news is whose is known only in memory, while this runs. */
async function withNews(base: ServerContext, batch: Subscriber[], settings: NewsSettings) {
  const keys = await newsKeysOf(
    base,
    batch.map(({ root }) => root),
  )
  const rows = await base.db.query<{ nth: number }>(sql`
    select distinct own.nth
      from unnest(${keys.flat()}::bytea[],
                  ${keys.flatMap((theirs, nth) => theirs.map(() => nth))}::integer[])
             as own (mine, nth)
      join notifications news using (mine) left join threads thread on thread.id = news.thread_id
     where ${isUntold} and ${isVisible(base, settings)}`)
  const found = new Set(rows.map(({ nth }) => nth))
  return batch
    .map((subscriber, nth) => ({ ...subscriber, keys: keys[nth] as Buffer[] }))
    .filter((_, nth) => found.has(nth))
}

const queueDigest = (
  base: ServerContext,
  { keys, ...account }: Subscriber & { keys: Buffer[] },
  settings: NewsSettings,
) =>
  transaction(base, async ({ db, now, jobs, secrets }) => {
    const [counts] = await db.query<Counts>(sql`
      with mailed as (
        update notifications news set is_mailed = true
         where id in (select news.id from ${newsWithThread}
                       where news.mine = any (${keys}::bytea[]) and ${isUntold}
                         and ${isVisible({ now }, settings)})
           and ${isUntold}
        returning kind, event, ${shownCount} as count)
      select coalesce(sum(count) filter (where kind in ('reply', 'company-reply')), 0)::integer as replies,
             coalesce(sum(count) filter (where kind = 'mention'), 0)::integer as mentions,
             (count(*) filter (where kind = 'moderation'))::integer as decisions,
             (count(*) filter (where kind = 'alert' and event <> 'job'))::integer as alerts,
             (count(*) filter (where event = 'job'))::integer as jobs from mailed`)
    // Read in the meantime.
    if (!counts || sentenceOf(counts) === '') return
    const payload: DigestPayload = {
      ...counts,
      // Sealed again, so nothing in the queue equals anything in the accounts.
      sealedEmail: secrets.seal(account.address),
      unsubscribe: unsubscribeToken(secrets, account.id),
    }
    await jobs.enqueue(db, DIGEST_MAIL, payload)
  })

/** The job that sends one mail, if its person still wants it and still has that address. */
export async function sendDigest(
  { db, secrets }: Pick<ServerContext, 'db' | 'secrets'>,
  mailer: Pick<Mailer, 'send'>,
  { siteName, siteUrl }: { siteName: string; siteUrl: () => string },
  { sealedEmail, unsubscribe, ...counts }: DigestPayload,
) {
  const to = secrets.open(sealedEmail)
  const id = accountOfToken(secrets, unsubscribe)
  if (!id) return
  const [account] = await db.query<Omit<SubscriberRow, 'rootSealed'>>(sql`
    select id, email_sealed as "emailSealed" from accounts
     where id = ${id} and is_email_confirmed and not is_suspended
       and exists (select from digests where reader = ${digestReader(secrets, id)})`)
  if (!account || addressOf(secrets, account) !== to) return
  const link = `${siteUrl()}/unsubscribe?token=${unsubscribe}`
  const mail = mailOf({
    siteName,
    siteUrl: siteUrl(),
    subject: `News for you on ${siteName}`,
    heading: 'You have news',
    paragraphs: [
      sentenceOf(counts),
      'Read it on the site. We keep it out of emails, which are easily read over your shoulder.',
    ],
    action: { label: 'Read it', href: `${siteUrl()}/notifications` },
    note: `You asked for these emails. Unsubscribe: ${link}`,
  })
  await mailer.send({
    to,
    ...mail,
    headers: unsubscribeHeaders(link),
  })
}

/** "4 replies to your posts, 1 mention, 1 moderator decision."; empty if there's nothing. */
function sentenceOf({ replies, mentions, decisions, alerts, jobs }: Counts) {
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

/** A member without a row gets no mails. */
export const DIGEST_ACCOUNT: SealedColumn = {
  table: 'digests',
  column: 'account_sealed',
  key: 'reader',
  type: 'text',
}

/** An account, as the table of digests knows it. The table alone doesn't tell which. */
export const digestReader = (secrets: Secrets, accountId: string) =>
  secrets.hash('digest', accountId)

export async function ownDigest(ctx: Ctx): Promise<{ digest: Digest }> {
  const { id } = requireAccount(ctx)
  const [choice] = await ctx.db.query<{ digest: Digest }>(
    sql`select every as digest from digests where reader = ${digestReader(ctx.secrets, id)}`,
  )
  return choice ?? { digest: 'off' }
}

/** @throws Refusal forbidden while the address isn't confirmed */
export async function chooseDigest(ctx: Ctx, digest: Digest): Promise<{ digest: Digest }> {
  const { id, isEmailConfirmed } = requireAccount(ctx)
  if (digest === 'off') {
    await endDigest(ctx, id)
    return { digest }
  }
  if (!isEmailConfirmed) throw unconfirmed()
  const reader = digestReader(ctx.secrets, id)
  await ctx.db.query(sql`
    insert into digests (reader, account_sealed, every)
    values (${reader}, ${ctx.secrets.seal(id, placeIn(DIGEST_ACCOUNT, reader))}, ${digest})
    on conflict (reader) do update set every = excluded.every`)
  return { digest }
}

/** Anyone with the link of a mail may do this, and do it twice. */
async function endDigest(
  { db, secrets }: Pick<ServerContext, 'db' | 'secrets'>,
  accountId: string,
) {
  await db.query(sql`delete from digests where reader = ${digestReader(secrets, accountId)}`)
}

const WORDS: Record<EndableMails, { ask: EndingText; done: EndingText }> = {
  news: {
    ask: {
      title: 'Unsubscribe from news by email?',
      text: 'One click and we’ll stop. Your news stays on the site.',
    },
    done: {
      title: 'You’re unsubscribed',
      text: 'Your news stays on the site. You can turn these emails back on in your settings.',
    },
  },
  waiting: {
    ask: {
      title: 'Unsubscribe from emails about what’s waiting?',
      text: 'One click and we’ll stop. What’s waiting stays on the site.',
    },
    done: {
      title: 'You’re unsubscribed',
      text: 'What’s waiting stays on the site. You can turn these emails back on in your settings.',
    },
  },
}

const BROKEN = {
  title: 'This link is incomplete',
  text: 'Please open it from the email again, or log in and turn the emails off in your settings.',
}

interface UnsubscribePage extends LinkPages {
  context: Pick<ServerContext, 'db' | 'secrets'>
}

/** Mounts /unsubscribe, where the link at the end of these mails leads. */
export const registerUnsubscribe = (app: FastifyInstance, { context, ...pages }: UnsubscribePage) =>
  registerEndingPage(app, {
    ...pages,
    path: '/unsubscribe',
    tag: 'notifications',
    broken: BROKEN,
    endingOf(token) {
      const mailed = mailedAccount(context.secrets, token)
      if (!mailed) return undefined
      const { id, mails } = mailed
      const end = () =>
        mails === 'waiting' ? setWaitingMail(context, id, false) : endDigest(context, id)
      return { ...WORDS[mails], end }
    },
  })

/** A link carries the right to end one account's mails of a kind. */
const PURPOSES = { news: 'unsubscribe', waiting: 'unsubscribe-waiting' }
/** Mails about news, and mails about what waits to the people who run the site. */
type EndableMails = keyof typeof PURPOSES
const KINDS = Object.keys(PURPOSES) as EndableMails[]

export const unsubscribeToken = (
  secrets: Secrets,
  accountId: string,
  mails: EndableMails = 'news',
) => endingToken(secrets, PURPOSES[mails], accountId)

/** The account whose mails of this kind `token` ends; undefined for any other token. */
export const accountOfToken = (secrets: Secrets, token: string, mails: EndableMails = 'news') =>
  idOfEndingToken(secrets, PURPOSES[mails], token)

/** The same for a token of any kind, with the kind. */
export function mailedAccount(
  secrets: Secrets,
  token: string,
): { id: string; mails: EndableMails } | undefined {
  for (const mails of KINDS) {
    const id = accountOfToken(secrets, token, mails)
    if (id) return { id, mails }
  }
  return undefined
}
