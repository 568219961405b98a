/**
 * Public notes of ratings and interviews for moderation, which has already checked permissions. Stars and answers still
 * count, because they can't break a rule. A note leads to no account. Only people's own accounts can compute the tags
 * that find their ratings' notes.
 */
import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { type HideAs, NO_AUTHOR } from '#app/community/reports/post-moderation.server.ts'
import type { HiddenState } from '#app/community/reports/report.ts'
import { companyPath } from '#app/companies/company.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { broadcastNoteRemoval, broadcastRatingChange } from './rating-events.server.ts'
import { ratingTag } from './rating-tag.server.ts'

export const moderatedNotes = {
  lock: lockNote,
  views: (db: Database, ids: string[]) => viewNotes(db, sql`rating.id = any (${ids}::uuid[])`),
  hide: hideNote,
  ownAmong,
  hiddenOf,
}

/** A hidden note stays hidden even if its author empties it. */
const isNote = sql`(note <> '' or note_hidden is not null)`

async function lockNote(db: Database, id: string) {
  const [note] = await db.query<{
    companyId: string
    hidden: HiddenState | null
    hiddenReason: string | null
  }>(sql`
    select company_id as "companyId", note_hidden as hidden, note_hidden_reason as "hiddenReason"
      from (select * from public_ratings where id = ${id} and ${isNote} for update) rated
    union all
    select company_id, note_hidden, note_hidden_reason
      from (select * from public_interviews where id = ${id} and ${isNote} for update) told`)
  return note && { ...note, ...NO_AUTHOR }
}

async function hideNote(db: Database, id: string, as: HideAs) {
  const hiding = sql`
    set note_hidden = ${as?.state ?? null}, note_hidden_reason = ${as?.reason ?? null}
     where id = ${id} and ${isNote} returning company_id as "companyId"`
  const [note] = await db.query<{ companyId: string }>(sql`
    with rated as (update public_ratings ${hiding}), told as (update public_interviews ${hiding})
    select * from rated union all select * from told`)
  if (!note) return
  if (as) await broadcastNoteRemoval(db, note.companyId)
  broadcastRatingChange(db, note.companyId)
}

async function ownAmong(ctx: Ctx, ids: string[]) {
  const { account } = ctx.actor
  if (!account || ids.length === 0) return []
  const notes = await ctx.db.query<{ id: string; givenTo: string; tag: string }>(sql`
    select id, coalesce(merged_from, company_id) as "givenTo", tag from ratings where id = any (${ids}::uuid[])`)
  return notes
    .filter(({ tag, givenTo }) => tag === ratingTag(ctx, account.id, givenTo))
    .map(({ id }) => id)
}

async function hiddenOf(ctx: Ctx) {
  const { account } = ctx.actor
  if (!account) return []
  const companies = await ctx.db.query<{ id: string }>(sql`
    select distinct coalesce(rating.merged_from, shown.company_id) as id
      from public_ratings shown join ratings rating on rating.id = shown.id
     where note_hidden is not null`)
  const tags = companies.map(({ id }) => ratingTag(ctx, account.id, id))
  return viewNotes(
    ctx.db,
    sql`note_hidden is not null and rating.id in (select id from ratings where tag = any (${tags}::text[]))`,
  )
}

interface RawNote {
  id: string
  html: string
  postedAt: string
  hidden: HiddenState | null
  hiddenReason: string | null
  isOfInterview: boolean
  company: { id: string; name: string; slug: string | null }
}

const viewed = sql`id, company_id, month, note, note_html, note_hidden, note_hidden_reason`

async function viewNotes(db: Database, condition: Sql) {
  const notes = await db.query<RawNote>(sql`
    select rating.id, note_html as html, to_char(month, 'YYYY-MM') as "postedAt",
           note_hidden as hidden, note_hidden_reason as "hiddenReason", "isOfInterview",
           json_build_object('id', company.id, 'name', company.name, 'slug', company.slug) as company
      from (select ${viewed}, false as "isOfInterview" from public_ratings
            union all select ${viewed}, true from public_interviews) rating
      join companies company on company.id = rating.company_id
     where ${condition} and ${isNote} order by month desc, rating.id desc`)
  return notes.map(({ company, isOfInterview, ...note }) => {
    const path = companyPath(company)
    const href = `${path}?tab=${isOfInterview ? 'interviews' : 'ratings'}#note-${note.id}`
    const title = isOfInterview ? `An interview at ${company.name}` : `A note about ${company.name}`
    return {
      ...note,
      isLocked: false,
      isPinned: false,
      thread: { id: null, title, path: href },
      href,
      company: { id: company.id, name: company.name, path },
      author: null,
    }
  })
}
