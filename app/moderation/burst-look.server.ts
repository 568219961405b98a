/** What somebody wrote so far, as far as a look for bursts needs it. */
import sql from 'sql-template-tag'
import { keysOfNumbers } from '#app/api/auth/context-keys.server.ts'
import { everyOwn, type Numbered } from '#app/api/auth/numbered-rows.server.ts'
import type { Owner } from '#app/api/auth/roots.server.ts'
import {
  OWN_COMMENTS,
  OWN_THREADS,
  openAuthors,
} from '#app/community/discussions/posts/own-posts.server.ts'
import type { PostRef } from '#app/community/reports/report.ts'
import type { ServerContext } from '#app/platform/database/context.server.ts'
import { type Database, PREPARED } from '#app/platform/database/database.server.ts'

export interface WrittenPost {
  id: string
  minute: number
  isHeld: boolean
}

/** Their authors, but of those whose author nobody knows any more. */
export async function authorsOf(
  { db, secrets }: Pick<ServerContext, 'db' | 'secrets'>,
  posts: PostRef[],
) {
  const ids = posts.map(({ id }) => id)
  const rows = await db.query<{ id: string; owner: Uint8Array | null; minute: number }>(
    sql`
    select id, owner, posted_minute as minute from threads where id = any (${ids}::uuid[])
    union all
    select id, owner, posted_minute from comments where id = any (${ids}::uuid[])`,
    PREPARED,
  )
  const authors = openAuthors(secrets, rows)
  return rows.flatMap(({ id, minute }) => {
    const author = authors.get(id)
    return author ? [{ id, minute, author }] : []
  })
}

/** So many threads and comments of each are looked at first: most people who are new have no more. */
const FIRST = 16

/**
 * The first posts of each of these people, by their root in hex: `isAll` where they wrote no more of
 * either kind than were looked at.
 */
export async function firstPostsOf(db: Database, people: Owner[]) {
  const numbers = Array.from({ length: FIRST }, (_, n) => n)
  const keysOf = ({ kind }: Numbered) =>
    people.flatMap(({ root }) => keysOfNumbers(root, kind, numbers))
  const rows = await db.query<{ at: number; id: string | null; minute: number; isHeld: boolean }>(
    sql`
    with asked as (
      select at, thread, comment
        from unnest(${keysOf(OWN_THREADS)}::bytea[], ${keysOf(OWN_COMMENTS)}::bytea[])
             with ordinality as asked (thread, comment, at))
    select at, id, posted_minute as minute, hidden is not distinct from 'held' as "isHeld"
      from asked join threads on mine = thread
    union all
    select at, id, posted_minute, hidden is not distinct from 'held'
      from asked join comments on mine = comment
    union all
    select at, null, 0, false from asked join used_numbers used on used.mine in (thread, comment)`,
    PREPARED,
  )
  return people.map((_, i) => {
    const theirs = rows.filter(({ at }) => Math.floor((at - 1) / FIRST) === i)
    return {
      posts: theirs.filter((row): row is typeof row & { id: string } => row.id !== null),
      isAll: !theirs.some(({ at }) => at % FIRST === 0),
    }
  })
}

/** All that somebody ever wrote and is there still. */
export async function allPostsOf(db: Database, { root }: Owner): Promise<WrittenPost[]> {
  const posts = await Promise.all(
    [OWN_THREADS, OWN_COMMENTS].map((numbered) => {
      const table = numbered === OWN_THREADS ? sql`threads` : sql`comments`
      return everyOwn<WrittenPost>(
        db,
        numbered,
        root,
        (own) => sql`
          select id, posted_minute as minute, hidden is not distinct from 'held' as "isHeld"
            from ${own} own join ${table} post using (mine)`,
      )
    }),
  )
  return posts.flat()
}
