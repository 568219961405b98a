/** What moderators hide, move and pin: who sees what instead, and whether the counters hold. */

import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { type PersonRoot, personRootOf } from '#app/api/auth/roots.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { minuteOf } from '#app/platform/days.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { actorLike, stranger } from '#tests/support/authors.ts'
import { testSecrets, withDatabase } from '#tests/support/database.ts'
import { events } from '#tests/support/events.ts'
import {
  addComment,
  aThread,
  startThread,
  voteComment,
  votePoll,
  voteThread,
} from '#tests/support/unlimited.ts'
import { deleteComment, editComment } from '../comments/comment-commands.server.ts'
import { commentSource, commentsPage, myComments } from '../comments/comment-queries.server.ts'
import { PERIOD_MINUTES } from '../discussion.ts'
import { muteThread, saveThread } from '../threads/saved-threads.server.ts'
import { deleteThread, editThread } from '../threads/thread-commands.server.ts'
import {
  listThreads,
  mySavedThreads,
  myThread,
  myThreads,
  threadById,
  threadSource,
} from '../threads/thread-queries.server.ts'
import { sumCred } from '../votes/vote-counts.server.ts'
import { postsExport } from './export-queries.server.ts'
import {
  moderatedComments as comments,
  moderatedThreads as threads,
} from './moderated-threads.server.ts'
import { isSameKey, openAuthor, ownThreadKey } from './own-posts.server.ts'
import { countRecentComments, forgetAuthor } from './removal.server.ts'

const { as, outside } = withDatabase()

const newThread = (ctx: Ctx, over: Partial<Parameters<typeof startThread>[1]> = {}) =>
  startThread(ctx, aThread(over))
const newComment = (ctx: Ctx, threadId: string, body = 'Something', parentId?: string) =>
  addComment(ctx, threadId, {
    body,
    parentId,
    name: 'pseudonym',
    idempotencyKey: crypto.randomUUID(),
  })
const otherCompany = (ctx: Ctx) =>
  ctx.db
    .query<{ id: string }>(sql`
      insert into companies (name, name_key, slug)
      values ('Other Place', 'other place', 'other-place') returning id`)
    .then(([company]) => company?.id as string)

const REMOVED = { state: 'removed', reason: 'spam' } as const
const HELD = { state: 'held', reason: null } as const

/** Every counter that's wrong. */
const drift = (db: Database) =>
  db.query(sql`
    select 'thread', id, comments from threads
     where comments <> (select count(*) from comments comment where comment.thread_id = threads.id
                           and not comment.is_deleted and comment.hidden is null)
    union all
    select 'company', company_id, stats.comments from company_stats stats
     where stats.threads <> (select count(*) from threads thread
                              where thread.company_id = stats.company_id and thread.hidden is null)
        or stats.comments <> (select coalesce(sum(thread.comments), 0) from threads thread
                               where thread.company_id = stats.company_id and thread.hidden is null)`)
const counters = async (ctx: Ctx, companyId: string) =>
  (
    await ctx.db.query<{ threads: number; comments: number }>(
      sql`select threads, comments from company_stats where company_id = ${companyId}`,
    )
  )[0]

/** A thread of dana's with a poll, with a comment of hers and an answer of a stranger's. */
async function conversation(ctx: Ctx) {
  const companyId = await giveErinHerCompany(ctx.db)
  const vera = stranger(ctx, 1)
  const { id } = await newThread(ctx, { companyId, poll: { options: ['Yes', 'No'], days: 3 } })
  const own = await newComment(ctx, id, 'Dana says')
  const answer = await newComment(vera, id, 'Vera answers', own.id)
  return { companyId, vera, id, own, answer }
}

