/** Votes that cost nothing: what visitors can do to a post, and what they can't. D37. */

import { solveChallenge } from 'altcha-lib/v1'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { SignedIn } from '#app/api/auth/actor.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { type PersonRoot, personRootOf, rootOf } from '#app/api/auth/roots.server.ts'
import { createSpamChecks, type SpamChecks } from '#app/api/auth/spam-checks.server.ts'
import { counterDrift } from '#app/commands/counting.server.ts'
import { credKey } from '#app/identity/accounts/account-queries.server.ts'
import { giveErinHerCompany, sharing } from '#tests/people.ts'
import { slow } from '#tests/support/amounts.ts'
import { callsOf } from '#tests/support/api.ts'
import { ctxAs, visitorKey, visitorNo } from '#tests/support/authors.ts'
import { testSecrets, withDatabase } from '#tests/support/database.ts'
import { events } from '#tests/support/events.ts'
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
import { commentsPage, myComments } from '../comments/comment-queries.server.ts'
import { discussionContract } from '../discussion.contract.ts'
import { discussionHandlers } from '../feature.server.ts'
import { postsExport } from '../posts/export-queries.server.ts'
import { forgetAuthor } from '../posts/removal.server.ts'
import { deleteThread } from '../threads/thread-commands.server.ts'
import { listThreads, myThread, threadById } from '../threads/thread-queries.server.ts'
import { SURGE, UNTRUSTED_WEIGHT, VOTERS_PER_NETWORK, type Vote } from './vote.ts'
import { sumCred } from './vote-counts.server.ts'
import { createUntrustedLimits } from './vote-rules.server.ts'

const { as, outside } = withDatabase()

const visitor = (ctx: Ctx, n: number, network = ctx.network) =>
  ctxAs({ ...ctx, events, network }, visitorNo(n))
/** `ctx` is dana's: all members share her account, each with their own root. */
const member = (ctx: Ctx, n: number, isEmailConfirmed = true) =>
  ctxAs(
    { ...ctx, events },
    {
      account: ctx.actor.account && {
        ...(sharing(ctx.actor.account, testSecrets, `member ${n}`) as SignedIn),
        isEmailConfirmed,
      },
      authorKey: visitorKey(100_000 + n),
    },
  )

const newThread = (ctx: Ctx, more: { companyId?: string; poll?: boolean } = {}) =>
  startThread(
    ctx,
    aThread({
      companyId: more.companyId,
      ...(more.poll && { poll: { options: ['Yes', 'No'], days: 3 } }),
    }),
  )
const newComment = (ctx: Ctx, threadId: string) =>
  addComment(ctx, threadId, {
    body: 'I was there.',
    name: 'pseudonym',
    idempotencyKey: crypto.randomUUID(),
  })

/** Its place in the order of lists. */
const rankOf = async ({ db }: Ctx, id: string) =>
  (await db.query<{ score: number }>(sql`select score from threads where id = ${id}`))[0]?.score
const shownOf = async (ctx: Ctx, id: string) => (await threadById(ctx, id)).score
const credOf = async (ctx: Ctx) => {
  await sumCred(ctx)
  const key = credKey(rootOf(ctx) as Buffer)
  const rows = await ctx.db.query<{ cred: number }>(
    sql`select cred from member_cred where key = ${key}`,
  )
  return rows[0]?.cred ?? 0
}
const driftOf = ({ db }: Ctx) => counterDrift(db, { today: '2026-03-14', minShown: 1 })

async function solve(spamChecks: SpamChecks, ctx: Ctx, subject?: string) {
  const asked = await spamChecks.challenge(ctx, subject)
  const { algorithm, challenge, salt, signature, maxnumber } = asked
  const solution = await solveChallenge(challenge, salt, algorithm, maxnumber).promise
  const solved = { algorithm, challenge, salt, signature, number: solution?.number ?? -1 }
  return Buffer.from(JSON.stringify(solved)).toString('base64')
}

