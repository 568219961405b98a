/** Reports, decisions and appeals on a real database. */

import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { SUSPENSIONS } from '#app/api/auth/own-rows.server.ts'
import { rootOf } from '#app/api/auth/roots.server.ts'
import { bindContract } from '#app/api/bind.server.ts'
import { deleteComment } from '#app/community/discussions/comments/comment-commands.server.ts'
import { deleteThread } from '#app/community/discussions/threads/thread-commands.server.ts'
import { decisionContract } from '#app/community/reports/decision.contract.ts'
import { reportContract } from '#app/community/reports/report.contract.ts'
import { BURST_POSTS, type PostRef } from '#app/community/reports/report.ts'
import type { Reason } from '#app/identity/accounts/suspension.ts'
import { suspensionOf } from '#app/identity/accounts/suspension-rules.server.ts'
import { Refusal } from '#app/platform/http/refusal.ts'
import { giveErinHerCompany, testRoot } from '#tests/people.ts'
import { amount } from '#tests/support/amounts.ts'
import { bareHttp, callsOf, openPolicies } from '#tests/support/api.ts'
import { ctxAs, stranger, visitorKey } from '#tests/support/authors.ts'
import { type Cast, later, testSecrets, withDatabase } from '#tests/support/database.ts'
import { events } from '#tests/support/events.ts'
import { addComment, aThread, startThread } from '#tests/support/unlimited.ts'
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
import { decisionHandlers, moderationHandlers, reportHandlers } from './feature.server.ts'
import { moderationContract } from './moderation.contract.ts'
import { moderationLog, undoDecision } from './moderation-log.server.ts'
import { holdBurst } from './new-posts.server.ts'
import { viewPosts } from './posts.server.ts'
import { moderationQueue } from './queue-queries.server.ts'
import { removalsAbout } from './removal-counts.server.ts'
import { reportPost } from './report-commands.server.ts'
import { forgetSuspended, suspendAuthor, sweepSuspensions } from './suspension-commands.server.ts'

const { as, castOn, outside } = withDatabase()
const OF_NO_COMPANY = { jobs: 0, replies: 0 }

const SPAM = { reason: 'spam' as Reason, note: '' }
const APPEAL = 'Please look again, this is my own experience'

const member = (ctx: Ctx, n: number, isEmailConfirmed = true) =>
  ctxAs(ctx, {
    role: 'member',
    authorKey: visitorKey(1_000 + n),
    account: {
      id: `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`,
      sessionId: '00000000-0000-4000-9000-000000000000',
      generation: 0,
      username: `Member${n}`,
      memberSince: '2026-01',
      isEmailConfirmed,
      isEmployer: false,
      hasOwnersAddress: false,
      authenticatedAt: 0,
      isRecovering: false,
      emailSealed: 'sealed',
      newEmailSealed: null,
      rootSealed: testRoot(testSecrets, `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`),
    },
  })

interface Scene extends Cast {
  ctx: Ctx
  companyId: string
  /** Dana's thread about Erin's company, and vera's comment there. */
  thread: PostRef
  comment: PostRef
}

/** Dana's thread about Erin's company with vera's comment, and everybody looking at it. */
const scene = <Result>(work: (scene: Scene) => Promise<Result>) =>
  as('ada', async (base) => {
    const ctx = { ...base, events }
    const people = castOn(ctx)
    const companyId = await giveErinHerCompany(ctx.db)
    const thread = await newThread(people.dana, companyId)
    const comment = await newComment(people.vera, thread.id)
    return work({ ctx, ...people, companyId, thread, comment })
  })

async function newThread(ctx: Ctx, companyId?: string): Promise<PostRef> {
  const { id } = await startThread(ctx, aThread({ companyId }))
  return { kind: 'thread', id }
}
async function newComment(ctx: Ctx, threadId: string): Promise<PostRef> {
  const { id } = await addComment(ctx, threadId, {
    body: 'I was there, and it is true.',
    name: 'pseudonym',
    sending: crypto.randomUUID(),
  })
  return { kind: 'comment', id }
}

const refused = (status: number, message?: RegExp) =>
  expect.objectContaining({
    status,
    ...(message && { message: expect.stringMatching(message) }),
  })
