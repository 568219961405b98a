/** Threads, comments, votes and polls on a real database. */

import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { visitor } from '#app/api/auth/actor.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { type PersonRoot, personRootOf } from '#app/api/auth/roots.server.ts'
import { currentToasts, dismissToast } from '#app/kit/ui/toast.ts'
import { CHANGED_MEANWHILE } from '#app/kit/writing/edit-conflict.server.ts'
import { writeCursor } from '#app/platform/database/keyset.server.ts'
import { minuteOf } from '#app/platform/days.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { callsOf } from '#tests/support/api.ts'
import {
  actorLike,
  ctxAs,
  madeUpPerson,
  memberNo,
  stranger,
  suspended,
} from '#tests/support/authors.ts'
import { later, withDatabase } from '#tests/support/database.ts'
import { testIssuer } from '#tests/support/issuer.ts'
import {
  addComment,
  aThread,
  searchingFreely,
  startThread,
  unlimited,
  voteComment,
  votePoll,
  voteThread,
} from '#tests/support/unlimited.ts'
import { deleteComment, editComment } from './comments/comment-commands.server.ts'
import { commentSource, commentsPage, myComments } from './comments/comment-queries.server.ts'
import { discussionContract } from './discussion.contract.ts'
import { emptyMyThread } from './discussion.data.ts'
import {
  BODY_MAX,
  COMMENT_MAX,
  PERIOD_MINUTES,
  TEXT_PROBLEMS,
  THREAD_TITLE_MAX,
} from './discussion.ts'
import { discussionHandlers } from './feature.server.ts'
import { POLL_OPTION_MAX } from './polls/poll.ts'
import { deletePostTitled } from './posts/deletion.data.ts'
import { postsExport } from './posts/export-queries.server.ts'
import { POST_ADDED_TASK } from './posts/posting.server.ts'
import { countRecentComments, forgetAuthor, removeThread } from './posts/removal.server.ts'
import { searchThreads } from './search/thread-search.server.ts'
import { muteThread, saveThread } from './threads/saved-threads.server.ts'
import { deleteThread, deleteThreadTitled, editThread } from './threads/thread-commands.server.ts'
import {
  companyTopics,
  listThreads,
  mySavedThreads,
  myThread,
  myThreads,
  myThreadVotes,
  threadById,
  threadSource,
} from './threads/thread-queries.server.ts'
import { sumCred } from './votes/vote-counts.server.ts'

const { as, outside, somebodyWaits } = withDatabase()

const comment = (body: string, parentId?: string) => ({
  body,
  parentId,
  name: 'pseudonym' as const,
  idempotencyKey: crypto.randomUUID(),
})
const counters = async (ctx: Ctx, companyId: string) =>
  (
    await ctx.db.query<{ threads: number; comments: number }>(
      sql`select threads, comments from company_stats where company_id = ${companyId}`,
    )
  )[0]

