/** Reports, decisions and appeals on a real database. */

import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { SUSPENSIONS } from '#app/api/auth/own-rows.server.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'
import { deleteComment } from '#app/community/discussions/comments/comment-commands.server.ts'
import { deleteThread } from '#app/community/discussions/threads/thread-commands.server.ts'
import { BURST_POSTS, type PostRef } from '#app/community/reports/report.ts'
import { suspensionOf } from '#app/identity/accounts/suspension-rules.server.ts'
import { ctxAs, stranger } from '#tests/support/authors.ts'
import { later, withDatabase } from '#tests/support/database.ts'
import { addComment } from '#tests/support/unlimited.ts'
import { acceptAppeal, appealRemoval, declineAppeal } from './appeal-commands.server.ts'
import { myModeration } from './appeal-queries.server.ts'
import {
  keepPost,
  lockThread,
  moveThread,
  pinThread,
  removePost,
  unlockThread,
  unpinThread,
} from './decision-commands.server.ts'
import {
  APPEAL,
  member,
  newComment,
  newThread,
  noticeEvents,
  refused,
  SPAM,
  sceneOn,
  visibilityOf,
} from './moderation.fixture.ts'
import { moderationLog, undoDecision } from './moderation-log.server.ts'
import { holdBurst } from './new-posts.server.ts'
import { viewPosts } from './posts.server.ts'
import { moderationQueue } from './queue-queries.server.ts'
import { removalsAbout } from './removal-counts.server.ts'
import { reportPost } from './report-commands.server.ts'
import { forgetSuspended, suspendAuthor, sweepSuspensions } from './suspension-commands.server.ts'

const scene = sceneOn(withDatabase())
const OF_NO_COMPANY = { jobs: 0, replies: 0 }
const openCases = async (ctx: Ctx) => (await moderationQueue(ctx, { list: 'open' })).cases
const toldOnce = async (ctx: Ctx) => {
  const events = await noticeEvents(ctx)
  await ctx.db.query(sql`delete from job_queue where kind = 'post-ruled'`)
  return events
}
const lastEntry = async (ctx: Ctx) => (await moderationLog(ctx)).entries[0]

