/** A case collects what people said and decided about one post. It's created when first needed. */
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Cause, HiddenState, PostKind, PostRef } from '#app/community/reports/report.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import {
  type DataContext,
  type ServerContext,
  transaction,
} from '#app/platform/database/server-context.server.ts'
import { dayOf } from '#app/platform/days.server.ts'
import { enqueueAuthorNotice, hidePost, lockPost, POST_COLUMNS } from './posts.server.ts'

type AppealStatus = 'open' | 'accepted' | 'declined'

export interface CaseRow {
  id: string
  isOpen: boolean
  isCleared: boolean
  note: string | null
  appeal: string | null
  appealStatus: AppealStatus | null
  hasReports: boolean
}

/** What a decision about visibility changes, and an undo restores. */
export interface CaseBefore extends Pick<CaseRow, 'isOpen' | 'isCleared' | 'note'> {
  appealStatus: AppealStatus | null
  hasReports: boolean
  hidden: { state: HiddenState; reason: string | null } | null
}

/** Joins each case `filed` with its post, such as `thread`. A stub isn't a post. */
export const filedCases = sql`
  from moderation_cases filed
  left join threads thread on thread.id = filed.thread_id
  left join comments comment on comment.id = filed.comment_id and not comment.is_deleted
  left join threads around on around.id = comment.thread_id
  left join (select id, company_id, note, note_hidden, note_hidden_reason from public_ratings
             union all
             select id, company_id, note, note_hidden, note_hidden_reason from public_interviews) note
         on note.id = filed.note_id
        and (note.note <> '' or note.note_hidden is not null)
  left join job_postings job on job.id = filed.job_id
  left join company_replies reply on reply.id = filed.reply_id
  left join room_posts room on room.id = filed.room_post_id and not room.is_deleted`
export const isPostThere = sql`
  coalesce(thread.id, comment.id, note.id, job.id, reply.id, room.id) is not null`
/** The company that the post of a case is about, or speaks for. */
export const companyOfCase = sql`
  coalesce(thread.company_id, around.company_id, note.company_id, job.company_id, reply.company_id,
    (select coalesce((select company_id from company_merges where id = room.company_id), room.company_id)))`

const isAbout = ({ kind, id }: PostRef) => sql`${POST_COLUMNS[kind]} = ${id}`

/** Locks the case. Lock its post first. */
export async function lockOrCreateCase(
  { db, now }: DataContext,
  post: PostRef,
  cause: Cause = 'moderator',
): Promise<CaseRow> {
  await db.query(sql`
    insert into moderation_cases (${POST_COLUMNS[post.kind]}, cause, is_open, opened_on)
    values (${post.id}, ${cause}, false, ${dayOf(now())}::date) on conflict do nothing`)
  const [taken] = await db.query<CaseRow>(sql`
    select id, is_open as "isOpen", is_cleared as "isCleared", note, appeal,
           appeal_status as "appealStatus",
           exists (select from reports where case_id = moderation_cases.id and not is_settled)
             as "hasReports"
      from moderation_cases where ${isAbout(post)} for update`)
  return taken as CaseRow
}

/** Puts a case in the moderators' queue. If it's already waiting, it keeps its place and its cause. */
export const openCase = ({ db, now }: DataContext, { id }: CaseRow, cause: Cause) =>
  db.query(sql`
    update moderation_cases
       set is_open = true, cause = ${cause}, opened_on = ${dayOf(now())}::date,
           opened_number = ${nextOf(sql`is_open`, dayOf(now()))}
     where id = ${id} and not is_open`)

/** Puts it after all others of the day. Simultaneous cases may share a number. */
export const nextOf = (waits: Sql, day: string) => sql`
  (select coalesce(max(opened_number), 0) + 1 from moderation_cases
    where ${waits} and opened_on = ${day}::date)`

/** The text has changed since a moderator kept it, so reports may hold the post again. */
export const reopenToReports = (db: Database, post: PostRef) =>
  db.query(sql`
    update moderation_cases set is_cleared = false where ${isAbout(post)} and is_cleared`)

/** Deletes a post's case, unless the database already does. */
export const removeCases = (db: Database, { kind, ids }: { kind: PostKind; ids: string[] }) =>
  db.query(sql`delete from moderation_cases where ${POST_COLUMNS[kind]} = any (${ids}::uuid[])`)

/** Closes a case with a decision, and settles its reports. */
export async function closeCase(db: Database, { id }: CaseRow, also?: Sql) {
  await db.query(sql`
    update moderation_cases set is_open = false ${also ? sql`, ${also}` : empty} where id = ${id}`)
  await db.query(sql`
    update reports set is_settled = true where case_id = ${id} and not is_settled`)
}

export type HoldContext = Pick<ServerContext, 'db' | 'now' | 'queue'>

/**
 * Hides a post until a moderator has reviewed it. No one decided this, so the log names no one. Run it
 * in a transaction that has locked the post.
 */
export async function holdPost(ctx: Pick<ServerContext, 'db' | 'queue'>, post: PostRef) {
  await hidePost(ctx.db, post, { state: 'held', reason: null })
  await enqueueAuthorNotice(ctx, { ...post, event: 'held', reason: null })
}

/**
 * Holds a post because of a moderators' rule. That also becomes the cause of an open case, so the post doesn't lead
 * to others by its author. Skips hidden posts, and those a moderator has kept. D59.
 * @param watched the watch list entries it contains
 */
export const holdByRule = (
  base: HoldContext,
  post: PostRef,
  { cause, watched = null }: { cause: 'watched' | 'first'; watched?: string | null },
) =>
  transaction(base, async (ctx) => {
    const stored = await lockPost(ctx.db, post)
    if (!stored || stored.hidden) return
    const itsCase = await lockOrCreateCase(ctx, post, cause)
    if (itsCase.isCleared) return
    await openCase(ctx, itsCase, cause)
    await ctx.db.query(sql`
      update moderation_cases set cause = ${cause}, watched = ${watched} where id = ${itsCase.id}`)
    await holdPost(ctx, post)
  })
