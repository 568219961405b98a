/** Companies' replies for moderation, which has already checked permissions. */
import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { ownCompanyIds } from '#app/companies/claims/claim-queries.server.ts'
import { companyPath } from '#app/companies/company.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { type HideAs, NO_AUTHOR, type PostView } from '../reports/post-moderation.server.ts'
import type { HiddenState } from '../reports/report.ts'
import { whenOf } from './reply-queries.server.ts'

export const moderatedCompanyReplies = {
  lock: lockReply,
  views: (db: Database, ids: string[]) => viewReplies(db, sql`reply.id = any (${ids}::uuid[])`),
  hide: hideCompanyReply,
  hiddenOf: async (ctx: Ctx) =>
    viewReplies(
      ctx.db,
      sql`reply.hidden is not null
          and reply.company_id = any (${await ownCompanyIds(ctx)}::uuid[])`,
    ),
}

async function lockReply(db: Database, id: string) {
  const [reply] = await db.query<{
    companyId: string
    hidden: HiddenState | null
    hiddenReason: string | null
  }>(sql`
    select company_id as "companyId", hidden, hidden_reason as "hiddenReason"
      from company_replies where id = ${id} for update`)
  return reply && { ...reply, ...NO_AUTHOR }
}

/** Returns the thread or note it replies to, because pages with that have changed. */
async function hideCompanyReply(db: Database, id: string, as: HideAs) {
  const [reply] = await db.query<{ companyId: string; threadId: string | null }>(sql`
    update company_replies
       set hidden = ${as?.state ?? null}, hidden_reason = ${as?.reason ?? null}
     where id = ${id} returning company_id as "companyId", thread_id as "threadId"`)
  return reply
}

interface RawCompanyReply extends Omit<PostView, 'thread' | 'href' | 'company' | 'author'> {
  threadId: string | null
  noteId: string | null
  isOfInterview: boolean
  company: { id: string; name: string; slug: string | null }
}

async function viewReplies(db: Database, condition: Sql): Promise<PostView[]> {
  const replies = await db.query<RawCompanyReply>(sql`
    select reply.id, reply.html, reply.hidden, reply.hidden_reason as "hiddenReason",
           reply.thread_id as "threadId", reply.note_id as "noteId",
           exists (select from public_interviews where id = reply.note_id) as "isOfInterview",
           ${whenOf(sql`reply.first_minute`)} as "postedAt",
           false as "isLocked", false as "isPinned",
           json_build_object('id', company.id, 'name', company.name, 'slug', company.slug) as company
      from company_replies reply join companies company on company.id = reply.company_id
     where ${condition} order by reply.first_minute desc, reply.id desc`)
  return replies.map(({ threadId, noteId, isOfInterview, company, ...reply }) => {
    const path = companyPath(company)
    const tab = isOfInterview ? 'interviews' : 'ratings'
    // A thread's address works without its readable tail.
    const href = threadId === null ? `${path}?tab=${tab}#note-${noteId}` : `/thread/${threadId}`
    return {
      ...reply,
      thread: { id: null, title: `A reply from ${company.name}`, path: href },
      href,
      company: { id: company.id, name: company.name, path },
      author: null,
    }
  })
}
