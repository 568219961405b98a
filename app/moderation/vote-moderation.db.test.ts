/** Votes of visitors that wait: moderators see them, and let them count or drop them. */

import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { counterDrift } from '#app/commands/counting.server.ts'
import { commentsPage } from '#app/community/discussions/comments/comment-queries.server.ts'
import { threadById } from '#app/community/discussions/threads/thread-queries.server.ts'
import { SURGE } from '#app/community/discussions/votes/vote.ts'
import { sumCred } from '#app/community/discussions/votes/vote-counts.server.ts'
import { createUntrustedLimits } from '#app/community/discussions/votes/vote-rules.server.ts'
import { madeUpVisitor } from '#tests/support/authors.ts'
import { withDatabase } from '#tests/support/database.ts'
import { events } from '#tests/support/events.ts'
import {
  addComment,
  aThread,
  startThread,
  voteComment,
  votePoll,
  voteThread,
} from '#tests/support/unlimited.ts'
import { acceptHeldVotes, discardHeldVotes, keepPost } from './decision-commands.server.ts'
import { moderationLog, undoDecision } from './moderation-log.server.ts'
import { moderationQueue } from './queue-queries.server.ts'
import { reportPost } from './report-commands.server.ts'

const { as } = withDatabase()

interface Scene {
  dana: Ctx
  ada: Ctx
  /** Someone who isn't in the cast, in their own network. */
  visitor: (n: number) => Ctx
}

const scene = async (work: (scene: Scene) => Promise<void>) => {
  const dana = await as('dana', async ({ actor }) => actor)
  await as('ada', (base) => {
    const ada = { ...base, events }
    const visitor = (n: number): Ctx => ({
      ...ada,
      network: `192.0.2.${n}`,
      actor: madeUpVisitor(`visitor ${n}`),
    })
    return work({ ada, dana: { ...ada, actor: dana }, visitor })
  })
}

const newThread = (ctx: Ctx) =>
  startThread(ctx, aThread({ body: '', poll: { options: ['Yes', 'No'], days: 3 } }))
const queueOf = (ctx: Ctx) => moderationQueue(ctx, { list: 'open' })
const driftOf = ({ db }: Ctx) => counterDrift(db, { today: '2026-03-14', minShown: 1 })

/** How many votes go beyond the limit. */
const HELD = 4
async function surgeOn({ visitor }: Scene, id: string) {
  const limits = createUntrustedLimits(true)
  for (let n = 0; n < SURGE.votes + HELD; n++) {
    await voteThread(visitor(n), id, n % 4 === 0 ? 1 : -1, limits)
    await votePoll(visitor(n), id, 1, limits)
  }
}

test('a voting surge is in the queue with its numbers, and accepting it shows all votes', () =>
  scene(async (people) => {
    const { dana, ada, visitor } = people
    const { id } = await newThread(dana)
    await surgeOn(people, id)
    const { cases, counts } = await queueOf(ada)
    expect(counts.open).toBe(1)
    expect(cases).toMatchObject([
      { kind: 'thread', id, state: 'shown', cause: 'votes', reports: [] },
    ])
    expect(cases[0]?.heldVotes).toEqual({ up: 1, down: 3, poll: HELD })
    expect(JSON.stringify(cases)).not.toContain('visitor 1')
    expect((await threadById(dana, id)).score).toBe(3 - 9)
    const post = { kind: 'thread', id } as const
    await expect(keepPost(ada, post)).rejects.toMatchObject({
      status: 409,
      message: 'Decide on the pending votes first: count them or drop them',
    })
    const { entry } = await acceptHeldVotes(ada, post)
    expect((await queueOf(ada)).cases).toEqual([])
    expect(await threadById(dana, id)).toMatchObject({ score: 4 - 12, poll: { votes: 16 } })
    await sumCred(dana)
    expect(await dana.db.query(sql`select from member_cred`)).toEqual([])
    expect((await moderationLog(ada)).entries[0]).toMatchObject({
      action: 'count-votes',
      detail: '4 votes, 1 up and 3 down; 4 votes in the poll',
      mayUndo: false,
    })
    await expect(undoDecision(ada, entry)).rejects.toMatchObject({ status: 409 })
    await expect(acceptHeldVotes(ada, post)).rejects.toMatchObject({ status: 409 })
    await voteThread(visitor(99), id, 1, createUntrustedLimits(true))
    expect((await threadById(dana, id)).score).toBe(5 - 12)
    expect(await driftOf(ada)).toEqual([])
  }))

test('dropped votes never count, new ones are held again, and reports stay open', () =>
  scene(async (people) => {
    const { dana, ada, visitor } = people
    const { id: threadId } = await newThread(dana)
    const { id } = await addComment(dana, threadId, {
      body: 'I was there.',
      name: 'pseudonym',
      idempotencyKey: crypto.randomUUID(),
    })
    const post = { kind: 'comment', id } as const
    const limits = createUntrustedLimits(true)
    for (let n = 0; n < SURGE.votes + HELD; n++) await voteComment(visitor(n), id, -1, limits)
    await reportPost(visitor(1), post, { reason: 'spam', note: '' })
    await discardHeldVotes(ada, post)
    const shown = async () => (await commentsPage(dana, threadId, { sort: 'best' })).comments[0]
    expect((await shown())?.score).toBe(-SURGE.votes)
    const queued = { kind: 'comment', heldVotes: null, reports: [{ reason: 'spam', count: 1 }] }
    expect((await queueOf(ada)).cases).toMatchObject([queued])
    await keepPost(ada, post)
    expect((await queueOf(ada)).cases).toEqual([])
    await voteComment(visitor(50), id, -1, limits)
    expect((await queueOf(ada)).cases).toMatchObject([
      { ...post, cause: 'votes', heldVotes: { up: 0, down: 1, poll: 0 } },
    ])
    expect(await driftOf(ada)).toEqual([])
  }))
