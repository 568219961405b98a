/** Everyone gets the same response, except from `replySource`. */

import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { actsFor } from '#app/companies/claims/claim-queries.server.ts'
import { requireToActFor } from '#app/companies/claims/claim-rules.server.ts'
import { companyPath } from '#app/companies/company.ts'
import type { Counter } from '#app/platform/database/counter.server.ts'
import { notFound } from '#app/platform/http/refusal.ts'
import type { CompanyReply, ReplyVersion } from './reply.contract.ts'
import { COMPANY_REPLY_REFUSALS } from './reply.ts'

const VERSIONS_PAGE = 20

/** Minutes since 1970 as ISO text. Below a note, just the month. */
export const whenOf = (minute: Sql) => sql`
  to_char(to_timestamp(${minute} * 60.0) at time zone 'UTC',
          case when reply.note_id is null then 'YYYY-MM-DD"T"HH24:MI"Z"' else 'YYYY-MM' end)`

const asJson = sql`
  json_build_object('id', reply.id, 'html', reply.html,
    'writtenAt', ${whenOf(sql`reply.first_minute`)}, 'isEdited', reply.version > 1,
    'company', json_build_object('id', replier.id, 'name', replier.name, 'slug', replier.slug,
                                 'logoUrl', replier.logo_url))`

const replies = sql`company_replies reply join companies replier on replier.id = reply.company_id`

/** A column for a query of `threads thread`: the reply of the company that it is about now. */
export const replyToThread = sql`
  (select ${asJson} from ${replies}
    where reply.thread_id = thread.id and reply.company_id = thread.company_id
      and reply.hidden is null)`

/** A column for a query of notes, which leaves out hidden ones and therefore their replies. @param table of the notes */
export const replyToNote = (table: Sql) => sql`
  (select ${asJson} from ${replies} where reply.note_id = ${table}.id and reply.hidden is null)`

export interface RawCompanyReply extends Omit<CompanyReply, 'company'> {
  company: { id: string; name: string; slug: string | null; logoUrl: string | null }
}

export const companyReplyOf = (reply: RawCompanyReply | null): CompanyReply | null =>
  reply && {
    ...reply,
    company: {
      name: reply.company.name,
      path: companyPath(reply.company),
      logoUrl: reply.company.logoUrl,
    },
  }

/** @throws Refusal not-found */
export async function replyById({ db }: Pick<Ctx, 'db'>, id: string): Promise<CompanyReply> {
  const [row] = await db.query<{ reply: RawCompanyReply }>(sql`
    select ${asJson} as reply from ${replies} where reply.id = ${id}`)
  const reply = companyReplyOf(row?.reply ?? null)
  if (!reply) throw notFound(COMPANY_REPLY_REFUSALS.notFound)
  return reply
}

/** Whether `reply` (a row of `company_replies`) and its thread or note are visible, and still about its company. */
const isShown = sql`
  reply.hidden is null and (exists (select from threads
            where id = reply.thread_id and company_id = reply.company_id and hidden is null)
   or exists (select from public_ratings
               where id = reply.note_id and note <> '' and note_hidden is null)
   or exists (select from public_interviews
               where id = reply.note_id and note <> '' and note_hidden is null))`

/**
 * Newest first. @param before returns only versions older than this @throws Refusal not-found, also
 * while its thread or note is hidden
 */
export async function replyVersions({ db }: Pick<Ctx, 'db'>, id: string, before?: number) {
  const [shown] = await db.query(sql`
    select from company_replies reply where id = ${id} and ${isShown}`)
  if (!shown) throw notFound(COMPANY_REPLY_REFUSALS.notFound)
  const rows = await db.query<ReplyVersion>(sql`
    select earlier.version, earlier.html, ${whenOf(sql`earlier.written_minute`)} as "writtenAt"
      from company_reply_versions earlier join company_replies reply on reply.id = earlier.reply_id
     where earlier.reply_id = ${id}
           ${before === undefined ? sql`` : sql`and earlier.version < ${before}`}
     order by earlier.version desc limit ${VERSIONS_PAGE + 1}`)
  const versions = rows.slice(0, VERSIONS_PAGE)
  return { versions, next: rows.length > VERSIONS_PAGE ? (versions.at(-1)?.version ?? null) : null }
}

/** A reply's source, for editing. @throws Refusal sign-in-required, not-found, forbidden */
export async function replySource(ctx: Ctx, id: string) {
  const [reply] = await ctx.db.query<{ companyId: string; text: string; version: number }>(sql`
    select company_id as "companyId", body as text, version from company_replies
     where id = ${id}`)
  if (!reply) throw notFound(COMPANY_REPLY_REFUSALS.notFound)
  const { companyId, ...source } = reply
  await requireToActFor(ctx, companyId)
  return source
}

export const replyRights = async (ctx: Ctx, companyId: string) => ({
  canReply: await actsFor(ctx, companyId),
})

const counted = sql`
  select reply.id, (1 + count(earlier.version))::integer as version
    from company_replies reply left join company_reply_versions earlier on earlier.reply_id = reply.id
   group by reply.id`

export const replyCounters: Counter[] = [
  {
    compared: sql`
      select 'A reply by ' || company.name, 'version', stored.version::text, counted.version::text
        from company_replies stored join companies company on company.id = stored.company_id
        join (${counted}) counted on counted.id = stored.id`,
    recount: [
      sql`
      update company_replies stored set version = counted.version from (${counted}) counted
       where counted.id = stored.id and stored.version <> counted.version`,
    ],
    tables: ['company_replies', 'company_reply_versions'],
  },
]
