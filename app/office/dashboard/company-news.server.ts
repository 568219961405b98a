/**
 * Daily emails to people who act for a company: the number of new threads and notes about it, and
 * nothing else. Texts that authors delete or moderators hide mustn't stay in a mailbox.
 */

import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { addressOf } from '#app/api/auth/addresses.server.ts'
import { endCompanyNews } from '#app/companies/claims/claim-commands.server.ts'
import { companyPath } from '#app/companies/company.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { DAY_MS, minuteOf } from '#app/platform/days.server.ts'
import type { LinkPages } from '#app/platform/http/html.server.ts'
import type { Mailer } from '#app/platform/mail/mail.server.ts'
import { type MailSite, mailOf } from '#app/platform/mail/mail-layout.server.ts'
import {
  endingToken,
  idOfEndingToken,
  registerEndingPage,
  unsubscribeHeaders,
} from '#app/platform/mail/unsubscribe.server.ts'
import type { TaskKind } from '#app/platform/queue/queue.server.ts'
import { announceNotes } from '#app/ratings/publication.server.ts'

export const COMPANY_NEWS_TASK: TaskKind<CompanyNews> = 'company-news'

/** A queued task: public ids, and the claim that gets the mail. */
export interface CompanyNews {
  claimId: string
  threads: string[]
  notes: string[]
}

/** How much news of a kind an email counts. Beyond that, it says "more than". */
export const NEWS_MAX = 500

/** One transaction per company, so another process finds the day done. */
export async function queueCompanyNews(base: ServerContext) {
  const companies = await base.db.query<{ id: string }>(sql`
    select distinct company_id as id from employer_claims
     where status = 'approved' and wants_news order by company_id`)
  for (const { id } of companies)
    await base.db.transaction((db) => queueNewsOf({ ...base, db }, id))
}

async function queueNewsOf({ db, queue, now }: ServerContext, companyId: string) {
  const minute = minuteOf(now())
  // The first run only stores the time, because older posts are on the site.
  const [begun] = await db.query(sql`
    insert into company_news (company_id, announced_until)
    select id, ${minute} from companies where id = ${companyId}
    on conflict do nothing returning company_id`)
  const [latest] = await db.query<{ until: number }>(sql`
    select announced_until as until from company_news where company_id = ${companyId} for update`)
  const isOfToday = latest !== undefined && dayOfMinute(latest.until) >= dayOfMinute(minute)
  if (!latest || (!begun && isOfToday)) return
  const notes = await announceNotes(db, companyId)
  if (begun) return
  const threads = await db.query<{ id: string }>(sql`
    select id from threads
     where company_id = ${companyId} and hidden is null
       and posted_minute >= ${latest.until} and posted_minute < ${minute}
     order by posted_minute desc limit ${NEWS_MAX + 1}`)
  await db.query(sql`
    update company_news set announced_until = ${minute} where company_id = ${companyId}`)
  if (threads.length + notes.length === 0) return
  const readers = await db.query<{ id: string }>(sql`
    select claim.id from employer_claims claim join accounts account on account.id = claim.account_id
     where claim.company_id = ${companyId} and claim.status = 'approved' and claim.wants_news
       and account.is_email_confirmed and not account.is_suspended`)
  for (const { id: claimId } of readers)
    await queue.enqueue(db, COMPANY_NEWS_TASK, {
      claimId,
      threads: threads.map(({ id }) => id),
      notes: notes.slice(0, NEWS_MAX + 1),
    })
}

const dayOfMinute = (minute: number) => Math.floor((minute * 60_000) / DAY_MS)

interface NewsSite extends MailSite {
  hasThreads: boolean
  hasNotes: boolean
}

interface Reader {
  accountId: string
  emailSealed: string
  company: { id: string; slug: string | null; name: string }
  threads: number
  notes: number
}

