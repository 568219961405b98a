/** Companies reply in their own name: once, labelled, with a history, and without changing anyone's words. */

import sql, { raw } from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import {
  lockThread,
  moveThread,
  removePost,
  unlockThread,
} from '#app/moderation/decision-commands.server.ts'
import { undoDecision } from '#app/moderation/moderation-log.server.ts'
import { reorderTable } from '#app/platform/database/reorder.server.ts'
import { subscribe } from '#app/platform/database/server-context.server.ts'
import { forgetRater, removeRating } from '#app/ratings/rating-commands.server.ts'
import { companyNotes } from '#app/ratings/rating-queries.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { callsOf } from '#tests/support/api.ts'
import { type Cast, NOW, withDatabase } from '#tests/support/database.ts'
import { aRating, rate } from '#tests/support/raters.ts'
import { startThread } from '#tests/support/unlimited.ts'
import { deleteThread } from '../discussions/threads/thread-commands.server.ts'
import { threadById } from '../discussions/threads/thread-queries.server.ts'
import { replyHandlers } from './feature.server.ts'
import { companyReplyContract } from './reply.contract.ts'
import { REPLY_MAX } from './reply.ts'
import {
  COMPANY_REPLIED_TASK,
  COMPANY_REPLY_CHANGED,
  changeCompanyReply,
  removeCompanyReply,
  replyToNote,
  replyToThread,
} from './reply-commands.server.ts'
import { replyRights, replySource, replyVersions } from './reply-queries.server.ts'

const { as, castOn } = withDatabase()
const settings = { minShown: 1, ratingBatch: 1 }
const SPAM = { reason: 'spam' as const, note: '' }
const WORDS = 'Thank you. We have **changed** this since.'
const NOBODY = '00000000-0000-4000-8000-00000000dead'
const RATED = aRating({ rto: 2, note: 'Ask about the desks' })

type Scene = Cast & {
  companyId: string
  otherId: string
  /** Dana's, about Erin's company. */
  threadId: string
  /** Dana's, of the same. */
  noteId: string
  told: string[]
}

/** @param minutes after the moment of every test */
const later = <Context extends Ctx>(ctx: Context, minutes: number): Context => ({
  ...ctx,
  now: () => new Date(NOW.getTime() + minutes * 60_000),
})

const newThread = (ctx: Ctx, companyId?: string) =>
  startThread(ctx, {
    title: 'Nobody comes in on Thursdays',
    body: 'The office is empty.',
    topics: [],
    name: 'pseudonym',
    companyId,
    idempotencyKey: crypto.randomUUID(),
  })

async function scene(work: (scene: Scene) => Promise<void>) {
  await as('vera', async (ctx) => {
    const told: string[] = []
    const events = [
      subscribe(COMPANY_REPLY_CHANGED, (_, { companyId, threadId }) => {
        told.push(threadId ? `thread ${threadId}` : `ratings ${companyId}`)
      }),
    ]
    const people = castOn({ ...ctx, events })
    const companyId = await giveErinHerCompany(ctx.db)
    const [other] = await ctx.db.query<{ id: string }>(sql`
      insert into companies (name, name_key)
      values ('Elsewhere', 'elsewhere') returning id`)
    await work({
      ...people,
      companyId,
      otherId: other?.id as string,
      threadId: (await newThread(people.dana, companyId)).id,
      noteId: (await rate(people.dana, companyId, RATED, settings)).id,
      told,
    })
  })
}

/** Someone else also acts for the company. */
const claim = (ctx: Ctx, name: 'dana' | 'ada', companyId: string, status: string) =>
  ctx.db.query(sql`
    insert into employer_claims (account_id, company_id, status)
    values (${castOn(ctx)[name].actor.account?.id}, ${companyId}, ${status})
    on conflict (account_id, company_id) do update set status = excluded.status`)

const refused = (status: number, message?: string) =>
  expect.objectContaining({ status, ...(message && { message }) })
