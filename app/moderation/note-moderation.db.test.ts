/** Moderating ratings' notes: like posts, but they remain no one's. */

import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { randomScalar } from '#app/api/credential/group.ts'
import { reportContract } from '#app/community/reports/report.contract.ts'
import type { PostRef } from '#app/community/reports/report.ts'
import { reorderTable } from '#app/platform/database/reorder.server.ts'
import { interviewSubject } from '#app/ratings/interviews/interview.ts'
import { giveInterview } from '#app/ratings/interviews/interview-commands.server.ts'
import { publishInterviews } from '#app/ratings/interviews/interview-publication.server.ts'
import { companyInterviews } from '#app/ratings/interviews/interview-queries.server.ts'
import { ratePresented } from '#app/ratings/presented/presented-commands.server.ts'
import { forgetRater, removeRating, voteHelpful } from '#app/ratings/rating-commands.server.ts'
import { companyNotes, companyRatings } from '#app/ratings/rating-queries.server.ts'
import { ratingTag } from '#app/ratings/rating-tag.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { ctxAs } from '#tests/support/authors.ts'
import { type Cast, withDatabase } from '#tests/support/database.ts'
import { events } from '#tests/support/events.ts'
import { apart, holderFor, keyOf, presented, presentedInterview } from '#tests/support/holders.ts'
import { anInterview, interviewsOf } from '#tests/support/interviews.ts'
import { issuerOn } from '#tests/support/issuer.ts'
import { aRating, rate, rater } from '#tests/support/raters.ts'
import {
  acceptAppeal,
  appealNoteByKey,
  appealRemoval,
  declineAppeal,
} from './appeal-commands.server.ts'
import { myModeration, noteByKey } from './appeal-queries.server.ts'
import { keepPost, removePost } from './decision-commands.server.ts'
import { moderationContract } from './moderation.contract.ts'
import { latestAboutNotes, moderationLog, undoDecision } from './moderation-log.server.ts'
import { moderationQueue } from './queue-queries.server.ts'
import { removalsAbout } from './removal-counts.server.ts'
import { reportPost } from './report-commands.server.ts'
import { suspendAuthor } from './suspension-commands.server.ts'

const { as, castOn } = withDatabase()
const OF_NO_COMPANY = { jobs: 0, replies: 0 }
const settings = { minShown: 1, ratingBatch: 1 }

const issuer = issuerOn(() => '2026-03-14')
afterAll(() => issuer.stop())

const SPAM = { reason: 'spam' as const, note: '' }
const APPEAL = 'Please look again, this is my own experience'
const GIVEN = aRating({ rto: 2, note: 'Ask about the **desks**' })

const member = (ctx: Ctx, n: number) => ctxAs(rater(ctx, n), { role: 'member' })

type Scene = Cast & { companyId: string; note: PostRef }

/** Dana has rated Erin's company, with a note. */
const scene = (work: (scene: Scene) => Promise<void>) =>
  as('dana', async (ctx) => {
    const people = castOn({ ...ctx, events })
    const companyId = await giveErinHerCompany(ctx.db)
    const { id } = await rate(people.dana, companyId, GIVEN, settings)
    await work({ ...people, companyId, note: { kind: 'note', id } })
  })

const refused = (status: number, message?: RegExp) =>
  expect.objectContaining({ status, ...(message && { message: expect.stringMatching(message) }) })
const shownNotes = async (ctx: Ctx, companyId: string) => (await companyNotes(ctx, companyId)).notes
const cases = async (ctx: Ctx, list: 'open' | 'appeals' = 'open') =>
  (await moderationQueue(ctx, { list })).cases

