/** From the rows alone, no one can tell whose a post is, or which two are the same person's. */

import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { countOwn } from '#app/api/auth/numbered-rows.server.ts'
import { type PersonRoot, personRootOf, rootOf } from '#app/api/auth/roots.server.ts'
import { credOf } from '#app/identity/accounts/account-queries.server.ts'
import { actorLike } from '#tests/support/authors.ts'
import { testSecrets, withDatabase } from '#tests/support/database.ts'
import { addComment, aThread, startThread, voteThread } from '#tests/support/unlimited.ts'
import { deleteComment } from '../comments/comment-commands.server.ts'
import { myComments } from '../comments/comment-queries.server.ts'
import { deleteThread } from '../threads/thread-commands.server.ts'
import { sumCred } from '../votes/vote-counts.server.ts'
import {
  departedAmong,
  departedKey,
  OWN_COMMENTS,
  OWN_THREADS,
  openAuthors,
} from './own-posts.server.ts'
import { POST_ADDED_TASK } from './posting.server.ts'

const { as, outside } = withDatabase()

const newThread = (ctx: Ctx) => startThread(ctx, aThread())
const newComment = (ctx: Ctx, threadId: string, parentId?: string) =>
  addComment(ctx, threadId, {
    body: 'I was there.',
    parentId,
    name: 'pseudonym',
    idempotencyKey: crypto.randomUUID(),
  })
const otherPerson = (ctx: Ctx, name: string): Ctx => ({ ...ctx, actor: actorLike(ctx.actor, name) })
const rootIn = (ctx: Ctx) => rootOf(ctx) as Buffer
const distinct = (values: string[]) => new Set(values).size

test('dana’s rows in two threads have nothing in common, and within one only its key', () =>
  as('dana', async (ctx) => {
    const threads = [await newThread(ctx), await newThread(ctx)]
    for (const { id } of threads) for (let n = 0; n < 3; n++) await newComment(ctx, id)
    await newComment(otherPerson(ctx, 'wim'), threads[0]?.id as string)
    const rows = await ctx.db.query<{ id: string; personSealed: Uint8Array; hex: string[] }>(sql`
      select id, person_sealed as "personSealed", array[encode(key, 'hex'), encode(own_row_key, 'hex'), encode(person_sealed, 'hex'),
                              id::text] as hex from (
        select id, key, own_row_key, person_sealed from threads union all select id, key, own_row_key, person_sealed from comments
      ) posts`)
    expect(rows).toHaveLength(9)
    // Dana's in each thread, and wim's in one.
    expect(distinct(rows.map(({ hex }) => hex[0] as string))).toBe(3)
    for (const column of [1, 2])
      expect(distinct(rows.map(({ hex }) => hex[column] as string))).toBe(9)
    // No column repeats what another one says.
    expect(distinct(rows.flatMap(({ hex }) => hex))).toBe(3 + 9 * 3)
    const authors = [...openAuthors(testSecrets, rows).values()]
    expect(authors.filter(({ root }) => root.equals(rootIn(ctx)))).toHaveLength(8)
    const names = await ctx.db.query(sql`
      select from thread_names name where not exists (
        select from threads where person_sealed = name.person_sealed) and not exists (
        select from comments where person_sealed = name.person_sealed)`)
    expect(names).toHaveLength(3)
  }))