/** Sends one email about what people can read now, if the person still acts for the company and wants it. */
export async function sendCompanyNews(
  { db, secrets }: Pick<ServerContext, 'db' | 'secrets'>,
  mailer: Pick<Mailer, 'send'>,
  site: NewsSite,
  { claimId, threads, notes }: CompanyNews,
) {
  const { siteName, siteUrl, hasThreads, hasNotes } = site
  const [reader] = await db.query<Reader>(sql`
    select account.id as "accountId", account.email_sealed as "emailSealed",
           json_build_object('id', c.id, 'slug', c.slug, 'name', c.name) as company,
           (select count(*) from threads
             where ${hasThreads} and id = any (${threads}::uuid[]) and company_id = c.id
               and hidden is null)::integer as threads,
           (select count(*) from public_ratings
             where ${hasNotes} and id = any (${notes}::uuid[]) and company_id = c.id
               and note <> '' and note_hidden is null)::integer as notes
      from employer_claims claim
      join companies c on c.id = claim.company_id
      join accounts account on account.id = claim.account_id
     where claim.id = ${claimId} and claim.status = 'approved' and claim.wants_news
       and account.is_email_confirmed and not account.is_suspended`)
  if (!reader || reader.threads + reader.notes === 0) return
  const { company } = reader
  const link = `${siteUrl()}${NEWS_OFF_PATH}?token=${newsOffToken(secrets, claimId)}`
  const page = siteUrl() + companyPath(company)
  await mailer.send({
    to: addressOf(secrets, { id: reader.accountId, emailSealed: reader.emailSealed }),
    ...mailOf(site, {
      subject: `New on ${siteName}: ${company.name}`,
      heading: `New posts about ${company.name}`,
      paragraphs: [
        newsSentence(reader),
        'You can read them on the site. We keep them out of emails, because authors can delete them.',
      ],
      action: {
        label: 'Read on the site',
        href: reader.threads > 0 ? page : `${page}?tab=ratings`,
      },
      note: `You get this email at most once a day because you act for ${company.name}. Unsubscribe: ${link}`,
    }),
    headers: unsubscribeHeaders(link),
  })
}

/** "3 new threads, 1 rating note." */
export function newsSentence({ threads, notes }: { threads: number; notes: number }): string {
  const parts = [
    threads > 0 && `${many(threads)} new ${threads === 1 ? 'thread' : 'threads'}`,
    notes > 0 && `${many(notes)} ${notes === 1 ? 'rating note' : 'rating notes'}`,
  ].filter(Boolean)
  return `${parts.join(', ')}.`
}

const many = (n: number) => (n > NEWS_MAX ? `more than ${NEWS_MAX}` : String(n))

/** Where such an email's unsubscribe link leads. */
const NEWS_OFF_PATH = '/claims/news-off'

const TEXTS = {
  ask: {
    title: 'Unsubscribe from emails about your company?',
    text: 'Unsubscribe with one click. You’ll still act for the company.',
  },
  done: {
    title: 'You’re unsubscribed',
    text: 'You can turn these emails back on in your settings.',
  },
}

const BROKEN = {
  title: 'This link is incomplete',
  text: 'Please open it from the email again, or turn the emails off in your settings.',
}

interface NewsOffPage extends LinkPages {
  context: Pick<ServerContext, 'db' | 'secrets'>
}

export const registerNewsOff = (app: FastifyInstance, { context, ...pages }: NewsOffPage) =>
  registerEndingPage(app, {
    ...pages,
    path: NEWS_OFF_PATH,
    tag: 'claims',
    broken: BROKEN,
    endingOf(token) {
      const id = claimOfToken(context.secrets, token)
      return id ? { ...TEXTS, end: () => endCompanyNews(context, id) } : undefined
    },
  })

/** Labels the token that unsubscribes one claim. */
const PURPOSE = 'company news off'

export const newsOffToken = (secrets: Secrets, claimId: string) =>
  endingToken(secrets, PURPOSE, claimId)

/** The claim of `token`. Undefined if it isn't such a token. */
export const claimOfToken = (secrets: Secrets, token: string) =>
  idOfEndingToken(secrets, PURPOSE, token)
