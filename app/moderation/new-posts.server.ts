/** Decides which new posts wait for a moderator, before anyone is notified of them. */

import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { keysOfNumbers } from '#app/api/auth/context-keys.server.ts'
import { allOwnRows, type OwnRowTable } from '#app/api/auth/numbered-rows.server.ts'
import type { PersonRoot } from '#app/api/auth/roots.server.ts'
import {
  OWN_COMMENTS,
  OWN_THREADS,
  openAuthors,
} from '#app/community/discussions/posts/own-posts.server.ts'
import {
  BURST_MINUTES,
  BURST_POSTS,
  NEW_AUTHOR_MINUTES,
  type PostRef,
} from '#app/community/reports/report.ts'
import { type Database, PREPARED } from '#app/platform/database/database.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/server-context.server.ts'
import { minuteOf } from '#app/platform/days.server.ts'
import { holdByRule, holdPost, lockOrCreateCase, openCase } from './cases.server.ts'
import { lockPost } from './posts.server.ts'
import { holdWatched } from './tool-commands.server.ts'

type NewPostsContext = Pick<ServerContext, 'db' | 'now' | 'queue' | 'secrets'>

export async function holdNewPosts(base: NewPostsContext, posts: PostRef[]) {
  await holdWatched(base, posts)
  await holdFirst(base, posts)
  await holdBursts(base, posts)
}

/** Finds new people who post a lot at once. One query for all posts rules out nearly everyone. */
async function holdBursts(base: NewPostsContext, posts: PostRef[]) {
  const suspects = await burstPosts(base, posts)
  for (const post of posts) if (suspects.has(post.id)) await holdBurst(base, post)
}

/**
 * Checks one such person. Running twice or late has the same result, because it depends on the posts'
 * minutes, and only some posts of one minute stay.
 */
export const holdBurst = (base: NewPostsContext, post: PostRef) =>
  transaction(base, async (ctx) => {
    const stored = await lockPost(ctx.db, post)
    if (!stored || stored.hidden) return
    if (!(await burstPosts(ctx, [post])).has(post.id)) return
    const itsCase = await lockOrCreateCase(ctx, post, 'burst')
    if (itsCase.isCleared) return
    await openCase(ctx, itsCase, 'burst')
    await holdPost(ctx, post)
  })

/**
 * Which of these posts came after someone new had posted enough. Held posts don't count, because otherwise a
 * late run would hold the first ones, too.
 */
async function burstPosts(ctx: NewPostsContext, posts: PostRef[]): Promise<Set<string>> {
  const written = await authorsOf(ctx, posts)
  const people = new Map(written.map(({ author }) => [author.root.toString('hex'), author]))
  const first = await firstPostsOf(ctx.db, [...people.values()])
  const found = new Set<string>()
  for (const [i, [root, author]] of [...people].entries()) {
    const theirs = written.filter((post) => post.author.root.toString('hex') === root)
    const { posts = [], isAll } = first[i] ?? {}
    if (!isAll && posts.length > 0 && !theirs.some((post) => isOfNewPerson(post, posts))) continue
    const isInBurst = (all: WrittenPost[]) => (post: PostTime) =>
      isOfNewPerson(post, all) && isBeyondBurst(post, all)
    // The first posts are often enough to tell.
    const all = isAll || theirs.every(isInBurst(posts)) ? posts : await allPostsOf(ctx.db, author)
    for (const { id } of theirs.filter(isInBurst(all))) found.add(id)
  }
  return found
}

type PostTime = Pick<WrittenPost, 'id' | 'minute'>

const isOfNewPerson = ({ minute }: PostTime, posts: WrittenPost[]) =>
  minute - Math.min(...posts.map((post) => post.minute)) < NEW_AUTHOR_MINUTES

const isBeyondBurst = ({ id, minute }: PostTime, posts: WrittenPost[]) =>
  posts.filter(
    (other) =>
      other.id !== id &&
      !other.isHeld &&
      other.minute > minute - BURST_MINUTES &&
      other.minute <= minute,
  ).length >= BURST_POSTS

interface WrittenPost {
  id: string
  minute: number
  isHeld: boolean
}