test('a deleted post leaves no gap in dana’s numbers', () =>
  as('dana', async (ctx) => {
    const { id } = await newThread(ctx)
    const ids: string[] = []
    for (let n = 0; n < 70; n++) ids.push((await newComment(ctx, id)).id)
    // The first, one in the middle, and the last ones are deleted.
    const gone = [0, 1, 33, 68, 69].map((n) => ids[n] as string)
    for (const each of gone) await deleteComment(ctx, each)
    expect(await countOwn(ctx.db, OWN_COMMENTS, rootIn(ctx))).toBe(70)
    const next = await newComment(ctx, id)
    expect(await countOwn(ctx.db, OWN_COMMENTS, rootIn(ctx))).toBe(71)
    const expected = [...ids.filter((each) => !gone.includes(each)), next.id].reverse()
    const listed: string[] = []
    for (let after: string | undefined; ; ) {
      const page = await myComments(ctx, after)
      listed.push(...page.comments.map((comment) => comment.id))
      if (page.next === null) break
      after = page.next
    }
    expect(listed).toEqual(expected)
    // Deleting a thread deletes everyone's comments in it, and their numbers stay used.
    const wim = otherPerson(ctx, 'wim')
    await newComment(wim, id)
    await deleteThread(ctx, id)
    expect(await countOwn(ctx.db, OWN_COMMENTS, rootIn(ctx))).toBe(71)
    expect(await countOwn(ctx.db, OWN_COMMENTS, rootIn(wim))).toBe(1)
    expect(await countOwn(ctx.db, OWN_THREADS, rootIn(ctx))).toBe(1)
    expect((await myComments(ctx)).comments).toEqual([])
  }))

test('dana writes in many threads at once and has one number for each', async () => {
  const db = outside()
  const ctx = otherPerson({ ...(await as('dana', async (ctx) => ctx)), db }, 'a quick person')
  try {
    const threads = await Promise.all(Array.from({ length: 12 }, () => newThread(ctx)))
    const added = await Promise.all(threads.map(({ id }) => newComment(ctx, id)))
    expect(await countOwn(db, OWN_THREADS, rootIn(ctx))).toBe(12)
    expect(await countOwn(db, OWN_COMMENTS, rootIn(ctx))).toBe(12)
    const { comments } = await myComments(ctx)
    expect(comments.map(({ id }) => id).sort()).toEqual(added.map(({ id }) => id).sort())
  } finally {
    await db.query(sql`delete from threads`)
    await db.query(sql`delete from used_numbers`)
    await db.query(sql`delete from job_queue where kind = ${POST_ADDED_TASK}`)
  }
})

test('a comment that failed leaves no gap in dana’s numbers', () =>
  as('dana', async (ctx) => {
    const { id } = await newThread(ctx)
    const wim = otherPerson(ctx, 'wim')
    const comesToNothing = ctx.db.transaction(async (db) => {
      for (let n = 0; n < 3; n++) await newComment({ ...wim, db }, id)
      throw new Error('on purpose')
    })
    await expect(comesToNothing).rejects.toThrow('on purpose')
    const { id: first } = await newComment(wim, id)
    const { id: second } = await newComment(wim, id)
    expect(await countOwn(ctx.db, OWN_COMMENTS, rootIn(wim))).toBe(2)
    expect((await myComments(wim)).comments.map((comment) => comment.id)).toEqual([second, first])
  }))

test('dana’s cred is last night’s, rounded, under a key that nothing else uses', () =>
  as('dana', async (ctx) => {
    const { id } = await newThread(ctx)
    for (let n = 0; n < 8; n++) await voteThread(otherPerson(ctx, `voter ${n}`), id, 1)
    expect(await credOf(ctx)).toBe(0)
    await sumCred(ctx)
    expect(await credOf(ctx)).toBe(10)
    expect(await credOf(otherPerson(ctx, 'voter 1'))).toBe(0)
    const [kept] = await ctx.db.query<{ key: Uint8Array; cred: number }>(
      sql`select key, cred from member_cred`,
    )
    expect(kept?.cred).toBe(8)
    expect(
      await ctx.db.query(sql`select from threads where ${kept?.key} in (key, own_row_key)`),
    ).toEqual([])
    await deleteThread(ctx, id)
    await sumCred(ctx)
    expect(await ctx.db.query(sql`select from member_cred`)).toEqual([])
  }))

test('a deleted account’s posts show that it was deleted, but not which one', () =>
  as('dana', async (ctx) => {
    const people = [personRootOf(ctx), personRootOf(otherPerson(ctx, 'wim'))] as PersonRoot[]
    const key = departedKey(rootIn(ctx))
    await ctx.db.query(sql`insert into deleted_accounts (key) values (${key})`)
    expect([...(await departedAmong(ctx.db, people))]).toEqual([rootIn(ctx).toString('hex')])
  }))