describe('writing', () => {
  test('an emoji counts as one character, as in the database', () =>
    as('dana', async (ctx) => {
      const pots = (most: number) => '🫖'.repeat(most)
      const title = `x${pots(THREAD_TITLE_MAX - 1)}`
      const options = [pots(POLL_OPTION_MAX), 'No']
      const { id } = await startThread(
        ctx,
        aThread({ title, body: pots(BODY_MAX), poll: { options, days: 7 } }),
      )
      expect((await threadById(ctx, id)).title).toBe(title)
      await addComment(ctx, id, comment(pots(COMMENT_MAX)))
      await expect(
        startThread(ctx, aThread({ title: `x${pots(THREAD_TITLE_MAX)}` })),
      ).rejects.toMatchObject({ message: TEXT_PROBLEMS.longTitle })
      await expect(startThread(ctx, aThread({ body: pots(BODY_MAX + 1) }))).rejects.toMatchObject({
        message: TEXT_PROBLEMS.longBody,
      })
      await expect(addComment(ctx, id, comment(pots(COMMENT_MAX + 1)))).rejects.toMatchObject({
        message: TEXT_PROBLEMS.longComment,
      })
    }))

  test('vera, a visitor, starts a thread about a company, and the counters follow', () =>
    as('vera', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      const { id, path } = await startThread(
        ctx,
        aThread({ companyId, topics: ['culture'], body: 'They say **nobody** comes in.' }),
      )
      expect(path).toBe(`/thread/${id}-is-it-true-about-the-thursdays`)
      const seen = await threadById(ctx, id)
      expect(seen).toMatchObject({
        title: 'Is it true about the Thursdays?',
        html: expect.stringContaining('<strong>nobody</strong>'),
        excerpt: 'They say nobody comes in.',
        author: { name: expect.stringMatching(/^[A-Z][a-z]+ [A-Z][a-z]+$/), isVisitor: true },
        company: { id: companyId, path: '/erin-and-sons' },
        topics: [{ slug: 'culture', name: 'Culture' }],
        postedAt: '2026-03-14T09:26Z',
        score: 0,
        comments: 0,
        isEdited: false,
        poll: null,
      })
      expect(await counters(ctx, companyId)).toEqual({ threads: 1, comments: 0 })
      await addComment(ctx, id, comment('Me again'))
      expect(await counters(ctx, companyId)).toEqual({ threads: 1, comments: 1 })
      await deleteThread(ctx, id)
      expect(await counters(ctx, companyId)).toEqual({ threads: 0, comments: 0 })
    }))

  test('a company’s topics count only threads that everyone can see', () =>
    as('vera', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      const ids: string[] = []
      for (const topics of [['pay'], ['remote', 'pay'], ['culture'], []])
        ids.push((await startThread(ctx, aThread({ companyId, topics }))).id)
      await startThread(ctx, aThread({ topics: ['pay'] }))
      await ctx.db.query(sql`update threads set hidden = 'held' where id = ${ids[2]}`)
      expect(await companyTopics(ctx, companyId)).toEqual({
        threads: 3,
        topics: [
          { slug: 'pay', name: 'Pay and benefits', threads: 2 },
          { slug: 'remote', name: 'Remote work', threads: 1 },
        ],
      })
      expect(await companyTopics(ctx, crypto.randomUUID())).toEqual({ threads: 0, topics: [] })
    }))

  test('S5: the same person has one name in a thread, and another elsewhere', () =>
    as('dana', async (ctx) => {
      const [first, second] = [await startThread(ctx, aThread()), await startThread(ctx, aThread())]
      const names = new Set<string>()
      for (const { id } of [first, second]) {
        const { author } = await threadById(ctx, id)
        const answer = await addComment(ctx, id, comment('Also me'))
        expect(answer.author?.name).toBe(author.name)
        expect(answer.isOp).toBe(true)
        names.add(author.name)
      }
      expect(names.size).toBe(2)
      const other = await addComment(stranger(ctx, 1), first.id, comment('Somebody else'))
      expect(names.has(other.author?.name ?? '')).toBe(false)
      expect(other.isOp).toBe(false)
    }))

  test('S5: no two people share a name in a thread', () =>
    as('dana', async (ctx) => {
      const { id } = await startThread(ctx, aThread())
      const names: string[] = []
      for (let n = 0; n < 60; n++)
        names.push(
          (await addComment(stranger(ctx, n), id, comment(`Number ${n}`))).author?.name ?? '',
        )
      expect(new Set(names).size).toBe(60)
    }))

  test('a person whose first pseudonym is taken gets the next one', () =>
    as('dana', async (ctx) => {
      const { id } = await startThread(ctx, aThread())
      const vera = stranger(ctx, 1)
      const first = await addComment(vera, id, comment('This will be called'))
      await ctx.db.query(sql`
        update thread_names set key = ${madeUpPerson('somebody').root}
         where thread_id = ${id} and name = ${first.author?.name ?? ''}`)
      const second = await addComment(vera, id, comment('And this'))
      expect(second.author?.name).toMatch(/ /)
      expect(second.author?.name).not.toBe(first.author?.name)
      expect((await threadById(ctx, id)).comments).toBe(2)
    }))

  test('dana can sign with her username, and a visitor has none to sign with', () =>
    as('dana', async (ctx) => {
      const { id } = await startThread(ctx, aThread({ name: 'username' }))
      expect((await threadById(ctx, id)).author).toEqual({ name: 'Dana', isVisitor: false })
      const { author } = await addComment(stranger(ctx, 1), id, {
        ...comment('I have no name'),
        name: 'username',
      })
      expect(author?.name).toMatch(/ /)
    }))

  test('an employer can only read, and so can a browser without an anonymous id', () =>
    as('erin', async (ctx) => {
      await expect(startThread(ctx, aThread())).rejects.toMatchObject({ status: 403 })
      await expect(startThread(ctxAs(ctx, { authorKey: null }), aThread())).rejects.toMatchObject({
        status: 401,
      })
    }))

  test('dana sends a form twice, and there’s one post', () =>
    as('dana', async (ctx) => {
      const form = aThread()
      const [first, again] = [await startThread(ctx, form), await startThread(ctx, form)]
      expect(again).toEqual(first)
      const answer = comment('Once is enough')
      const [one, same] = [
        await addComment(ctx, first.id, answer),
        await addComment(ctx, first.id, answer),
      ]
      expect(same.id).toBe(one.id)
      expect((await threadById(ctx, first.id)).comments).toBe(1)
      // The key belongs to its author: another person’s form with the same key is another post.
      const other = await startThread(stranger(ctx, 1), form)
      expect(other.id).not.toBe(first.id)
    }))

  test.each([
    { title: '🫖🫖🫖🫖🫖🫖🫖🫖🫖' },
    { title: 'short' },
    { title: '\u202E\u200B\u200B\u200B\u200B\u200B\u200B\u200B\u200B' },
    { topics: ['no-such-topic'] },
    { companyId: '00000000-0000-4000-8000-000000000000' },
    { poll: { options: ['Yes', 'yes '], days: 3 } },
    { poll: { options: ['Yes', '\u200B'], days: 3 } },
    { poll: { options: ['Yes', '\u3164'], days: 3 } },
    { title: '\u3164'.repeat(10) },
    { title: `Hi${'\u2800\u3164'.repeat(10)}` },
  ])('a nonsensical thread is refused with a sentence: %j', (over) =>
    as('dana', (ctx) =>
      expect(startThread(ctx, aThread(over))).rejects.toMatchObject({ status: 400 }),
    ),
  )

  test('only invisible and harmful characters are removed from a post', () =>
    as('dana', async (ctx) => {
      const { id } = await startThread(
        ctx,
        aThread({ title: 'A  title \u202Ewith\u200B tricks', body: '<script>alert(1)</script>' }),
      )
      const seen = await threadById(ctx, id)
      expect(seen.title).toBe('A title with tricks')
      expect(seen.html).not.toContain('<script')
      expect((await threadSource(ctx, id)).body).toBe('<script>alert(1)</script>')
    }))
})