slow.test(
  '360 anonymous ids from one network move a thread’s score no further than the network’s limit',
  () =>
    as('dana', async (ctx) => {
      const { id } = await newThread(ctx)
      for (let n = 0; n < 41; n++) await voteThread(member(ctx, n), id, 1)
      expect([await rankOf(ctx, id), await shownOf(ctx, id)]).toEqual([41, 41])
      const spamChecks = createSpamChecks(5)
      const call = callsOf(
        discussionContract,
        discussionHandlers({
          issuer: testIssuer,
          searches: searchingFreely,
          untrustedLimits: createUntrustedLimits(true),
        }),
        { hasRateLimits: true, spamChecks },
      )
      const statuses: unknown[] = []
      for (let n = 0; n < 360; n++) {
        const attacker = visitor(ctx, n)
        const spamCheck = await solve(spamChecks, attacker, id)
        const body = { vote: -1, spamCheck } as const
        const sent = call(attacker)('PUT /api/v1/threads/{id}/vote', { params: { id }, body })
        statuses.push(
          await sent.then(
            () => 200,
            ({ status }) => status,
          ),
        )
      }
      expect(statuses.filter((status) => status === 200)).toHaveLength(VOTERS_PER_NETWORK)
      expect(new Set(statuses)).toEqual(new Set([200, 429]))
      expect(await rankOf(ctx, id)).toBe(41 - UNTRUSTED_WEIGHT)
      expect(await shownOf(ctx, id)).toBe(41 - VOTERS_PER_NETWORK)
      expect(await credOf(ctx)).toBe(41)
      expect(await driftOf(ctx)).toEqual([])
    }),
)