describe('reporting a note', () => {
  test('a reported note is in the queue under its company and month, without a name', () =>
    scene(async ({ vera, erin, ada, companyId, note }) => {
      await reportPost(vera, note, { reason: 'private-data', note: 'Names the desk neighbor' })
      await reportPost(erin, note, SPAM)
      const [reported] = await cases(ada)
      const path = `/erin-and-sons?tab=ratings#note-${note.id}`
      expect(reported).toMatchObject({
        ...note,
        thread: { id: null, title: 'A note about Erin and Sons', path },
        href: path,
        company: { id: companyId, path: '/erin-and-sons' },
        author: null,
        postedAt: '2026-03',
        state: 'shown',
        reports: [{ count: 1 }, { count: 1 }],
        notes: ['Names the desk neighbor'],
      })
      expect(reported?.html).toContain('<strong>desks</strong>')
      const { ok } = moderationContract['GET /api/v1/moderation/queue']
      expect(ok.parse(await moderationQueue(ada, { list: 'open' })).cases).toHaveLength(1)
    }))

  test('dana can’t report her own note, though nothing stored says it’s hers', () =>
    scene(async ({ dana, ada, companyId, note }) => {
      await expect(reportPost(dana, note, SPAM)).rejects.toEqual(
        refused(403, /^You can’t report your own post$/),
      )
      const others = await rate(ada, companyId, { ...GIVEN, note: 'Mine' }, settings)
      await expect(reportPost(dana, { kind: 'note', id: others.id }, SPAM)).resolves.toBeTruthy()
    }))

  test('stars without a note, or no rating, can’t be reported', () =>
    scene(async ({ dana, vera, companyId, note }) => {
      const nothing = { kind: 'note', id: companyId } as const
      await expect(reportPost(vera, nothing, SPAM)).rejects.toEqual(refused(404))
      await rate(dana, companyId, { ...GIVEN, note: '' }, settings)
      await expect(reportPost(vera, note, SPAM)).rejects.toEqual(refused(404))
    }))

  test('three confirmed members’ reports hold a note, and a moderator shows it again', () =>
    scene(async ({ ada, vera, companyId, note }) => {
      for (const n of [1, 2, 3]) await reportPost(member(ada, n), note, SPAM)
      expect(await shownNotes(vera, companyId)).toEqual([])
      expect(await cases(ada)).toMatchObject([{ state: 'held' }])
      await keepPost(ada, note)
      expect(await shownNotes(vera, companyId)).toHaveLength(1)
      expect(await cases(ada)).toEqual([])
    }))
})

describe('removing a note', () => {
  test('removing a note hides the text, keeps the stars, counts publicly, and queues no notification', () =>
    scene(async ({ ada, vera, companyId, note }) => {
      await reportPost(vera, note, SPAM)
      await removePost(ada, note, { reason: 'private-data', note: 'Without the name it is fine' })
      expect(await shownNotes(vera, companyId)).toEqual([])
      expect(await companyRatings(vera, companyId, settings)).toMatchObject({
        ratings: 1,
        score: 2,
      })
      await expect(voteHelpful(vera, note.id, true, { ratingBatch: 1 })).rejects.toEqual(
        refused(404),
      )
      await expect(reportPost(vera, note, SPAM)).rejects.toEqual(refused(404))
      await expect(removePost(ada, note, SPAM)).rejects.toEqual(refused(409))
      expect(await removalsAbout(vera, companyId)).toEqual([
        {
          month: '2026-03',
          reason: 'private-data',
          threads: 0,
          comments: 0,
          notes: 1,
          ...OF_NO_COMPANY,
        },
      ])
      expect(await ada.db.query(sql`select from job_queue where kind = 'post-ruled'`)).toEqual([])
      expect(await cases(ada)).toEqual([])
    }))

  test('removing a note can be undone from the log', () =>
    scene(async ({ ada, olga, vera, companyId, note }) => {
      const { entry } = await removePost(ada, note, SPAM)
      const path = `/erin-and-sons?tab=ratings#note-${note.id}`
      const { ok } = moderationContract['GET /api/v1/moderation/log']
      expect(ok.parse(await moderationLog(olga)).entries).toMatchObject([
        { entry, kind: 'note', thread: { id: null, path }, href: path, mayUndo: true },
      ])
      const undoing = await undoDecision(olga, entry)
      expect(await shownNotes(vera, companyId)).toHaveLength(1)
      expect(await removalsAbout(vera, companyId)).toEqual([])
      await expect(undoDecision(olga, entry)).rejects.toEqual(refused(409, /already undone/))
      await expect(undoDecision(olga, undoing.entry)).rejects.toEqual(refused(409))
    }))

  test('removing a note has to be undone after a later decision on it, but not on another note', () =>
    scene(async ({ ada, olga, companyId, note }) => {
      const other = await rate(olga, companyId, { ...GIVEN, note: 'Another' }, settings)
      const first = await removePost(ada, note, SPAM)
      await removePost(ada, { kind: 'note', id: other.id }, SPAM)
      await undoDecision(ada, first.entry)
      const again = await removePost(ada, note, SPAM)
      await appealRemoval(ctxAs(ada, olga.actor), { kind: 'note', id: other.id }, APPEAL)
      await expect(undoDecision(ada, first.entry)).rejects.toEqual(refused(409))
      await expect(undoDecision(ada, again.entry)).resolves.toBeTruthy()
    }))

  test('removing a note lasts when its text is edited, or removed and rewritten', () =>
    scene(async ({ ada, dana, vera, companyId, note }) => {
      await removePost(ada, note, SPAM)
      for (const words of ['Other words', '', 'And others still'])
        await rate(dana, companyId, { ...GIVEN, note: words }, settings)
      expect(await shownNotes(vera, companyId)).toEqual([])
      expect((await myModeration(dana)).posts).toMatchObject([{ ...note, state: 'removed' }])
    }))

  test('removing a note suspends no one, because a note leads to no one', () =>
    scene(async ({ ada, note }) => {
      await expect(suspendAuthor(ada, note, { days: 7, reason: 'spam' })).rejects.toEqual(
        refused(409, /^You can’t suspend anyone for a note, because we don’t know its author$/),
      )
      expect((await moderationLog(ada)).entries).toEqual([])
    }))

  test('removing a note ends with the rating, and a new rating starts without a case', () =>
    scene(async ({ ada, dana, vera, companyId, note }) => {
      await reportPost(vera, note, SPAM)
      await removePost(ada, note, SPAM)
      await removeRating(dana, companyId, settings)
      expect(await ada.db.query(sql`select from moderation_cases`)).toEqual([])
      expect(await ada.db.query(sql`select from reports`)).toEqual([])
      const [entry] = (await moderationLog(ada)).entries
      expect(entry).toMatchObject({ kind: 'note', thread: null, href: null, mayUndo: false })
      await expect(undoDecision(ada, entry?.entry ?? 0)).rejects.toEqual(
        refused(409, /no longer exists/),
      )
      await rate(dana, companyId, GIVEN, settings)
      expect(await shownNotes(vera, companyId)).toHaveLength(1)
    }))

  test('removing a note ends with an account that’s deleted with its posts', () =>
    scene(async ({ ada, dana, vera, note }) => {
      await reportPost(vera, note, SPAM)
      const accountId = dana.actor.account?.id as string
      await forgetRater(dana, { accountId, posts: 'remove' }, settings)
      expect(await ada.db.query(sql`select from moderation_cases`)).toEqual([])
    }))

  test('removing a note lasts when the table is rewritten, and dana still finds her note', () =>
    scene(async ({ ada, dana, vera, companyId, note }) => {
      await removePost(ada, note, SPAM)
      await reorderTable(ada.db, 'public_ratings')
      expect(await shownNotes(vera, companyId)).toEqual([])
      expect((await myModeration(dana)).posts).toMatchObject([note])
    }))
})