describe('consequences of posting', () => {
  const told = (ctx: Ctx) =>
    ctx.db.query<{ payload: object; seconds: number }>(sql`
      select payload, extract(second from due_at)::integer as seconds from job_queue
       where kind = ${POST_ADDED_TASK} order by payload ->> 'kind' desc`)

  test('a new post is announced once, to the minute, and a repeated form isn’t', () =>
    as('dana', async (ctx) => {
      const [form, answer] = [aThread(), comment('Once')]
      const { id } = await startThread(ctx, form)
      const { id: commentId } = await addComment(ctx, id, answer)
      await startThread(ctx, form)
      await addComment(ctx, id, answer)
      // S6: no finer time of a post is stored anywhere.
      expect(await told(ctx)).toEqual([
        { payload: { kind: 'thread', id }, seconds: 0 },
        { payload: { kind: 'comment', id: commentId }, seconds: 0 },
      ])
    }))

  test('a refused post isn’t announced', () =>
    as('dana', async (ctx) => {
      const { id } = await startThread(ctx, aThread())
      const attempt = ctx.db.transaction((db) =>
        addComment({ ...ctx, db }, id, comment('Hello', crypto.randomUUID())),
      )
      await expect(attempt).rejects.toMatchObject({ status: 409 })
      expect(await told(ctx)).toHaveLength(1)
    }))

  test('a suspended member reads, votes and deletes, but can’t post until the last day is over', () =>
    as('dana', async (ctx) => {
      const { id } = await startThread(ctx, aThread())
      const { id: own } = await addComment(ctx, id, comment('Mine'))
      const others = await startThread(stranger(ctx, 1), aThread())
      await ctx.db.query(sql`
        insert into suspensions (own_row_key, ends_on, reason)
        values (${suspended(ctx)}, '2026-03-21', 'harassment')`)
      for (const attempt of [
        () => startThread(ctx, aThread()),
        () => addComment(ctx, id, comment('More')),
        () => editComment(ctx, own, 'Other words'),
        () => editThread(ctx, id, { title: 'Quite another title', body: '', topics: [] }),
      ])
        await expect(attempt()).rejects.toMatchObject({
          status: 403,
          message: 'You can’t write until the end of 2026-03-21. Reason: Harassment or hate',
        })
      expect(await voteThread(ctx, others.id, 1)).toMatchObject({ score: 1 })
      await addComment(stranger(ctx, 1), id, comment('Somebody else goes on'))
      await deleteComment(ctx, own)
      await addComment(later(ctx, 8 * 1_440), id, comment('Here again'))
    }))

  test('someone without a confirmed email has a third of a member’s uses, and at least one', () =>
    as('dana', async (ctx) => {
      const handlers = discussionHandlers({
        issuer: testIssuer,
        searches: searchingFreely,
        untrustedLimits: unlimited,
      })
      const callAs = callsOf(discussionContract, handlers, { hasRateLimits: true })
      const post = (ctx: Ctx) =>
        callAs(ctx)('POST /api/v1/threads', { body: aThread() }).then(
          () => 201,
          ({ status }) => status,
        )
      const account = ctx.actor.account && { ...ctx.actor.account, isEmailConfirmed: false }
      const people = {
        member: ctx,
        visitor: stranger(ctx, 1),
        unconfirmed: ctxAs(ctx, actorLike({ ...ctx.actor, account }, 'somebody')),
      }
      const uses = { member: 5, visitor: 1, unconfirmed: 1 }
      for (const [who, times] of Object.entries(uses)) {
        const person = people[who as keyof typeof people]
        for (let n = 0; n < times; n++) expect(await post(person), who).toBe(201)
        expect(await post(person), who).toBe(429)
      }
    }))
})