describe('a removed thread', () => {
  test('a removed thread shows only the reason, and so does everything below it', () =>
    as('dana', async (ctx) => {
      const { id, vera, answer } = await conversation(ctx)
      await threads.hide(ctx.db, id, REMOVED)
      const gone = {
        status: 410,
        message: 'This thread was removed by a moderator: Spam or advertising',
      }
      for (const ask of [
        () => threadById(ctx, id),
        () => myThread(ctx, id),
        () => commentsPage(ctx, id, { sort: 'best' }),
        () => newComment(vera, id),
        () => voteThread(vera, id, 1),
        () => voteComment(ctx, answer.id, 1),
        () => votePoll(vera, id, 0),
        () => saveThread(vera, id, true),
        () => muteThread(vera, id, true),
        () => editComment(vera, answer.id, 'Changed'),
      ])
        await expect(ask()).rejects.toMatchObject(gone)
      await threads.hide(ctx.db, id, HELD)
      for (const ask of [() => threadById(ctx, id), () => newComment(vera, id)])
        await expect(ask()).rejects.toMatchObject({
          status: 404,
          code: 'held',
          message: 'This thread is hidden until a moderator reviews it',
        })
      await threads.hide(ctx.db, id, null)
      expect((await threadById(ctx, id)).comments).toBe(2)
    }))

  test('a removed thread is in no one’s lists', () =>
    as('dana', async (ctx) => {
      const { id, vera, companyId } = await conversation(ctx)
      const neighbor = await newThread(vera, { companyId })
      await saveThread(vera, id, true)
      await threads.setPinned(ctx.db, id, true)
      await threads.hide(ctx.db, id, REMOVED)
      for (const sort of ['hot', 'new', 'top', 'unanswered'] as const)
        for (const company of [undefined, companyId]) {
          const page = await listThreads(ctx, { sort, period: 'all', company })
          expect([...page.pinned, ...page.threads].map((row) => row.id)).toEqual([neighbor.id])
        }
      expect((await threadById(ctx, neighbor.id)).related).toEqual([])
      expect((await myThreads(ctx)).threads).toEqual([])
      expect((await myComments(ctx)).comments).toEqual([])
      expect((await mySavedThreads(vera)).threads).toEqual([])
    }))

  test('a removed thread’s author can read, export and delete it, but not edit it', () =>
    as('dana', async (ctx) => {
      const { id, own, companyId } = await conversation(ctx)
      await threads.hide(ctx.db, id, REMOVED)
      expect((await threadSource(ctx, id)).body).toBe('They say nobody comes in.')
      expect((await commentSource(ctx, own.id)).body).toBe('Dana says')
      const { threads: exported } = await postsExport(ctx)
      expect(exported).toMatchObject([{ id, hidden: 'removed', hiddenReason: 'spam' }])
      await expect(
        editThread(ctx, id, { title: 'Quite another title', body: '', topics: [] }),
      ).rejects.toMatchObject({
        status: 409,
        message: 'This thread was removed by a moderator: Spam or advertising',
      })
      await deleteComment(ctx, own.id)
      expect(await drift(ctx.db)).toEqual([])
      await deleteThread(ctx, id)
      expect(await counters(ctx, companyId)).toEqual({ threads: 0, comments: 0 })
    }))
})