describe('a visitor’s vote', () => {
  const callsWith = (spamChecks: SpamChecks) =>
    callsOf(
      discussionContract,
      discussionHandlers({
        issuer: testIssuer,
        searches: searchingFreely,
        untrustedLimits: unlimited,
      }),
      { spamChecks },
    )

  test('a visitor’s vote costs a spam check that’s valid once and for its subject only', () =>
    as('dana', async (ctx) => {
      const [one, other] = [await newThread(ctx, { poll: true }), await newThread(ctx)]
      const { id: answer } = await newComment(ctx, one.id)
      const spamChecks = createSpamChecks(5)
      const vera = visitor(ctx, 1)
      const call = callsWith(spamChecks)(vera)
      const vote = (id: string, spamCheck?: string) =>
        call('PUT /api/v1/threads/{id}/vote', { params: { id }, body: { vote: 1, spamCheck } })
      const refused = { status: 403 }
      await expect(vote(one.id)).rejects.toMatchObject(refused)
      const spamCheck = await solve(spamChecks, vera, one.id)
      await expect(vote(other.id, spamCheck)).rejects.toMatchObject(refused)
      expect(await vote(one.id, spamCheck)).toEqual({ score: 1, vote: 1 })
      await expect(vote(one.id, spamCheck)).rejects.toMatchObject(refused)
      // One for posts is none for votes, and the other way round.
      await expect(vote(one.id, await solve(spamChecks, vera))).rejects.toMatchObject(refused)
      await expect(
        spamChecks.require(vera, await solve(spamChecks, vera, one.id)),
      ).rejects.toMatchObject(refused)
      const voteOn = (spamCheck?: string) =>
        ({ params: { id: answer }, body: { vote: 1, spamCheck } }) as const
      await expect(call('PUT /api/v1/comments/{id}/vote', voteOn())).rejects.toMatchObject(refused)
      await call('PUT /api/v1/comments/{id}/vote', voteOn(await solve(spamChecks, vera, answer)))
      const choose = (spamCheck?: string) => ({
        params: { id: one.id },
        body: { optionIndex: 0, spamCheck },
      })
      await expect(call('PUT /api/v1/threads/{id}/poll', choose())).rejects.toMatchObject(refused)
      await call('PUT /api/v1/threads/{id}/poll', choose(await solve(spamChecks, vera, one.id)))
    }))

  test('an expired spam check can’t be reused by writing its expiry into the number', () =>
    as('vera', async (ctx) => {
      const spamChecks = createSpamChecks(5)
      const subject = crypto.randomUUID()
      const solved = JSON.parse(
        Buffer.from(await solve(spamChecks, ctx, subject), 'base64').toString(),
      ) as { salt: string; number: number }
      const [head, tail] = solved.salt.split('expires=')
      const spliced = { ...solved, salt: head, number: `expires=${tail}${solved.number}` }
      const spamCheck = Buffer.from(JSON.stringify(spliced)).toString('base64')
      await expect(spamChecks.require(ctx, spamCheck, subject)).rejects.toMatchObject({
        status: 403,
      })
    }))

  test('a member with a confirmed address needs no spam check', () =>
    as('dana', async (ctx) => {
      const { id } = await newThread(ctx)
      const call = callsWith(createSpamChecks(5))
      const input = { params: { id }, body: { vote: 1 } } as const
      await call(member(ctx, 1))('PUT /api/v1/threads/{id}/vote', input)
      expect((await myThread(member(ctx, 1), id)).needsSpamCheck).toBe(false)
      for (const unconfirmed of [member(ctx, 2, false), visitor(ctx, 3)]) {
        expect((await myThread(unconfirmed, id)).needsSpamCheck).toBe(true)
        await expect(
          call(unconfirmed)('PUT /api/v1/threads/{id}/vote', input),
        ).rejects.toMatchObject({
          status: 403,
        })
      }
    }))

  test('a visitor’s vote shows in every score, gives no cred, and counts little in the order of lists', () =>
    as('dana', async (ctx) => {
      const [loud, quiet] = [await newThread(ctx), await newThread(ctx)]
      const [shouted, said] = [await newComment(ctx, quiet.id), await newComment(ctx, quiet.id)]
      for (let n = 0; n < 9; n++) {
        await voteThread(visitor(ctx, n), loud.id, 1)
        await voteComment(visitor(ctx, n), shouted.id, 1)
      }
      for (let n = 0; n < UNTRUSTED_WEIGHT + 1; n++) {
        await voteThread(member(ctx, n), quiet.id, 1)
        await voteComment(member(ctx, n), said.id, 1)
      }
      expect(await voteThread(member(ctx, 9, false), loud.id, 1)).toEqual({ score: 10, vote: 1 })
      const { threads } = await listThreads(ctx, { sort: 'top', period: 'week' })
      expect(threads.map(({ id, score }) => [id, score])).toEqual([
        [quiet.id, 4],
        [loud.id, 10],
      ])
      const { comments } = await commentsPage(ctx, quiet.id, { sort: 'best' })
      expect(comments.map(({ id, score }) => [id, score])).toEqual([
        [said.id, 4],
        [shouted.id, 9],
      ])
      const own = (await myComments(ctx)).comments
      expect(own.find(({ id }) => id === shouted.id)?.score).toBe(9)
      const taken = (await postsExport(ctx)) as unknown as Record<
        string,
        { id: string; score: number }[]
      >
      expect(taken.threads?.find(({ id }) => id === loud.id)).toMatchObject({ score: 10 })
      expect(taken.comments?.find(({ id }) => id === shouted.id)).toMatchObject({ score: 9 })
      expect(await credOf(ctx)).toBe(8)
      expect(await driftOf(ctx)).toEqual([])
      await deleteThread(ctx, quiet.id)
      expect(await credOf(ctx)).toBe(0)
      expect(await driftOf(ctx)).toEqual([])
    }))

  test('a visitor can reverse a vote or take it back, it outlasts a deleted account, and scores follow', () =>
    as('dana', async (ctx) => {
      const { id } = await newThread(ctx)
      const scores = async () => [await rankOf(ctx, id), await shownOf(ctx, id)]
      for (let n = 0; n < 5; n++) await voteThread(visitor(ctx, n), id, -1)
      expect(await scores()).toEqual([-3, -5])
      await voteThread(visitor(ctx, 0), id, 1)
      expect(await scores()).toEqual([-3, -3])
      await voteThread(visitor(ctx, 1), id, 0)
      expect(await scores()).toEqual([-2, -2])
      const leaving = member(ctx, 1, false)
      await voteThread(leaving, id, 1)
      await forgetAuthor(leaving, { ...(personRootOf(leaving) as PersonRoot), posts: 'keep' })
      expect(await scores()).toEqual([-1, -1])
      expect(await driftOf(ctx)).toEqual([])
    }))

  test('a visitor’s vote becomes a member’s once the address is confirmed and the vote repeated', () =>
    as('dana', async (ctx) => {
      const { id } = await newThread(ctx)
      for (let n = 0; n < 5; n++) await voteThread(visitor(ctx, n), id, 1)
      await voteThread(member(ctx, 1, false), id, 1)
      expect([await rankOf(ctx, id), await shownOf(ctx, id)]).toEqual([3, 6])
      expect(await voteThread(member(ctx, 1), id, 1)).toEqual({ score: 6, vote: 1 })
      expect([await rankOf(ctx, id), await shownOf(ctx, id)]).toEqual([4, 6])
      expect(await credOf(ctx)).toBe(1)
    }))

  test('erin, an employer, can’t vote, but without her token she’s a visitor like any other', async () => {
    const erin = await as('erin', async ({ actor }) => actor)
    await as('dana', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      const { id } = await newThread(ctx, { companyId, poll: true })
      const call = callsWith(createSpamChecks(0))(ctxAs({ ...ctx, events }, erin))
      const params = { id }
      for (const vote of [
        call('PUT /api/v1/threads/{id}/vote', { params, body: { vote: -1 } }),
        call('PUT /api/v1/threads/{id}/poll', { params, body: { optionIndex: 0 } }),
      ])
        await expect(vote).rejects.toMatchObject({ status: 403, code: 'employer-not-allowed' })
      const limits = createUntrustedLimits(true)
      const attempts: unknown[] = []
      for (let n = 0; n < 20; n++)
        attempts.push(
          await voteThread(visitor(ctx, n), id, -1, limits).then(
            () => 200,
            (it) => it.status,
          ),
        )
      expect(attempts.filter((it) => it === 200)).toHaveLength(VOTERS_PER_NETWORK)
      expect(await rankOf(ctx, id)).toBe(-UNTRUSTED_WEIGHT)
      expect(await credOf(ctx)).toBe(0)
    })
  })
})