describe('reporting', () => {
  test('reports about one post are one case; moderators see counts and notes, not people', () =>
    scene(async ({ vera, erin, ctx, ada, thread }) => {
      await reportPost(vera, thread, { reason: 'spam', note: 'Sells a course' })
      await reportPost(erin, thread, { reason: 'spam', note: '' })
      await reportPost(stranger(ctx, 1), thread, {
        reason: 'off-topic',
        note: 'Nothing about work',
      })
      const queue = await moderationQueue(ada, { list: 'open' })
      expect(queue.counts).toEqual({ open: 1, appeals: 0 })
      expect(queue.cases).toEqual([
        expect.objectContaining({
          ...thread,
          cause: 'reports',
          state: 'shown',
          reports: [
            { reason: 'spam', count: 2 },
            { reason: 'off-topic', count: 1 },
          ],
          notes: ['Nothing about work', 'Sells a course'],
          suspendedUntil: null,
          appeal: null,
        }),
      ])
    }))

  test('reporting twice counts once, with the latest text, cleaned', () =>
    scene(async ({ vera, ada, thread }) => {
      await reportPost(vera, thread, { reason: 'spam', note: 'Sells a course' })
      await reportPost(vera, thread, {
        reason: 'threat',
        note: 'It \u202ethreatens\u200b somebody',
      })
      const [reported] = await openCases(ada)
      expect(reported).toMatchObject({
        reports: [{ reason: 'threat', count: 1 }],
        notes: ['It threatens somebody'],
      })
    }))

  test('no one can report their own post or a missing one', () =>
    scene(async ({ vera, dana, erin, ada, thread, comment }) => {
      await expect(reportPost(dana, thread, SPAM)).rejects.toEqual(
        refused(403, /^You can’t report your own post$/),
      )
      await expect(reportPost(vera, comment, SPAM)).rejects.toEqual(refused(403))
      const gone = { kind: 'comment', id: thread.id } as const
      await expect(reportPost(erin, gone, SPAM)).rejects.toEqual(refused(404))
      await removePost(ada, thread, SPAM)
      await expect(reportPost(erin, thread, SPAM)).rejects.toEqual(refused(404))
      await expect(reportPost(erin, comment, SPAM)).rejects.toEqual(refused(404))
      expect((await moderationQueue(ada, { list: 'open' })).counts.open).toBe(0)
    }))

  test('a browser without an anonymous id and a suspended member can’t report', () =>
    scene(async ({ ctx, vera, ada, thread, comment }) => {
      const nobody = ctxAs(ctx, { role: 'visitor', account: null, authorKey: null })
      await expect(reportPost(nobody, thread, SPAM)).rejects.toEqual(
        refused(401, /^Your browser didn’t send an anonymous ID/),
      )
      await suspendAuthor(ada, comment, { days: 7, reason: 'spam' })
      await expect(reportPost(vera, thread, SPAM)).rejects.toEqual(
        refused(403, /^You can’t report until the end of 2026-03-21\. Reason: Spam/),
      )
    }))

  test('three confirmed members’ reports hold a post, its author hears of it, and no log names anyone', () =>
    scene(async ({ ctx, ada, thread, companyId }) => {
      for (const n of [1, 2]) await reportPost(member(ctx, n), thread, SPAM)
      await reportPost(member(ctx, 2), thread, SPAM)
      expect(await visibilityOf(ctx, thread)).toBe('shown')
      await reportPost(member(ctx, 3), thread, SPAM)
      expect(await visibilityOf(ctx, thread)).toBe('held')
      expect(await noticeEvents(ctx)).toEqual(['held'])
      expect((await moderationLog(ada)).entries).toEqual([])
      expect(await openCases(ada)).toEqual([expect.objectContaining({ state: 'held' })])
      expect(await companyCounts(ctx, companyId)).toEqual({ threads: 0, comments: 0 })
    }))

  test('visitors and unconfirmed members hold nothing, however many', () =>
    scene(async ({ ctx, thread }) => {
      for (let n = 0; n < 6; n++) {
        await reportPost(stranger(ctx, n), thread, SPAM)
        await reportPost(member(ctx, n, false), thread, SPAM)
      }
      expect(await visibilityOf(ctx, thread)).toBe('shown')
    }))

  test('reports can’t hold a post that a moderator kept, but they bring it back to the queue', () =>
    scene(async ({ ctx, ada, thread }) => {
      for (const n of [1, 2, 3]) await reportPost(member(ctx, n), thread, SPAM)
      await toldOnce(ctx)
      await keepPost(ada, thread)
      expect(await visibilityOf(ctx, thread)).toBe('shown')
      expect(await toldOnce(ctx)).toEqual(['restored'])
      expect(await openCases(ada)).toEqual([])
      for (const n of [1, 4, 5, 6]) await reportPost(member(ctx, n), thread, SPAM)
      expect(await visibilityOf(ctx, thread)).toBe('shown')
      expect(await openCases(ada)).toEqual([
        expect.objectContaining({ isCleared: true, reports: [{ reason: 'spam', count: 4 }] }),
      ])
      await keepPost(ada, thread)
      expect(await noticeEvents(ctx)).toEqual([])
    }))

  test('settled reports don’t count towards a hold', () =>
    scene(async ({ ctx, ada, dana, thread, comment }) => {
      await reportPost(member(ctx, 1), comment, SPAM)
      await reportPost(member(ctx, 2), comment, SPAM)
      await removePost(ada, comment, SPAM)
      // As if it had never been cleared: the settled reports alone are in question.
      await ctx.db.query(sql`update comments set hidden = null, hidden_reason = null`)
      await reportPost(member(ctx, 3), comment, SPAM)
      expect(await visibilityOf(ctx, comment)).toBe('shown')
      await expect(reportPost(dana, thread, SPAM)).rejects.toEqual(refused(403))
    }))

  test('the queue’s pages continue where they stopped, oldest first, and a deleted post leaves it', () =>
    scene(async ({ ctx, vera, dana, ada, thread }) => {
      const comments: PostRef[] = []
      for (let n = 0; n < 25; n++) {
        const comment = await newComment(dana, thread.id)
        comments.push(comment)
        await reportPost(later(vera, n * 1_440), comment, SPAM)
      }
      const first = await moderationQueue(ada, { list: 'open' })
      const second = await moderationQueue(ada, { list: 'open', after: first.next ?? '' })
      expect(first.counts.open).toBe(25)
      expect([...first.cases, ...second.cases].map(({ id }) => id)).toEqual(
        comments.map(({ id }) => id),
      )
      expect(second.next).toBeNull()
      for (const after of ['', 'x', first.next?.slice(1) ?? ''])
        await expect(moderationQueue(ada, { list: 'open', after })).rejects.toEqual(refused(400))
      await expect(
        moderationQueue(ada, { list: 'appeals', after: first.next ?? '' }),
      ).rejects.toEqual(refused(400))
      // One that was answered leaves a stub, and with it its case: there is nothing to look at.
      await addComment(vera, thread.id, {
        body: 'An answer',
        parentId: comments[0]?.id,
        name: 'pseudonym',
        idempotencyKey: crypto.randomUUID(),
      })
      for (const { id } of comments.slice(0, 2)) await deleteComment(dana, id)
      expect((await moderationQueue(ada, { list: 'open' })).counts.open).toBe(23)
      await expect(keepPost(ada, comments[0] as PostRef)).rejects.toEqual(refused(404))
      expect((await moderationQueue(later(ctx, 0), { list: 'open' })).cases[0]?.id).toBe(
        comments[2]?.id,
      )
    }))
})