describe('a hidden comment', () => {
  test('a hidden comment leaves a stub without text, name or score that says why', () =>
    as('dana', async (ctx) => {
      const { id, vera, own, answer } = await conversation(ctx)
      const member = { ...ctx, actor: actorLike(ctx.actor, 'another member') }
      await voteComment(member, own.id, 1)
      await comments.hide(ctx.db, own.id, REMOVED)
      const page = await commentsPage(vera, id, { sort: 'best' })
      expect(page.comments[0]).toEqual({
        id: own.id,
        parentId: null,
        depth: 0,
        replies: 1,
        author: null,
        badge: null,
        isOp: false,
        html: '',
        postedAt: '2026-03-14T09:26Z',
        isEdited: false,
        isDeleted: false,
        score: 0,
        removal: { state: 'removed', reason: 'spam' },
      })
      expect(page.comments[1]).toMatchObject({ id: answer.id, removal: null })
      expect((await threadById(ctx, id)).comments).toBe(1)
      expect((await myComments(ctx)).comments).toEqual([])
      expect((await postsExport(ctx)).comments).toMatchObject([{ hidden: 'removed' }])
      // Readers' votes stay, because they're theirs.
      await sumCred(ctx)
      const cred = await ctx.db.query(sql`select cred from member_cred`)
      expect(cred).toEqual([{ cred: 1 }])
      await comments.hide(ctx.db, own.id, null)
      expect((await commentsPage(vera, id, { sort: 'best' })).comments[0]).toMatchObject({
        score: 1,
        html: '<p>Dana says</p>',
        removal: null,
      })
    }))

  test('a hidden comment isn’t counted anywhere, for any reader', () =>
    as('dana', async (ctx) => {
      const { id, vera, answer } = await conversation(ctx)
      await newComment(vera, id, 'And below that', answer.id)
      const counts = async (reader: typeof ctx) => {
        const { comments: shown } = await commentsPage(reader, id, { sort: 'best' })
        return [(await threadById(reader, id)).comments, ...shown.map(({ replies }) => replies)]
      }
      expect(await counts(vera)).toEqual([3, 2, 1, 0])
      await comments.hide(ctx.db, answer.id, HELD)
      for (const reader of [vera, ctx]) expect(await counts(reader)).toEqual([2, 1, 1, 0])
      await comments.hide(ctx.db, answer.id, null)
      await deleteComment(vera, answer.id)
      for (const reader of [vera, ctx]) expect(await counts(reader)).toEqual([2, 1, 1, 0])
    }))

  test('no one can vote on, answer or edit a hidden comment, but its author can read and delete it', () =>
    as('dana', async (ctx) => {
      const { id, vera, own } = await conversation(ctx)
      await comments.hide(ctx.db, own.id, HELD)
      const held = 'This comment is hidden until a moderator reviews it'
      await expect(voteComment(vera, own.id, 1)).rejects.toMatchObject({
        status: 409,
        message: held,
      })
      await expect(editComment(ctx, own.id, 'New')).rejects.toMatchObject({
        status: 409,
        message: held,
      })
      await expect(newComment(vera, id, 'But', own.id)).rejects.toMatchObject({
        status: 409,
        message: 'The comment you’re replying to was removed',
      })
      expect((await commentSource(ctx, own.id)).body).toBe('Dana says')
      expect(await deleteComment(ctx, own.id)).toEqual({ isStub: true })
      expect((await commentsPage(vera, id, { sort: 'best' })).comments[0]).toMatchObject({
        isDeleted: true,
        removal: null,
      })
      expect(await comments.lock(ctx.db, own.id)).toBeUndefined()
      expect(await comments.views(ctx.db, [own.id])).toEqual([])
    }))
})