describe('changing and deleting', () => {
  test('only its author can edit a thread, which then says that it’s edited', () =>
    as('dana', async (ctx) => {
      const { id } = await startThread(ctx, aThread())
      const change = { title: 'Is it true about Fridays?', body: 'No.', topics: ['remote'] }
      await expect(editThread(stranger(ctx, 1), id, change)).rejects.toMatchObject({ status: 403 })
      await expect(
        editThread(ctxAs(ctx, { ...actorLike(ctx.actor, 'somebody'), role: 'admin' }), id, change),
      ).rejects.toMatchObject({ status: 403 })
      expect((await editThread(ctx, id, change)).path).toMatch(/-is-it-true-about-fridays$/)
      expect(await threadById(ctx, id)).toMatchObject({ isEdited: true, excerpt: 'No.' })
      await expect(threadSource(stranger(ctx, 1), id)).rejects.toMatchObject({ status: 404 })
    }))

  test('dana’s edit on her phone isn’t overwritten by the one she started on her laptop', () =>
    as('dana', async (ctx) => {
      const { id } = await startThread(ctx, aThread())
      const { id: answer } = await addComment(ctx, id, comment('First'))
      const before = await threadSource(ctx, id)
      const phone = { title: 'From her phone', body: 'Short.', topics: ['remote'] }
      await editThread(ctx, id, { ...phone, before })
      await editComment(ctx, answer, 'From her phone', 'First')

      const refused = { code: 'changed-meanwhile', status: 409, message: CHANGED_MEANWHILE }
      const laptop = { title: 'From her laptop', body: 'Long.', topics: [] }
      await expect(editThread(ctx, id, { ...laptop, before })).rejects.toMatchObject(refused)
      await expect(editComment(ctx, answer, 'From her laptop', 'First')).rejects.toMatchObject(
        refused,
      )
      expect(await threadSource(ctx, id)).toEqual(phone)
      expect(await commentSource(ctx, answer)).toEqual({ body: 'From her phone' })

      // Sent once more after a lost answer, it is there already; and what she has seen, she may replace.
      await editThread(ctx, id, { ...phone, before })
      await editComment(ctx, answer, 'From her phone', 'First')
      await editThread(ctx, id, { ...laptop, before: phone })
      await editComment(ctx, answer, 'From her laptop', 'From her phone')
      expect(await threadSource(ctx, id)).toEqual(laptop)
      expect(await commentSource(ctx, answer)).toEqual({ body: 'From her laptop' })
    }))

  test('Spec §5, §8: a stranger can’t delete a thread, and nothing is lost', () =>
    as('dana', async (ctx) => {
      const { id } = await startThread(ctx, aThread())
      await addComment(ctx, id, comment('One'))
      await addComment(stranger(ctx, 1), id, comment('Two'))
      await expect(deleteThread(stranger(ctx, 2), id)).rejects.toMatchObject({
        status: 403,
        message: 'Not authorized to delete this thread',
      })
      expect((await commentsPage(ctx, id, { sort: 'old' })).comments).toHaveLength(2)
    }))

  test('Spec §4: deleting a thread deletes its comments, votes, names, polls and saves', () =>
    as('dana', async (ctx) => {
      const { id } = await startThread(ctx, aThread({ poll: { options: ['A', 'B'], days: 3 } }))
      const answer = await addComment(stranger(ctx, 1), id, comment('One'))
      await addComment(ctx, id, comment('Below', answer.id))
      await voteComment(ctx, answer.id, 1)
      await voteThread(stranger(ctx, 1), id, 1)
      await votePoll(ctx, id, 0)
      await saveThread(ctx, id, true)
      await deleteThread(ctxAs(ctx, { ...actorLike(ctx.actor, 'a moderator'), role: 'admin' }), id)
      for (const table of [
        sql`threads`,
        sql`comments`,
        sql`votes`,
        sql`thread_names`,
        sql`polls`,
        sql`poll_votes`,
        sql`saved_threads`,
      ])
        expect(await ctx.db.query(sql`select from ${table}`)).toHaveLength(0)
      await sumCred(ctx)
      expect(await ctx.db.query(sql`select from member_cred`)).toEqual([])
      await expect(threadById(ctx, id)).rejects.toMatchObject({ status: 404 })
    }))

  test('Spec §4: a thread’s comments go before the thread does', () =>
    as('dana', async (ctx) => {
      const { id } = await startThread(ctx, aThread())
      await addComment(ctx, id, comment('One'))
      const gone: string[] = []
      const query: typeof ctx.db.query = (asked) => {
        gone.push(...(/delete from (comments|threads)/.exec(asked.text)?.slice(1) ?? []))
        return ctx.db.query(asked)
      }
      await removeThread({ ...ctx.db, query }, id)
      expect(gone).toEqual(['comments', 'threads'])
      expect(await ctx.db.query(sql`select from comments`)).toHaveLength(0)
    }))

  test('a deleted comment with replies leaves a stub without text or name, and others disappear', () =>
    as('dana', async (ctx) => {
      const { id } = await startThread(ctx, aThread())
      const top = await addComment(ctx, id, comment('Top secret'))
      const below = await addComment(stranger(ctx, 1), id, comment('Below', top.id))
      await expect(deleteComment(stranger(ctx, 1), top.id)).rejects.toMatchObject({ status: 403 })
      expect(await deleteComment(ctx, top.id)).toEqual({ isStub: true })
      const [stub] = (await commentsPage(ctx, id, { sort: 'best' })).comments
      expect(stub).toMatchObject({ isDeleted: true, author: null, html: '', isOp: false })
      await expect(addComment(ctx, id, comment('Too late', top.id))).rejects.toMatchObject({
        status: 409,
      })
      await expect(voteComment(stranger(ctx, 2), top.id, 1)).rejects.toMatchObject({ status: 404 })
      // When the last reply is deleted, the stub goes too.
      expect(await deleteComment(stranger(ctx, 1), below.id)).toEqual({ isStub: false })
      expect((await commentsPage(ctx, id, { sort: 'best' })).comments).toEqual([])
      expect((await threadById(ctx, id)).comments).toBe(0)
    }))

  test.each(['&nbsp;', '&#8203;', '[](x)', '![](x)', '#', '>', '\u3164', '- \n\n---'])(
    'an invisible comment is refused, and so is an edit to one: %j',
    (blank) =>
      as('dana', async (ctx) => {
        const { id } = await startThread(ctx, aThread())
        const refusal = { status: 400, message: TEXT_PROBLEMS.emptyComment }
        await expect(addComment(ctx, id, comment(blank))).rejects.toMatchObject(refusal)
        const said = await addComment(ctx, id, comment('[Edit]: solved'))
        expect(said.html).toBe('<p>[Edit]: solved</p>')
        await expect(editComment(ctx, said.id, blank)).rejects.toMatchObject(refusal)
      }),
  )

  test('only its author can edit a comment, which then says that it’s edited', () =>
    as('dana', async (ctx) => {
      const { id } = await startThread(ctx, aThread())
      const { id: answer } = await addComment(ctx, id, comment('First'))
      await expect(editComment(stranger(ctx, 1), answer, 'Ha')).rejects.toMatchObject({
        status: 403,
      })
      expect(await editComment(ctx, answer, 'First')).toMatchObject({ isEdited: false })
      expect(await editComment(ctx, answer, 'Second')).toMatchObject({ isEdited: true })
    }))

  test('no one can post in a locked thread', () =>
    as('dana', async (ctx) => {
      const { id } = await startThread(ctx, aThread())
      const { id: answer } = await addComment(ctx, id, comment('First'))
      await ctx.db.query(sql`update threads set is_locked = true`)
      for (const attempt of [
        () => addComment(ctx, id, comment('Second')),
        () => editComment(ctx, answer, 'Changed'),
        () => editThread(ctx, id, { title: 'A new title here', body: '', topics: [] }),
      ])
        await expect(attempt()).rejects.toMatchObject({ status: 409 })
    }))
})

describe('votes', () => {
  test('S17: each person votes once, up or down, and can take it back', () =>
    as('dana', async (ctx) => {
      const { id } = await startThread(ctx, aThread())
      const { id: answer } = await addComment(ctx, id, comment('Mine too'))
      const [one, two] = [memberNo(ctx, 1), memberNo(ctx, 2)]
      expect(await voteThread(one, id, 1)).toEqual({ score: 1, vote: 1 })
      expect(await voteThread(one, id, 1)).toEqual({ score: 1, vote: 1 })
      expect(await voteThread(two, id, 1)).toEqual({ score: 2, vote: 1 })
      expect(await voteThread(two, id, -1)).toEqual({ score: 0, vote: -1 })
      expect(await voteThread(two, id, 0)).toEqual({ score: 1, vote: 0 })
      expect(await voteComment(one, answer, 1)).toEqual({ score: 1, vote: 1 })
      expect(await myThread(one, id)).toMatchObject({ vote: 1, votes: { [answer]: 1 } })
      expect(await myThreadVotes(one, [id, answer, 'no id'])).toEqual({
        votes: { [id]: 1 },
        own: [],
      })
    }))

  test('no one can vote on their own post', () =>
    as('dana', async (ctx) => {
      const { id } = await startThread(ctx, aThread())
      await expect(voteThread(ctx, id, 1)).rejects.toMatchObject({ status: 403 })
    }))
})