async function companyCounts({ db }: Ctx, companyId: string) {
  const [counts] = await db.query<{ threads: number; comments: number }>(
    sql`select threads, comments from company_stats where company_id = ${companyId}`,
  )
  return counts
}

describe('deciding', () => {
  test('ada removes a thread: it’s counted publicly, its author reads why, and its reports are settled', () =>
    scene(async ({ ctx, vera, dana, ada, thread, companyId }) => {
      await reportPost(vera, thread, SPAM)
      await removePost(ada, thread, { reason: 'harassment', note: 'It names \u200bsomebody.' })
      expect(await visibilityOf(ctx, thread)).toBe('removed')
      expect(await companyCounts(ctx, companyId)).toEqual({ threads: 0, comments: 0 })
      expect(await removalsAbout(ctx, companyId)).toEqual([
        {
          month: '2026-03',
          reason: 'harassment',
          threads: 1,
          comments: 0,
          notes: 0,
          ...OF_NO_COMPANY,
        },
      ])
      expect(await removalsAbout(ctx, undefined)).toEqual([])
      expect(await openCases(ada)).toEqual([])
      expect(await noticeEvents(ctx)).toEqual(['removed'])
      expect(await myModeration(dana)).toEqual({
        suspension: null,
        posts: [
          {
            ...thread,
            thread: expect.objectContaining({ id: thread.id }),
            html: expect.stringContaining('nobody comes in'),
            state: 'removed',
            reason: 'harassment',
            note: 'It names somebody.',
            appeal: null,
            canAppeal: true,
          },
        ],
      })
      expect((await myModeration(vera)).posts).toEqual([])
      await expect(removePost(ada, thread, SPAM)).rejects.toEqual(refused(409))
      await expect(keepPost(ada, thread)).rejects.toEqual(refused(409, /was removed/))
    }))

  test('removals are listed newest month first, those without a company separately', () =>
    scene(async ({ ctx, dana, ada, thread, comment, companyId }) => {
      await removePost(ada, comment, SPAM)
      await removePost(later(ada, 60 * 1_440), thread, { reason: 'threat', note: '' })
      const { id } = await newThread(dana)
      await removePost(ada, { kind: 'thread', id }, SPAM)
      expect(await removalsAbout(ctx, companyId)).toEqual([
        { month: '2026-05', reason: 'threat', threads: 1, comments: 0, notes: 0, ...OF_NO_COMPANY },
        { month: '2026-03', reason: 'spam', threads: 0, comments: 1, notes: 0, ...OF_NO_COMPANY },
      ])
      expect(await removalsAbout(ctx, undefined)).toEqual([
        { month: '2026-03', reason: 'spam', threads: 1, comments: 0, notes: 0, ...OF_NO_COMPANY },
      ])
    }))

  test('keeping a post that isn’t in the queue is refused, and so is repeating a decision', () =>
    scene(async ({ ctx, ada, thread, companyId }) => {
      await expect(keepPost(ada, thread)).rejects.toEqual(
        refused(409, /nothing to decide on for this post/),
      )
      await expect(unlockThread(ada, thread.id)).rejects.toEqual(refused(409))
      await expect(unpinThread(ada, thread.id)).rejects.toEqual(refused(409))
      await expect(moveThread(ada, thread.id, companyId)).rejects.toEqual(refused(409))
      await lockThread(ada, thread.id)
      await pinThread(ada, thread.id)
      await moveThread(ada, thread.id, null)
      await expect(lockThread(ada, thread.id)).rejects.toEqual(refused(409))
      await expect(pinThread(ada, thread.id)).rejects.toEqual(refused(409))
      await expect(moveThread(ada, thread.id, crypto.randomUUID())).rejects.toEqual(refused(400))
      expect(await noticeEvents(ctx)).toEqual(['locked', 'moved'])
      const { entries } = await moderationLog(ada)
      expect(entries.map(({ action, detail }) => [action, detail])).toEqual([
        ['move', 'No company'],
        ['pin', null],
        ['lock', null],
      ])
      expect(entries[0]).toMatchObject({
        moderator: 'Ada',
        day: '2026-03-14',
        mayUndo: true,
        isUndone: false,
      })
      await expect(addComment(ctx, thread.id, draft('Too late'))).rejects.toEqual(refused(409))
    }))

  const draft = (body: string) => ({
    body,
    name: 'pseudonym' as const,
    idempotencyKey: crypto.randomUUID(),
  })

  test('a suspension stops posting until its last day is over, and shows only on its post', () =>
    scene(async ({ ctx, vera, dana, ada, thread, comment }) => {
      const other = await newComment(vera, thread.id)
      for (const post of [comment, other]) await reportPost(dana, post, SPAM)
      await suspendAuthor(ada, comment, { days: 7, reason: 'harassment' })
      expect(await noticeEvents(ctx)).toEqual(['suspended'])
      await expect(addComment(vera, thread.id, draft('Me again'))).rejects.toEqual(
        refused(403, /2026-03-21/),
      )
      await expect(newThread(vera)).rejects.toEqual(refused(403))
      await addComment(dana, thread.id, draft('Others may'))
      expect((await myModeration(vera)).suspension).toEqual({
        endsOn: '2026-03-21',
        reason: 'harassment',
      })
      expect((await myModeration(dana)).suspension).toBeNull()
      const seen = (await openCases(ada)).map(({ id, suspendedUntil }) => [id, suspendedUntil])
      expect(new Map(seen as [string, string | null][])).toEqual(
        new Map([
          [comment.id, '2026-03-21'],
          [other.id, null],
        ]),
      )
      await expect(suspendAuthor(ada, comment, { days: 1, reason: 'spam' })).rejects.toEqual(
        refused(409),
      )
      // That it is the same author must not show: at another post it is as if nothing had been.
      await suspendAuthor(ada, other, { days: 1, reason: 'spam' })
      const key = rootOf(vera) as Buffer
      expect(await suspensionOf(vera, key)).toMatchObject({ endsOn: '2026-03-21' })
      expect(await suspensionOf(later(vera, 7 * 1_440), key)).toBeDefined()
      expect(await suspensionOf(later(vera, 8 * 1_440), key)).toBeUndefined()
      await newThread(later(vera, 8 * 1_440))
    }))

  test('suspensions of one person have nothing in common', () =>
    scene(async ({ ada, vera, thread }) => {
      const comments = []
      for (let n = 0; n < SUSPENSIONS.max + 2; n++) comments.push(await newComment(vera, thread.id))
      for (const [n, each] of comments.entries())
        await suspendAuthor(ada, each, { days: n === 0 ? 30 : 1, reason: 'spam' })
      const rows = await ada.db.query<{ ownRowKey: string }>(
        sql`select encode(own_row_key, 'hex') as "ownRowKey" from suspensions`,
      )
      // The suspensions that end first were replaced.
      expect(new Set(rows.map(({ ownRowKey }) => ownRowKey)).size).toBe(SUSPENSIONS.max)
      expect(await suspensionOf(vera, rootOf(vera) as Buffer)).toMatchObject({
        endsOn: '2026-04-13',
      })
    }))

  test('no one can suspend themselves', () =>
    scene(async ({ ada, olga, thread }) => {
      const own = await newComment(ada, thread.id)
      await expect(suspendAuthor(ada, own, { days: 1, reason: 'spam' })).rejects.toEqual(
        refused(403, /^You can’t suspend yourself$/),
      )
      await suspendAuthor(olga, own, { days: 1, reason: 'spam' })
    }))

  test('deleting an account deletes its suspensions, and its reports stay without a link between them', () =>
    scene(async ({ ctx, vera, ada, thread, comment }) => {
      const other = await newComment(ada, thread.id)
      for (const post of [thread, other]) await reportPost(vera, post, SPAM)
      await suspendAuthor(ada, comment, { days: 7, reason: 'spam' })
      const key = rootOf(vera) as Buffer
      await forgetSuspended(ctx, key)
      expect(await suspensionOf(ctx, key)).toBeUndefined()
      const keys = await ctx.db.query<{ key: string }>(
        sql`select encode(key, 'hex') as key from reports`,
      )
      expect(new Set(keys.map(({ key }) => key)).size).toBe(2)
      expect(await openCases(ada)).toHaveLength(2)
    }))

  test('suspensions that ended are deleted', () =>
    scene(async ({ ctx, ada, comment }) => {
      await suspendAuthor(ada, comment, { days: 7, reason: 'spam' })
      const left = () => ctx.db.query(sql`select from suspensions`)
      await sweepSuspensions(later(ctx, 7 * 1_440))
      expect(await left()).toHaveLength(1)
      await sweepSuspensions(later(ctx, 8 * 1_440))
      expect(await left()).toHaveLength(0)
    }))
})

