/** That the search for losses after a kill finds one: tests/kill. */
import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '../app/auth/context.server.ts'
import { addComment } from '../app/features/discussions/comment-commands.server.ts'
import { startThread } from '../app/features/discussions/thread-commands.server.ts'
import { voteThread } from '../app/features/discussions/vote-commands.server.ts'
import { lossesIn } from './kill/checks.ts'
import { nothingYet } from './kill/writers.ts'
import { withDatabase } from './support/database.ts'

const { as } = withDatabase()

const asDana = (work: (ctx: Ctx, thread: { id: string; comment: string }) => Promise<void>) =>
  as('dana', async (ctx) => {
    const poll = { options: ['Yes', 'No'], days: 3 }
    const words = { title: 'It happened here', body: 'Words', topics: [], poll }
    const naming = { name: 'pseudonym' as const, sending: randomUUID() }
    const { id } = await startThread(ctx, { ...words, ...naming })
    const { id: comment } = await addComment(ctx, id, { body: 'Indeed', ...naming })
    const elsewhere = { ...ctx, actor: { ...ctx.actor, authorKey: 'somebody else' } }
    await voteThread(elsewhere, id, 1)
    await work(ctx, { id, comment })
  })

const keptOf = (thread: { id: string; comment: string }) => ({
  ...nothingYet(),
  threads: [{ id: thread.id, title: 'It happened here', body: 'Words', options: ['Yes', 'No'] }],
  comments: [{ id: thread.comment, threadId: thread.id, body: 'Indeed' }],
  votes: new Map([['anon-1', { subject: thread.id, vote: 1 }]]),
})

test('where nothing is lost, nothing is found', () =>
  asDana(async ({ db }, thread) => expect(await lossesIn(db, keptOf(thread))).toEqual([])))

test.each([
  ['a comment that is gone', sql`delete from comments`, /comment .* acknowledged and is gone/],
  ['a comment without its count', sql`update threads set comments = 0`, /comments of thread/],
  ['a poll without its options', sql`delete from poll_options`, /A poll without options/],
  ['a thread whose words are cut', sql`update threads set body = 'Wor'`, /thread .* is gone/],
  ['an author without a name', sql`delete from thread_names`, /without its author’s name/],
  ['a vote that is gone', sql`delete from votes`, /acknowledged 1 and 0/],
  ['a vote that was not counted', sql`update threads set score = 0`, /score of thread/],
  ['cred that was not counted', sql`update author_cred set cred = 0`, /cred of author/],
])('%s is found', (_what, harm, sentence) =>
  asDana(async ({ db }, thread) => {
    await db.query(harm)
    expect((await lossesIn(db, keptOf(thread))).join('\n')).toMatch(sentence)
  }),
)