describe('polls', () => {
  test.each([0, 400, 873])(
    'a one-day poll is open for 24 hours, even if it’s posted %i minutes later',
    (minutes) =>
      as('dana', async (ctx) => {
        const poll = { options: ['Yes', 'No'], days: 1 }
        const { id } = await startThread(later(ctx, minutes), aThread({ poll }))
        await votePoll(later(stranger(ctx, 1), minutes + 1_439), id, 1)
        await expect(
          votePoll(later(stranger(ctx, 2), minutes + 1_440), id, 1),
        ).rejects.toMatchObject({ status: 409, message: 'This poll is closed' })
      }),
  )

  test('a person votes once in a poll, everyone sees the results, and a reader can still vote', () =>
    as('dana', async (ctx) => {
      const { id } = await startThread(ctx, aThread({ poll: { options: ['Yes', 'No'], days: 3 } }))
      const voter = stranger(ctx, 1)
      expect(await myThread(voter, id)).toMatchObject({ pollChoice: null, pollResults: [0, 0] })
      expect(await votePoll(voter, id, 1)).toEqual({ results: [0, 1], optionIndex: 1 })
      expect((await myThread(stranger(ctx, 2), id)).pollResults).toEqual([0, 1])
      await expect(votePoll(voter, id, 0)).rejects.toMatchObject({ status: 409 })
      await expect(votePoll(stranger(ctx, 2), id, 5)).rejects.toMatchObject({ status: 400 })
      expect(await myThread(voter, id)).toMatchObject({ pollChoice: 1, pollResults: [0, 1] })
      expect((await threadById(ctx, id)).poll).toMatchObject({
        closesAt: '2026-03-17T09:26Z',
        isClosed: false,
        votes: 1,
      })
      await votePoll(later(stranger(ctx, 3), 3 * 1_440 - 1), id, 1)
      const after = later(stranger(ctx, 2), 3 * 1_440)
      await expect(votePoll(after, id, 0)).rejects.toMatchObject({ status: 409 })
      expect((await myThread(after, id)).pollResults).toEqual([0, 2])
      expect((await threadById(after, id)).poll?.isClosed).toBe(true)
    }))
})

test('a browser knows without asking how a thread looks to someone new', () =>
  as('dana', async (ctx) => {
    const poll = { options: ['Yes', 'No'], days: 3 }
    const [plain, polled] = [
      await startThread(ctx, aThread()),
      await startThread(ctx, aThread({ poll })),
    ]
    await votePoll(stranger(ctx, 1), polled.id, 1)
    const vera = { ...ctx, actor: visitor }
    for (const { id } of [plain, polled])
      expect(emptyMyThread(await threadById(vera, id))).toEqual(await myThread(vera, id))
    await ctx.db.query(sql`update threads set is_locked = true where id = ${plain.id}`)
    const locked = await threadById(vera, plain.id)
    expect(emptyMyThread(locked)).toEqual(await myThread(vera, plain.id))
    expect(emptyMyThread(locked).can.comment).toBe(false)
  }))

test('anyone with an author key can mute a thread, even erin, and moderators learn they can moderate it', () =>
  as('erin', async (ctx) => {
    const { id } = await startThread(stranger(ctx, 1), aThread())
    expect(await myThread(ctx, id)).toMatchObject({ isMuted: false, can: { moderate: false } })
    expect(await muteThread(ctx, id, true)).toEqual({ isMuted: true })
    expect(await muteThread(ctx, id, true)).toEqual({ isMuted: true })
    expect((await myThread(ctx, id)).isMuted).toBe(true)
    expect((await myThread(stranger(ctx, 1), id)).isMuted).toBe(false)
    await muteThread(ctx, id, false)
    expect((await myThread(ctx, id)).isMuted).toBe(false)
    await expect(muteThread(ctxAs(ctx, { authorKey: null }), id, true)).rejects.toMatchObject({
      status: 401,
    })
    expect((await myThread(ctxAs(ctx, { role: 'admin' }), id)).can.moderate).toBe(true)
  }))

