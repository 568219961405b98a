/** A voter has one key within a thread, and another in every other. D40. */
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { contextKey } from '#app/api/auth/context-keys.server.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'

export const voteKey = (root: Buffer, threadId: string) => contextKey(root, 'vote', threadId)
export const pollKey = (root: Buffer, threadId: string) => contextKey(root, 'poll', threadId)

/** Keys made before others get their turn. */
const THREADS_AT_ONCE = 1_000

/** For export. No row says in which threads a person voted, so it tries each. */
export async function ownVotes(ctx: Ctx) {
  const votes: { postId: string; value: number }[] = []
  const pollVotes: { threadId: string; place: number }[] = []
  const root = rootOf(ctx)
  let after = '00000000-0000-0000-0000-000000000000'
  while (root) {
    const threads = await ctx.db.query<{ id: string; hasPoll: boolean }>(sql`
      select id, exists (select from polls where thread_id = id) as "hasPoll" from threads
       where id > ${after}::uuid order by id limit ${THREADS_AT_ONCE}`)
    const last = threads.at(-1)
    if (!last) break
    after = last.id
    votes.push(
      ...(await ctx.db.query<(typeof votes)[number]>(sql`
        select subject_id as "postId", value from votes
         where key = any (${threads.map(({ id }) => voteKey(root, id))}::bytea[])
         order by subject_id`)),
    )
    const polls = threads.filter(({ hasPoll }) => hasPoll)
    if (polls.length === 0) continue
    pollVotes.push(
      ...(await ctx.db.query<(typeof pollVotes)[number]>(sql`
        select thread_id as "threadId", place from poll_votes
         where key = any (${polls.map(({ id }) => pollKey(root, id))}::bytea[])
         order by thread_id`)),
    )
  }
  return { votes, pollVotes }
}