describe('a note’s author', () => {
  test('dana reads why her note is hidden, and no one else can', () =>
    scene(async ({ ada, olga, vera, erin, dana, note }) => {
      await removePost(ada, note, { reason: 'harassment', note: 'Say it without the name' })
      const { ok } = reportContract['GET /api/v1/my/moderation']
      expect(ok.parse(await myModeration(dana)).posts).toMatchObject([
        {
          ...note,
          thread: { id: null, title: 'A note about Erin and Sons' },
          state: 'removed',
          reason: 'harassment',
          note: 'Say it without the name',
          canAppeal: true,
        },
      ])
      for (const person of [vera, erin, ada, olga])
        expect((await myModeration(person)).posts).toEqual([])
    }))

  test('dana appeals once, and for everyone else the post doesn’t exist', () =>
    scene(async ({ ada, olga, vera, dana, note }) => {
      await removePost(ada, note, SPAM)
      for (const person of [vera, olga])
        await expect(appealRemoval(person, note, APPEAL)).rejects.toEqual(refused(404))
      await appealRemoval(dana, note, APPEAL)
      await expect(appealRemoval(dana, note, APPEAL)).rejects.toEqual(refused(409))
      expect(await cases(ada, 'appeals')).toMatchObject([{ appeal: { mayDecide: false } }])
      expect(await cases(olga, 'appeals')).toMatchObject([
        { ...note, appeal: { text: APPEAL, mayDecide: true } },
      ])
      await expect(acceptAppeal(ada, note)).rejects.toEqual(refused(403))
      await acceptAppeal(olga, note)
      expect((await myModeration(dana)).posts).toEqual([])
    }))

  test('a declined appeal leaves the note removed', () =>
    scene(async ({ ada, olga, dana, note }) => {
      await removePost(ada, note, SPAM)
      await appealRemoval(dana, note, APPEAL)
      await declineAppeal(olga, note, 'It names somebody')
      expect((await myModeration(dana)).posts).toMatchObject([
        { state: 'removed', appeal: 'declined', note: 'It names somebody', canAppeal: false },
      ])
    }))

  test('a moderator can’t decide about their own note while a third one can', () =>
    scene(async ({ ada, olga, companyId, dana }) => {
      const { id } = await rate(olga, companyId, { ...GIVEN, note: 'Olga’s words' }, settings)
      const note = { kind: 'note', id } as const
      await removePost(ada, note, SPAM)
      await appealRemoval(olga, note, APPEAL)
      // Of two moderators one wrote it and one removed it: the answer must not tell which.
      expect(await cases(olga, 'appeals')).toMatchObject([{ appeal: { mayDecide: true } }])
      await dana.db.query(sql`insert into admin_users (id) values (${dana.actor.account?.id})`)
      expect(await cases(olga, 'appeals')).toMatchObject([{ appeal: { mayDecide: false } }])
      await expect(acceptAppeal(olga, note)).rejects.toEqual(refused(403))
    }))

  test('no row about a note has its author’s key, account or tag', () =>
    scene(async ({ ada, vera, dana, companyId, note }) => {
      await reportPost(vera, note, SPAM)
      await removePost(ada, note, SPAM)
      await appealRemoval(dana, note, APPEAL)
      const id = dana.actor.account?.id as string
      const kept = JSON.stringify([
        await ada.db.query(sql`select * from moderation_cases`),
        await ada.db.query(sql`select * from moderation_log`),
        await ada.db.query(sql`select * from reports`),
        await ada.db.query(sql`select * from job_queue`),
        await ada.db.query(sql`select * from notifications`),
      ])
      expect(kept).toContain(note.id)
      for (const secret of [id, dana.actor.authorKey as string, ratingTag(dana, id, companyId)])
        expect(kept).not.toContain(secret)
    }))

  test('someone with a note’s key reads what became of it and appeals without a name', () =>
    scene(async ({ ada, vera, olga, dana, companyId }) => {
      const holder = await holderFor(dana, issuer)
      const words = { ...GIVEN, note: 'Mine alone' }
      const given = presented(holder, companyId, words)
      const { rating } = await ratePresented(apart(vera), given, issuer, settings)
      const id = rating?.id as string
      const keys = [keyOf(holder, companyId)]
      expect(await noteByKey(apart(vera), id, keys)).toEqual({ post: null })
      await removePost(ada, { kind: 'note', id }, { ...SPAM, note: 'No adverts, please' })
      expect(await noteByKey(apart(vera), id, keys)).toMatchObject({
        post: { id, state: 'removed', reason: 'spam', note: 'No adverts, please', canAppeal: true },
      })

      const others = [keyOf({ ...holder, m1: randomScalar() }, companyId)]
      expect(await noteByKey(apart(vera), id, others)).toEqual({ post: null })
      await expect(
        appealNoteByKey(apart(vera), id, { keys: others, text: APPEAL }),
      ).rejects.toEqual(refused(404))
      // The account has no such rating.
      await expect(appealRemoval(dana, { kind: 'note', id }, APPEAL)).rejects.toEqual(refused(404))

      const asked = { keys, text: APPEAL }
      expect(await appealNoteByKey(apart(vera), id, asked)).toEqual({ appeal: 'open' })
      await expect(appealNoteByKey(apart(vera), id, asked)).rejects.toEqual(refused(409))
      expect(await cases(olga, 'appeals')).toMatchObject([{ appeal: { text: APPEAL } }])
      await acceptAppeal(olga, { kind: 'note', id })
      expect(await noteByKey(apart(vera), id, keys)).toEqual({ post: null })
    }))
})