describe('a network', () => {
  test('a network has a limited number of voters per subject, and a reversed vote isn’t another one', () =>
    as('dana', async (ctx) => {
      const [one, other] = [await newThread(ctx, { poll: true }), await newThread(ctx)]
      const limits = createUntrustedLimits(true)
      const vote = (n: number, id: string, vote: Vote, network = '192.0.2.1') =>
        voteThread(visitor(ctx, n, network), id, vote, limits)
      for (let n = 0; n < VOTERS_PER_NETWORK; n++) await vote(n, one.id, 1)
      await expect(vote(6, one.id, 1)).rejects.toMatchObject({
        status: 429,
        message: expect.stringContaining('your network'),
      })
      await vote(0, one.id, -1)
      await vote(6, other.id, 1)
      await vote(7, one.id, 1, '192.0.2.2')
      await voteThread({ ...member(ctx, 1), network: '192.0.2.1' }, one.id, 1, limits)
      const choose = (n: number) => votePoll(visitor(ctx, n, '192.0.2.1'), one.id, 0, limits)
      for (let n = 0; n < VOTERS_PER_NETWORK; n++) await choose(n)
      await expect(choose(9)).rejects.toMatchObject({ status: 429 })
    }))

  test('a network stays within its limit when all vote at once', async () => {
    const db = outside()
    const base = await as('dana', async (ctx) => ctx)
    const ctx = { ...base, db }
    const { id } = await newThread(ctx)
    try {
      const limits = createUntrustedLimits(true)
      const tries = await Promise.allSettled(
        Array.from({ length: 40 }, (_, n) => voteThread(visitor(ctx, n), id, 1, limits)),
      )
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(VOTERS_PER_NETWORK)
      expect(await shownOf(ctx, id)).toBe(VOTERS_PER_NETWORK)
    } finally {
      await db.query(sql`delete from votes`)
      await db.query(sql`delete from threads`)
      await db.query(sql`delete from job_queue`)
    }
  })
})

describe('many votes of visitors at once', () => {
  test('visitors’ votes wait from the thirteenth on, from any network, while members’ votes count as always', () =>
    as('dana', async (ctx) => {
      const { id } = await newThread(ctx, { poll: true })
      const limits = createUntrustedLimits(true)
      const vote = (n: number) => voteThread(visitor(ctx, n, `192.0.2.${n}`), id, -1, limits)
      for (let n = 0; n < SURGE.votes; n++) expect(await vote(n)).not.toHaveProperty('isHeld')
      expect(await vote(50)).toEqual({ score: -SURGE.votes, vote: -1, isHeld: true })
      expect(await vote(50)).toEqual({ score: -SURGE.votes, vote: -1, isHeld: true })
      expect((await myThread(visitor(ctx, 50), id)).vote).toBe(-1)
      expect(await voteThread(member(ctx, 1), id, 1, limits)).toEqual({
        score: 1 - SURGE.votes,
        vote: 1,
      })
      // While some wait, all of visitors do, also when the window is over.
      const later = createUntrustedLimits(true)
      expect(await voteThread(visitor(ctx, 51), id, 1, later)).toMatchObject({ isHeld: true })
      const choose = (n: number) => votePoll(visitor(ctx, n, `192.0.2.${n}`), id, 1, limits)
      for (let n = 0; n < SURGE.votes; n++) await choose(n)
      expect(await choose(60)).toEqual({ results: [0, SURGE.votes], optionIndex: 1, isHeld: true })
      expect(await votePoll(member(ctx, 1), id, 0, limits)).toEqual({
        results: [1, SURGE.votes],
        optionIndex: 0,
      })
      // A held vote that is taken back was never counted.
      await voteThread(visitor(ctx, 50), id, 0, limits)
      expect(await shownOf(ctx, id)).toBe(1 - SURGE.votes)
      expect(await driftOf(ctx)).toEqual([])
    }))
})