const repliesIn = async ({ db }: Ctx) =>
  (await db.query(sql`select from company_replies`)).length +
  (await db.query(sql`select from company_reply_versions`)).length
const replyOfThread = async (ctx: Ctx, id: string) => (await threadById(ctx, id)).companyReply
const notesOf = async (ctx: Ctx, companyId: string) => (await companyNotes(ctx, companyId)).notes
const replyOfNote = async (ctx: Ctx, companyId: string) =>
  (await notesOf(ctx, companyId))[0]?.companyReply

describe('Replying as the company', () => {
  test('erin replies to a thread about her company, and everyone reads it as the company’s reply', () =>
    scene(async ({ vera, erin, threadId, companyId, told }) => {
      expect(await replyRights(erin, companyId)).toEqual({ canReply: true })
      const reply = await replyToThread(erin, threadId, WORDS)
      expect(reply).toEqual({
        id: expect.any(String),
        company: { name: 'Erin and Sons', path: '/erin-and-sons', logoUrl: null },
        html: expect.stringContaining('<strong>changed</strong>'),
        writtenAt: '2026-03-14T09:26Z',
        isEdited: false,
      })
      expect(await replyOfThread(vera, threadId)).toEqual(reply)
      expect(told).toEqual([`thread ${threadId}`])
    }))

  test('erin replies to a rating’s note, dated by month like the note', () =>
    scene(async ({ vera, erin, companyId, noteId, told }) => {
      const reply = await replyToNote(erin, noteId, WORDS)
      expect(reply).toMatchObject({ writtenAt: '2026-03', isEdited: false })
      expect(await replyOfNote(vera, companyId)).toEqual(reply)
      await changeCompanyReply(erin, reply.id, { text: 'We were wrong here.', version: 1 })
      const { versions } = await replyVersions(vera, reply.id)
      expect(versions).toMatchObject([{ version: 1, writtenAt: '2026-03' }])
      const minutes = await erin.db.query(sql`
        select to_timestamp(first_minute * 60.0) at time zone 'UTC' = '2026-03-01'
                 and written_minute = first_minute as "isMonth" from company_replies`)
      expect(minutes).toEqual([{ isMonth: true }])
      expect(told).toEqual([`ratings ${companyId}`, `ratings ${companyId}`])
    }))

  test('a notification job that names no one reaches the thread’s author, and raters can’t get one', () =>
    scene(async ({ erin, threadId, noteId }) => {
      const { id } = await replyToThread(erin, threadId, WORDS)
      await replyToNote(erin, noteId, WORDS)
      const queued = await erin.db.query(sql`
        select payload, due_at = '2026-03-14T09:26:00Z' as "isMinute" from job_queue
         where kind = ${COMPANY_REPLIED_TASK}`)
      expect(queued).toEqual([{ payload: { threadId, replyId: id }, isMinute: true }])
    }))

  test('no stored data says which of the company’s people wrote, changed or removed a reply', () =>
    scene(async ({ dana, erin, threadId, noteId, companyId }) => {
      await claim(dana, 'dana', companyId, 'approved')
      const { id } = await replyToThread(erin, threadId, WORDS)
      await replyToNote(erin, noteId, WORDS)
      await changeCompanyReply(dana, id, { text: 'Another of us says this.', version: 1 })
      const tables = ['company_replies', 'company_reply_versions']
      const kept = [
        await erin.db.query(sql`select * from job_queue where kind = ${COMPANY_REPLIED_TASK}`),
      ]
      for (const name of tables) kept.push(await erin.db.query(sql`select * from ${raw(name)}`))
      expect(kept.map(({ length }) => length)).toEqual([1, 2, 1])
      for (const { account, authorKey } of [erin.actor, dana.actor])
        for (const secret of [account?.id, account?.sessionId, account?.username, authorKey])
          expect(JSON.stringify(kept).toLowerCase()).not.toContain(`"${secret?.toLowerCase()}"`)
      const columns = await erin.db.query<{ name: string }>(sql`
        select column_name as name from information_schema.columns
         where table_schema = current_schema() and table_name = any (${tables}::text[])
         group by 1 order by 1`)
      expect(columns.map(({ name }) => name)).toEqual([
        'body',
        'company_id',
        'first_minute',
        'hidden',
        'hidden_reason',
        'html',
        'id',
        'merged_from',
        'note_id',
        'reply_id',
        'thread_id',
        'version',
        'written_minute',
      ])
    }))

  test('a thread and a note get one reply each, even if it’s sent twice', () =>
    scene(async ({ dana, erin, threadId, noteId, companyId }) => {
      await claim(dana, 'dana', companyId, 'approved')
      const reply = await replyToThread(erin, threadId, WORDS)
      expect(await replyToThread(erin, threadId, `${WORDS} \n`)).toEqual(reply)
      const note = await replyToNote(erin, noteId, WORDS)
      expect(await replyToNote(erin, noteId, WORDS)).toEqual(note)
      const second = refused(409, 'Your company has already replied here')
      for (const who of [erin, dana]) {
        await expect(replyToThread(who, threadId, 'And one more thing')).rejects.toEqual(second)
        await expect(replyToNote(who, noteId, 'And one more thing')).rejects.toEqual(second)
      }
      expect(await repliesIn(erin)).toBe(2)
      const jobs = await erin.db.query(
        sql`select from job_queue where kind = ${COMPANY_REPLIED_TASK}`,
      )
      expect(jobs).toHaveLength(1)
    }))

  test('no visitor, member, administrator or other company can reply for the company', () =>
    scene(async ({ vera, dana, erin, ada, olga, threadId, noteId, otherId, companyId }) => {
      const elsewhere = await newThread(dana, otherId)
      const otherNote = await rate(dana, otherId, RATED, settings)
      const attempts = (who: Ctx, thread = threadId, note = noteId) => [
        () => replyToThread(who, thread, WORDS),
        () => replyToNote(who, note, WORDS),
      ]
      const foreign = refused(403, 'You don’t act for this company')
      for (const who of [vera, dana, ada, olga])
        for (const reply of attempts(who)) await expect(reply()).rejects.toEqual(foreign)
      for (const reply of attempts(erin, elsewhere.id, otherNote.id))
        await expect(reply()).rejects.toEqual(foreign)
      for (const status of ['pending', 'declined', 'withdrawn', 'revoked']) {
        await claim(dana, 'dana', companyId, status)
        for (const reply of attempts(dana)) await expect(reply()).rejects.toEqual(foreign)
        expect(await replyRights(dana, companyId)).toEqual({ canReply: false })
      }
      expect(await replyRights(vera, companyId)).toEqual({ canReply: false })
      expect(await replyRights(erin, otherId)).toEqual({ canReply: false })
      expect(await repliesIn(erin)).toBe(0)
    }))

  test('saying you’re an employer gives no right to reply', () =>
    scene(async ({ dana, threadId, companyId }) => {
      const boasting = { ...dana, actor: { ...dana.actor, userType: 'employer' as const } }
      await expect(replyToThread(boasting, threadId, WORDS)).rejects.toEqual(refused(403))
      expect(await replyRights(boasting, companyId)).toEqual({ canReply: false })
    }))

  test('someone who leaves loses the right to reply, and the replies stay', () =>
    scene(async ({ vera, erin, threadId, companyId }) => {
      const reply = await replyToThread(erin, threadId, WORDS)
      await erin.db.query(sql`update employer_claims set status = 'withdrawn'`)
      const foreign = refused(403, 'You don’t act for this company')
      const change = { text: 'I have left this place', version: 1 }
      await expect(changeCompanyReply(erin, reply.id, change)).rejects.toEqual(foreign)
      await expect(removeCompanyReply(erin, reply.id)).rejects.toEqual(foreign)
      await expect(replySource(erin, reply.id)).rejects.toEqual(foreign)
      expect(await replyRights(erin, companyId)).toEqual({ canReply: false })
      expect(await replyOfThread(vera, threadId)).toEqual(reply)
    }))

  test.each([
    ['', 'A reply needs at least 10 characters'],
    [' short    \u200b   ', 'A reply needs at least 10 characters'],
    ['?!'.repeat(20), 'A reply needs text'],
    ['&nbsp;'.repeat(20), 'A reply needs text'],
    ['[](somewhere)', 'A reply needs text'],
    [`Hm${'\u3164'.repeat(10)}`, 'A reply needs at least 10 characters'],
    ['a'.repeat(REPLY_MAX + 1), 'A reply can have at most 5,000 characters'],
  ])('bad input gets a sentence: %#', (text, sentence) =>
    scene(async ({ erin, threadId, noteId }) => {
      const bad = refused(400, sentence)
      await expect(replyToThread(erin, threadId, text)).rejects.toEqual(bad)
      await expect(replyToNote(erin, noteId, text)).rejects.toEqual(bad)
      const { id } = await replyToThread(erin, threadId, WORDS)
      const change = { text, version: 1 }
      await expect(changeCompanyReply(erin, id, change)).rejects.toEqual(bad)
    }),
  )

  test('5,000 characters fit, even ones of two UTF-16 units', () =>
    scene(async ({ erin, threadId, noteId }) => {
      await replyToThread(erin, threadId, 'a'.repeat(REPLY_MAX))
      await replyToNote(erin, noteId, `Tea ${'🫖'.repeat(2_000)}`)
      expect(await repliesIn(erin)).toBe(2)
    }))

  test('replies to a locked, held, removed or missing thread, or one about no company, are refused', () =>
    scene(async ({ dana, erin, ada, threadId }) => {
      const { id } = await replyToThread(erin, threadId, WORDS)
      const fresh = await newThread(dana, (await threadById(erin, threadId)).company?.id)
      const both = async (sentence: string) => {
        const no = refused(409, sentence)
        await expect(replyToThread(erin, fresh.id, WORDS)).rejects.toEqual(no)
        const change = { text: 'We say something else', version: 1 }
        await expect(changeCompanyReply(erin, id, change)).rejects.toEqual(no)
      }
      for (const thread of [threadId, fresh.id]) await lockThread(ada, thread)
      await both('This thread is locked')
      for (const thread of [threadId, fresh.id]) await unlockThread(ada, thread)
      await erin.db.query(sql`update threads set hidden = 'held'`)
      await both('This thread is hidden until a moderator reviews it')
      await erin.db.query(sql`update threads set hidden = 'removed', hidden_reason = 'spam'`)
      await both('This thread was removed by a moderator: Spam or advertising')
      await erin.db.query(sql`update threads set hidden = null, hidden_reason = null`)

      const general = await newThread(dana)
      await expect(replyToThread(erin, general.id, WORDS)).rejects.toEqual(
        refused(409, 'This thread isn’t about a company'),
      )
      await expect(replyToThread(erin, NOBODY, WORDS)).rejects.toEqual(
        refused(404, 'This thread doesn’t exist'),
      )
      expect(await repliesIn(erin)).toBe(1)
    }))

  test('replies to a hidden note, a rating without one or a missing rating are refused', () =>
    scene(async ({ erin, companyId, noteId }) => {
      const reply = () => replyToNote(erin, noteId, WORDS)
      const hide = (state: string | null) =>
        erin.db.query(sql`update public_ratings set note_hidden = ${state} where id = ${noteId}`)
      await hide('held')
      await expect(reply()).rejects.toEqual(
        refused(409, 'This note is hidden until a moderator reviews it'),
      )
      await hide('removed')
      await expect(reply()).rejects.toEqual(refused(409, 'This note was removed by a moderator'))
      await hide(null)
      const gone = refused(404, 'This note doesn’t exist')
      await expect(replyToNote(erin, NOBODY, WORDS)).rejects.toEqual(gone)
      await erin.db.query(sql`update public_ratings set note = '' where company_id = ${companyId}`)
      await expect(reply()).rejects.toEqual(gone)
      expect(await repliesIn(erin)).toBe(0)
    }))
})