/** Leaves out posts whose author we don't know. */
async function authorsOf({ db, secrets }: Pick<ServerContext, 'db' | 'secrets'>, posts: PostRef[]) {
  const ids = posts.map(({ id }) => id)
  const rows = await db.query<{ id: string; personSealed: Uint8Array | null; minute: number }>(
    sql`
    select id, person_sealed as "personSealed", posted_minute as minute from threads where id = any (${ids}::uuid[])
    union all
    select id, person_sealed, posted_minute from comments where id = any (${ids}::uuid[])`,
    PREPARED,
  )
  const authors = openAuthors(secrets, rows)
  return rows.flatMap(({ id, minute }) => {
    const author = authors.get(id)
    return author ? [{ id, minute, author }] : []
  })
}

/** How many threads and comments of each person we read first. Most new people have no more. */
const FIRST = 16

/** The first posts of each of these people. `isAll` if they wrote no more of either kind. */
async function firstPostsOf(db: Database, people: PersonRoot[]) {
  const numbers = Array.from({ length: FIRST }, (_, n) => n)
  const keysOf = ({ kind }: OwnRowTable) =>
    people.flatMap(({ root }) => keysOfNumbers(root, kind, numbers))
  const rows = await db.query<{ at: number; id: string | null; minute: number; isHeld: boolean }>(
    sql`
    with probed as (
      select at, thread, comment
        from unnest(${keysOf(OWN_THREADS)}::bytea[], ${keysOf(OWN_COMMENTS)}::bytea[])
             with ordinality as probed (thread, comment, at))
    select at, id, posted_minute as minute, hidden is not distinct from 'held' as "isHeld"
      from probed join threads on own_row_key = thread
    union all
    select at, id, posted_minute, hidden is not distinct from 'held'
      from probed join comments on own_row_key = comment
    union all
    select at, null, 0, false from probed join used_numbers used on used.own_row_key in (thread, comment)`,
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

/** All posts of a person that are still there. */
async function allPostsOf(db: Database, { root }: PersonRoot): Promise<WrittenPost[]> {
  const posts = await Promise.all(
    [OWN_THREADS, OWN_COMMENTS].map((numbered) => {
      const table = numbered === OWN_THREADS ? sql`threads` : sql`comments`
      return allOwnRows<WrittenPost>(
        db,
        numbered,
        root,
        (own) => sql`
          select id, posted_minute as minute, hidden is not distinct from 'held' as "isHeld"
            from ${own} own join ${table} post using (own_row_key)`,
      )
    }),
  )
  return posts.flat()
}

/**
 * If the site wants that, new people's first posts wait. We don't store counts: for each post, we look up
 * its author's others, as for bursts. D59.
 */
interface Rule {
  posts: number
  since: number
}

const ruleOf = async (db: Database): Promise<Rule | undefined> => {
  const [rule] = await db.query<Rule>(
    sql`select posts, since_minute as since from first_posts_rule`,
  )
  return rule
}

export const firstPosts = async ({ db }: Ctx) => ({ posts: (await ruleOf(db))?.posts ?? 0 })

/** With 0, nothing waits. With another number, what was approved since the rule began stays approved. */
export async function chooseFirstPosts({ db, now }: Ctx, posts: number) {
  if (posts === 0) await db.query(sql`delete from first_posts_rule`)
  else
    await db.query(sql`
      insert into first_posts_rule (posts, since_minute) values (${posts}, ${minuteOf(now())})
      on conflict (is_only) do update set posts = excluded.posts`)
  return { posts }
}

/** Holds posts whose author doesn't have this many approved posts yet. */
export async function holdFirst(base: NewPostsContext, posts: PostRef[]) {
  const rule = await ruleOf(base.db)
  if (!rule) return
  for (const { id, author } of await authorsOf(base, posts)) {
    const post = posts.find((each) => each.id === id)
    if (post && (await approvedOf(base.db, author, { rule, but: id })) < rule.posts)
      await holdByRule(base, post, { cause: 'first' })
  }
}

/**
 * Posts that were visible before the rule, and those that a moderator has kept since. Other visible posts
 * may just be too new to be held.
 */
async function approvedOf(
  db: Database,
  author: PersonRoot,
  { rule, but }: { rule: Rule; but: string },
) {
  const ids = (await allPostsOf(db, author)).map(({ id }) => id).filter((id) => id !== but)
  const [approved] = await db.query<{ count: number }>(sql`
    select count(*)::integer as count
      from (select id, posted_minute from threads where id = any (${ids}::uuid[]) and hidden is null
            union all
            select id, posted_minute from comments
             where id = any (${ids}::uuid[]) and hidden is null and not is_deleted) shown
     where posted_minute < ${rule.since}
        or exists (select from moderation_cases
                    where is_cleared and (thread_id = shown.id or comment_id = shown.id))`)
  return approved?.count ?? 0
}