describe('lists', () => {
  async function someThreads(ctx: Ctx) {
    const companyId = await giveErinHerCompany(ctx.db)
    const ids: string[] = []
    for (let n = 44; n >= 0; n--) {
      const at = later(ctx, -n * 60)
      const { id } = await startThread(
        at,
        aThread({
          title: `Thread number ${n} about ${n % 2 ? 'kettles' : 'biscuits'}`,
          companyId: n % 3 === 0 ? companyId : undefined,
          topics: n % 5 === 0 ? ['pay'] : [],
        }),
      )
      ids.unshift(id)
    }
    return { ids, companyId }
  }
  const all = async (
    ctx: Ctx,
    { search, ...query }: Partial<Parameters<typeof listThreads>[1]> & { search?: string },
  ) => {
    const ids: string[] = []
    let after: string | undefined
    do {
      const wanted = { sort: 'new' as const, period: 'all' as const, ...query, after }
      const page = await (search
        ? searchThreads(ctx, { ...wanted, search })
        : listThreads(ctx, wanted))
      ids.push(...page.threads.map(({ id }) => id))
      after = page.next ?? undefined
    } while (after)
    return ids
  }

  test('each order pages through everything exactly once', () =>
    as('dana', async (ctx) => {
      const { ids, companyId } = await someThreads(ctx)
      await voteThread(stranger(ctx, 1), ids[40] as string, 1)
      await voteThread(stranger(ctx, 1), ids[2] as string, -1)
      await addComment(ctx, ids[7] as string, comment('Answered'))
      expect(await all(ctx, { sort: 'new' })).toEqual(ids)
      for (const sort of ['hot', 'top'] as const) {
        const listed = await all(ctx, { sort })
        expect(listed.toSorted()).toEqual(ids.toSorted())
      }
      expect((await all(ctx, { sort: 'top' }))[0]).toBe(ids[40])
      expect((await all(ctx, { sort: 'top' })).at(-1)).toBe(ids[2])
      expect(await all(ctx, { sort: 'unanswered' })).toEqual(ids.filter((_, n) => n !== 7))
      expect(await all(ctx, { company: companyId })).toEqual(ids.filter((_, n) => n % 3 === 0))
      expect(await all(ctx, { topic: 'pay' })).toEqual(ids.filter((_, n) => n % 5 === 0))
      // On the last day, it can end at hours 0 to 24.
      expect(await all(ctx, { sort: 'top', period: 'day' })).toHaveLength(25)
    }))

  test('the top of a period has what was posted in it, on whatever day, the highest score first', () =>
    as('dana', async (ctx) => {
      const { ids } = await someThreads(ctx)
      const posts = ids.map((id, n) => ({ id, age: n * 1_023, score: (n * 7) % 11, n }))
      for (const { id, age, score } of posts)
        await ctx.db.query(sql`
          update threads set posted_minute = ${minuteOf(ctx.now()) - age}, score = ${score}
           where id = ${id}`)
      const best = posts.toSorted((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1))
      for (const period of ['day', 'week', 'month', 'year'] as const) {
        const within = best.filter(({ age }) => age <= PERIOD_MINUTES[period])
        expect(await all(ctx, { sort: 'top', period })).toEqual(within.map(({ id }) => id))
        expect(await all(ctx, { sort: 'top', period, topic: 'pay' })).toEqual(
          within.filter(({ n }) => n % 5 === 0).map(({ id }) => id),
        )
      }
    }))

  test('a page marker of another order is refused', () =>
    as('dana', async (ctx) => {
      await someThreads(ctx)
      const { next } = await listThreads(ctx, { sort: 'new', period: 'all' })
      await expect(
        listThreads(ctx, { sort: 'hot', period: 'all', after: next as string }),
      ).rejects.toMatchObject({ status: 400 })
      const forged = ['1.2.3', '.', '1e999', '', 'NaN'].map((value) =>
        writeCursor({ order: 'hot', value, id: crypto.randomUUID() }),
      )
      for (const after of ['garbage', ...forged])
        await expect(listThreads(ctx, { sort: 'hot', period: 'all', after })).rejects.toMatchObject(
          { status: 400 },
        )
    }))

  test('a search finds words of titles, texts and comments, and forgives a typo in a title', () =>
    as('dana', async (ctx) => {
      const { ids } = await someThreads(ctx)
      await addComment(ctx, ids[3] as string, comment('There is a samovar on the third floor'))
      expect(await all(ctx, { search: 'biscuit' })).toHaveLength(23)
      expect(await all(ctx, { search: 'samovar' })).toEqual([ids[3]])
      expect(await all(ctx, { search: '"samovar on the" -floor' })).toEqual([])
      expect(await all(ctx, { search: 'Thread numbr 44 about biscits' })).toContain(ids[44])
      for (const search of ['"', "';--", '&|!():*', '\\', '%'])
        await expect(all(ctx, { search })).resolves.toBeDefined()
    }))

  test('dana’s own list has her threads, comments and saved threads, and no one else’s', () =>
    as('dana', async (ctx) => {
      const { ids } = await someThreads(ctx)
      const vera = stranger(ctx, 1)
      const { id } = await startThread(vera, aThread())
      await addComment(vera, ids[0] as string, comment('Mine'))
      await saveThread(vera, ids[1] as string, true)
      expect((await myThreads(vera)).threads.map((it) => it.id)).toEqual([id])
      expect((await mySavedThreads(vera)).threads.map((it) => it.id)).toEqual([ids[1]])
      expect((await myComments(vera)).comments).toHaveLength(1)
      await saveThread(vera, ids[1] as string, false)
      expect((await mySavedThreads(vera)).threads).toEqual([])
      const first = await myThreads(ctx)
      const second = await myThreads(ctx, first.next as string)
      expect([...first.threads, ...second.threads].map((it) => it.id)).toEqual(ids.slice(0, 40))
      expect((await myThreads(ctxAs(ctx, { authorKey: null }))).threads).toEqual([])
    }))
})

describe('comments', () => {
  test('comments come in pages, in the chosen order, with their depth and number of replies', () =>
    as('dana', async (ctx) => {
      const { id } = await startThread(ctx, aThread())
      const first = await addComment(ctx, id, comment('first'))
      const second = await addComment(ctx, id, comment('second'))
      const reply = await addComment(ctx, id, comment('reply', first.id))
      const deeper = await addComment(ctx, id, comment('deeper', reply.id))
      await voteComment(stranger(ctx, 1), second.id, 1)
      const order = async (sort: 'best' | 'new' | 'old') =>
        (await commentsPage(ctx, id, { sort })).comments.map((it) => it.id)
      expect(await order('best')).toEqual([second.id, first.id, reply.id, deeper.id])
      expect(await order('new')).toEqual([second.id, first.id, reply.id, deeper.id])
      expect(await order('old')).toEqual([first.id, reply.id, deeper.id, second.id])
      const { comments } = await commentsPage(ctx, id, { sort: 'old' })
      expect(comments.map(({ depth, replies }) => [depth, replies])).toEqual([
        [0, 2],
        [1, 1],
        [2, 0],
        [0, 0],
      ])
      const below = await commentsPage(ctx, id, { sort: 'old', below: reply.id })
      expect(below.comments.map((it) => it.id)).toEqual([reply.id, deeper.id])
      expect(below.comments[0]?.depth).toBe(1)
    }))

  test('a second page of comments continues after the first', () =>
    as('dana', async (ctx) => {
      const { id } = await startThread(ctx, aThread())
      for (let n = 0; n < 130; n++) await addComment(ctx, id, comment(`Number ${n}`))
      const first = await commentsPage(ctx, id, { sort: 'old' })
      expect(first.comments).toHaveLength(100)
      const second = await commentsPage(ctx, id, { sort: 'old', after: first.next as string })
      expect(second.comments).toHaveLength(30)
      expect(second.next).toBeNull()
      await expect(
        commentsPage(ctx, id, { sort: 'old', after: crypto.randomUUID() }),
      ).rejects.toMatchObject({ status: 400 })
      await expect(
        commentsPage(ctx, id, { sort: 'old', below: crypto.randomUUID() }),
      ).rejects.toMatchObject({ status: 404 })
    }))
})