describe('taking back', () => {
  test('undoing a removal restores the post and its counters, and the log says so', () =>
    scene(async ({ ctx, vera, ada, olga, thread, companyId }) => {
      await reportPost(vera, thread, SPAM)
      const { entry } = await removePost(ada, thread, SPAM)
      await toldOnce(ctx)
      const undoing = await undoDecision(olga, entry)
      expect(await visibilityOf(ctx, thread)).toBe('shown')
      expect(await removalsAbout(ctx, companyId)).toEqual([])
      expect(await companyCounts(ctx, companyId)).toEqual({ threads: 1, comments: 1 })
      expect(await openCases(ada)).toEqual([
        expect.objectContaining({ reports: [{ reason: 'spam', count: 1 }] }),
      ])
      expect(await noticeEvents(ctx)).toEqual(['restored'])
      expect((await moderationLog(ada)).entries).toMatchObject([
        { ...undoing, action: 'undo', moderator: 'Olga', mayUndo: false, detail: `#${entry}` },
        { entry, action: 'remove', isUndone: true, mayUndo: false },
      ])
      await expect(undoDecision(ada, entry)).rejects.toEqual(refused(409))
      await expect(undoDecision(ada, undoing.entry)).rejects.toEqual(refused(409))
      await expect(undoDecision(ada, 10 ** 9)).rejects.toEqual(refused(404))
    }))

  test('undoing holds a held post again, with its reports', () =>
    scene(async ({ ctx, ada, thread }) => {
      for (const n of [1, 2, 3]) await reportPost(member(ctx, n), thread, SPAM)
      await undoDecision(ada, (await removePost(ada, thread, SPAM)).entry)
      expect(await visibilityOf(ctx, thread)).toBe('held')
      await undoDecision(ada, (await keepPost(ada, thread)).entry)
      expect(await visibilityOf(ctx, thread)).toBe('held')
      expect(await openCases(ada)).toEqual([
        expect.objectContaining({ isCleared: false, reports: [{ reason: 'spam', count: 3 }] }),
      ])
    }))

  test('a later decision prevents undoing, unless it’s about another aspect of the post', () =>
    scene(async ({ ctx, vera, ada, thread }) => {
      await reportPost(vera, thread, SPAM)
      const kept = await keepPost(ada, thread)
      const locked = await lockThread(ada, thread.id)
      const removed = await removePost(ada, thread, SPAM)
      await expect(undoDecision(ada, kept.entry)).rejects.toEqual(refused(409, /later decision/))
      const mayUndo = async () =>
        (await moderationLog(ada)).entries.filter((it) => it.mayUndo).map((it) => it.entry)
      expect(await mayUndo()).toEqual([removed.entry, locked.entry])
      await undoDecision(ada, locked.entry)
      await undoDecision(ada, removed.entry)
      expect(await mayUndo()).toEqual([kept.entry])
      await undoDecision(ada, kept.entry)
      expect(await openCases(ada)).toHaveLength(1)
      expect(await visibilityOf(ctx, thread)).toBe('shown')
    }))

  test('a move, a pin, a lock and a suspension can be undone', () =>
    scene(async ({ ctx, vera, ada, thread, comment, companyId }) => {
      const done = [
        await moveThread(ada, thread.id, null),
        await pinThread(ada, thread.id),
        await lockThread(ada, thread.id),
        await suspendAuthor(ada, comment, { days: 30, reason: 'threat' }),
      ]
      expect(await companyCounts(ctx, companyId)).toEqual({ threads: 0, comments: 0 })
      expect(await lastEntry(ada)).toMatchObject({ action: 'suspend', detail: '2026-04-13' })
      for (const { entry } of done) await undoDecision(ada, entry)
      const seen = (await viewPosts(ctx.db, [thread])).get(thread.id)
      expect(seen).toMatchObject({ isLocked: false, isPinned: false, company: { id: companyId } })
      expect(await companyCounts(ctx, companyId)).toEqual({ threads: 1, comments: 1 })
      expect((await myModeration(vera)).suspension).toBeNull()
    }))

  test('only a suspension can be undone after its post is deleted', () =>
    scene(async ({ vera, ada, thread, comment }) => {
      const removed = await removePost(ada, comment, SPAM)
      const suspended = await suspendAuthor(ada, comment, { days: 30, reason: 'threat' })
      await deleteThread(ada, thread.id)
      const { entries } = await moderationLog(ada)
      expect(entries).toMatchObject([
        { ...suspended, kind: 'comment', thread: null, href: null, mayUndo: true },
        { ...removed, mayUndo: false },
      ])
      await expect(undoDecision(ada, removed.entry)).rejects.toEqual(
        refused(409, /no longer exists/),
      )
      expect((await myModeration(vera)).suspension).not.toBeNull()
      await undoDecision(ada, suspended.entry)
      expect((await myModeration(vera)).suspension).toBeNull()
    }))
})

