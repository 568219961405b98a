/**
 * Posts of each kind, changed through their features' commands. Those don't check permissions, because
 * moderation already did.
 */
import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { broadcastThreadChange, postRemovals } from '#app/community/discussions/live/live.server.ts'
import {
  moderatedComments,
  moderatedThreads,
} from '#app/community/discussions/posts/moderated-threads.server.ts'
import { isSameKey, ownThreadKey } from '#app/community/discussions/posts/own-posts.server.ts'
import { moderatedCompanyReplies } from '#app/community/replies/moderated-replies.server.ts'
import { filledText } from '#app/community/reports/note-to-author.ts'
import type { HideAs, LockedPost, PostView } from '#app/community/reports/post-moderation.server.ts'
import {
  isAuthorless,
  type ModerationEvent,
  NOTE_TO_AUTHOR_MAX,
  POST_KINDS,
  type PostKind,
  type PostRef,
} from '#app/community/reports/report.ts'
import { moderatedRoomPosts } from '#app/community/rooms/moderated-room-posts.server.ts'
import { actsFor } from '#app/companies/claims/claim-queries.server.ts'
import { reasonName } from '#app/identity/accounts/suspension.ts'
import { moderatedJobs } from '#app/jobs/postings/moderated-jobs.server.ts'
import { lengthOf, tidyText } from '#app/kit/writing/text.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import { badRequest } from '#app/platform/http/refusal.ts'
import type { TaskKind } from '#app/platform/queue/queue.server.ts'
import { moderatedNotes } from '#app/ratings/moderated-notes.server.ts'
import { broadcastNoteRemoval, broadcastRatingChange } from '#app/ratings/rating-events.server.ts'
import { MODERATION_REFUSALS } from './moderation.ts'

/** The column with a post's id, in cases and in the log. */
export const POST_COLUMNS: Record<PostKind, Sql> = {
  thread: sql`thread_id`,
  comment: sql`comment_id`,
  note: sql`note_id`,
  job: sql`job_id`,
  reply: sql`reply_id`,
  room: sql`room_post_id`,
}

/** The `kind` and `id` of a row's post. In the log, a comment's row also has its thread. */
export const postOf = (row: Sql) => sql`
  case when ${row}.comment_id is not null then 'comment' when ${row}.note_id is not null then 'note'
       when ${row}.job_id is not null then 'job' when ${row}.reply_id is not null then 'reply'
       when ${row}.room_post_id is not null then 'room' else 'thread' end as kind,
  coalesce(${row}.comment_id, ${row}.note_id, ${row}.job_id, ${row}.reply_id, ${row}.room_post_id,
           ${row}.thread_id) as id`

interface ModeratedPosts {
  lock(db: Database, id: string): Promise<LockedPost | undefined>
  views(db: Database, ids: string[]): Promise<PostView[]>
  hide(db: Database, id: string, as: HideAs): Promise<void>
  /** The caller's posts that no one else can see now. We look up room posts by key. */
  hiddenOf?(ctx: Ctx): Promise<PostView[]>
}

const posts: Record<PostKind, ModeratedPosts> = {
  thread: moderatedThreads,
  comment: moderatedComments,
  note: moderatedNotes,
  job: moderatedJobs,
  room: moderatedRoomPosts,
  reply: { ...moderatedCompanyReplies, hide: hideCompanyReply },
}

/** A reply is on the page of the thread, or of the company whose rating it answers. */
async function hideCompanyReply(db: Database, id: string, as: HideAs) {
  const reply = await moderatedCompanyReplies.hide(db, id, as)
  if (!reply) return
  const { threadId, companyId } = reply
  if (threadId !== null) {
    if (as) await postRemovals.broadcast(db, [threadId])
    return broadcastThreadChange(db, threadId)
  }
  if (as) await broadcastNoteRemoval(db, companyId)
  broadcastRatingChange(db, companyId)
}

/** Locks the post until the caller's transaction ends. Undefined if it's deleted. */
export const lockPost = (db: Database, { kind, id }: PostRef) => posts[kind].lock(db, id)

/** The posts that still exist, by id. */
export async function viewPosts(db: Database, refs: PostRef[]): Promise<Map<string, PostView>> {
  const views = new Map<string, PostView>()
  for (const kind of POST_KINDS) {
    const ids = refs.filter((post) => post.kind === kind).map(({ id }) => id)
    const found = ids.length > 0 ? await posts[kind].views(db, [...new Set(ids)]) : []
    for (const view of found) views.set(view.id, view)
  }
  return views
}

/** Hides a post, or shows it again with null, and updates counters. Run it in a transaction. */
export const hidePost = (db: Database, { kind, id }: PostRef, as: HideAs) =>
  posts[kind].hide(db, id, as)

export async function isOwnPost(
  ctx: Ctx,
  post: PostRef,
  { authorKey, threadId, companyId }: LockedPost,
) {
  // A company's post belongs to everyone who acts for the company, because we don't store who wrote it.
  if (post.kind === 'job' || post.kind === 'reply')
    return companyId !== null && actsFor(ctx, companyId)
  if (threadId !== null) return isSameKey(authorKey, ownThreadKey(ctx, threadId))
  return (await moderatedNotes.ownAmong(ctx, [post.id])).length > 0
}

export async function ownHidden(ctx: Ctx) {
  const hidden: { kind: PostKind; view: PostView }[] = []
  for (const kind of POST_KINDS)
    for (const view of (await posts[kind].hiddenOf?.(ctx)) ?? []) hidden.push({ kind, view })
  return hidden
}

/** The task that tells the author, after the commit. */
export const AUTHOR_NOTICE_TASK: TaskKind<AuthorNotice> = 'post-ruled'
export interface AuthorNotice {
  kind: 'thread' | 'comment'
  id: string
  event: ModerationEvent
  reason: string | null
}

/**
 * Call it in the decision's transaction. For posts without a known author, we notify no one. Authors see
 * the decision at their rating, or among their company's posts.
 */
export async function enqueueAuthorNotice(
  { db, queue }: Pick<ServerContext, 'db' | 'queue'>,
  { kind, ...rest }: Omit<AuthorNotice, 'kind'> & { kind: PostKind },
) {
  if (isAuthorless(kind)) return
  const notice: AuthorNotice = { kind, ...rest }
  await queue.enqueue(db, AUTHOR_NOTICE_TASK, notice)
}

/** @throws Refusal bad-request for a placeholder we can't fill */
export async function filledNoteToAuthor(
  db: Database,
  post: PostRef,
  { reason, note }: { reason: string | null; note: string },
): Promise<string> {
  const clean = tidyText(note)
  if (!/[{}]/.test(clean)) return clean
  const view = (await viewPosts(db, [post])).get(post.id)
  const filled = filledText(clean, {
    reason: reasonName(reason),
    company: view?.company?.name ?? null,
    title: view?.thread.title ?? null,
  })
  if ('problem' in filled) throw badRequest(filled.problem)
  if (lengthOf(filled.text) > NOTE_TO_AUTHOR_MAX) throw badRequest(MODERATION_REFUSALS.longNote)
  return filled.text
}