describe('counters', () => {
  test('counters stay exact when posts are hidden, shown again, deleted or moved in any order', () =>
    as('dana', async (ctx) => {
      const { id, vera, own, answer, companyId } = await conversation(ctx)
      const third = await newComment(vera, id, 'A third one')
      const otherId = await otherCompany(ctx)
      const { db } = ctx
      for (const step of [
        () => comments.hide(db, own.id, HELD),
        () => comments.hide(db, own.id, REMOVED),
        () => threads.hide(db, id, HELD),
        () => comments.hide(db, answer.id, REMOVED),
        () => threads.hide(db, id, REMOVED),
        () => threads.move(db, id, otherId),
        () => comments.hide(db, own.id, null),
        () => threads.hide(db, id, null),
        () => threads.hide(db, id, null),
        () => threads.move(db, id, companyId),
        () => threads.move(db, id, companyId),
        () => deleteComment(vera, answer.id),
        () => comments.hide(db, answer.id, null),
        () => threads.move(db, id, null),
        () => threads.move(db, id, otherId),
        () => comments.hide(db, third.id, REMOVED),
        () => threads.hide(db, id, REMOVED),
        () => deleteComment(ctx, own.id),
        () => deleteComment(vera, third.id),
      ]) {
        await step()
        expect(await drift(db), step.toString()).toEqual([])
      }
      await threads.hide(db, id, null)
      expect(await counters(ctx, otherId)).toEqual({ threads: 1, comments: 0 })
      expect(await counters(ctx, companyId)).toEqual({ threads: 0, comments: 0 })
      await expect(threads.move(db, id, crypto.randomUUID())).rejects.toMatchObject({ status: 400 })
    }))

  test('counters stay exact when the author of hidden posts leaves', () =>
    as('dana', async (ctx) => {
      const { id, vera, own, companyId } = await conversation(ctx)
      const { id: veras } = await newThread(vera, { companyId })
      const hidden = await newComment(ctx, veras, 'To be hidden')
      await muteThread(ctx, veras, true)
      await comments.hide(ctx.db, hidden.id, REMOVED)
      await comments.hide(ctx.db, own.id, HELD)
      await threads.hide(ctx.db, id, REMOVED)
      await forgetAuthor(ctx, { ...(personRootOf(ctx) as PersonRoot), posts: 'remove' })
      expect(await drift(ctx.db)).toEqual([])
      expect(await counters(ctx, companyId)).toEqual({ threads: 1, comments: 0 })
      expect(await ctx.db.query(sql`select from muted_threads`)).toEqual([])
    }))

  test('the number of last week’s posts leaves out hidden comments', () =>
    as('dana', async (ctx) => {
      const { companyId, own } = await conversation(ctx)
      await comments.hide(ctx.db, own.id, REMOVED)
      await countRecentComments(ctx.db, minuteOf(ctx.now()) - PERIOD_MINUTES.week)
      const [stats] = await ctx.db.query(
        sql`select recent_comments as n from company_stats where company_id = ${companyId}`,
      )
      expect(stats).toEqual({ n: 1 })
    }))

  test('counters stay exact while many people write, vote, hide, move and delete at once', async () => {
    const db = outside()
    const base = await as('dana', async (ctx) => ctx)
    const ctx = (n: number): Ctx => ({ ...stranger(base, n), db })
    const companyId = await giveErinHerCompany(db)
    const otherId = await otherCompany(ctx(0))
    try {
      const { id } = await newThread(ctx(0), { companyId })
      const unless410 = (error: { status?: number }) => {
        if (![404, 409, 410].includes(error.status ?? 0)) throw error
      }
      const work: Promise<unknown>[] = []
      for (let n = 1; n <= 24; n++)
        work.push(
          (async () => {
            const one = await newComment(ctx(n), id, `Number ${n}`)
            await voteComment(ctx(n + 1), one.id, 1)
            await db.transaction((db) => comments.hide(db, one.id, n % 2 ? HELD : REMOVED))
            if (n % 3 === 0) await db.transaction((db) => comments.hide(db, one.id, null))
            if (n % 4 === 0) await deleteComment(ctx(n), one.id)
            if (n % 5 === 0)
              await db.transaction((db) => threads.move(db, id, n % 2 ? otherId : companyId))
            if (n % 6 === 0) await db.transaction((db) => threads.hide(db, id, HELD))
            if (n % 6 === 0) await db.transaction((db) => threads.hide(db, id, null))
          })().catch(unless410),
        )
      await Promise.all(work)
      expect(await drift(db)).toEqual([])
    } finally {
      await db.query(sql`delete from companies where id in (${companyId}, ${otherId})`)
      await db.query(sql`delete from votes`)
      await db.query(sql`delete from job_queue where kind = 'post-added'`)
    }
  })
})