describe('the history of a reply', () => {
  test('erin edits a reply, and everyone can read what it said before', () =>
    scene(async ({ vera, dana, erin, threadId, companyId }) => {
      const { id, writtenAt } = await replyToThread(erin, threadId, WORDS)
      await claim(dana, 'dana', companyId, 'approved')
      const change = (ctx: Ctx, text: string, version: number) =>
        changeCompanyReply(ctx, id, { text, version })
      const changed = await change(later(dana, 5), 'We were wrong here.', 1)
      expect(changed).toMatchObject({
        html: '<p>We were wrong here.</p>',
        isEdited: true,
        writtenAt,
      })
      await change(later(erin, 9), 'We were not wrong here.', 2)
      expect(await replySource(dana, id)).toEqual({ text: 'We were not wrong here.', version: 3 })
      expect(await replyOfThread(vera, threadId)).toMatchObject({ isEdited: true })
      expect(await replyVersions(vera, id)).toEqual({
        versions: [
          { version: 2, html: '<p>We were wrong here.</p>', writtenAt: '2026-03-14T09:31Z' },
          { version: 1, html: expect.stringContaining('changed'), writtenAt: '2026-03-14T09:26Z' },
        ],
        next: null,
      })
    }))

  test('a colleague’s quicker edit isn’t overwritten, and unchanged text makes no version', () =>
    scene(async ({ dana, erin, threadId, companyId }) => {
      const { id } = await replyToThread(erin, threadId, WORDS)
      await claim(dana, 'dana', companyId, 'approved')
      const change = (ctx: Ctx, text: string) => changeCompanyReply(ctx, id, { text, version: 1 })
      expect(await change(erin, WORDS)).toMatchObject({ isEdited: false })
      await change(dana, 'Dana says this for us.')
      await expect(change(erin, 'Erin says this for us.')).rejects.toEqual(
        refused(
          409,
          'Someone else at your company changed this reply. See what it says now, then save again.',
        ),
      )
      // A sending whose answer was lost, sent again.
      expect(await change(dana, 'Dana says this for us.')).toMatchObject({ isEdited: true })
      expect((await replyVersions(erin, id)).versions).toHaveLength(1)
    }))

  test('a reply’s history comes a page at a time', () =>
    scene(async ({ erin, threadId }) => {
      const { id } = await replyToThread(erin, threadId, WORDS)
      for (let version = 1; version <= 22; version++)
        await changeCompanyReply(erin, id, { text: `Our words, number ${version}`, version })
      const first = await replyVersions(erin, id)
      expect(first.versions.map(({ version }) => version)).toEqual(
        Array.from({ length: 20 }, (_, n) => 22 - n),
      )
      expect(first.next).toBe(3)
      const second = await replyVersions(erin, id, 3)
      expect(second.versions.map(({ version }) => version)).toEqual([2, 1])
      expect(second.next).toBeNull()
    }))

  test('no one else can edit a reply or get its source', () =>
    scene(async ({ vera, dana, ada, olga, erin, threadId }) => {
      const { id } = await replyToThread(erin, threadId, WORDS)
      const change = { text: 'Words in its mouth', version: 1 }
      for (const who of [vera, dana, ada, olga]) {
        await expect(changeCompanyReply(who, id, change)).rejects.toEqual(refused(403))
        await expect(replySource(who, id)).rejects.toEqual(refused(403))
      }
      const gone = refused(404, 'This reply doesn’t exist')
      await expect(changeCompanyReply(erin, NOBODY, change)).rejects.toEqual(gone)
      await expect(replySource(erin, NOBODY)).rejects.toEqual(gone)
      await expect(replyVersions(erin, NOBODY)).rejects.toEqual(gone)
      expect(await replyOfThread(erin, threadId)).toMatchObject({ isEdited: false })
    }))
})

