/** Who decides about an appeal. */
import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { isSameKey, ownThreadKey } from '#app/community/discussions/posts/own-posts.server.ts'
import { ownCompanyIds } from '#app/companies/claims/claim-queries.server.ts'
import { moderatedNotes } from '#app/ratings/moderated-notes.server.ts'

/** Each case `filed` with its post, such as `thread`; a stub is no post any more. */
export const filedCases = sql`
  from moderation_cases filed
  left join threads thread on thread.id = filed.thread_id
  left join comments comment on comment.id = filed.comment_id and not comment.is_deleted
  left join threads around on around.id = comment.thread_id
  left join public_ratings note on note.id = filed.note_id
        and (note.note <> '' or note.note_hidden is not null)
  left join job_postings job on job.id = filed.job_id
  left join company_replies reply on reply.id = filed.reply_id
  left join room_posts room on room.id = filed.room_post_id and not room.is_deleted`
export const isPostThere = sql`
  coalesce(thread.id, comment.id, note.id, job.id, reply.id, room.id) is not null`
/** Which company the post of a case is about, or speaks for. */
export const companyOfCase = sql`
  coalesce(thread.company_id, around.company_id, note.company_id, job.company_id, reply.company_id,
    (select coalesce((select company_id from company_merges where id = room.company_id), room.company_id)))`

/**
 * Whether the asking moderator decides the appeal of a case `filed`: another one than who removed
 * the post, and than who wrote it, if there is one. For the author that takes a third moderator, as
 * otherwise nobody could; for the remover any other counts, or the answer would tell that the only
 * other one is the author.
 */
export async function decidesAppeal(ctx: Ctx): Promise<Sql> {
  const { actor } = ctx
  const me = actor.account?.id ?? null
  const another = (but: Sql) => sql`exists (
    select from accounts
     where accounts.id in (select id from admin_users union all select id from moderators)
       and accounts.id <> ${me} and not accounts.is_suspended ${but})`
  const isMine = sql`(
    coalesce(thread.id, comment.id) = any (${await ownPosts(ctx)}::uuid[])
    or note.id = any (${await ownNotes(ctx)}::uuid[])
    or coalesce(job.company_id, reply.company_id) = any (${await ownCompanyIds(ctx)}::uuid[]))`
  return sql`(case
    when filed.decided_by = ${me} then not ${another(sql``)}
    when ${isMine} then not ${another(sql`and accounts.id is distinct from filed.decided_by`)}
    else true end)`
}

/** Each thread knows its people by keys of its own, so the asking moderator's posts are found first. */
async function ownPosts(ctx: Ctx): Promise<string[]> {
  const appealed = await ctx.db.query<{ id: string; threadId: string; key: Uint8Array }>(sql`
    select coalesce(comment.id, thread.id) as id, thread.id as "threadId",
           coalesce(comment.key, thread.key) as key
      from moderation_cases filed left join comments comment on comment.id = filed.comment_id
      join threads thread on thread.id = coalesce(filed.thread_id, comment.thread_id)
     where filed.appeal_status = 'open'`)
  return appealed
    .filter(({ threadId, key }) => isSameKey(key, ownThreadKey(ctx, threadId)))
    .map(({ id }) => id)
}

/** No key says whose a note is, so the asking moderator's own are found first. */
async function ownNotes(ctx: Ctx): Promise<string[]> {
  const appealed = await ctx.db.query<{ id: string }>(sql`
    select note_id as id from moderation_cases
     where appeal_status = 'open' and note_id is not null`)
  return moderatedNotes.ownAmong(
    ctx,
    appealed.map(({ id }) => id),
  )
}

export async function mayDecideAppeal(ctx: Ctx, caseId: string): Promise<boolean> {
  const [answer] = await ctx.db.query<{ mayDecide: boolean }>(sql`
    select ${await decidesAppeal(ctx)} as "mayDecide" ${filedCases} where filed.id = ${caseId}`)
  return answer?.mayDecide === true
}
