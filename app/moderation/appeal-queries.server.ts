/** How authors see decisions about their posts, and who decides their appeals. */
import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'
import { isSameKey, ownThreadKey } from '#app/community/discussions/posts/own-posts.server.ts'
import type { PostView } from '#app/community/reports/post-moderation.server.ts'
import type { MyModeratedPost } from '#app/community/reports/report.contract.ts'
import type { HiddenState, PostKind } from '#app/community/reports/report.ts'
import { ownCompanyIds } from '#app/companies/claims/claim-queries.server.ts'
import type { Reason } from '#app/identity/accounts/suspension.ts'
import { suspensionOf } from '#app/identity/accounts/suspension-rules.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { moderatedNotes } from '#app/ratings/moderated-notes.server.ts'
import { isRatingOfKeys } from '#app/ratings/rating-tag.server.ts'
import { filedCases } from './cases.server.ts'
import { ownHidden, postOf } from './posts.server.ts'

/**
 * Whether this moderator may decide the appeal of a case `filed`. If there are others, neither the one who
 * removed the post nor its author decides. Authors only have to leave it to others if there's a third
 * moderator, because otherwise no one could decide. Removers have to as soon as there's any other, because
 * otherwise the answer would reveal that the only other one is the author.
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

/**
 * The appealed posts that are this moderator's own. Each thread has its own keys for people, so the query can't
 * tell.
 */
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

/** The caller's hidden notes, which don't have an author's key. */
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

interface OwnCase {
  id: string
  note: string | null
  appeal: MyModeratedPost['appeal']
}

/** The caller's hidden posts, and until when the caller can't post. */
export async function myModeration(ctx: Ctx) {
  const { db } = ctx
  const root = rootOf(ctx)
  if (!root) return { posts: [], suspension: null }
  const views = await ownHidden(ctx)
  const cases = await casesOf(
    db,
    views.map(({ view }) => view.id),
  )
  return {
    posts: views.map(({ kind, view }) =>
      ownView(
        kind,
        view,
        cases.find(({ id }) => id === view.id),
      ),
    ),
    suspension: (await suspensionOf(ctx, root)) ?? null,
  }
}

/** The state of a note. Its holder asks with keys, without an account. */
export async function noteByKey(ctx: Ctx, id: string, keys: string[]) {
  if (!(await isRatingOfKeys(ctx, id, keys))) return { post: null }
  const [view] = await moderatedNotes.views(ctx.db, [id])
  const [itsCase] = await casesOf(ctx.db, [id])
  return { post: view?.hidden ? ownView('note', view, itsCase) : null }
}

const casesOf = (db: Database, ids: string[]) =>
  db.query<OwnCase>(sql`
    select ${postOf(sql`filed`)}, note, appeal_status as appeal from moderation_cases filed
     where thread_id = any (${ids}::uuid[])
        or comment_id = any (${ids}::uuid[]) or note_id = any (${ids}::uuid[])
        or job_id = any (${ids}::uuid[]) or reply_id = any (${ids}::uuid[])
        or room_post_id = any (${ids}::uuid[])`)

function ownView(kind: PostKind, view: PostView, itsCase: OwnCase | undefined): MyModeratedPost {
  const { id, thread, html, hidden, hiddenReason } = view
  const isRemoved = hidden === 'removed'
  const appeal = itsCase?.appeal ?? null
  return {
    kind,
    id,
    thread,
    html,
    state: hidden as HiddenState,
    reason: isRemoved ? (hiddenReason as Reason | null) : null,
    note: isRemoved ? (itsCase?.note ?? null) : null,
    appeal,
    canAppeal: isRemoved && appeal === null,
  }
}