test('a reply to a comment that’s being deleted is refused, and counters don’t change', async () => {
  const db = outside()
  const ctx = { ...stranger(await as('dana', async (ctx) => ctx), 1), db }
  const { id } = await startThread(ctx, aThread())
  try {
    const asked = await addComment(ctx, id, comment('Is that so?'))
    let answer: Promise<unknown> = Promise.resolve()
    await db.transaction(async (db) => {
      await deleteComment({ ...ctx, db }, asked.id)
      answer = addComment(stranger(ctx, 2), id, comment('It is.', asked.id)).catch((error) => error)
      await somebodyWaits()
    })
    expect(await answer).toMatchObject({
      status: 409,
      message: 'The comment you’re replying to was deleted',
    })
    expect((await threadById(ctx, id)).comments).toBe(0)
    const queued = await db.query(sql`select from job_queue where kind = ${POST_ADDED_TASK}`)
    expect(queued).toHaveLength(2)
  } finally {
    await db.query(sql`delete from threads`)
    await db.query(sql`delete from job_queue where kind = ${POST_ADDED_TASK}`)
  }
})

test('many who write, vote and delete at once leave exact counters', async () => {
  const db = outside()
  const base = await as('dana', async (ctx) => ctx)
  const ctx = (n: number): Ctx => ({ ...(n % 3 === 0 ? memberNo : stranger)(base, n), db })
  const companyId = await giveErinHerCompany(db)
  try {
    const { id } = await startThread(ctx(0), aThread({ companyId }))
    const work: Promise<unknown>[] = []
    for (let n = 1; n <= 40; n++)
      work.push(
        (async () => {
          const one = await addComment(ctx(n), id, comment(`Number ${n}`))
          const two = await addComment(ctx(n), id, comment('An answer', one.id))
          await voteThread(ctx(n), id, n % 4 === 0 ? -1 : 1)
          await voteComment(ctx(n + 1), one.id, 1)
          if (n % 2 === 0) await deleteComment(ctx(n), one.id)
          if (n % 3 === 0) await deleteComment(ctx(n), two.id)
        })(),
      )
    for (let n = 101; n <= 112; n++)
      work.push(
        (async () => {
          const other = await startThread(ctx(n), aThread({ companyId }))
          await addComment(ctx(n), other.id, comment('In another thread'))
          if (n % 3 === 0) await deleteThread(ctx(n), other.id)
        })(),
      )
    await Promise.all(work)
    const counted = await db.query<{ n: number }>(
      sql`select count(*) as n from comments where thread_id = ${id} and not is_deleted`,
    )
    const { comments, score } = await threadById(ctx(0), id)
    expect(comments).toBe(counted[0]?.n)
    expect(comments).toBe(80 - 20 - 13)
    expect(score).toBe(20)
    // Four of twelve other threads are deleted, and with each its comment.
    expect(await counters(ctx(0), companyId)).toEqual({ threads: 1 + 8, comments: comments + 8 })
    const empty = await db.query(sql`
      select from comments stub where is_deleted
         and not exists (select from comments where parent_id = stub.id)`)
    expect(empty).toHaveLength(0)
  } finally {
    await db.query(sql`delete from companies where id = ${companyId}`)
    await db.query(sql`delete from votes`)
    await db.query(sql`delete from job_queue where kind = ${POST_ADDED_TASK}`)
  }
})

describe('an author who leaves', () => {
  async function danasWorld(ctx: Ctx) {
    const companyId = await giveErinHerCompany(ctx.db)
    const vera = stranger(ctx, 1)
    const own = await startThread(ctx, aThread({ companyId, name: 'username' }))
    const inOwn = await addComment(vera, own.id, comment('Vera answers'))
    const other = await startThread(vera, aThread({ companyId }))
    const answered = await addComment(ctx, other.id, comment('Dana says'))
    const below = await addComment(vera, other.id, comment('And vera', answered.id))
    await addComment(ctx, other.id, { ...comment('Signed'), name: 'username' })
    await voteThread(ctx, other.id, 1)
    await voteThread(vera, own.id, 1)
    return { companyId, own, other, inOwn, answered, below, vera }
  }
  const forget = (ctx: Ctx, posts: 'keep' | 'remove') =>
    forgetAuthor(ctx, { ...(personRootOf(ctx) as PersonRoot), posts })
  const signed = async ({ db }: Ctx) =>
    (
      await db.query(sql`
        select from threads where author_name = 'Dana'
        union all select from comments where author_name = 'Dana'`)
    ).length

  test('dana leaves her posts, which stay the same, and her username becomes "Former member"', () =>
    as('dana', async (ctx) => {
      const world = await danasWorld(ctx)
      await forget(ctx, 'keep')
      await forget(ctx, 'keep')
      expect(await signed(ctx)).toBe(0)
      expect((await threadById(ctx, world.own.id)).author.name).toBe('Former member')
      const { comments } = await commentsPage(ctx, world.other.id, { sort: 'old' })
      expect(comments.map(({ author }) => author?.name)).toEqual([
        world.answered.author?.name,
        world.below.author?.name,
        'Former member',
      ])
      expect((await threadById(ctx, world.other.id)).score).toBe(1)
      expect(await counters(ctx, world.companyId)).toEqual({ threads: 2, comments: 4 })
    }))

  test('dana removes her posts: threads go, comments with replies leave a stub, counters stay exact', () =>
    as('dana', async (ctx) => {
      const world = await danasWorld(ctx)
      await forget(ctx, 'remove')
      await forget(ctx, 'remove')
      expect(await signed(ctx)).toBe(0)
      await expect(threadById(ctx, world.own.id)).rejects.toMatchObject({ status: 404 })
      const { comments } = await commentsPage(ctx, world.other.id, { sort: 'old' })
      expect(comments.map(({ isDeleted, html }) => [isDeleted, html !== ''])).toEqual([
        [true, false],
        [false, true],
      ])
      expect(await counters(ctx, world.companyId)).toEqual({ threads: 1, comments: 1 })
    }))

  test('dana’s export has what she wrote, and no one else’s words', () =>
    as('dana', async (ctx) => {
      await danasWorld(ctx)
      const posts = await postsExport(ctx)
      expect(posts.threads).toHaveLength(1)
      expect(posts.comments).toHaveLength(2)
      expect(posts.votes).toHaveLength(1)
      expect(JSON.stringify(posts)).not.toMatch(/Vera answers|And vera/)
      expect(JSON.stringify(posts)).not.toContain(ctx.actor.authorKey)
    }))
})