describe('an interview’s text', () => {
  test('is reported, removed, appealed by its author’s keys and restored, and its answers still count', () =>
    as('dana', async (ctx) => {
      const { vera, ada, olga } = castOn({ ...ctx, events })
      const companyId = await giveErinHerCompany(ctx.db)
      const holder = await holderFor(ctx, issuer)
      const given = presentedInterview(holder, companyId, anInterview(), 1)
      const { id } = await giveInterview(apart(ctx), given, issuer)
      await interviewsOf(ctx, companyId, 4)
      await ctx.db.query(sql`update interviews set month = '2026-02-01'`)
      await publishInterviews(ctx)
      const note = { kind: 'note', id } as const
      await reportPost(vera, note, { reason: 'private-data', note: 'Names the interviewer' })
      const [reported] = await cases(ada)
      const href = `/erin-and-sons?tab=interviews#note-${id}`
      expect(reported).toMatchObject({
        ...note,
        ...{ href, author: null, postedAt: '2026-02', company: { id: companyId } },
        thread: { title: 'An interview at Erin and Sons', path: href },
      })
      await removePost(ada, note, SPAM)
      const shown = async () => (await companyInterviews(ctx, companyId)).interviews
      expect(await shown()).toHaveLength(4)
      expect((await companyInterviews(ctx, companyId)).numbers?.interviews).toBe(5)
      const { entries } = await latestAboutNotes(ada, companyId)
      expect(Object.keys(entries)).toEqual([id])
      const keys = [keyOf(holder, interviewSubject(companyId, 2026))]
      expect((await noteByKey(apart(ctx), id, keys)).post).toMatchObject({ state: 'removed' })
      await expect(
        appealNoteByKey(apart(ctx), id, { keys: [keyOf(holder, companyId)], text: APPEAL }),
      ).rejects.toEqual(refused(404))
      await appealNoteByKey(apart(ctx), id, { keys, text: APPEAL })
      await acceptAppeal(olga, note)
      expect(await shown()).toHaveLength(5)
    }))
})
