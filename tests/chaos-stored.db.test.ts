/** Whether the checker of `npm run chaos` and `npm run kill` finds what's wrong in the tables. */

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { addComment, startThread, voteThread } from '#tests/support/unlimited.ts'
import { type Book, openBook, type Post } from './chaos/book.ts'
import { missingMails } from './chaos/mails.ts'
import { lossesIn } from './chaos/stored.ts'
import { actorLike } from './support/authors.ts'
import { testSecrets, withDatabase } from './support/database.ts'

const { as } = withDatabase()

interface Scene extends Ctx {
  book: Book
  thread: Post
  comment: Post
}

/** Dana writes a thread with a poll, replies to it, and someone votes. All of it is in the book. */
const asDana = (work: (scene: Scene) => Promise<void>) =>
  as('dana', async (ctx) => {
    const book = openBook()
    const naming = { name: 'pseudonym' as const, idempotencyKey: randomUUID() }
    const words = { title: 'It happened here', body: 'Words' }
    const options = ['Yes', 'No']
    const poll = { options, days: 3 }
    const started = await startThread(ctx, { ...words, topics: [], poll, ...naming })
    const thread = { ...post('thread', started.id), ...words, options }
    const added = await addComment(ctx, started.id, { body: 'Indeed', ...naming })
    const comment = { ...post('comment', added.id), body: 'Indeed', thread }
    const elsewhere = { ...ctx, actor: actorLike(ctx.actor, 'somebody else') }
    await voteThread(elsewhere, started.id, 1)
    book.posts.push(thread, comment)
    book.votes.set('anon-1', { post: thread, vote: 1, isOpen: false })
    await work({ ...ctx, book, thread, comment })
  })

const post = (kind: Post['kind'], id: string): Post => ({
  kind,
  id,
  mark: `${kind[0]}m`,
  title: '',
  body: '',
  options: [],
  thread: undefined,
  author: {},
  path: '',
  state: 'stored',
  wasSentAgain: false,
  isLeaving: false,
  gone: undefined,
})

const found = ({ db, book }: Scene) => lossesIn(db, book, testSecrets)

test('the check finds nothing if nothing is lost', () =>
  asDana(async (scene) => expect(await found(scene)).toEqual([])))

test.each([
  ['a comment that is gone', sql`delete from comments`, /comment cm was acknowledged and is gone/],
  ['a comment without its count', sql`update threads set comments = 0`, /comments/],
  ['a poll without its options', sql`delete from poll_options`, /A poll without options/],
  ['a thread whose words are cut', sql`update threads set body = 'Wor'`, /thread tm .* is gone/],
  ['a thread that somebody hid', sql`update threads set hidden = 'held'`, /is held, not shown/],
  ['an author without a name', sql`delete from thread_names`, /without its author’s name/],
  ['a vote that is gone', sql`delete from votes`, /acknowledged 1 and 0/],
  ['a vote that was changed', sql`update votes set value = -1`, /0 up, 1 down/],
  ['a vote that was not counted', sql`update threads set score = 0`, /score/],
])('the check finds %s', (_what, harm, sentence) =>
  asDana(async (scene) => {
    await scene.db.query(harm)
    expect((await found(scene)).join('\n')).toMatch(sentence)
  }),
)

test('the check finds a comment that’s stored twice', () =>
  asDana(async (scene) => {
    const again = { body: 'Indeed', name: 'pseudonym' as const, idempotencyKey: randomUUID() }
    await addComment(scene, scene.thread.id as string, again)
    expect(await found(scene)).toContainEqual('The comment cm was sent once and is stored 2 times')
  }))

test('the check finds a deleted thread that’s still there, with its comment', () =>
  asDana(async (scene) => {
    scene.thread.gone = { at: 0, site: 0, how: 'deleted' }
    expect(await found(scene)).toEqual([
      'The thread tm was deleted and is still stored',
      'The comment cm was deleted and is still stored',
    ])
  }))

test('the check finds a refused thread that’s there', () =>
  asDana(async (scene) => {
    scene.comment.state = 'refused'
    expect(await found(scene)).toEqual(['The comment cm was refused and is stored'])
  }))

test('the check finds a sign-up, a rating, a request and a message that are missing', () =>
  asDana(async (scene) => {
    const { book } = scene
    book.signUps.push({ email: 'lost@people.example', username: 'Lost', hasProfile: false })
    book.ratings.set('dana', { id: randomUUID(), stars: 3, isOpen: false, isLast: false })
    book.requests.push({ companyName: 'Nowhere', isAnswered: true })
    book.messages.push({ idempotencyKey: randomUUID(), message: 'Dear people', isAnswered: true })
    expect(await found(scene)).toEqual([
      expect.stringContaining('The rating'),
      'The sign-up of Lost was acknowledged, but is missing or incomplete',
      'The request "Nowhere" is stored 0 times',
      'The message "Dear people" is stored 0 times',
    ])
    expect(
      await missingMails(scene.db, book, { mails: { mails: [] }, secrets: testSecrets }),
    ).toEqual(['The email to Lost is lost'])
  }))