test('posts of the last week are recounted company by company', () =>
  as('dana', async (ctx) => {
    const companyId = await giveErinHerCompany(ctx.db)
    const { id } = await startThread(ctx, aThread({ companyId }))
    await addComment(later(ctx, -8 * 1_440), id, comment('Long ago'))
    await addComment(ctx, id, comment('Just now'))
    const recent = async () =>
      (
        await ctx.db.query<{ n: number }>(
          sql`select recent_comments as n from company_stats where company_id = ${companyId}`,
        )
      )[0]?.n
    expect(await recent()).toBe(2)
    await countRecentComments(ctx.db, minuteOf(ctx.now()) - PERIOD_MINUTES.week)
    expect(await recent()).toBe(1)
  }))

test('no answer has an author key, an account id or an anonymous id', () =>
  as('dana', async (ctx) => {
    const { id } = await startThread(ctx, aThread({ poll: { options: ['A', 'B'], days: 3 } }))
    const answer = await addComment(ctx, id, comment('Mine'))
    const text = JSON.stringify([
      answer,
      await threadById(ctx, id),
      await listThreads(ctx, { sort: 'hot', period: 'all' }),
      await commentsPage(ctx, id, { sort: 'best' }),
      await myThread(ctx, id),
      await myThreadVotes(ctx, [id]),
      await myThreads(ctx),
      await myComments(ctx),
    ])
    const names = [
      'author_key',
      'authorKey',
      '"person_sealed"',
      '"personSealed"',
      '"own_row_key"',
      '"ownRowKey"',
      '"key"',
    ]
    for (const secret of [ctx.actor.authorKey, ctx.actor.account?.id, ...names])
      expect(text).not.toContain(secret)
  }))

describe('deleting by title', () => {
  test('Spec §5, §8: a title in any case deletes the newest of one’s own threads', () =>
    as('dana', async (ctx) => {
      await startThread(ctx, aThread({ title: '50% of it_is true' }))
      const newer = await startThread(later(ctx, 5), aThread({ title: '50% OF IT_IS TRUE' }))
      await startThread(stranger(ctx, 1), aThread({ title: '50% of it_is true' }))
      expect(await deleteThreadTitled(ctx, '50% of it_is TRUE')).toEqual({
        title: '50% OF IT_IS TRUE',
        isOneOfSeveral: true,
      })
      await expect(threadById(ctx, newer.id)).rejects.toMatchObject({ status: 404 })
      expect(await deleteThreadTitled(ctx, '50% of it_is true')).toMatchObject({
        isOneOfSeveral: false,
      })
      await expect(deleteThreadTitled(ctx, '50% of it_is true')).rejects.toMatchObject({
        status: 403,
        message: 'You can only delete your own posts',
      })
      expect((await listThreads(ctx, { sort: 'new', period: 'all' })).threads).toHaveLength(1)
    }))

  test('Spec §5, §8: the newest of several threads with one title goes, and the answer says so', () =>
    as('dana', async (ctx) => {
      const handlers = discussionHandlers({
        issuer: testIssuer,
        searches: searchingFreely,
        untrustedLimits: unlimited,
      })
      const api = callsOf(discussionContract, handlers)(ctx)
      const said = () =>
        currentToasts()
          .filter(({ open }) => open)
          .map(({ title, description }) => [title, description])
      const titles = async () => (await myThreads(ctx)).threads.map(({ title }) => title)
      await startThread(ctx, aThread({ title: 'Test post' }))
      await startThread(later(ctx, 5), aThread({ title: 'TEST POST' }))
      await deletePostTitled(api, 'Test post')
      expect(said()).toEqual(
        expect.arrayContaining([
          ['Multiple matches found', 'The newest one was deleted.'],
          ['Thread deleted successfully', '"TEST POST" has been deleted'],
        ]),
      )
      expect(await titles()).toEqual(['Test post'])
      dismissToast()
      await deletePostTitled(api, 'Test post')
      expect(said()).toEqual([['Thread deleted successfully', '"Test post" has been deleted']])
      expect(await titles()).toEqual([])
      dismissToast()
    }))

  test('Spec §8: a title no one has isn’t found, and % and _ are just characters', () =>
    as('ada', async (ctx) => {
      await startThread(stranger(ctx, 1), aThread({ title: 'Somebody else wrote it' }))
      for (const title of ['Something else', '%', 'Somebody else wrote __'])
        await expect(deleteThreadTitled(ctx, title)).rejects.toMatchObject({
          status: 404,
          message: `No post found with title "${title}"`,
        })
      // Not even an administrator deletes others' this way.
      await expect(deleteThreadTitled(ctx, 'Somebody else wrote it')).rejects.toMatchObject({
        status: 403,
      })
    }))
})
