/**
 * Held posts of one author, to be decided together. Whose they are is not said, and only what is held
 * counts: a moderator holds nothing, and so cannot find out by a report of their own which posts belong
 * together. Decision 37.
 */
import sql from 'sql-template-tag'
import type { Ctx } from '../../auth/context.server.ts'
import { excerptOf } from '../../writing/text.ts'
import type { PostRef } from '../reports/report.ts'
import type { Case } from './moderation.contract.ts'

/** A flood is decided in portions. */
const TOGETHER_MAX = 19
/** Of a text that is shortened anyway. */
const BODY_READ = 2_000

const held = sql`
  select 'thread' as kind, thread.id, thread.author_key as author, thread.title,
         left(thread.body, ${BODY_READ}) as body
    from moderation_cases filed join threads thread on thread.id = filed.thread_id
   where filed.is_open and thread.hidden = 'held'
  union all
  select 'comment', comment.id, comment.author_key, thread.title, left(comment.body, ${BODY_READ})
    from moderation_cases filed join comments comment on comment.id = filed.comment_id
    join threads thread on thread.id = comment.thread_id
   where filed.is_open and comment.hidden = 'held' and not comment.is_deleted`

/** By the id of each of these posts: the others of its author that are held as it is. */
export async function heldBySameAuthor({ db }: Ctx, ids: string[]) {
  // In the order of random ids: another one could tell what was posted first.
  const pairs = await db.query<PostRef & { of: string; title: string; body: string }>(sql`
    with held as materialized (${held})
    select one.id as of, other.kind, other.id, other.title, other.body
      from held one cross join lateral (
        select kind, id, title, body from held
         where author = one.author and id <> one.id order by id limit ${TOGETHER_MAX}) other
     where one.id = any (${ids}::uuid[])`)
  const others = new Map<string, Case['sameAuthor']>()
  for (const { of, body, ...post } of pairs)
    others.set(of, [...(others.get(of) ?? []), { ...post, excerpt: excerptOf(body) }])
  return others
}