const visibilityOf = async ({ db }: Ctx, { kind, id }: PostRef) =>
  (await viewPosts(db, [{ kind, id }])).get(id)?.hidden ?? 'shown'
const openCases = async (ctx: Ctx) => (await moderationQueue(ctx, { list: 'open' })).cases
const told = async ({ db }: Ctx) =>
  (
    await db.query<{ event: string }>(
      sql`select payload ->> 'event' as event from job_queue where kind = 'post-ruled'`,
    )
  )
    .map(({ event }) => event)
    .sort()
const toldOnce = async (ctx: Ctx) => {
  const events = await told(ctx)
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

  test('reporting twice counts once, with the words of the last time, cleaned', () =>
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

  test('nobody reports their own post, or one that is not there', () =>
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

  test('a browser without an anonymous id, and somebody suspended, cannot report', () =>
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

  test('three members with a confirmed address hold a post; its author is told, no log names anyone', () =>
    scene(async ({ ctx, ada, thread, companyId }) => {
      for (const n of [1, 2]) await reportPost(member(ctx, n), thread, SPAM)
      await reportPost(member(ctx, 2), thread, SPAM)
      expect(await visibilityOf(ctx, thread)).toBe('shown')
      await reportPost(member(ctx, 3), thread, SPAM)
      expect(await visibilityOf(ctx, thread)).toBe('held')
      expect(await told(ctx)).toEqual(['held'])
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

  test('what a moderator kept is not held by reports again, but is looked at again', () =>
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
      expect(await told(ctx)).toEqual([])
    }))

  test('reports that were settled do not count towards a hold', () =>
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

  test('the queue goes on where it stopped, the longest waiting first; a deleted post leaves it', () =>
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
        sending: crypto.randomUUID(),
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
  test('ada removes a thread: it counts in public, its author is told why, reports are settled', () =>
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
      expect(await told(ctx)).toEqual(['removed'])
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

  test('removals are told newest month first, and without a company apart', () =>
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

  test('keeping what nobody asks about is refused, and so is what is so already', () =>
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
      expect(await told(ctx)).toEqual(['locked', 'moved'])
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
    sending: crypto.randomUUID(),
  })

  test('a suspension stops writing until its last day is over, and is seen at its post alone', () =>
    scene(async ({ ctx, vera, dana, ada, thread, comment }) => {
      const other = await newComment(vera, thread.id)
      for (const post of [comment, other]) await reportPost(dana, post, SPAM)
      await suspendAuthor(ada, comment, { days: 7, reason: 'harassment' })
      expect(await told(ctx)).toEqual(['suspended'])
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

  test('two suspensions of one person have nothing in common, however many there are', () =>
    scene(async ({ ada, vera, thread }) => {
      const comments = []
      for (let n = 0; n < SUSPENSIONS.max + 2; n++) comments.push(await newComment(vera, thread.id))
      for (const [n, each] of comments.entries())
        await suspendAuthor(ada, each, { days: n === 0 ? 30 : 1, reason: 'spam' })
      const rows = await ada.db.query<{ mine: string }>(
        sql`select encode(mine, 'hex') as mine from suspensions`,
      )
      // The ones that end first gave way.
      expect(new Set(rows.map(({ mine }) => mine)).size).toBe(SUSPENSIONS.max)
      expect(await suspensionOf(vera, rootOf(vera) as Buffer)).toMatchObject({
        endsOn: '2026-04-13',
      })
    }))

  test('nobody suspends themselves', () =>
    scene(async ({ ada, olga, thread }) => {
      const own = await newComment(ada, thread.id)
      await expect(suspendAuthor(ada, own, { days: 1, reason: 'spam' })).rejects.toEqual(
        refused(403, /^You can’t suspend yourself$/),
      )
      await suspendAuthor(olga, own, { days: 1, reason: 'spam' })
    }))

  test('an account that goes takes its suspensions along; its reports stay, and have nothing in common', () =>
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

  test('suspensions that ended are forgotten', () =>
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
  test('undoing a removal shows the post as it was, counters too, and is written down', () =>
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
      expect(await told(ctx)).toEqual(['restored'])
      expect((await moderationLog(ada)).entries).toMatchObject([
        { ...undoing, action: 'undo', moderator: 'Olga', mayUndo: false, detail: `#${entry}` },
        { entry, action: 'remove', isUndone: true, mayUndo: false },
      ])
      await expect(undoDecision(ada, entry)).rejects.toEqual(refused(409))
      await expect(undoDecision(ada, undoing.entry)).rejects.toEqual(refused(409))
      await expect(undoDecision(ada, 10 ** 9)).rejects.toEqual(refused(404))
    }))

  test('what was held is held again, with its reports', () =>
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

  test('what was decided since stands in the way; other sides of the post do not', () =>
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

  test('a move, a pin, a lock and a suspension go back', () =>
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

  test('of a post that is gone nothing is undone but a suspension', () =>
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
  test('the author asks once; another moderator gives the post back', () =>
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
      expect(await told(ctx)).toEqual(['restored'])
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

  test('a single moderator decides alone, also when the other one is suspended', () =>
    scene(async ({ ctx, vera, ada, olga, comment }) => {
      await removePost(ada, comment, SPAM)
      await appealRemoval(vera, comment, APPEAL)
      await expect(acceptAppeal(ada, comment)).rejects.toEqual(refused(403))
      await ctx.db.query(
        sql`update accounts set is_suspended = true where id = ${olga.actor.account?.id}`,
      )
      await acceptAppeal(ada, comment)
    }))

  test('nobody decides their own appeal while a third moderator could', () =>
    scene(async ({ ctx, dana, ada, olga, thread }) => {
      const own = await newComment(ada, thread.id)
      await removePost(olga, own, SPAM)
      await appealRemoval(ada, own, APPEAL)
      await ctx.db.query(sql`insert into admin_users (id) values (${dana.actor.account?.id})`)
      await expect(acceptAppeal(ada, own)).rejects.toEqual(refused(403))
      await ctx.db.query(sql`delete from admin_users where id = ${dana.actor.account?.id}`)
      // To the remover the answer is the same whoever wrote it: it must not tell that ada did.
      await expect(acceptAppeal(olga, own)).rejects.toEqual(refused(403))
      await acceptAppeal(ada, own)
    }))

  test('only what was removed can be appealed, and with words', () =>
    scene(async ({ ctx, vera, ada, comment }) => {
      await expect(appealRemoval(vera, comment, APPEAL)).rejects.toEqual(refused(409))
      await expect(acceptAppeal(ada, comment)).rejects.toEqual(refused(409))
      await removePost(ada, comment, SPAM)
      await expect(appealRemoval(vera, comment, '\u200b'.repeat(20))).rejects.toEqual(refused(400))
      const nobody = ctxAs(ctx, { role: 'visitor', account: null, authorKey: null })
      await expect(appealRemoval(nobody, comment, APPEAL)).rejects.toEqual(refused(401))
    }))

  test('a removal that is undone grants its appeal; a new removal cannot be appealed again', () =>
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

  test('who is suspended may still appeal', () =>
    scene(async ({ vera, ada, comment }) => {
      await removePost(ada, comment, SPAM)
      await suspendAuthor(ada, comment, { days: 30, reason: 'spam' })
      await appealRemoval(vera, comment, APPEAL)
    }))
})

describe('bursts', () => {
  test('what somebody new posts beyond so many within the hour is held, also when done twice', () =>
    scene(async ({ ctx, dana, ada, thread }) => {
      const posts: PostRef[] = []
      for (let n = 0; n < BURST_POSTS + 2; n++)
        posts.push(await newComment(stranger(ctx, 1), thread.id))
      for (const post of [...posts, ...posts]) await holdBurst(ctx, post)
      const held = []
      for (const post of posts) if ((await visibilityOf(ctx, post)) === 'held') held.push(post)
      expect(held).toHaveLength(2)
      expect(await told(ctx)).toEqual(['held', 'held'])
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

  test('who has been here for a day, or takes an hour for it, is left alone', () =>
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

/** Each endpoint of the contract with something to ask of it. */
const ASKED = (thread: PostRef, comment: PostRef, entry: number) => ({
  'POST /api/v1/reports': { body: { ...comment, ...SPAM } },
  'GET /api/v1/removals': { query: {} },
  'GET /api/v1/my/moderation': {},
  'POST /api/v1/my/moderation/{kind}/{id}/appeal': { params: comment, body: { text: APPEAL } },
  'GET /api/v1/moderation/queue': { query: { list: 'open' } },
  'GET /api/v1/moderation/log': { query: {} },
  'POST /api/v1/moderation/log/{entry}/undo': { params: { entry } },
  'POST /api/v1/moderation/posts/{kind}/{id}/keep': { params: comment },
  'POST /api/v1/moderation/posts/{kind}/{id}/remove': { params: comment, body: SPAM },
  'POST /api/v1/moderation/posts/{kind}/{id}/suspend': {
    params: comment,
    body: { days: 1, reason: 'spam' },
  },
  'GET /api/v1/moderation/threads/{id}/latest': { params: thread },
  'GET /api/v1/moderation/companies/{id}/latest': { params: thread },
  'GET /api/v1/moderation/templates': {},
  'POST /api/v1/moderation/templates': { body: { name: 'Spam', body: '{reason}' } },
  'PUT /api/v1/moderation/templates/{id}': { params: thread, body: { name: 'Spam', body: 'No' } },
  'DELETE /api/v1/moderation/templates/{id}': { params: thread },
  'GET /api/v1/moderation/watched-words': {},
  'POST /api/v1/moderation/watched-words': { body: { entry: 'spam.example' } },
  'POST /api/v1/moderation/watched-words/dry-run': { body: { entry: 'spam.example' } },
  'DELETE /api/v1/moderation/watched-words/{id}': { params: thread },
  'GET /api/v1/moderation/first-posts': {},
  'GET /api/v1/moderation/limits': {},
  'PUT /api/v1/moderation/limits/{name}': { params: { name: 'threads' }, body: { uses: 4 } },
  'PUT /api/v1/moderation/first-posts': { body: { posts: 1 } },
  'POST /api/v1/moderation/posts/keep': { body: { posts: [{ ...comment, seen: 0 }] } },
  'POST /api/v1/moderation/posts/remove': {
    body: { posts: [{ ...comment, seen: 0 }], reason: 'spam', note: '' },
  },
  'POST /api/v1/moderation/posts/{kind}/{id}/count-votes': { params: comment },
  'POST /api/v1/moderation/posts/{kind}/{id}/drop-votes': { params: comment },
  'POST /api/v1/moderation/posts/{kind}/{id}/accept-appeal': { params: comment },
  'POST /api/v1/moderation/posts/{kind}/{id}/decline-appeal': {
    params: comment,
    body: { note: 'No' },
  },
  'POST /api/v1/moderation/threads/{id}/lock': { params: thread, body: { note: '' } },
  'POST /api/v1/moderation/threads/{id}/slow': { params: thread, body: { minutes: 5 } },
  'POST /api/v1/moderation/threads/{id}/unslow': { params: thread },
  'POST /api/v1/moderation/threads/{id}/unlock': { params: thread },
  'POST /api/v1/moderation/threads/{id}/pin': { params: thread },
  'POST /api/v1/moderation/threads/{id}/unpin': { params: thread },
  'POST /api/v1/moderation/threads/{id}/move': { params: thread, body: { companyId: null } },
})
const contract = { ...reportContract, ...decisionContract, ...moderationContract }
const handlers = { ...reportHandlers, ...decisionHandlers, ...moderationHandlers }
type Key = keyof typeof contract
const ENDPOINTS = Object.keys(contract) as Key[]
const ofModerators = ENDPOINTS.filter((key) => key.includes(' /api/v1/moderation/'))

describe('who may', () => {
  const call = (ctx: Ctx, key: Key, asked: object) =>
    (handlers[key] as (ctx: Ctx, asked: object) => Promise<unknown>)(ctx, asked)

  test('no answer says who wrote, who reported or whose account it is', () =>
    scene(async ({ ctx, vera, dana, erin, ada, olga, thread, comment }) => {
      const secrets = [vera, dana, erin, ada, olga]
        .flatMap(({ actor }) => [
          actor.authorKey,
          actor.account?.id,
          actor.account?.sessionId,
          actor.account?.emailSealed,
        ])
        .filter((it) => typeof it === 'string')
      const answers: unknown[] = []
      const ask = async (who: Ctx, key: Key, asked: object) => {
        const answer = await call(who, key, asked).catch((error: Refusal) => error.message)
        answers.push(answer)
        return answer as { entry?: number }
      }
      const all = (entry = 0) => ASKED(thread, comment, entry)
      for (const person of [dana, erin, ada, olga])
        await ask(person, 'POST /api/v1/reports', all()['POST /api/v1/reports'])
      const everybody = [vera, dana, erin, ada, olga]
      const look = async (people = everybody) => {
        for (const person of people)
          for (const key of ENDPOINTS.filter((key) => key.startsWith('GET ')))
            for (const list of ['open', 'appeals'])
              await ask(person, key, { params: thread, query: { list } })
      }
      await look()
      for (const key of ENDPOINTS.filter((key) => /keep|remove|suspend|threads/.test(key))) {
        const { entry } = await ask(ada, key, all()[key])
        await ask(vera, ENDPOINTS[3] as Key, all()[ENDPOINTS[3] as Key])
        await look(amount([dana, ada], everybody))
        for (const decided of ['accept-appeal', 'decline-appeal']) {
          const appeals = ENDPOINTS.find((key) => key.endsWith(decided)) as Key
          if (key.endsWith('remove')) await ask(olga, appeals, all()[appeals])
        }
        if (entry && !key.endsWith('remove'))
          await ask(olga, 'POST /api/v1/moderation/log/{entry}/undo', { params: { entry } })
      }
      await look()
      const text = JSON.stringify(answers)
      for (const secret of secrets) expect(text).not.toContain(secret)
      expect(text).not.toMatch(/anon-|@kettle|author_?key|account_?id|decided_?by/i)
      expect(text).toContain(comment.id)
      // Nor does what outlives the post and the account: the log, and what waits to be told.
      const kept = await ctx.db.query<{ text: string }>(sql`
        select before::text as text from moderation_log
        union all select payload::text from job_queue`)
      for (const secret of secrets) expect(JSON.stringify(kept)).not.toContain(secret)
    }))

  test('reports of visitors cost a calculation, and nobody reports without end', () =>
    scene(async ({ vera, thread }) => {
      const call = callsOf(contract, handlers, {
        hasRateLimits: true,
        spamChecks: {
          require: async (_ctx, proof) => {
            if (proof !== 'done') throw new Refusal('forbidden', 'no proof')
          },
        },
      })(vera)
      const report = (proof?: string) =>
        call('POST /api/v1/reports', { body: { ...thread, ...SPAM, proof } })
      await expect(report()).rejects.toMatchObject({ status: 403 })
      for (let n = 0; n < 9; n++) await report('done')
      await expect(report('done')).rejects.toEqual(refused(429))
    }))

  test('over HTTP: bad input is a 400 with a sentence, a visitor is asked to sign in', () =>
    scene(async ({ vera, ada, comment, companyId }) => {
      const app = bareHttp()
      bindContract(app, contract, handlers, {
        contextOf: async ({ authorization }) => (authorization === 'ada' ? ada : vera),
        policies: openPolicies(),
      })
      const send = async (method: string, url: string, payload?: object, authorization = 'ada') => {
        const asked = { method: method as 'POST', url, payload, headers: { authorization } }
        return (await app.inject(asked)).statusCode
      }
      const post = (path: string, payload?: object, who = 'ada') => send('POST', path, payload, who)
      const at = `/api/v1/moderation/posts/comment/${comment.id}`
      for (const [method = '', path = ''] of ofModerators.map((key) => key.split(' '))) {
        const url = path
          .replace('{kind}', 'comment')
          .replace('{id}', companyId)
          .replace('{entry}', '1')
        const posts = [{ ...comment, seen: 0 }]
        const decision = { reason: 'spam', days: 1, note: '', companyId: null }
        const texts = { uses: 4, name: 'Spam', body: 'No', entry: 'spam.example' }
        const body = path.endsWith('first-posts')
          ? { posts: 1 }
          : { posts, minutes: 5, ...decision, ...texts }
        expect(await send(method, url, method === 'GET' ? undefined : body, 'vera')).toBe(401)
      }
      expect(await post(`${at}/remove`, { reason: 'untrue' })).toBe(400)
      expect(await post(`${at}/remove`, { reason: 'spam', note: 'x'.repeat(1_001) })).toBe(400)
      expect(await post(`${at}/remove`)).toBe(400)
      expect(await post(`${at}/suspend`, { reason: 'spam', days: 2 })).toBe(400)
      expect(await post('/api/v1/moderation/posts/poll/1/keep')).toBe(400)
      expect(await post('/api/v1/moderation/log/99999999999999999999/undo')).toBe(400)
      expect(await post('/api/v1/moderation/log/x/undo')).toBe(400)
      expect(await post('/api/v1/moderation/log/9007199254740991/undo')).toBe(404)
      expect(await post('/api/v1/reports', { ...comment, reason: 'spam' }, 'vera')).toBe(403)
      expect(await post(`${at}/remove`, { reason: 'spam' })).toBe(200)
      const marker = { method: 'GET', headers: { authorization: 'ada' } } as const
      for (const list of [
        'log?after=x',
        'log?after=9999999999999999',
        'queue?after=x',
        'queue?list=x',
      ])
        expect(
          (await app.inject({ ...marker, url: `/api/v1/moderation/${list}` })).statusCode,
        ).toBe(400)
      const log = await app.inject({
        ...marker,
        url: '/api/v1/moderation/log?after=999999999999999',
      })
      expect(log.json()).toMatchObject({ entries: [{ action: 'remove', kind: 'comment' }] })
    }))
})

/** All that decisions and their counters touch. */
async function snapshot({ db }: Ctx) {
  const [seen] = await db.query<Record<string, unknown>>(sql`
    select (select json_agg(json_build_array(id, company_id, hidden, hidden_reason, is_locked,
                                             is_pinned, comments) order by id) from threads) as threads,
           (select json_agg(json_build_array(id, hidden, hidden_reason) order by id)
              from comments) as comments,
           (select json_agg(json_build_array(company_id, threads, comments) order by company_id)
              from company_stats) as stats,
           (select json_agg(json_build_array(company_id, month, reason, threads, comments)
                     order by company_id, month, reason)
              from removal_counts where threads <> 0 or comments <> 0) as removals,
           (select count(*)::integer from suspensions) as suspensions,
           (select count(*)::integer from moderation_cases where is_open) as "openCases"`)
  return seen
}

/** The counters as they should be, worked out anew from the posts and the log. */
async function recounted({ db }: Ctx) {
  const [wrong] = await db.query<Record<string, unknown[] | null>>(sql`
    with said as (
      select thread.id, thread.company_id, thread.hidden, thread.comments,
             (select count(*) from comments comment where comment.thread_id = thread.id
                and not comment.is_deleted and comment.hidden is null) as counted
        from threads thread),
    removed as (
      select (done.before -> 'counted' ->> 'companyId')::uuid as company_id,
             done.reason, done.comment_id is null as is_thread
        from moderation_log done
       where done.action = 'remove' and done.undone_by is null
         and not exists (select from moderation_log later
               where later.id > done.id and later.action = 'accept-appeal'
                 and later.undone_by is null and later.thread_id = done.thread_id
                 and later.comment_id is not distinct from done.comment_id))
    select (select json_agg(said) from said where comments <> counted) as threads,
           (select json_agg(stats) from company_stats stats
              join lateral (
                select count(*)::integer as threads, coalesce(sum(counted), 0)::integer as comments
                  from said where said.company_id = stats.company_id and said.hidden is null
              ) shown on true
             where stats.threads <> shown.threads or stats.comments <> shown.comments) as stats,
           (select json_agg(counts) from (
              select company_id, reason, threads::bigint, comments::bigint from removal_counts
               where threads <> 0 or comments <> 0
              except select company_id, reason, count(*) filter (where is_thread),
                            count(*) filter (where not is_thread)
                       from removed group by company_id, reason) counts) as removals,
           (select json_agg(total) from (select 1 as total where
              (select coalesce(sum(threads + comments), 0) from removal_counts) <>
              (select count(*) from threads where hidden = 'removed') +
              (select count(*) from comments where hidden = 'removed')) unequal) as total,
           (select json_agg(filed.id) from moderation_cases filed
              left join threads thread on thread.id = filed.thread_id
              left join comments comment on comment.id = filed.comment_id
             where coalesce(thread.hidden, comment.hidden) = 'held' and not filed.is_open
                or coalesce(thread.hidden, comment.hidden) = 'removed' and filed.is_open
                or filed.appeal_status = 'open'
                   and coalesce(thread.hidden, comment.hidden) is distinct from 'removed')
             as cases`)
  return wrong
}
const NOTHING_WRONG = { threads: null, stats: null, removals: null, total: null, cases: null }

/** Numbers that look random and are the same every time. */
function chances(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

describe('counters', () => {
  test.each([1, 2])('stay right after anything in any order (%i)', (seed) =>
    scene(async ({ ctx, vera, dana, ada, olga, companyId, thread, comment }) => {
      const other = await newThread(vera)
      const posts = [thread, comment, other, await newComment(dana, thread.id)]
      posts.push(await newComment(vera, other.id), await newComment(dana, other.id))
      const chance = chances(seed)
      const pick = <T>(of: readonly T[]) => of[chance(of.length)] as T
      const entries: number[] = []
      const does: ((who: Ctx, post: PostRef) => Promise<object>)[] = [
        (_, post) => reportPost(member(ctx, chance(9)), post, SPAM),
        (_, post) => reportPost(member(ctx, chance(9)), post, SPAM),
        keepPost,
        (who, post) => removePost(who, post, { reason: pick(['spam', 'threat']), note: '' }),
        (who, post) => removePost(who, post, { reason: pick(['spam', 'threat']), note: '' }),
        (_, post) => appealRemoval(vera, post, APPEAL),
        (_, post) => appealRemoval(dana, post, APPEAL),
        acceptAppeal,
        (who, post) => declineAppeal(who, post, ''),
        (who, post) => suspendAuthor(who, post, { days: 1, reason: 'spam' }),
        (who) => lockThread(who, pick([thread, other]).id),
        (who) => unlockThread(who, pick([thread, other]).id),
        (who) => pinThread(who, pick([thread, other]).id),
        (who) => moveThread(who, pick([thread, other]).id, pick([companyId, null])),
        (who) => undoDecision(who, pick(entries) ?? 0),
        (who) => undoDecision(who, pick(entries) ?? 0),
        (who) => undoDecision(who, entries.at(-1) ?? 0),
      ]
      const done = new Map<number, number>()
      for (let step = 0; step < 100; step++) {
        const which = chance(does.length)
        const answer = await does[which]?.(pick([ada, olga]), pick(posts)).catch((error) => {
          if (![403, 404, 409].includes(error.status)) throw error
          return {}
        })
        if (answer && 'entry' in answer) entries.push(answer.entry as number)
        if (answer && Object.keys(answer).length > 0) done.set(which, (done.get(which) ?? 0) + 1)
        expect(await recounted(ctx)).toEqual(NOTHING_WRONG)
      }
      // Almost everything must have come to pass, or this shows little.
      expect(done.size).toBeGreaterThan(12)
    }),
  )

  test.each([3, 4])('all decisions undone, everything is as it was (%i)', (seed) =>
    scene(async ({ ctx, vera, dana, ada, olga, companyId, thread, comment }) => {
      const other = await newThread(vera)
      const posts = [thread, comment, other, await newComment(dana, other.id)]
      for (const n of [1, 2, 3]) await reportPost(member(ctx, n), comment, SPAM)
      await reportPost(vera, thread, SPAM)
      const before = await snapshot(ctx)
      const chance = chances(seed)
      const pick = <T>(of: readonly T[]) => of[chance(of.length)] as T
      const does: ((who: Ctx, post: PostRef) => Promise<object>)[] = [
        keepPost,
        (who, post) => removePost(who, post, SPAM),
        (_, post) => appealRemoval(pick([vera, dana]), post, APPEAL),
        acceptAppeal,
        (who, post) => declineAppeal(who, post, 'No'),
        (who, post) => suspendAuthor(who, post, { days: 1, reason: 'spam' }),
        (who) => lockThread(who, pick([thread, other]).id),
        (who) => unpinThread(who, pick([thread, other]).id),
        (who) => pinThread(who, pick([thread, other]).id),
        (who) => moveThread(who, pick([thread, other]).id, pick([companyId, null])),
      ]
      const entries: number[] = []
      for (let step = 0; step < 60; step++) {
        const answer = await pick(does)(pick([ada, olga]), pick(posts)).catch((error) => {
          if (![403, 404, 409].includes(error.status)) throw error
          return {}
        })
        if ('entry' in answer) entries.push(answer.entry as number)
      }
      expect(entries.length).toBeGreaterThan(9)
      for (const entry of entries.reverse()) await undoDecision(pick([ada, olga]), entry)
      expect(await snapshot(ctx)).toEqual(before)
      expect(await recounted(ctx)).toEqual(NOTHING_WRONG)
    }),
  )
})

describe('at the same time', () => {
  /** Committed, so that two connections meet there; gone at the end. */
  async function outdoors(work: (scene: Scene) => Promise<void>) {
    const ctx = await as('ada', async (ctx) => ({ ...ctx, db: outside(), events }))
    const people = castOn(ctx)
    const thread = await newThread(people.dana)
    const comment = await newComment(people.vera, thread.id)
    try {
      await work({ ctx, ...people, companyId: '', thread, comment })
    } finally {
      for (const table of [
        'threads',
        'suspensions',
        'removal_counts',
        'moderation_log',
        'job_queue',
      ])
        await ctx.db.script(`delete from ${table}`)
    }
  }
  const outcomes = async (attempts: Promise<unknown>[]) =>
    (await Promise.allSettled(attempts))
      .map((it) => (it.status === 'fulfilled' ? 'done' : (it.reason as Refusal).status))
      .sort()

  /** Two who have both looked before either of them takes the post. */
  function meeting() {
    let waiting = 0
    let go = () => {}
    const met = new Promise<void>((resolve) => {
      go = resolve
    })
    return (ctx: Ctx): Ctx => {
      const transaction: typeof ctx.db.transaction = async (work) => {
        if (++waiting === 2) go()
        await met
        return ctx.db.transaction(work)
      }
      return { ...ctx, db: { ...ctx.db, transaction } }
    }
  }

  test('of two who decide about a post one wins, and the other is told', () =>
    outdoors(async ({ ctx, vera, ada, olga, thread, comment }) => {
      await reportPost(vera, thread, SPAM)
      const meet = meeting()
      const both = [keepPost(meet(ada), thread), removePost(meet(olga), thread, SPAM)]
      expect(await outcomes(both)).toEqual([409, 'done'])
      const attempts = [ada, olga, ada, olga].map((who) => removePost(who, comment, SPAM))
      expect(await outcomes(attempts)).toEqual([409, 409, 409, 'done'])
      expect(await outcomes([lockThread(ada, thread.id), lockThread(olga, thread.id)])).toEqual([
        409,
        'done',
      ])
      const entry = (await moderationLog(ada)).entries.find((it) => it.kind === 'comment')?.entry
      const undoing = [ada, olga, ada].map((who) => undoDecision(who, entry ?? 0))
      expect(await outcomes(undoing)).toEqual([409, 409, 'done'])
      expect(await visibilityOf(ctx, comment)).toBe('shown')
      expect(await recounted(ctx)).toEqual(NOTHING_WRONG)
    }))

  test('many reports at once hold a post once', () =>
    outdoors(async ({ ctx, ada, thread, comment }) => {
      const reports = [1, 2, 3, 4, 5, 6].map((n) => reportPost(member(ctx, n), comment, SPAM))
      expect((await outcomes(reports)).filter((it) => it === 'done').length).toBeGreaterThan(2)
      expect(await told(ctx)).toEqual(['held'])
      expect(await openCases(ada)).toHaveLength(1)
      expect(await visibilityOf(ctx, thread)).toBe('shown')
    }))

  test('reporting, deciding, undoing and deleting at once ends without an error', () =>
    outdoors(async ({ ctx, vera, dana, ada, olga, thread, comment }) => {
      const { entry } = await removePost(ada, comment, SPAM)
      const met = await outcomes([
        undoDecision(olga, entry),
        appealRemoval(vera, comment, APPEAL),
        removePost(ada, thread, SPAM),
        suspendAuthor(olga, thread, { days: 1, reason: 'spam' }),
        ...[1, 2, 3, 4].map((n) => reportPost(member(ctx, n), thread, SPAM)),
        holdBurst(ctx, thread),
        moderationQueue(ada, { list: 'open' }),
        deleteThread(dana, thread.id),
        forgetSuspended(ctx, rootOf(member(ctx, 1)) as Buffer),
        keepPost(olga, thread),
      ])
      expect(met.filter((it) => !['done', 401, 403, 404, 409].includes(it))).toEqual([])
    }))
})
