/**
 * Held posts of one author, to be decided together. Whose they are is not said, and only what is held
 * counts, by bursts or reports: a moderator holds nothing by those, and so cannot find out by a report of
 * their own which posts belong together. D37 and D59.
 */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { openAuthors } from '#app/community/discussions/posts/own-posts.server.ts'
import type { PostRef } from '#app/community/reports/report.ts'
import { EXCERPT_SOURCE, excerptOf } from '#app/kit/writing/excerpt.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import type { Case } from './moderation.contract.ts'

/** A flood is decided in portions. */
const TOGETHER_MAX = 19

/** A watch list or the rule of first posts is a moderator's: with "the" on it all posts would name each other. */
const heldByNobody = sql`filed.cause not in ('watched', 'first')`
const heldPosts = sql`
  select 'thread' as kind, thread.id, thread.owner
    from moderation_cases filed join threads thread on thread.id = filed.thread_id
   where filed.is_open and thread.hidden = 'held' and ${heldByNobody}
  union all
  select 'comment', comment.id, comment.owner
    from moderation_cases filed join comments comment on comment.id = filed.comment_id
   where filed.is_open and comment.hidden = 'held' and not comment.is_deleted and ${heldByNobody}
   -- In the order of random ids: another one could tell what was posted first.
   order by id`

/** By the id of each of these posts: the others of its author that are held as it is. */
export async function heldBySameAuthor({ db, secrets }: Ctx, ids: string[]) {
  const held = await db.query<PostRef & { owner: Uint8Array | null }>(heldPosts)
  const authors = openAuthors(secrets, held)
  const rootOf = (id: string) => authors.get(id)?.root.toString('hex')
  const byAuthor = new Map<string | undefined, PostRef[]>()
  for (const { kind, id } of held)
    byAuthor.set(rootOf(id), [...(byAuthor.get(rootOf(id)) ?? []), { kind, id }])
  byAuthor.delete(undefined)
  const others = new Map<string, PostRef[]>()
  for (const id of ids) {
    const theirs = (byAuthor.get(rootOf(id)) ?? []).filter((other) => other.id !== id)
    if (theirs.length > 0) others.set(id, theirs.slice(0, TOGETHER_MAX))
  }
  const texts = await textsOf(db, [...others.values()].flat())
  return new Map(
    [...others].map(([id, theirs]) => [
      id,
      theirs.flatMap((post): Omit<Case['sameAuthor'][number], 'seen'>[] => {
        const text = texts.get(post.id)
        return text ? [{ ...post, title: text.title, excerpt: excerptOf(text.body) }] : []
      }),
    ]),
  )
}

async function textsOf(db: Database, posts: PostRef[]) {
  const ids = [...new Set(posts.map(({ id }) => id))]
  const rows = await db.query<{ id: string; title: string; body: string }>(sql`
    select id, title, left(body, ${EXCERPT_SOURCE + 1}) as body from threads where id = any (${ids}::uuid[])
    union all
    select comment.id, thread.title, left(comment.body, ${EXCERPT_SOURCE + 1})
      from comments comment join threads thread on thread.id = comment.thread_id
     where comment.id = any (${ids}::uuid[])`)
  return new Map(rows.map((row) => [row.id, row]))
}
