/** Somebody new who posts a lot at once: what is too much waits for a moderator. */
import sql from 'sql-template-tag'
import { type ServerContext, transaction } from '../../server/context.server.ts'
import type { Database } from '../../server/database.server.ts'
import { BURST_MINUTES, BURST_POSTS, NEW_AUTHOR_MINUTES, type PostRef } from '../reports/report.ts'
import { holdPost } from './hold.server.ts'
import { openCase, takeCase } from './moderation-case.server.ts'
import { lockPost } from './posts.server.ts'

/** The job that follows posts: nearly all of them are left alone, by one look at all. */
export async function holdBursts(
  base: Pick<ServerContext, 'db' | 'now' | 'jobs'>,
  posts: PostRef[],
) {
  const suspects = await tooMuchOf(base.db, posts)
  for (const post of posts) if (suspects.has(post.id)) await holdBurst(base, post)
}

/**
 * A closer look at one of them. Done twice, or late, it comes to the same: it asks for the moment
 * of the post, and of many posts of one minute just so many stay.
 */
export const holdBurst = (base: Pick<ServerContext, 'db' | 'now' | 'jobs'>, post: PostRef) =>
  transaction(base, async (ctx) => {
    const kept = await lockPost(ctx.db, post)
    if (!kept || kept.hidden) return
    if (!(await tooMuchOf(ctx.db, [post])).has(post.id)) return
    const itsCase = await takeCase(ctx, post, 'burst')
    if (itsCase.isCleared) return
    await openCase(ctx, itsCase, 'burst')
    await holdPost(ctx, post)
  })

/**
 * Which of these posts came when somebody new had posted enough. What is held already does not count,
 * or a late look would hold the first ones too.
 */
async function tooMuchOf(db: Database, posts: PostRef[]): Promise<Set<string>> {
  const ids = posts.map(({ id }) => id)
  const rows = await db.query<{ id: string }>(
    sql`
    with these as (
      select id, author_key, posted_minute as minute from threads where id = any (${ids}::uuid[])
      union all
      select id, author_key, posted_minute from comments where id = any (${ids}::uuid[]))
    select id from these
     where case when minute - least(
                  (select min(posted_minute) from threads where author_key = these.author_key),
                  (select min(posted_minute) from comments where author_key = these.author_key)
                ) < ${NEW_AUTHOR_MINUTES}::integer
           then (select count(*) from (
                   select id, posted_minute, hidden from threads
                    where author_key = these.author_key
                   union all
                   select id, posted_minute, hidden from comments
                    where author_key = these.author_key) posts
                  where id <> these.id and hidden is distinct from 'held'
                    and posted_minute > minute - ${BURST_MINUTES}::integer
                    and posted_minute <= minute) >= ${BURST_POSTS}::integer end`,
    { name: 'bursts of posts' },
  )
  return new Set(rows.map(({ id }) => id))
}