describe('what moderators see', () => {
  test('moderators see what a post is and where, and no one’s key', () =>
    as('dana', async (ctx) => {
      const { id, own, companyId } = await conversation(ctx)
      await comments.hide(ctx.db, own.id, REMOVED)
      const [seen] = await comments.views(ctx.db, [own.id, crypto.randomUUID()])
      expect(seen).toEqual({
        id: own.id,
        thread: { id, title: 'Is it true about the Thursdays?', path: expect.any(String) },
        href: `/thread/${id}-is-it-true-about-the-thursdays#comment-${own.id}`,
        company: { id: companyId, name: 'Erin and Sons', path: '/erin-and-sons' },
        author: { name: expect.stringMatching(/ /), isVisitor: false },
        html: '<p>Dana says</p>',
        postedAt: '2026-03-14T09:26Z',
        hidden: 'removed',
        hiddenReason: 'spam',
        isLocked: false,
        isPinned: false,
      })
      expect(await comments.hiddenOf(ctx)).toEqual([seen])
      expect(await threads.hiddenOf(ctx)).toEqual([])
      const told = JSON.stringify([seen, await threads.views(ctx.db, [id])])
      expect(told).not.toContain(ctx.actor.authorKey)
    }))

  test('moderators see whose post a decision is about, and its present state', () =>
    as('dana', async (ctx) => {
      const { id, own, companyId } = await conversation(ctx)
      await threads.lockWith(ctx.db, id, null)
      await threads.setPinned(ctx.db, id, true)
      const kept = {
        threadId: id,
        companyId,
        hidden: null,
        hiddenReason: null,
        isLocked: true,
        isPinned: true,
      }
      const locked = await threads.lock(ctx.db, id)
      expect(locked).toMatchObject(kept)
      expect(isSameKey(locked?.authorKey ?? null, ownThreadKey(ctx, id))).toBe(true)
      expect(openAuthor(testSecrets, id, locked?.personSealed ?? null)).toEqual(personRootOf(ctx))
      expect(await comments.lock(ctx.db, own.id)).toMatchObject(kept)
      expect(await threads.lock(ctx.db, crypto.randomUUID())).toBeUndefined()
    }))

  test('a post that a moderator cleared can be held again once its text changes', () =>
    as('dana', async (dana) => {
      const ctx = { ...dana, events }
      const { id, own } = await conversation(ctx)
      await ctx.db.query(sql`
        insert into moderation_cases (thread_id, comment_id, cause, is_open, is_cleared, opened_on)
        values (${id}, null, 'reports', false, true, '2026-03-14'),
               (null, ${own.id}, 'reports', false, true, '2026-03-14')`)
      const cleared = async () =>
        (await ctx.db.query(sql`select from moderation_cases where is_cleared`)).length
      const { title, body } = await threadSource(ctx, id)
      await editThread(ctx, id, { title, body, topics: ['culture'] })
      await editComment(ctx, own.id, 'Dana says')
      expect(await cleared()).toBe(2)
      await editThread(ctx, id, { title, body: 'Other words.', topics: [] })
      expect(await cleared()).toBe(1)
      await editComment(ctx, own.id, 'Dana says something else')
      expect(await cleared()).toBe(0)
      // A stub leaves moderators nothing to decide.
      await deleteComment(ctx, own.id)
      expect(await ctx.db.query(sql`select from moderation_cases`)).toHaveLength(1)
    }))
})

describe('pinned threads', () => {
  test('a pinned thread is first, once, in its own hot list, and in normal order elsewhere', () =>
    as('dana', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      const aboutErin = await newThread(ctx, { companyId, topics: ['pay'] })
      const aboutNone = await newThread(ctx)
      for (let n = 0; n < 25; n++)
        await newThread(ctx, { companyId: n % 2 ? companyId : undefined })
      for (const { id } of [aboutErin, aboutNone]) await threads.setPinned(ctx.db, id, true)
      type Query = Partial<Parameters<typeof listThreads>[1]>
      const list = async (query: Query) => {
        const page = (after?: string) =>
          listThreads(ctx, { sort: 'hot', period: 'all', ...query, after })
        const first = await page()
        const rest = first.next ? await page(first.next) : { pinned: [], threads: [] }
        return {
          pinned: first.pinned.map(({ id }) => id),
          again: rest.pinned,
          listed: [...first.threads, ...rest.threads].map(({ id }) => id),
        }
      }
      const all = await list({})
      expect(all).toMatchObject({ pinned: [aboutNone.id], again: [] })
      expect(all.listed).toHaveLength(26)
      expect(all.listed).not.toContain(aboutNone.id)
      const erins = await list({ company: companyId })
      expect(erins).toMatchObject({ pinned: [aboutErin.id], again: [] })
      expect(erins.listed).toHaveLength(12)
      for (const query of [{ sort: 'new' }, { sort: 'top' }, { topic: 'pay' }] as Query[]) {
        const { pinned, listed } = await list(query)
        expect(pinned).toEqual([])
        expect(listed).toContain(aboutErin.id)
      }
    }))
})
