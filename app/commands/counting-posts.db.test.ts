/** Every kept number is what its rows say, whatever becomes of posts; a wrong one is found and mended. */

import sql, { raw } from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { SignedIn } from '#app/api/auth/actor.ts'
import { authorKeyOfAccount } from '#app/api/auth/author-keys.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { type PersonRoot, personRootOf } from '#app/api/auth/roots.server.ts'
import { deleteComment } from '#app/community/discussions/comments/comment-commands.server.ts'
import { forgetAuthor } from '#app/community/discussions/posts/removal.server.ts'
import { deleteThread } from '#app/community/discussions/threads/thread-commands.server.ts'
import { changeCompanyReply, replyToThread } from '#app/community/replies/reply-commands.server.ts'
import type { PostRef } from '#app/community/reports/report.ts'
import { deleteCompany } from '#app/companies/deletion/company-deletion.server.ts'
import { countDays } from '#app/companies/tracking/daily-count-task.server.ts'
import { writeClicks } from '#app/companies/tracking/tracking.server.ts'
import type { Reason } from '#app/identity/accounts/suspension.ts'
import { acceptAppeal, appealRemoval } from '#app/moderation/appeal-commands.server.ts'
import { holdPost } from '#app/moderation/cases.server.ts'
import { keepPost, moveThread, removePost } from '#app/moderation/decision-commands.server.ts'
import { undoDecision } from '#app/moderation/moderation-log.server.ts'
import { removeRating, voteHelpful } from '#app/ratings/rating-commands.server.ts'
import type { RatingInput } from '#app/ratings/rating-input.ts'
import { giveErinHerCompany, testRoot } from '#tests/people.ts'
import { ctxAs } from '#tests/support/authors.ts'
import { type Cast, testSecrets, withDatabase } from '#tests/support/database.ts'
import { events } from '#tests/support/events.ts'
import { rate } from '#tests/support/raters.ts'
import {
  addComment,
  startThread,
  voteComment,
  votePoll,
  voteThread,
} from '#tests/support/unlimited.ts'
import { counterDrift, repairCounters } from './counting.server.ts'

const { as, castOn } = withDatabase()
const settings = { today: '2026-03-14', minShown: 1, ratingBatch: 1 }
const SPAM = { reason: 'spam' as Reason, note: '' }

interface World extends Cast {
  db: Ctx['db']
  company: string
  other: string
  /** Someone who isn't in the cast. */
  member(n: number): Ctx
}

const world = (work: (world: World) => Promise<void>) =>
  as('ada', async (ctx) => {
    const people = castOn(ctx)
    const [other] = await ctx.db.query<{ id: string }>(sql`
      insert into companies (name, name_key, category)
      values ('Other', 'other', 'Tea') returning id`)
    await work({
      ...people,
      db: ctx.db,
      company: await giveErinHerCompany(ctx.db),
      other: other?.id as string,
      member(n) {
        const id = `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`
        return ctxAs(ctx, {
          role: 'member',
          account: {
            ...(people.dana.actor.account as SignedIn),
            id,
            rootSealed: testRoot(testSecrets, id),
          },
          authorKey: authorKeyOfAccount(testSecrets, id),
        })
      },
    })
  })

let sent = 0
const idempotencyKey = () => `00000000-0000-4000-8000-${String(++sent).padStart(12, '0')}`

async function start(ctx: Ctx, companyId: string, poll?: { options: string[]; days: number }) {
  const thread = {
    title: 'Is the lift in order?',
    body: 'It was not.',
    topics: [],
    companyId,
    poll,
  }
  const { id } = await startThread(ctx, {
    ...thread,
    name: 'pseudonym',
    idempotencyKey: idempotencyKey(),
  })
  return { kind: 'thread', id } satisfies PostRef
}
async function say(ctx: Ctx, threadId: string, parentId?: string) {
  const comment = { body: 'I was there.', parentId }
  const { id } = await addComment(ctx, threadId, {
    ...comment,
    name: 'pseudonym',
    idempotencyKey: idempotencyKey(),
  })
  return { kind: 'comment', id } satisfies PostRef
}
const STARS: RatingInput = {
  rto: 2,
  dei: null,
  workLife: 4,
  culture: 5,
  officeDays: null,
  relation: null,
  era: null,
  note: 'Ask about the desks',
}