describe('a deleted reply', () => {
  test('a reply goes with its history when its company removes it, even in a locked thread', () =>
    scene(async ({ vera, dana, erin, ada, threadId, companyId, noteId, told }) => {
      const { id } = await replyToThread(erin, threadId, WORDS)
      const note = await replyToNote(erin, noteId, WORDS)
      await changeCompanyReply(erin, id, { text: 'We say something else', version: 1 })
      for (const who of [vera, dana])
        await expect(removeCompanyReply(who, id)).rejects.toEqual(
          refused(403, 'You don’t act for this company'),
        )
      expect(await repliesIn(erin)).toBe(3)
      await lockThread(ada, threadId)
      await claim(dana, 'dana', companyId, 'approved')
      told.length = 0
      expect(await removeCompanyReply(dana, id)).toEqual({ isRemoved: true })
      await removeCompanyReply(erin, note.id)
      expect(told).toEqual([`thread ${threadId}`, `ratings ${companyId}`])
      expect(await replyOfThread(vera, threadId)).toBeNull()
      expect(await replyOfNote(vera, companyId)).toBeNull()
      expect(await repliesIn(erin)).toBe(0)
      await expect(removeCompanyReply(erin, id)).rejects.toEqual(
        refused(404, 'This reply doesn’t exist'),
      )
    }))

  test('a reply goes when a moderator removes it because it could unmask someone, and the log says so', () =>
    scene(async ({ erin, ada, threadId }) => {
      const { id } = await replyToThread(erin, threadId, 'This was Dana of accounting')
      await removeCompanyReply(ada, id)
      expect(await ada.db.query(sql`select admin_name, action, subject from admin_log`)).toEqual([
        { admin_name: 'Ada', action: 'remove-company-reply', subject: 'Erin and Sons' },
      ])
      expect(await repliesIn(erin)).toBe(0)
    }))

  test('a reply goes with its thread, but the thread stays when the reply goes', () =>
    scene(async ({ dana, erin, threadId }) => {
      const { id } = await replyToThread(erin, threadId, WORDS)
      await changeCompanyReply(erin, id, { text: 'We say something else', version: 1 })
      await expect(deleteThread(erin, threadId)).rejects.toEqual(refused(403))
      await deleteThread(dana, threadId)
      expect(await repliesIn(erin)).toBe(0)
    }))

  test('a reply goes with its note when the rating, its text or its author’s account goes', () =>
    scene(async ({ dana, erin, companyId, noteId }) => {
      await replyToNote(erin, noteId, WORDS)
      await rate(dana, companyId, { ...RATED, rto: 3, note: 'Other words about desks' }, settings)
      expect(await replyOfNote(dana, companyId)).toMatchObject({ writtenAt: '2026-03' })
      await rate(dana, companyId, { ...RATED, note: '' }, settings)
      expect(await repliesIn(erin)).toBe(0)

      await rate(dana, companyId, RATED, settings)
      const { id } = await replyToNote(erin, noteId, WORDS)
      await changeCompanyReply(erin, id, { text: 'We say something else', version: 1 })
      await removeRating(dana, companyId, settings)
      expect(await repliesIn(erin)).toBe(0)

      const again = await rate(dana, companyId, RATED, settings)
      await replyToNote(erin, again.id, WORDS)
      const accountId = dana.actor.account?.id as string
      await forgetRater(dana, { accountId, posts: 'remove' }, settings)
      expect(await repliesIn(erin)).toBe(0)
    }))

  test('a reply goes with its company', () =>
    scene(async ({ erin, threadId, noteId, companyId }) => {
      await replyToThread(erin, threadId, WORDS)
      await replyToNote(erin, noteId, WORDS)
      await erin.db.query(sql`delete from companies where id = ${companyId}`)
      expect(await repliesIn(erin)).toBe(0)
    }))
})

