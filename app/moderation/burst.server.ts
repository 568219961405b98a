/** Somebody new who posts a lot at once: what is too much waits for a moderator. */

import {
  BURST_MINUTES,
  BURST_POSTS,
  NEW_AUTHOR_MINUTES,
  type PostRef,
} from '#app/community/reports/report.ts'
import { type ServerContext, transaction } from '#app/platform/database/context.server.ts'
import { allPostsOf, authorsOf, firstPostsOf, type WrittenPost } from './burst-look.server.ts'
import { holdPost } from './hold.server.ts'
import { openCase, takeCase } from './moderation-case.server.ts'
import { lockPost } from './posts.server.ts'

type BurstContext = Pick<ServerContext, 'db' | 'now' | 'jobs' | 'secrets'>

/** The job that follows posts: nearly all of them are left alone, by one look at all. */
export async function holdBursts(base: BurstContext, posts: PostRef[]) {
  const suspects = await tooMuchOf(base, posts)
  for (const post of posts) if (suspects.has(post.id)) await holdBurst(base, post)
}

/**
 * A closer look at one of them. Done twice, or late, it comes to the same: it asks for the moment
 * of the post, and of many posts of one minute just so many stay.
 */
export const holdBurst = (base: BurstContext, post: PostRef) =>
  transaction(base, async (ctx) => {
    const kept = await lockPost(ctx.db, post)
    if (!kept || kept.hidden) return
    if (!(await tooMuchOf(ctx, [post])).has(post.id)) return
    const itsCase = await takeCase(ctx, post, 'burst')
    if (itsCase.isCleared) return
    await openCase(ctx, itsCase, 'burst')
    await holdPost(ctx, post)
  })

/**
 * Which of these posts came when somebody new had posted enough. What is held already does not count,
 * or a late look would hold the first ones too.
 */
async function tooMuchOf(ctx: BurstContext, posts: PostRef[]): Promise<Set<string>> {
  const these = await authorsOf(ctx, posts)
  const people = new Map(these.map(({ author }) => [author.root.toString('hex'), author]))
  const first = await firstPostsOf(ctx.db, [...people.values()])
  const tooMuch = new Set<string>()
  for (const [i, [root, author]] of [...people].entries()) {
    const theirs = these.filter((post) => post.author.root.toString('hex') === root)
    const { posts = [], isAll } = first[i] ?? {}
    if (!isAll && posts.length > 0 && !theirs.some((post) => isOfSomebodyNew(post, posts))) continue
    const isTooMuch = (all: WrittenPost[]) => (post: Looked) =>
      isOfSomebodyNew(post, all) && isOneTooMany(post, all)
    // What the first ones show need not be looked for among all.
    const all = isAll || theirs.every(isTooMuch(posts)) ? posts : await allPostsOf(ctx.db, author)
    for (const { id } of theirs.filter(isTooMuch(all))) tooMuch.add(id)
  }
  return tooMuch
}

type Looked = Pick<WrittenPost, 'id' | 'minute'>

const isOfSomebodyNew = ({ minute }: Looked, posts: WrittenPost[]) =>
  minute - Math.min(...posts.map((post) => post.minute)) < NEW_AUTHOR_MINUTES

const isOneTooMany = ({ id, minute }: Looked, posts: WrittenPost[]) =>
  posts.filter(
    (other) =>
      other.id !== id &&
      !other.isHeld &&
      other.minute > minute - BURST_MINUTES &&
      other.minute <= minute,
  ).length >= BURST_POSTS
