/** What moderation did to somebody's own posts, and what it did altogether. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'
import type { PostView } from '#app/community/reports/moderated-post.server.ts'
import type { MyModeratedPost, Removals } from '#app/community/reports/report.contract.ts'
import type { HiddenState, PostKind, Reason } from '#app/community/reports/report.ts'
import { suspensionOf } from '#app/community/reports/suspension-queries.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { holdsRating } from '#app/ratings/held-tags.server.ts'
import { moderatedNotes } from '#app/ratings/moderated-notes.server.ts'
import { ownHidden } from './authorship.server.ts'

interface OwnCase {
  postId: string
  note: string | null
  appeal: MyModeratedPost['appeal']
}

/** Posts of the person who asks that are not shown, and until when they may not write. */
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
        cases.find(({ postId }) => postId === view.id),
      ),
    ),
    suspension: (await suspensionOf(ctx, root)) ?? null,
  }
}

/** The same of a note whose holder asks by keys, without an account. */
export async function heldNote(ctx: Ctx, id: string, keys: string[]) {
  if (!(await holdsRating(ctx, id, keys))) return { post: null }
  const [view] = await moderatedNotes.views(ctx.db, [id])
  const [itsCase] = await casesOf(ctx.db, [id])
  return { post: view?.hidden ? ownView('note', view, itsCase) : null }
}

const casesOf = (db: Database, ids: string[]) =>
  db.query<OwnCase>(sql`
    select coalesce(thread_id, comment_id, note_id, job_id, reply_id, room_post_id) as "postId", note, appeal_status as appeal
      from moderation_cases
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

/** What was removed about a company, or about none: newest month first. */
export const removalsAbout = ({ db }: Ctx, companyId: string | undefined) =>
  db.query<Removals>(sql`
    select to_char(month, 'YYYY-MM') as month, reason, threads, comments, notes, jobs, replies
      from removal_counts
     where company_id is not distinct from ${companyId ?? null}::uuid
       and (threads > 0 or comments > 0 or notes > 0 or jobs > 0 or replies > 0)
     order by removal_counts.month desc, reason`)