describe('a hidden reply', () => {
  test('a reply and its history don’t show while its thread is hidden', () =>
    scene(async ({ vera, erin, ada, threadId }) => {
      const reply = await replyToThread(erin, threadId, WORDS)
      const post = { kind: 'thread' as const, id: threadId }
      const { entry } = await removePost(ada, post, SPAM)
      await expect(threadById(vera, threadId)).rejects.toEqual(refused(410))
      await expect(replyVersions(vera, reply.id)).rejects.toEqual(refused(404))
      await expect(replyVersions(erin, reply.id)).rejects.toEqual(refused(404))
      await undoDecision(ada, entry)
      expect(await replyOfThread(vera, threadId)).toEqual(reply)
      expect(await replyVersions(vera, reply.id)).toEqual({ versions: [], next: null })
    }))

  test('a reply doesn’t show while its note is hidden', () =>
    scene(async ({ vera, erin, ada, companyId, noteId }) => {
      const reply = await replyToNote(erin, noteId, WORDS)
      const post = { kind: 'note' as const, id: noteId }
      const { entry } = await removePost(ada, post, SPAM)
      expect(await notesOf(vera, companyId)).toEqual([])
      await expect(replyVersions(vera, reply.id)).rejects.toEqual(refused(404))
      await undoDecision(ada, entry)
      expect(await replyOfNote(vera, companyId)).toEqual(reply)
      expect(await replyVersions(vera, reply.id)).toEqual({ versions: [], next: null })
    }))

  test('a reply doesn’t show while its thread is about another company, which can reply itself', () =>
    scene(async ({ vera, dana, erin, ada, threadId, companyId, otherId }) => {
      const reply = await replyToThread(erin, threadId, WORDS)
      await moveThread(ada, threadId, otherId)
      expect(await replyOfThread(vera, threadId)).toBeNull()
      await expect(replyVersions(vera, reply.id)).rejects.toEqual(refused(404))
      const change = { text: 'We say something else', version: 1 }
      await expect(changeCompanyReply(erin, reply.id, change)).rejects.toEqual(
        refused(409, 'This thread is no longer about your company'),
      )
      await claim(dana, 'dana', otherId, 'approved')
      await replyToThread(dana, threadId, 'Elsewhere has this to say')
      expect(await replyOfThread(vera, threadId)).toMatchObject({ company: { name: 'Elsewhere' } })
      await moveThread(ada, threadId, companyId)
      expect(await replyOfThread(vera, threadId)).toEqual(reply)
      await moveThread(ada, threadId, null)
      expect(await replyOfThread(vera, threadId)).toBeNull()
    }))

  test('a reply doesn’t show if its note is gone without a trace', () =>
    scene(async ({ vera, erin, noteId }) => {
      const { id } = await replyToNote(erin, noteId, WORDS)
      await erin.db.query(sql`delete from public_ratings where id = ${noteId}`)
      await expect(replyVersions(vera, id)).rejects.toEqual(refused(404))
    }))
})

test('a reply stays with its note when the ratings table is rewritten', () =>
  scene(async ({ vera, erin, companyId, noteId }) => {
    const reply = await replyToNote(erin, noteId, WORDS)
    await reorderTable(erin.db, 'public_ratings')
    expect(await replyOfNote(vera, companyId)).toEqual(reply)
  }))

test('a company can write thirty replies in ten minutes', () =>
  scene(async ({ erin, threadId }) => {
    const call = callsOf(companyReplyContract, replyHandlers, { hasRateLimits: true })(erin)
    const post = () =>
      call('POST /api/v1/threads/{id}/company-reply', {
        params: { id: threadId },
        body: { text: WORDS },
      })
    for (let n = 0; n < 30; n++) await post()
    await expect(post()).rejects.toEqual(refused(429))
    await expect(
      call('DELETE /api/v1/company-replies/{id}', { params: { id: NOBODY } }),
    ).rejects.toEqual(refused(429))
  }))