describe('appeals', () => {
  test('the author appeals once, and another moderator restores the post', () =>
    scene(async ({ ctx, vera, dana, ada, olga, comment, companyId }) => {
      await removePost(ada, comment, SPAM)
      await expect(appealRemoval(dana, comment, APPEAL)).rejects.toEqual(refused(404))
      expect(await appealRemoval(vera, comment, `${APPEAL}\u200b `)).toEqual({ appeal: 'open' })
      await expect(appealRemoval(vera, comment, APPEAL)).rejects.toEqual(refused(409))
      const appealSeenBy = async (ctx: Ctx) =>
        (await moderationQueue(ctx, { list: 'appeals' })).cases.map(({ appeal }) => appeal)
      expect(await appealSeenBy(ada)).toEqual([{ text: APPEAL, status: 'open', mayDecide: false }])
      expect(await appealSeenBy(olga)).toEqual([{ text: APPEAL, status: 'open', mayDecide: true }])
      for (const decision of [acceptAppeal(ada, comment), declineAppeal(ada, comment, '')])
        await expect(decision).rejects.toEqual(
          refused(403, /^You removed this, so another moderator will decide$/),
        )
      await toldOnce(ctx)
      const { entry } = await acceptAppeal(olga, comment)
      expect(await noticeEvents(ctx)).toEqual(['restored'])
      expect(await visibilityOf(ctx, comment)).toBe('shown')
      expect(await removalsAbout(ctx, companyId)).toEqual([])
      expect((await myModeration(vera)).posts).toEqual([])
      await expect(acceptAppeal(olga, comment)).rejects.toEqual(refused(409))
      // Taken back, the appeal waits again, for another one than who removed the post.
      await undoDecision(ada, entry)
      expect(await visibilityOf(ctx, comment)).toBe('removed')
      expect(await removalsAbout(ctx, companyId)).toHaveLength(1)
      expect(await appealSeenBy(ada)).toEqual([{ text: APPEAL, status: 'open', mayDecide: false }])
      await declineAppeal(olga, comment, 'It is an advertisement')
      expect((await moderationQueue(ada, { list: 'appeals' })).counts.appeals).toBe(0)
      expect((await myModeration(vera)).posts).toMatchObject([
        { state: 'removed', appeal: 'declined', note: 'It is an advertisement', canAppeal: false },
      ])
    }))

  test('a single moderator decides alone, even if the other one is suspended', () =>
    scene(async ({ ctx, vera, ada, olga, comment }) => {
      await removePost(ada, comment, SPAM)
      await appealRemoval(vera, comment, APPEAL)
      await expect(acceptAppeal(ada, comment)).rejects.toEqual(refused(403))
      await ctx.db.query(
        sql`update accounts set is_suspended = true where id = ${olga.actor.account?.id}`,
      )
      await acceptAppeal(ada, comment)
    }))

  test('no one decides their own appeal while a third moderator can', () =>
    scene(async ({ ctx, dana, ada, olga, thread }) => {
      const own = await newComment(ada, thread.id)
      await removePost(olga, own, SPAM)
      await appealRemoval(ada, own, APPEAL)
      await ctx.db.query(sql`insert into admin_users (id) values (${dana.actor.account?.id})`)
      await expect(acceptAppeal(ada, own)).rejects.toEqual(refused(403))
      await ctx.db.query(sql`delete from admin_users where id = ${dana.actor.account?.id}`)
      // Whoever removes it gets the same answer, no matter who wrote it. It mustn't reveal that ada did.
      await expect(acceptAppeal(olga, own)).rejects.toEqual(refused(403))
      await acceptAppeal(ada, own)
    }))

  test('only a removal can be appealed, and only with a text', () =>
    scene(async ({ ctx, vera, ada, comment }) => {
      await expect(appealRemoval(vera, comment, APPEAL)).rejects.toEqual(refused(409))
      await expect(acceptAppeal(ada, comment)).rejects.toEqual(refused(409))
      await removePost(ada, comment, SPAM)
      await expect(appealRemoval(vera, comment, '\u200b'.repeat(20))).rejects.toEqual(refused(400))
      const nobody = ctxAs(ctx, { role: 'visitor', account: null, authorKey: null })
      await expect(appealRemoval(nobody, comment, APPEAL)).rejects.toEqual(refused(401))
    }))

  test('a removal that’s undone grants its appeal, and a new removal can’t be appealed', () =>
    scene(async ({ vera, ada, comment }) => {
      const { entry } = await removePost(ada, comment, SPAM)
      await appealRemoval(vera, comment, APPEAL)
      await undoDecision(ada, entry)
      expect((await moderationQueue(ada, { list: 'appeals' })).counts).toEqual({
        open: 0,
        appeals: 0,
      })
      await removePost(ada, comment, SPAM)
      await expect(appealRemoval(vera, comment, APPEAL)).rejects.toEqual(refused(409))
      expect((await myModeration(vera)).posts).toMatchObject([
        { appeal: 'accepted', canAppeal: false },
      ])
    }))

  test('a suspended author can still appeal', () =>
    scene(async ({ vera, ada, comment }) => {
      await removePost(ada, comment, SPAM)
      await suspendAuthor(ada, comment, { days: 30, reason: 'spam' })
      await appealRemoval(vera, comment, APPEAL)
    }))
})