const drift = ({ db }: World) => counterDrift(db, settings)
const inNumbers = async ({ db, company }: World) =>
  (
    await db.query<{ threads: number; comments: number }>(
      sql`select threads, comments from company_stats where company_id = ${company}`,
    )
  )[0]

describe('all counters are exact', () => {
  test('counters stay exact when threads and comments are held, removed, restored, moved and deleted', () =>
    world(async (world) => {
      const { dana, vera, ada, olga, company, other, member } = world
      const thread = await start(dana, company, { options: ['Yes', 'No'], days: 7 })
      const comment = await say(vera, thread.id)
      const reply = await say(dana, thread.id, comment.id)
      const last = await say(member(1), thread.id)
      await voteThread(vera, thread.id, 1)
      for (const voter of [dana, member(1), member(2)]) await voteComment(voter, comment.id, 1)
      await voteComment(vera, reply.id, -1)
      await votePoll(vera, thread.id, 1)
      const steps: (() => Promise<unknown>)[] = [
        () => holdPost(ada, comment),
        () => holdPost(ada, thread),
        () => keepPost(ada, comment),
        () => keepPost(ada, thread),
        () => removePost(ada, comment, SPAM),
        () => appealRemoval(vera, comment, 'Please look again, I was there myself'),
        () => acceptAppeal(olga, comment),
        () => removePost(ada, comment, SPAM),
        () => removePost(ada, thread, SPAM),
        () => moveThread(ada, thread.id, other),
        () => undo(thread, 'remove'),
        () => moveThread(ada, thread.id, company),
        () => undo(comment, 'remove'),
        () => holdPost(ada, last),
        // It has replies, so it leaves a stub.
        () => deleteComment(vera, comment.id),
        () => deleteComment(member(1), last.id),
        () => forgetAuthor(dana, { ...(personRootOf(vera) as PersonRoot), posts: 'keep' }),
        () => holdPost(ada, thread),
        () => deleteThread(dana, thread.id),
      ]
      async function undo({ kind, id }: PostRef, action: string) {
        const [entry] = await world.db.query<{ id: number }>(sql`
          select id from moderation_log
           where action = ${action} and undone_by is null
             and ${kind === 'comment' ? sql`comment_id = ${id}` : sql`thread_id = ${id} and comment_id is null`}
           order by id desc limit 1`)
        await undoDecision(ada, entry?.id as number)
      }
      const numbers: unknown[] = [await inNumbers(world)]
      for (const step of steps) {
        await step()
        expect(await drift(world)).toEqual([])
        numbers.push(await inNumbers(world))
      }
      // The number everyone sees.
      const seen = (threads: number, comments: number) => ({ threads, comments })
      expect(numbers.slice(0, 5)).toEqual([
        seen(1, 3),
        seen(1, 2),
        seen(0, 0),
        seen(0, 0),
        seen(1, 3),
      ])
      expect(numbers.at(-1)).toEqual(seen(0, 0))
    }))

  test('counters stay exact when notes are found helpful, held, removed and taken back', () =>
    world(async (world) => {
      const { dana, vera, ada, company, member } = world
      const { id } = await rate(dana, company, STARS, settings)
      await rate(member(1), company, { ...STARS, culture: 1 }, settings)
      const note: PostRef = { kind: 'note', id }
      const steps: (() => Promise<unknown>)[] = [
        () => voteHelpful(vera, id, true, settings),
        () => voteHelpful(member(2), id, true, settings),
        () => holdPost(ada, note),
        () => removePost(ada, note, SPAM),
        () => removeRating(member(1), company, settings),
        () => removeRating(dana, company, settings),
      ]
      for (const step of steps) {
        await step()
        expect(await drift(world)).toEqual([])
      }
    }))

  test('counters stay exact when a company with removed posts is deleted', () =>
    world(async (world) => {
      const { dana, vera, ada, company, other } = world
      const moved = await start(dana, company)
      const comment = await say(vera, moved.id)
      const { entry } = await removePost(ada, comment, SPAM)
      await removePost(ada, await start(vera, company), SPAM)
      await moveThread(ada, moved.id, other)
      await deleteCompany({ ...ada, events }, company, 'Erin and Sons')
      expect(await drift(world)).toEqual([])
      await undoDecision(ada, entry)
      expect(await drift(world)).toEqual([])
    }))
})