describe('bursts', () => {
  test('a newcomer’s posts beyond an hourly number are held, even when the job runs twice', () =>
    scene(async ({ ctx, dana, ada, thread }) => {
      const posts: PostRef[] = []
      for (let n = 0; n < BURST_POSTS + 2; n++)
        posts.push(await newComment(stranger(ctx, 1), thread.id))
      for (const post of [...posts, ...posts]) await holdBurst(ctx, post)
      const held = []
      for (const post of posts) if ((await visibilityOf(ctx, post)) === 'held') held.push(post)
      expect(held).toHaveLength(2)
      expect(await noticeEvents(ctx)).toEqual(['held', 'held'])
      const cases = await openCases(ada)
      expect(cases.map(({ cause, state }) => [cause, state])).toEqual([
        ['burst', 'held'],
        ['burst', 'held'],
      ])
      const [first] = held
      await keepPost(ada, first as PostRef)
      await holdBurst(ctx, first as PostRef)
      expect(await visibilityOf(ctx, first as PostRef)).toBe('shown')
      await holdBurst(ctx, { kind: 'thread', id: crypto.randomUUID() })
      await holdBurst(dana, thread)
      expect(await visibilityOf(ctx, thread)).toBe('shown')
    }))

  test('people who joined a day ago, or post more slowly, aren’t affected', () =>
    scene(async ({ ctx, thread }) => {
      await newComment(stranger(ctx, 1), thread.id)
      let last: PostRef = thread
      for (let n = 0; n < BURST_POSTS + 2; n++)
        last = await newComment(later(stranger(ctx, 1), 1_440), thread.id)
      await holdBurst(ctx, last)
      expect(await visibilityOf(ctx, last)).toBe('shown')
      for (let n = 0; n < BURST_POSTS + 2; n++) {
        const post = await newComment(later(stranger(ctx, 2), n * 10), thread.id)
        await holdBurst(ctx, post)
        expect(await visibilityOf(ctx, post)).toBe('shown')
      }
    }))
})