test('a wrong number in any counter is found, reported without naming anyone, and fixed', () =>
  world(async (world) => {
    const { db, dana, vera, ada, erin, company, member } = world
    const thread = await start(dana, company, { options: ['Yes', 'No'], days: 7 })
    const comment = await say(vera, thread.id)
    await holdPost(ada, await say(vera, thread.id))
    await removePost(ada, await start(vera, company), SPAM)
    await voteComment(dana, comment.id, 1)
    await voteThread(vera, thread.id, -1)
    await votePoll(vera, thread.id, 1)
    const reply = await replyToThread(erin, thread.id, 'It is mended since Monday')
    const text = 'It is mended since Tuesday'
    await changeCompanyReply(erin, reply.id, { text, version: 1 })
    const { id: note } = await rate(dana, company, STARS, settings)
    await voteHelpful(member(1), note, true, settings)
    await writeClicks(db, [{ companyId: company, userId: 'somebody', at: '2026-03-10T10:00:00Z' }])
    await countDays(dana)
    expect(await drift(world)).toEqual([])
    const everything = () =>
      db.query(raw(`select ${WRONG.map(([, , now], n) => `(${now}) as n${n}`)}`))
    const right = await everything()

    // Each counter is wrong once, one after the other.
    const round = WRONG.map(
      ([name], at) => WRONG.slice(0, at).filter((it) => it[0] === name).length,
    )
    for (let n = 0; n <= Math.max(...round); n++) {
      const planted = WRONG.filter((_, at) => round[at] === n)
      for (const [, wrong] of planted) await db.query(raw(wrong))
      const found = await drift(world)
      expect(new Set(found.map(({ counter }) => counter))).toEqual(
        new Set(planted.map(([counter]) => counter)),
      )
      const told = JSON.stringify(found)
      for (const { actor } of [vera, dana, erin]) {
        expect(told).not.toContain(String(actor.authorKey))
        expect(told).not.toContain(actor.account?.id ?? 'nobody')
      }
      await repairCounters(db, settings)
      expect(await drift(world)).toEqual([])
      expect(await everything()).toEqual(right)
    }
  }))

/** How the counter is called, what makes it wrong, and what it is. */
const WRONG: [counter: string, wrong: string, now: string][] = [
  ['companies', 'update categories set companies = 7', 'select sum(companies) from categories'],
  ['companies', "delete from categories where name = 'Tea'", 'select count(*) from categories'],
  [
    'comments, last place, answered',
    'update threads set comments = comments + 1',
    'select sum(comments) from threads',
  ],
  [
    'comments, last place, answered',
    'update threads set last_place = 0',
    'select sum(last_place) from threads',
  ],
  [
    'comments, last place, answered',
    'update threads set is_answered = not is_answered',
    'select count(*) from threads where is_answered',
  ],
  ['score', 'update threads set score = 5', 'select sum(score) from threads'],
  ['score', 'update comments set score = 5', 'select sum(score) from comments'],
  [
    'score',
    'update threads set score = score + 1, untrusted_score = untrusted_score + 1',
    'select sum(untrusted_score) from threads',
  ],
  [
    'votes for “No”',
    'update poll_options set votes = votes + 1 where place = 1',
    'select sum(votes) from poll_options',
  ],
  [
    'threads and comments',
    'update company_stats set threads = 9',
    'select sum(threads) from company_stats',
  ],
  [
    'threads and comments',
    'update company_stats set comments = 9',
    'select sum(comments) from company_stats',
  ],
  [
    'removals of 2026-03, spam',
    'update removal_counts set threads = 0',
    'select sum(threads) from removal_counts',
  ],
  [
    'removals of 2026-03, spam',
    'delete from removal_counts',
    'select sum(threads) from removal_counts',
  ],
  ['version', 'update company_replies set version = 1', 'select sum(version) from company_replies'],
  ['clicks of 2026-03-10', 'update daily_clicks set n = 4', 'select sum(n) from daily_clicks'],
  ['clicks of 2026-03-10', 'delete from daily_clicks', 'select sum(n) from daily_clicks'],
  [
    'ratings of 2026-03',
    'update rating_months set tenths = 1',
    'select sum(tenths) from rating_months',
  ],
  ['ratings of 2026-03', 'delete from rating_months', 'select sum(tenths) from rating_months'],
  ['scores', 'update company_stats set score = 1', 'select sum(score) from company_stats'],
  ['scores', 'update company_stats set ratings = 0', 'select sum(ratings) from company_stats'],
  ['helpful', 'update public_ratings set helpful = 0', 'select sum(helpful) from public_ratings'],
]
